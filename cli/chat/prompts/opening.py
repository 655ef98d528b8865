"""What goes wrong: the opening question, and symptoms to choose from."""

from __future__ import annotations

from collections import Counter

from ....engine.model import MADE_SIGNS, FactSpec
from ...content.complaints import COMPLAINTS
from ...render.screen import Screen
from ..replies import read_numbers
from ..talk import Talk

_MOST = 7
"""Symptoms on one list."""


class Opening:
    """What is wrong? In the person's own words, as a pasted log, or by one of five complaints."""

    def __init__(self, chat: Talk) -> None:
        self._chat = chat

    def show(self, screen: Screen) -> None:
        """The opening question."""
        say = self._chat.say
        screen.line()
        screen.line(say("What goes wrong?"), "bold")
        screen.paragraph(say("Say it in your own words, paste a log or the output of a tool, or choose:"), 0)
        for number, complaint in enumerate(COMPLAINTS, start=1):
            screen.paragraph(say(complaint.title), 2, first=f"{number}) ")
        screen.line(f"s) {say('ask me something else')}", "dim", 2)

    def takes(self, text: str) -> bool:
        """A report is read, not matched with complaints."""
        return False

    def reply(self, text: str) -> None:
        """A complaint by number, or free words."""
        chat = self._chat
        numbers = read_numbers(text, len(COMPLAINTS))
        if numbers:
            chat.complained = True
            symptoms = symptoms_of(chat, numbers)
            if symptoms:
                chat.expect(Offer(chat, symptoms))
            else:  # all of them are known already, or none could change anything
                chat.advance()
        elif text.lower() in ("s", "skip", "d", "跳过") or numbers == []:
            chat.complained = True
            chat.advance()
        else:
            chat.take_words(text)

    def completions(self) -> list[str]:
        """Nothing but commands."""
        return []

    def asks(self) -> list[str]:
        """No certain fact."""
        return []


def symptoms_of(chat: Talk, complaints: list[int]) -> list[str]:
    """The open symptoms of some complaints: first what tells incidents apart best, then what most incidents read.

    The planner alone leaves out what is rare, and a complaint may be made of nothing else.
    """
    session = chat.session
    chosen = [COMPLAINTS[number - 1] for number in complaints]
    open_ = {
        spec.name
        for spec in session.knowledge.facts()
        if _is_seen(spec) and session.is_open(spec.name) and any(r.words.search(spec.title) for r in chosen)
    }
    best = [question.fact for question in session.planner.best(400) if question.fact in open_][:_MOST]
    if len(best) == _MOST:
        return best
    readers: Counter[str] = Counter()
    for name in session.knowledge.fault_ids:
        readers.update(open_.intersection(session.planner.outlook.reads(name)))
    rest = sorted(open_.difference(best), key=lambda fact: (-readers[fact], fact))
    return [*best, *(fact for fact in rest if readers[fact])][:_MOST]


def _is_seen(spec: FactSpec) -> bool:
    return spec.sign and spec.type == "bool" and not spec.name.startswith(MADE_SIGNS)


class Offer:
    """Symptoms to choose from."""

    def __init__(self, chat: Talk, symptoms: list[str]) -> None:
        self._chat = chat
        self._symptoms = symptoms

    def show(self, screen: Screen) -> None:
        """The list."""
        chat = self._chat
        screen.line()
        screen.line(chat.progress(), "dim")
        screen.paragraph(chat.say("Which of these do you see? (numbers, or none)"), 0, "bold")
        for number, name in enumerate(self._symptoms, start=1):
            spec = chat.session.knowledge.vocabulary.spec(name)
            screen.paragraph(chat.say(spec.question or spec.title), 2, first=f"{number}) ")

    def takes(self, text: str) -> bool:
        """A report is read as such."""
        return False

    def reply(self, text: str) -> None:
        """The chosen ones hold; the others were looked at and not seen."""
        chat = self._chat
        if text.lower() in ("s", "skip", "d", "?", "跳过", "不知道"):
            chat.advance()
            return
        numbers = read_numbers(text, len(self._symptoms))
        if numbers is None:
            chat.take_words(text)
            return
        for number, name in enumerate(self._symptoms, start=1):
            if number not in numbers:
                chat.history.tell(name, False, "")
        for number in numbers:
            chat.tell(self._symptoms[number - 1], True)
        label = ", ".join(self._symptoms[number - 1] for number in numbers)
        chat.history.merge(len(self._symptoms), label or chat.say("none of these"))
        chat.advance()

    def completions(self) -> list[str]:
        """Only "none"."""
        return ["none"]

    def asks(self) -> list[str]:
        """All of them."""
        return list(self._symptoms)

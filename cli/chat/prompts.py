"""What the conversation waits for: a complaint, a choice of symptoms, an answer, a decision, news of a remedy."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Protocol

from ...engine import EngineError
from ...engine.diagnosis import remedy as remedy_here
from ...engine.model import FactSpec
from ...engine.planner import Question
from ...engine.values import show_value
from ..paint import Sheet
from ..roads import ROADS
from ..textreport import remedies as lay_out_remedies
from .replies import HELP, OTHER, SKIP, UNKNOWN, VALUE, choices_of, read_numbers, read_reply

if TYPE_CHECKING:
    from .conversation import Conversation

_MOST = 7
"""Symptoms on one list."""


class Prompt(Protocol):
    """Something that waits for a reply."""

    def show(self, sheet: Sheet) -> None:
        """Put the prompt on the sheet."""

    def takes(self, text: str) -> bool:
        """Whether a text that looks like a report is meant as an answer to this."""

    def reply(self, text: str) -> None:
        """Take a reply."""

    def completions(self) -> list[str]:
        """Words that can be typed here."""


class Complaint:
    """What is wrong? In the person's own words, as a pasted log, or by one of five roads."""

    def __init__(self, chat: Conversation) -> None:
        self._chat = chat

    def show(self, sheet: Sheet) -> None:
        """The opening question."""
        say = self._chat.say
        sheet.line()
        sheet.line(say("What goes wrong?"), "bold")
        sheet.paragraph(say("Say it in your own words, paste a log or the output of a tool, or choose:"), 0)
        for number, road in enumerate(ROADS, start=1):
            sheet.paragraph(say(road.title), 2, first=f"{number}) ")
        sheet.line(f"s) {say('ask me something else')}", "dim", 2)

    def takes(self, text: str) -> bool:
        """A report is read, not matched with roads."""
        return False

    def reply(self, text: str) -> None:
        """A road, or free words."""
        chat = self._chat
        numbers = read_numbers(text, len(ROADS))
        if numbers:
            chat.heard = True
            symptoms = symptoms_of(chat, numbers)
            if symptoms:
                chat.expect(Offer(chat, symptoms))
            else:  # all of them are known already, or none could change anything
                chat.advance()
        elif text.lower() in ("s", "skip", "d", "跳过") or numbers == []:
            chat.heard = True
            chat.advance()
        else:
            chat.hear(text)

    def completions(self) -> list[str]:
        """Nothing but commands."""
        return []


def symptoms_of(chat: Conversation, roads: list[int]) -> list[str]:
    """The open symptoms of some roads: first what tells incidents apart best, then what most incidents read.

    The planner alone leaves out what is rare, and a road may be made of nothing else.
    """
    session = chat.session
    chosen = [ROADS[number - 1] for number in roads]
    open_ = {
        spec.name
        for spec in session.knowledge.facts()
        if _is_seen(spec) and session.is_open(spec.name) and any(r.words.search(spec.title) for r in chosen)
    }
    best = [question.fact for question in session.planner.best(400) if question.fact in open_][:_MOST]
    if len(best) == _MOST:
        return best
    readers: Counter[str] = Counter()
    for name in session.knowledge.incident_ids:
        readers.update(open_.intersection(session.planner.outlook.reading(name).reads))
    rest = sorted(open_.difference(best), key=lambda fact: (-readers[fact], fact))
    return [*best, *(fact for fact in rest if readers[fact])][:_MOST]


def _is_seen(spec: FactSpec) -> bool:
    return spec.sign and spec.type == "bool"


class Offer:
    """Symptoms to choose from."""

    def __init__(self, chat: Conversation, symptoms: list[str]) -> None:
        self._chat = chat
        self._symptoms = symptoms

    def show(self, sheet: Sheet) -> None:
        """The list."""
        chat = self._chat
        sheet.line()
        sheet.paragraph(chat.say("Which of these do you see? (numbers, or none)"), 0, "bold")
        for number, name in enumerate(self._symptoms, start=1):
            spec = chat.session.knowledge.vocabulary.spec(name)
            sheet.paragraph(chat.say(spec.question or spec.title), 2, first=f"{number}) ")

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
            chat.hear(text)
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


class Asking:
    """One question about one fact."""

    def __init__(self, chat: Conversation, question: Question) -> None:
        self._chat = chat
        self.question = question
        self._spec = chat.session.knowledge.vocabulary.spec(question.fact)

    def show(self, sheet: Sheet) -> None:
        """The question, its answers, and the keys that always work."""
        chat = self._chat
        sheet.line()
        sheet.paragraph(chat.say(self.question.text), 0, "bold")
        for number, (_, word) in enumerate(choices_of(self._spec), start=1):
            meaning = chat.language.choice(word)
            shown = chat.say(word) if self._spec.type == "bool" else word
            sheet.paragraph(shown + (f"  {meaning}" if meaning != word else ""), 2, first=f"{number}) ")
        if not choices_of(self._spec):
            kind = {"version": "a version", "int": "a number", "text": "text"}[self._spec.type]
            kind = "a size such as 64M" if self._spec.unit == "bytes" else kind
            sheet.line(f"({chat.say(kind)})", "dim", 2)
        if self._spec.probe == "collective" and chat.tools.test is not None:
            sheet.paragraph(chat.say("/test finds it out: real collectives, two minutes at most"), 2, "dim")
        sheet.paragraph(chat.say("d don't know · s skip · h how to find out · /why · /back"), 2, "dim")

    def takes(self, text: str) -> bool:
        """Whether the text is an answer, even if it could be output of a program."""
        return "\n" not in text.strip() and read_reply(text, self._spec).kind == VALUE

    def reply(self, text: str) -> None:
        """An answer, or something else that was typed here."""
        chat = self._chat
        reply = read_reply(text, self._spec)
        if reply.kind == VALUE:
            try:
                chat.tell(self._spec.name, reply.value)
            except EngineError as error:
                chat.error(error)
                return
            chat.advance()
        elif reply.kind == UNKNOWN:
            chat.tell(self._spec.name, None)
            chat.advance()
        elif reply.kind == SKIP:
            chat.history.skip(self._spec.name, chat.say("skipped {fact}", fact=self._spec.name))
            chat.advance()
        elif reply.kind == HELP:
            from .commands import how_to_find_out

            how_to_find_out(chat, self._spec.name)
            self.show(chat.sheet)
        elif reply.kind == OTHER:
            chat.hear(text)
        else:
            chat.sheet.paragraph(reply.text, 0, "yellow")
            self.show(chat.sheet)

    def completions(self) -> list[str]:
        """The answers."""
        return [word for _, word in choices_of(self._spec)] + ["don't know", "skip", "help"]


class Contradiction:
    """Two sources disagree; the person says which holds."""

    def __init__(self, chat: Conversation, fact: str) -> None:
        self._chat = chat
        self._fact = fact

    def show(self, sheet: Sheet) -> None:
        """Both, with their places."""
        chat = self._chat
        found = chat.session.settled(self._fact)
        spec = chat.session.knowledge.vocabulary.spec(self._fact)
        sheet.line()
        sheet.line(chat.say("Two sources disagree on {fact}. Which holds?", fact=self._fact), "bold")
        if found is None or found.value is None:
            return
        sheet.paragraph(show_value(spec, found.value), 2, first=f"1) {chat.say('your answer')}: ")
        for conflict in found.conflicts[:1]:
            where = f"{chat.say(conflict.origin.kind)} {conflict.origin.where}".strip()
            sheet.paragraph(show_value(spec, conflict.value), 2, first=f"2) {where}: ")
            if conflict.origin.text:
                sheet.paragraph(conflict.origin.text, 5, "dim")

    def takes(self, text: str) -> bool:
        """A report is read as such."""
        return False

    def reply(self, text: str) -> None:
        """1 keeps the answer, 2 takes it back."""
        chat = self._chat
        numbers = read_numbers(text, 2)
        if numbers not in ([1], [2]):
            chat.sheet.line(chat.say("Please type 1 or 2."), "yellow")
            self.show(chat.sheet)
            return
        chat.decided(self._fact)
        if numbers == [2]:
            chat.history.forget(self._fact, chat.say("answer to {fact} withdrawn", fact=self._fact))
            chat.sheet.paragraph(self._fact, 0, "dim", chat.say("your answer is withdrawn: "))
        chat.advance()

    def completions(self) -> list[str]:
        """The two."""
        return ["1", "2"]


class Remedies:
    """Remedies of an incident, one at a time, the least risky that could cure first."""

    def __init__(self, chat: Conversation, incident: str, unsure: bool = False) -> None:
        self._chat = chat
        self._unsure = unsure
        listed = [
            remedy_here(chat.session, name) for name in chat.session.knowledge.incident(incident).remedies
        ]
        self._inapplicable = [r for r in listed if not r["applies"]]
        open_ones = [r for r in listed if r["applies"] and r["id"] not in chat.tried]
        self._left = sorted(open_ones, key=_burden)
        self._total = len(open_ones)

    def show(self, sheet: Sheet) -> None:
        """The next remedy with its steps, and what can be answered."""
        chat = self._chat
        if not self._left:
            sheet.line()
            sheet.paragraph(chat.say("No further remedy is known for this."), 0, "bold")
            for remedy in self._inapplicable:
                sheet.paragraph(
                    f"{chat.say(remedy['title'])}: {remedy['why_not']}", 2, "dim", chat.say("not here: ")
                )
            _closing(chat, sheet)
            return
        sheet.line()
        number = self._total - len(self._left) + 1
        title = "If you want to try something" if self._unsure else "What to do"
        sheet.line(f"{chat.say(title)} ({number}/{self._total})", "bold")
        urls: dict[str, int] = {}
        lay_out_remedies(sheet, [self._left[0]], urls)
        for url, mark in urls.items():
            sheet.line(f"[{mark}] {url}", "dim", 5)
        sheet.line()
        sheet.line(
            chat.say("1) done, and it works now   2) done, no change   3) show the next   4) enough"), "dim"
        )

    def takes(self, text: str) -> bool:
        """A report is read as such."""
        return False

    def reply(self, text: str) -> None:
        """What became of the remedy."""
        chat = self._chat
        numbers = read_numbers(text, 4)
        if not self._left:
            Idle(chat).reply(text)
        elif numbers == [1]:
            self._cured()
        elif numbers == [2]:
            chat.tried[self._left.pop(0)["id"]] = "no change"
            self.show(chat.sheet)
        elif numbers == [3] or text.lower() in ("n", "next", "s", "skip", "d", "-", "下一个", "跳过"):
            self._left.pop(0)
            self.show(chat.sheet)
        elif numbers == [4] or text.lower() in ("q", "quit", "enough", "够了"):
            chat.prompt = Idle(chat)
            _closing(chat, chat.sheet)
        else:
            chat.hear(text)

    def _cured(self) -> None:
        chat = self._chat
        remedy = self._left[0]
        chat.tried[remedy["id"]] = "cured"
        chat.sheet.line(chat.say("Good. To be sure that it is this that cured it:"), "bold green")
        for entry in remedy["verify"]:
            head, *commands = entry.split("\n")
            chat.sheet.paragraph(head, 2, first="- ")
            for command in commands:
                chat.sheet.line(command, "green", 6)
        if remedy["undo"]:
            chat.sheet.paragraph(
                " ".join(remedy["undo"]).replace("\n", " "), 2, "dim", chat.say("To undo it later: ")
            )
        chat.prompt = Idle(chat)
        _closing(chat, chat.sheet)

    def completions(self) -> list[str]:
        """The four."""
        return ["1", "2", "3", "4"]


class Idle:
    """Nothing is asked; anything may still be told."""

    def __init__(self, chat: Conversation) -> None:
        self._chat = chat

    def show(self, sheet: Sheet) -> None:
        """What can be done now."""
        _closing(self._chat, sheet)

    def takes(self, text: str) -> bool:
        """A report is read as such."""
        return False

    def reply(self, text: str) -> None:
        """Free words, or the wish to leave."""
        if text.lower() in ("q", "quit", "exit", "bye", "退出"):
            self._chat.over = True
            return
        self._chat.hear(text)

    def completions(self) -> list[str]:
        """Nothing but commands."""
        return []


def _closing(chat: Conversation, sheet: Sheet) -> None:
    sheet.line()
    sheet.paragraph(
        chat.say("Paste more, describe more, /report for an issue tracker, /save FILE, /back, or /quit."),
        0,
        "dim",
    )


def _burden(remedy: dict[str, Any]) -> tuple[bool, bool, bool]:
    """The least risky first; among equals the order of the knowledge base stays."""
    needs = set(remedy["needs"])
    return (
        bool(remedy["danger"]),
        bool(needs & {"reboot", "bare-metal", "hands-on"}),
        bool(needs & {"root", "administrator"}),
    )

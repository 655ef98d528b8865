"""Remedies, one at a time, and what can be said when there is nothing left to ask."""

from __future__ import annotations

from typing import Any

from ....engine.diagnosis.remedies import remedy_part as remedy_here
from ....engine.rules import facts_of
from ...render.report.terminal import lay_out_remedies
from ...render.screen import Screen
from ..replies import read_numbers
from ..talk import Talk


class Remedies:
    """Remedies of an incident, one at a time, the least risky that could cure first."""

    def __init__(self, chat: Talk, incident: str, unsure: bool = False) -> None:
        self._chat = chat
        self._unsure = unsure
        record = chat.session.knowledge.incident(incident)
        conditions = (*record.confirms, *record.requires, *record.excludes)
        names = dict.fromkeys(fact for condition in conditions for fact in facts_of(condition))
        self._open = [name for name in names if chat.session.is_open(name)]
        listed = [
            remedy_here(chat.session, name) for name in chat.session.knowledge.incident(incident).remedies
        ]
        self._inapplicable = [r for r in listed if not r["applies"]]
        open_ones = [r for r in listed if r["applies"] and r["id"] not in chat.tried]
        self._left = sorted(open_ones, key=_burden)
        self._total = len(open_ones)

    def show(self, screen: Screen) -> None:
        """The next remedy with its steps, and what can be answered."""
        chat = self._chat
        if not self._left:
            screen.line()
            screen.paragraph(chat.say("There are no more known remedies for this."), 0, "bold")
            for remedy in self._inapplicable:
                screen.paragraph(
                    f"{chat.say(remedy['title'])}: {remedy['why_not']}", 2, "dim", chat.say("not here: ")
                )
            _closing(chat, screen)
            return
        screen.line()
        number = self._total - len(self._left) + 1
        title = "If you want to try something" if self._unsure else "What to do"
        screen.line(f"{chat.say(title)} ({number}/{self._total})", "bold")
        for mark, url in lay_out_remedies(screen, [self._left[0]]):
            screen.line(f"[{mark}] {url}", "dim", 5)
        screen.line()
        screen.line(
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
            self.show(chat.screen)
        elif numbers == [3] or text.lower() in ("n", "next", "s", "skip", "d", "-", "下一个", "跳过"):
            self._left.pop(0)
            self.show(chat.screen)
        elif numbers == [4] or text.lower() in ("q", "quit", "enough", "够了"):
            chat.prompt = Idle(chat)
            _closing(chat, chat.screen)
        else:
            chat.take_words(text)

    def _cured(self) -> None:
        chat = self._chat
        remedy = self._left[0]
        chat.tried[remedy["id"]] = "cured"
        chat.screen.line(chat.say("Good. To make sure that this was the cure:"), "bold green")
        for entry in remedy["verify"]:
            head, *commands = entry.split("\n")
            chat.screen.paragraph(head, 2, first="- ")
            for command in commands:
                chat.screen.line(command, "green", 6)
        if remedy["undo"]:
            chat.screen.paragraph(
                " ".join(remedy["undo"]).replace("\n", " "), 2, "dim", chat.say("To undo it later: ")
            )
        chat.prompt = Idle(chat)
        _closing(chat, chat.screen)

    def completions(self) -> list[str]:
        """The four."""
        return ["1", "2", "3", "4"]

    def asks(self) -> list[str]:
        """What would still settle the incident."""
        return self._open


class Idle:
    """Nothing is asked; anything may still be told."""

    def __init__(self, chat: Talk, stuck: bool = False) -> None:
        self._chat = chat
        self._stuck = stuck

    def show(self, screen: Screen) -> None:
        """What can be done now; where nothing was found, how to find out what nobody knew."""
        if self._stuck:
            next_steps(self._chat, screen)
        _closing(self._chat, screen)

    def takes(self, text: str) -> bool:
        """A report is read as such."""
        return False

    def reply(self, text: str) -> None:
        """Free words, or the wish to leave."""
        if text.lower() in ("q", "quit", "exit", "bye", "退出"):
            self._chat.over = True
            return
        self._chat.take_words(text)

    def completions(self) -> list[str]:
        """Nothing but commands."""
        return []

    def asks(self) -> list[str]:
        """What was not known."""
        return not_known(self._chat)


def not_known(chat: Talk) -> list[str]:
    """The facts that were asked for and nobody knew, the cheapest to find out first."""
    spec = chat.session.knowledge.vocabulary.spec
    unknown = [f.name for f in chat.session.facts() if f.value is None and spec(f.name).question]
    return sorted(unknown, key=lambda name: spec(name).cost)


def next_steps(chat: Talk, screen: Screen) -> None:
    """What leads further where nothing is known that decides: measure, test, look up."""
    screen.line()
    screen.line(chat.say("Next"), "bold")
    if chat.tools.probe is not None:
        screen.paragraph(chat.say("/probe measures this machine"), 2, first="- ")
    else:
        screen.paragraph(chat.say("on the machine of the job, gpudoctor --probe measures it"), 2, first="- ")
    if chat.tools.test is not None:
        screen.paragraph(chat.say("/test finds it out: real collectives, two minutes at most"), 2, first="- ")
    screen.paragraph(
        chat.say("start the job again with NCCL_DEBUG=INFO, and paste its log from the beginning"),
        2,
        first="- ",
    )
    for name in not_known(chat)[:3]:
        title = chat.say(chat.session.knowledge.vocabulary.spec(name).title)
        screen.paragraph(f"{title}: /explain {name}", 2, first="- ")
    for near in chat.session.nearest().listed[:2]:
        title = chat.say(chat.session.knowledge.incident(near.id).title)
        screen.paragraph(f"{chat.say('it resembles')} {title}: /explain {near.id}", 2, first="- ")


def _closing(chat: Talk, screen: Screen) -> None:
    screen.line()
    screen.paragraph(
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

"""A person and a session: what is known of the talk, and what prompts and commands do to it.

What is asked next is the business of ``conversation``, which is built upon this.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Protocol

from gpudoctor.engine.tuples import NamedTuple

from ...engine import EngineError, Session
from ...engine.belief import EXCLUDED, Standing
from ...engine.facts import ANSWER, DOUBTED, ERROR_LINE, WORDS, Settled, Statement, show_value
from ...engine.questions import Question
from ...probes.report import Reader
from ..language import Language
from ..render.screen import Screen, columns
from .history import History
from .transcript import Transcript

_MOST_FACTS = 12


class Tools(NamedTuple):
    """What the conversation can do beside talking; None where it cannot. Each call may take seconds."""

    probe: Callable[[Sequence[str]], Sequence[Statement]] | None = None
    test: Callable[[], Sequence[Statement]] | None = None
    save: Callable[[str], str] | None = None


class Prompt(Protocol):
    """Something that waits for a reply."""

    def show(self, screen: Screen) -> None:
        """Put the prompt on the screen."""

    def takes(self, text: str) -> bool:
        """Whether a text that looks like a report is meant as an answer to this."""

    def reply(self, text: str) -> None:
        """Take a reply."""

    def completions(self) -> list[str]:
        """Words that can be typed here."""

    def asks(self) -> list[str]:
        """The facts that are asked for, or that decide what is proposed."""


class Talk(ABC):
    """The state of a conversation, and the steps that prompts and commands are made of."""

    prompt: Prompt

    def __init__(
        self,
        session: Session,
        language: Language,
        tools: Tools | None = None,
        width: Callable[[], int] = lambda: 80,
    ) -> None:
        self.session = session
        self.language = language
        self.say = language.say
        self.tools = tools or Tools()
        self.width = width
        self.history = History(session)
        self.transcript = Transcript()
        self.reader = Reader(session.knowledge)
        self.tried: dict[str, str] = {}
        self.readings: list[str] = []  # the facts that were numbered last
        self.complained = False  # the person has said what is wrong
        self.over = False
        self._settled: set[str] = set()  # contradictions on which the person has decided
        self.screen = Screen(self.width(), self.language)

    @abstractmethod
    def advance(self) -> None:
        """Ask what is best asked now, or conclude."""

    @abstractmethod
    def take_words(self, words: str) -> None:
        """Free words, which no prompt took for an answer."""

    @abstractmethod
    def undo(self) -> None:
        """Take the last step back and ask again."""

    def standing(self) -> list[Standing]:
        """The incidents that stand, best first."""
        return [s for s in self.session.standings() if s.standing != EXCLUDED]

    def expect(self, prompt: Prompt) -> None:
        """Make this the open prompt and show it."""
        self.prompt = prompt
        prompt.show(self.screen)

    def tell(self, fact: str, value: object) -> None:
        """Take an answer; None says that the person does not know. Raises FactError."""
        spec = self.session.knowledge.vocabulary.spec(fact)
        word = self.say("not known") if value is None else None
        leader = self._leader()
        self.history.tell(fact, value, "")
        known = self.session.value(fact)
        shown = word or (show_value(spec, known) if known is not None else str(value))
        self.history.relabel(f"{fact} = {shown}")
        self.screen.paragraph(f"{fact} = {shown}", 0, "dim", self.say("noted: "))
        self._said_change(leader)

    @abstractmethod
    def understood(self, facts: Sequence[Settled], said: str = "", perhaps: Sequence[str] = ()) -> None:
        """Show what was read, numbered, so that it can be taken back."""

    def progress(self) -> str:
        """How far the conversation is and what leads, on one line."""
        standing = self.standing()
        parts = [self.language.count("1 incident stands", "{count} incidents stand", len(standing))]
        if standing:
            title = self.say(self.session.knowledge.incident(standing[0].id).title)
            parts.append(f"{self.say('now leading: ')}{title} ({self.say(standing[0].standing)})")
        else:
            parts.append(self.say("nothing leads yet"))
        asked = self.language.count("1 step so far", "{count} steps so far", len(self.history))
        return shortened(" · ".join([asked, *parts]), self.width())

    def add(self, statements: Sequence[Statement], lines: int = 0, words: str = "") -> None:
        """Take facts of a report, a probe or a test, say what they were, and go on."""
        leader = self._leader()
        facts = [s for s in statements if s.name not in (ERROR_LINE, WORDS) and s.origin.trust != DOUBTED]
        errors = sum(s.name == ERROR_LINE for s in statements)
        names = list(dict.fromkeys(f.name for f in facts))
        self.history.add(
            list(statements), self.language.count("1 fact read", "{count} facts read", len(names))
        )
        if lines:
            count = self.language.count
            told = count("read 1 line", "read {count} lines", lines)
            said = told + self.say(": ") + count("1 fact", "{count} facts", len(names))
        else:
            said = self.language.count("1 fact", "{count} facts", len(names))
        if errors:
            said += self.language.count(
                ", 1 error line that nothing explains yet",
                ", {count} error lines not explained yet",
                errors,
            )
        self.screen.paragraph(said, 0, "dim")
        if names:
            self.understood(
                [s for n in names if (s := self.session.settled(n)) and s.value is not None], words
            )
        elif words:
            self.understood([], words)
        if any(self.session.knowledge.vocabulary.spec(name).sign for name in names):
            self.complained = True
        self._said_change(leader)
        self.advance()

    def facts_in_brief(self, facts: Sequence[Settled]) -> None:
        """Facts on as few lines as they need."""
        vocabulary = self.session.knowledge.vocabulary
        parts = []
        for fact in facts[:_MOST_FACTS]:
            if fact.value is not None:
                shown = show_value(vocabulary.spec(fact.name), fact.value)
                parts.append(f"{fact.name} = {shortened(shown, 40)}")
        if len(facts) > _MOST_FACTS:
            parts.append(self.say("and {count} more (/facts)", count=len(facts) - _MOST_FACTS))
        self.screen.paragraph("; ".join(parts), 2, "dim")

    def next_question(self) -> Question | None:
        """The best question that the person did not skip."""
        return self.session.planner.next(self.history.skipped)

    def contradiction(self) -> str | None:
        """A fact on which an answer and another source disagree, and the person has not decided."""
        for fact in self.session.facts():
            if fact.conflicts and fact.name not in self._settled and fact.origins[0].kind == ANSWER:
                return fact.name
        return None

    def decided(self, fact: str) -> None:
        """The person has decided on a contradiction."""
        self._settled.add(fact)

    def error(self, error: EngineError) -> None:
        """Bad input: one sentence, and the same prompt again."""
        self.screen.paragraph(error.message, 0, "yellow")
        self.prompt.show(self.screen)

    def _leader(self) -> tuple[str, str]:
        standing = self.standing()
        return (standing[0].id, standing[0].standing) if standing else ("", "")

    def _said_change(self, before: tuple[str, str]) -> None:
        after = self._leader()
        if after != before and after[0]:
            title = self.say(self.session.knowledge.incident(after[0]).title)
            self.screen.paragraph(f"{title} ({self.say(after[1])})", 0, "", self.say("now leading: "))


def shortened(text: str, width: int) -> str:
    """The text, cut to so many columns."""
    if columns(text) <= width:
        return text
    while columns(text) > width - 1:
        text = text[:-1]
    return text + "…"

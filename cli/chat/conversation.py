"""The conversation itself, without a terminal: text comes in, a sheet goes out, the session changes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from ...engine import EngineError, Session
from ...engine.facts import ANSWER, Settled, Statement
from ...engine.planner import Question
from ...engine.standing import CONFIRMED_STANDING, EXCLUDED, LIKELY, Standing
from ...engine.values import show_value
from ...probes.report import Reader
from ...probes.text import safe, strip_escapes
from ..language import Language
from ..paint import Sheet, columns
from . import prompts
from .history import History
from .transcript import Transcript
from .understanding import Symptoms, is_report, read_text, recognised


class Tools(NamedTuple):
    """What the conversation can do beside talking; None where it cannot. Each call may take seconds."""

    probe: Callable[[Sequence[str]], Sequence[Statement]] | None = None
    test: Callable[[], Sequence[Statement]] | None = None
    save: Callable[[str], str] | None = None


class Conversation:
    """A person and a session. ``reply`` takes what was typed or pasted and returns what to show."""

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
        self.heard = False  # the person has said what is wrong
        self.over = False
        self.pasting = False
        self.pastes = 0
        self._settled: set[str] = set()  # contradictions on which the person has decided
        self._symptoms: Symptoms | None = None
        self.prompt: prompts.Prompt = prompts.Complaint(self)
        self.sheet = Sheet(self.width(), self.language)

    # What goes out

    def open(self, notes: Sequence[str] = ()) -> Sheet:
        """The first screen."""
        self._fresh()
        known = [f for f in self.session.facts() if f.value is not None and f.name not in _SELF_EVIDENT]
        if known:
            self.sheet.line(self.say("What is known so far"), "bold")
            self.facts_in_brief(known)
        for note in notes:
            self.sheet.paragraph(note, 0, "dim")
        self.advance()
        return self._shown("")

    def reply(self, text: str) -> Sheet:
        """React to what was typed or pasted."""
        self._fresh()
        # What is pasted may hold terminal escapes; they must not come back to the screen.
        text = safe(strip_escapes(text.encode("utf-8", "surrogateescape")).decode("utf-8", "replace"))
        told = text.strip()
        if told.startswith("/") and "\n" not in told:
            from .commands import run

            run(self, told)
        elif not told:
            self.prompt.show(self.sheet)
        elif is_report(told) and not self.prompt.takes(told):
            self.take_report(told)
        else:
            self.prompt.reply(told)
        return self._shown(text)

    def _fresh(self) -> None:
        self.sheet = Sheet(self.width(), self.language)

    def _shown(self, said: str) -> Sheet:
        self.transcript.add(said, self.sheet.plain())
        return self.sheet

    def status(self, less: int = 0) -> str:
        """One line, ``less`` columns short of the width: how many incidents stand, which leads, what was learnt."""
        standing = self.standing()
        parts = [self.language.count("1 incident stands", "{count} incidents stand", len(standing))]
        if standing:
            first = standing[0]
            parts.append(f"{first.id} ({self.say(first.standing)})")
        if self.history.last:
            parts.append(self.history.last)
        return _cut(" | ".join(parts), self.width() - less)

    def standing(self) -> list[Standing]:
        """The incidents that stand, best first."""
        return [s for s in self.session.standings() if s.standing != EXCLUDED]

    # What comes in

    def tell(self, fact: str, value: object) -> None:
        """Take an answer; None says that the person does not know. Raises FactError."""
        spec = self.session.knowledge.vocabulary.spec(fact)
        word = self.say("not known") if value is None else None
        leader = self._leader()
        self.history.tell(fact, value, "")
        known = self.session.value(fact)
        shown = word or (show_value(spec, known) if known is not None else str(value))
        self._relabel(f"{fact} = {shown}")
        self.sheet.paragraph(f"{fact} = {shown}", 0, "dim", self.say("noted: "))
        self._said_change(leader)

    def _relabel(self, label: str) -> None:
        self.history.relabel(label)

    def _leader(self) -> tuple[str, str]:
        standing = self.standing()
        return (standing[0].id, standing[0].standing) if standing else ("", "")

    def _said_change(self, before: tuple[str, str]) -> None:
        after = self._leader()
        if after != before and after[0]:
            title = self.say(self.session.knowledge.incident(after[0]).title)
            self.sheet.paragraph(f"{title} ({self.say(after[1])})", 0, "", self.say("now leading: "))

    def take_report(self, text: str) -> None:
        """Read pasted text as a report and say in one line what was found."""
        self.pastes += 1
        self.add(read_text(self.reader, text, f"paste {self.pastes}"), text.count("\n") + 1)

    def add(self, statements: Sequence[Statement], lines: int = 0) -> None:
        """Take facts of a report, a probe or a test, say what they were, and go on."""
        leader = self._leader()
        facts = [s for s in statements if s.name != "log.error_line"]
        errors = len(statements) - len(facts)
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
                ", {count} error lines that nothing explains yet",
                errors,
            )
        self.sheet.paragraph(said, 0, "dim")
        if names:
            self.facts_in_brief([s for n in names if (s := self.session.settled(n)) and s.value is not None])
        if any(self.session.knowledge.vocabulary.spec(name).sign for name in names):
            self.heard = True
        self._said_change(leader)
        self.advance()

    def facts_in_brief(self, facts: Sequence[Settled]) -> None:
        """Facts on as few lines as they need."""
        vocabulary = self.session.knowledge.vocabulary
        parts = []
        for fact in facts[:_MOST_FACTS]:
            if fact.value is not None:
                shown = show_value(vocabulary.spec(fact.name), fact.value)
                parts.append(f"{fact.name} = {_cut(shown, 40)}")
        if len(facts) > _MOST_FACTS:
            parts.append(self.say("and {count} more (/facts)", count=len(facts) - _MOST_FACTS))
        self.sheet.paragraph("; ".join(parts), 2, "dim")

    def hear(self, words: str) -> None:
        """Free words: what signatures recognise is offered with what the search finds."""
        if len(words) < _FEWEST_CHARACTERS and words.isascii():
            self.sheet.paragraph(
                self.say("This is not an answer to the question; /help lists what can be typed."), 0
            )
            self.prompt.show(self.sheet)
            return
        read = recognised(read_text(self.reader, words, "words"))
        found = [
            f.name
            for f in read
            if self.session.is_open(f.name) and self.session.knowledge.vocabulary.spec(f.name).sign
        ]
        if self._symptoms is None:
            self._symptoms = Symptoms(self.session.knowledge, self.language)
        near = [name for name in self._symptoms.find(words) if self.session.is_open(name)]
        names = list(dict.fromkeys([*found, *near]))[:6]
        facts = [f for f in read if f.name not in names]
        if facts:
            self.history.add(
                list(facts), self.language.count("1 fact read", "{count} facts read", len(facts))
            )
            names_read = dict.fromkeys(f.name for f in facts)
            self.facts_in_brief(
                [s for n in names_read if (s := self.session.settled(n)) and s.value is not None]
            )
        if names:
            self.heard = True
            self.expect(prompts.Offer(self, names))
        elif facts:
            self.advance()
        else:
            self.sheet.paragraph(
                self.say(
                    "These words lead to nothing in the knowledge base; an error line or a log says more."
                ),
                0,
            )
            self.prompt.show(self.sheet)

    # What is next

    def expect(self, prompt: prompts.Prompt) -> None:
        """Make this the open prompt and show it."""
        self.prompt = prompt
        prompt.show(self.sheet)

    def advance(self) -> None:
        """Ask what is best asked now, or conclude."""
        contradiction = self.contradiction()
        if contradiction is not None:
            self.expect(prompts.Contradiction(self, contradiction))
            return
        standing = self.standing()
        if not standing and not self.heard:
            self.expect(prompts.Complaint(self))
            return
        question = self.next_question()
        if question is not None:
            self.expect(prompts.Asking(self, question))
        else:
            self.conclude()

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

    def conclude(self) -> None:
        """Say what was found; offer remedies one at a time."""
        from ..textreport import text_report

        document = self.session.diagnosis().to_dict()
        self.sheet.line()
        report = text_report(document, self.width(), self.language, in_chat=True)
        self.sheet.lines += report.lines
        incidents = document["incidents"]
        if incidents and incidents[0]["standing"] in (CONFIRMED_STANDING, LIKELY):
            self.expect(prompts.Remedies(self, incidents[0]["id"]))
        elif incidents:
            self.expect(prompts.Remedies(self, incidents[0]["id"], unsure=True))
        else:
            self.expect(prompts.Idle(self))

    def undo(self) -> None:
        """Take the last step back and ask again."""
        step = self.history.back()
        if step is None:
            self.sheet.line(self.say("There is nothing to take back."))
            self.prompt.show(self.sheet)
            return
        self.sheet.paragraph(step.label or step.skipped, 0, "dim", self.say("taken back: "))
        for statement in step.added:
            self._settled.discard(statement.name)
        asked = [s.name for s in (*step.added, *step.removed) if s.origin.kind == ANSWER]
        asked += [step.skipped] if step.skipped else []
        self.ask_again(asked[0] if len(asked) == 1 else "")

    def ask_again(self, fact: str) -> None:
        """Put a certain question again, or go on where there is none."""
        spec = self.session.knowledge.vocabulary.spec(fact) if fact else None
        if spec is not None and spec.question and self.session.is_open(fact):
            self.expect(
                prompts.Asking(
                    self, Question("question", fact, spec.question, spec.values, spec.cost, 0.0, ())
                )
            )
        else:
            self.advance()

    def error(self, error: EngineError) -> None:
        """Bad input: one sentence, and the same prompt again."""
        self.sheet.paragraph(error.message, 0, "yellow")
        self.prompt.show(self.sheet)


_FEWEST_CHARACTERS = 4
_MOST_FACTS = 12
_SELF_EVIDENT = ("host.name", "host.boot_id")


def _cut(text: str, width: int) -> str:
    if columns(text) <= width:
        return text
    while columns(text) > width - 1:
        text = text[:-1]
    return text + "…"

"""The conversation itself, without a terminal: text comes in, a screen goes out, the session changes."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ...engine import Session
from ...engine.belief import CONFIRMED_STANDING, LIKELY
from ...engine.facts import ANSWER, WORDS, Settled
from ...engine.questions import Question
from ...probes.text import safe, strip_escapes
from ..language import Language
from ..render.screen import Screen
from . import commands, prompts
from .readings import show_readings
from .talk import Talk, Tools, shortened
from .understanding import Symptoms, is_report, read_text, recognised


class Conversation(Talk):
    """A person and a session. ``reply`` takes what was typed or pasted and returns what to show."""

    def __init__(
        self,
        session: Session,
        language: Language,
        tools: Tools | None = None,
        width: Callable[[], int] = lambda: 80,
    ) -> None:
        super().__init__(session, language, tools, width)
        self.pastes = 0
        self._symptoms: Symptoms | None = None
        self.prompt = prompts.Opening(self)

    # What goes out

    def open(self, notes: Sequence[str] = ()) -> Screen:
        """The first screen."""
        self._fresh()
        known = [f for f in self.session.facts() if f.value is not None and f.name not in _SELF_EVIDENT]
        if known:
            self.screen.line(self.say("What is known so far"), "bold")
            self.facts_in_brief(known)
        for note in notes:
            self.screen.paragraph(note, 0, "dim")
        self.advance()
        return self._shown("")

    def reply(self, text: str) -> Screen:
        """React to what was typed or pasted."""
        self._fresh()
        # What is pasted may hold terminal escapes; they must not come back to the screen.
        text = safe(strip_escapes(text.encode("utf-8", "surrogateescape")).decode("utf-8", "replace"))
        told = text.strip()
        if told.startswith("/") and "\n" not in told:
            commands.run(self, told)
        elif not told:
            self.prompt.show(self.screen)
        elif is_report(told) and not self.prompt.takes(told):
            self.take_report(told)
        else:
            self.prompt.reply(told)
        return self._shown(text)

    def _fresh(self) -> None:
        self.screen = Screen(self.width(), self.language)

    def _shown(self, said: str) -> Screen:
        self.transcript.add(said, self.screen.plain())
        return self.screen

    def status(self, less: int = 0) -> str:
        """One line, ``less`` columns short of the width: how many incidents stand, which leads, what was learnt."""
        standing = self.standing()
        parts = [self.language.count("1 incident stands", "{count} incidents stand", len(standing))]
        if standing:
            first = standing[0]
            parts.append(f"{first.id} ({self.say(first.standing)})")
        if self.history.last:
            parts.append(self.history.last)
        return shortened(" | ".join(parts), self.width() - less)

    # What comes in

    def take_report(self, text: str) -> None:
        """Read pasted text as a report and say in one line what was found."""
        self.pastes += 1
        self.add(read_text(self.reader, text, f"paste {self.pastes}"), text.count("\n") + 1, text)

    def take_words(self, words: str) -> None:
        """Free words: what signatures recognise is offered with what the search finds."""
        if len(words) < _FEWEST_CHARACTERS and words.isascii():
            self.screen.paragraph(
                self.say("That does not answer the question. /help lists what you can type."), 0
            )
            self.prompt.show(self.screen)
            return
        heard = read_text(self.reader, words, "words")
        read = recognised(heard)
        spec_of = self.session.knowledge.vocabulary.spec
        named = dict.fromkeys(f.name for f in read)  # several signatures may read the same
        found = [name for name in named if self.session.is_open(name) and spec_of(name).sign]
        if self._symptoms is None:
            self._symptoms = Symptoms(self.session.knowledge, self.language)
        near = [name for name in self._symptoms.find(words) if self.session.is_open(name)]
        names = list(dict.fromkeys([*found, *near]))[:6]
        facts = [f for f in read if f.name not in names]
        if facts:
            self.history.add(
                [*facts, *(f for f in heard if f.name == WORDS)],
                self.language.count("1 fact read", "{count} facts read", len(facts)),
            )
            names_read = dict.fromkeys(f.name for f in facts)
            taken = [s for n in names_read if (s := self.session.settled(n)) and s.value is not None]
            self.understood(taken, words, found)
        elif names:
            self.understood([], words, found)
        if names:
            self.complained = True
            self.expect(prompts.Offer(self, names))
        elif facts:
            self.advance()
        else:
            self.screen.paragraph(
                self.say(
                    "Nothing in the knowledge base matches these words. An error line or a log would help more."
                ),
                0,
            )
            self.prompt.show(self.screen)

    def understood(self, facts: Sequence[Settled], said: str = "", perhaps: Sequence[str] = ()) -> None:
        """Show what was read, numbered, so that it can be taken back."""
        show_readings(self, facts, said, perhaps)

    # What is next

    def advance(self) -> None:
        """Ask what is best asked now, or conclude."""
        contradiction = self.contradiction()
        if contradiction is not None:
            self.expect(prompts.Contradiction(self, contradiction))
            return
        standing = self.standing()
        if not standing and not self.complained:
            self.expect(prompts.Opening(self))
            return
        question = self.next_question()
        if question is not None:
            kind = prompts.Looking if question.together else prompts.Asking
            self.expect(kind(self, question))
        else:
            self.conclude()

    def conclude(self) -> None:
        """Say what was found; offer remedies one at a time."""
        from ..render.report.forms import CHAT
        from ..render.report.terminal import text_report

        document = self.session.diagnosis().to_dict()
        self.screen.line()
        report = text_report(document, self.width(), self.language, CHAT)
        self.screen.lines += report.lines
        incidents = document["incidents"]
        if incidents and incidents[0]["standing"] in (CONFIRMED_STANDING, LIKELY):
            self.expect(prompts.Remedies(self, incidents[0]["id"]))
        elif incidents:
            self.expect(prompts.Remedies(self, incidents[0]["id"], unsure=True))
        else:
            self.expect(prompts.Idle(self, stuck=True))

    def undo(self) -> None:
        """Take the last step back and ask again."""
        step = self.history.back()
        if step is None:
            self.screen.line(self.say("There is nothing to take back."))
            self.prompt.show(self.screen)
            return
        self.screen.paragraph(step.label or step.skipped, 0, "dim", self.say("taken back: "))
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


_FEWEST_CHARACTERS = 4
_SELF_EVIDENT = ("host.name", "host.boot_id")

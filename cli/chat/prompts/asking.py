"""One question about one fact, and the decision between two sources that disagree."""

from __future__ import annotations

from ....engine import EngineError
from ....engine.facts import show_value
from ....engine.questions import Question
from ...render.kbpage import explain_entry
from ...render.screen import Screen
from ..replies import HELP, OTHER, SKIP, UNKNOWN, VALUE, choices_of, read_numbers, read_reply
from ..talk import Talk


class Asking:
    """One question about one fact."""

    def __init__(self, chat: Talk, question: Question) -> None:
        self._chat = chat
        self.question = question
        self._spec = chat.session.knowledge.vocabulary.spec(question.fact)

    def show(self, screen: Screen) -> None:
        """The question, its answers, and the keys that always work."""
        chat = self._chat
        screen.line()
        screen.line(chat.progress(), "dim")
        doubt = next((d for d in chat.session.doubts() if d.name == self.question.fact), None)
        if doubt:
            screen.paragraph(doubt.origin.text, 0, "dim", f"{doubt.origin.where}: ")
            screen.paragraph(chat.say("I read: {what}. Right?", what=chat.say(self._spec.title)), 0, "bold")
        else:
            screen.paragraph(chat.say(self.question.text), 0, "bold")
        for number, (_, word) in enumerate(choices_of(self._spec), start=1):
            meaning = chat.language.choice(word)
            shown = chat.say(word) if self._spec.type == "bool" else word
            screen.paragraph(shown + (f"  {meaning}" if meaning != word else ""), 2, first=f"{number}) ")
        if not choices_of(self._spec):
            kind = {"version": "a version", "int": "a number", "text": "text"}[self._spec.type]
            kind = "a size such as 64M" if self._spec.unit == "bytes" else kind
            screen.line(f"({chat.say(kind)})", "dim", 2)
        if self._spec.probe == "collective" and chat.tools.test is not None:
            screen.paragraph(chat.say("/test finds it out: real collectives, two minutes at most"), 2, "dim")
        screen.paragraph(chat.say("d don't know · s skip · h how to find out · /why · /back"), 2, "dim")

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
            explain_entry(chat.screen, chat.session.knowledge, self._spec.name)
            self.show(chat.screen)
        elif reply.kind == OTHER:
            chat.take_words(text)
        else:
            chat.screen.paragraph(reply.text, 0, "yellow")
            self.show(chat.screen)

    def completions(self) -> list[str]:
        """The answers."""
        return [word for _, word in choices_of(self._spec)] + ["don't know", "skip", "help"]

    def asks(self) -> list[str]:
        """The one."""
        return [self._spec.name]


class Contradiction:
    """Two sources disagree; the person says which holds."""

    def __init__(self, chat: Talk, fact: str) -> None:
        self._chat = chat
        self._fact = fact

    def show(self, screen: Screen) -> None:
        """Both, with their places."""
        chat = self._chat
        found = chat.session.settled(self._fact)
        spec = chat.session.knowledge.vocabulary.spec(self._fact)
        screen.line()
        screen.line(
            chat.say("Two sources disagree about {fact}. Which one is right?", fact=self._fact), "bold"
        )
        if found is None or found.value is None:
            return
        screen.paragraph(show_value(spec, found.value), 2, first=f"1) {chat.say('your answer')}: ")
        for conflict in found.conflicts[:1]:
            where = f"{chat.say(conflict.origin.kind)} {conflict.origin.where}".strip()
            screen.paragraph(show_value(spec, conflict.value), 2, first=f"2) {where}: ")
            if conflict.origin.text:
                screen.paragraph(conflict.origin.text, 5, "dim")

    def takes(self, text: str) -> bool:
        """A report is read as such."""
        return False

    def reply(self, text: str) -> None:
        """1 keeps the answer, 2 takes it back."""
        chat = self._chat
        numbers = read_numbers(text, 2)
        if numbers not in ([1], [2]):
            chat.screen.line(chat.say("Please type 1 or 2."), "yellow")
            self.show(chat.screen)
            return
        chat.decided(self._fact)
        if numbers == [2]:
            chat.history.forget(self._fact, chat.say("answer to {fact} withdrawn", fact=self._fact))
            chat.screen.paragraph(self._fact, 0, "dim", chat.say("your answer was withdrawn: "))
        chat.advance()

    def completions(self) -> list[str]:
        """The two."""
        return ["1", "2"]

    def asks(self) -> list[str]:
        """The one on which they disagree."""
        return [self._fact]

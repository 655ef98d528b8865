"""Every step of a conversation, so that it can be taken back and told again."""

from __future__ import annotations

from collections.abc import Sequence

from gpudoctor.engine.tuples import NamedTuple

from ...engine import Session
from ...engine.facts import ANSWER, Statement


class Move(NamedTuple):
    """What one reply changed: statements that came and went, and questions that were skipped."""

    label: str
    added: tuple[Statement, ...] = ()
    removed: tuple[Statement, ...] = ()
    skipped: str = ""


class History:
    """The steps so far. Changes of the session go through here."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._steps: list[Move] = []

    def add(self, statements: Sequence[Statement], label: str) -> None:
        """Take statements from a probe, a report or a test."""
        before = set(self._session.statements())
        for statement in statements:
            self._session.add(statement)
        new = [s for s in self._session.statements() if s not in before]
        lines = [s for s in statements if s.name == "log.error_line"]
        self._steps.append(Move(label, (*new, *lines)))

    def tell(self, fact: str, value: object, label: str) -> None:
        """Take an answer; ``value`` None says that the person does not know. Raises FactError."""
        before = self._answers(fact)
        if value is None:
            self._session.cannot_tell(fact)
        else:
            self._session.tell(fact, value)
        after = self._answers(fact)
        self._steps.append(Move(label, tuple(after), tuple(before)))

    def merge(self, count: int, label: str) -> None:
        """Make one step of the last ``count``: what was answered together is taken back together."""
        steps, self._steps = self._steps[-count:], self._steps[:-count]
        added = [s for step in steps for s in step.added]
        removed = [s for step in steps for s in step.removed]
        self._steps.append(Move(label, tuple(added), tuple(removed)))

    def forget(self, fact: str, label: str) -> None:
        """Take the answer to a question back, whenever it was given."""
        before = self._answers(fact)
        for statement in before:
            self._session.withdraw(statement)
        self._steps.append(Move(label, (), tuple(before)))

    def withdraw(self, fact: str, kinds: Sequence[str], label: str) -> None:
        """Take back what sources of some kinds said of a fact."""
        before = [s for s in self._session.statements() if s.name == fact and s.origin.kind in kinds]
        for statement in before:
            self._session.withdraw(statement)
        self._steps.append(Move(label, (), tuple(before)))

    def skip(self, fact: str, label: str) -> None:
        """Leave a question aside."""
        self._steps.append(Move(label, skipped=fact))

    def _answers(self, fact: str) -> list[Statement]:
        return [s for s in self._session.statements() if s.name == fact and s.origin.kind == ANSWER]

    def back(self) -> Move | None:
        """Undo the last step; None if there is none."""
        if not self._steps:
            return None
        step = self._steps.pop()
        for statement in step.added:
            self._session.withdraw(statement)
        for statement in step.removed:
            self._session.add(statement)
        return step

    def relabel(self, label: str) -> None:
        """Name the last step anew."""
        self._steps[-1] = self._steps[-1]._replace(label=label)

    @property
    def skipped(self) -> set[str]:
        """Questions left aside."""
        return {step.skipped for step in self._steps if step.skipped}

    @property
    def last(self) -> str:
        """What the last step was."""
        return self._steps[-1].label if self._steps else ""

    def __len__(self) -> int:
        return len(self._steps)

"""The public session: a consultation that also asks and concludes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..consultation import Consultation
from ..diagnosis import Diagnosis, diagnose
from ..knowledge import Knowledge

if TYPE_CHECKING:
    from ..questions import Planner, Question
    from .identity import Identity


class Session(Consultation):
    """Facts in, standings, questions and a diagnosis out. Not for use from several threads at once.

    ``engine`` is ``auto``, ``durable`` or ``reference``. Raises MatcherError if ``durable`` is asked for and
    cannot be loaded.
    """

    def __init__(self, knowledge: Knowledge, engine: str = "auto") -> None:
        super().__init__(knowledge, engine)
        self._planner: Planner | None = None
        self.identity: Identity | None = None
        """The machine that was examined, where one was."""

    @property
    def planner(self) -> Planner:
        """What weighs the questions that are open."""
        if self._planner is None:
            from ..questions import Planner  # where a diagnosis is settled there is nothing to ask

            self._planner = Planner(self)
        return self._planner

    def next_question(self) -> Question | None:
        """The question, probe or test with the most to gain for its cost; None when nothing would help."""
        return self.planner.next()

    def diagnosis(self) -> Diagnosis:
        """Everything that follows from what was said so far."""
        return diagnose(self, lambda: self.planner)

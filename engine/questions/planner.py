"""The next question, probe or test: expected information gain for its cost.

The incidents still standing are the hypotheses; their scores are bits, so two to the score is proportional to
a probability. Beside them stands everything that nothing speaks for yet, together as likely as an incident
with a few bits. A question is worth asking if an answer could change who leads or how firmly; a person who
did not know the last answers is less likely to know the next.
"""

from collections.abc import Collection
from itertools import islice
from math import log2

from ..belief import CONFIRMED_STANDING, EXCLUDED, LIKELY, Standing
from ..consultation import Consultation
from ..facts import ANSWER, DOUBTED, CannotTell
from ..model import FactSpec, told_as
from ..tuples import NamedTuple
from .hypotheses import Hypotheses, OpenFact
from .outlook import Outlook

WORTH_ASKING = 0.008
"""Bits for a unit of cost: a question that promises less is not asked."""
WORTH_ASKING_IN_DOUBT = 0.003
WORTH_NAMING = 0.01
"""Bits: what a diagnosis names as open may promise less."""
PATIENCE = 4.0
"""After so many answers that told nothing a question must promise twice as much, and more and more from there on: a
person answers a few questions gladly, and the best ones were asked first."""
SCREENS = ("environment",)
"""Probes of which one look, at one screen, tells every fact: their facts are one question."""
MOST_TOGETHER = 12
"""So many facts of a screen are named in its question."""
MOST_DOUBTS = 3
"""So many readings are asked about before other questions."""
ROAD = "road"
"""The fact that says what a person comes with."""


class Question(NamedTuple):
    """Something worth finding out.

    ``kind`` is ``question``, ``probe`` or ``test``; ``cost`` goes from 1 (a look) to 5 (a reboot). ``together``:
    further facts that the same screen shows and that are worth knowing, those first that tell most.
    """

    kind: str
    fact: str
    text: str
    choices: tuple[str, ...]
    cost: int
    gain_bits: float
    separates: tuple[str, ...]
    together: tuple[str, ...] = ()


def doubt_text(title: str) -> str:
    """How a doubtful reading is asked; the chat says the same in the person's language."""
    return f"I read: {title}. Right?"


class Planner:
    """Weighs the open facts of a session; keeps what did not change between two questions."""

    def __init__(self, session: Consultation) -> None:
        self._session = session
        self._knowledge = session.knowledge
        self.outlook = Outlook(session)

    def next(self, leaving_out: Collection[str] = ()) -> Question | None:
        """The question to ask now; None when no answer would be worth it."""
        standing = [s for s in self._session.standings() if s.standing != EXCLUDED]
        if standing and standing[0].standing == CONFIRMED_STANDING:
            return None
        if doubt := self._doubt(leaving_out):
            return doubt
        if self._asks_for_road(leaving_out):
            return _road_question(self._knowledge.vocabulary.spec(ROAD))
        hypotheses = Hypotheses(self._session, self.outlook, standing, None)
        worth = self._worth(standing)
        screen = self._screen(hypotheses, leaving_out)
        for open_question in hypotheses.ranked(self._willing()):
            if screen and screen.gain_bits / screen.cost >= open_question.gain / open_question.spec.cost:
                break
            if open_question.gain < worth * open_question.spec.cost:
                return None
            if told_as(open_question.spec) not in leaving_out and hypotheses.matters(open_question):
                return _question(hypotheses, open_question)
        return screen if screen and screen.gain_bits >= worth * screen.cost else None

    def _screen(self, hypotheses: Hypotheses, leaving_out: Collection[str]) -> Question | None:
        """One look for what several facts tell together, unless the person could not take it before."""
        if any(self._looked_in_vain(probe) for probe in SCREENS):
            return None
        shown = [
            one
            for one in hypotheses.weighed(lambda spec: spec.probe in SCREENS, self._willing())
            if told_as(one.spec) not in leaving_out
        ]
        if len(shown) < 2 or not any(map(hypotheses.matters, shown)):
            return None
        first = _question(hypotheses, shown[0])
        names = tuple(dict.fromkeys(told_as(one.spec) for one in shown[1 : MOST_TOGETHER + 1]))
        gain = round(sum(one.gain for one in shown), 4)
        return first._replace(gain_bits=gain, cost=max(one.spec.cost for one in shown), together=names)

    def _looked_in_vain(self, probe: str) -> bool:
        """Whether the person could not tell a fact that this look shows."""
        return any(
            isinstance(s, CannotTell)
            and s.origin.kind == ANSWER
            and self._knowledge.vocabulary.spec(s.name).probe == probe
            for s in self._session.statements()
        )

    def _doubt(self, leaving_out: Collection[str]) -> Question | None:
        """What was read with doubt and would speak for an incident."""
        session = self._session
        said = session.statements()
        answered = {s.name for s in said if s.origin.kind == ANSWER}
        if len(answered & {s.name for s in said if s.origin.trust == DOUBTED}) >= MOST_DOUBTS:
            return None
        for fact in session.doubts():
            spec = self._knowledge.vocabulary.spec(fact.name)
            if fact.name not in leaving_out and spec.question and self._knowledge.concerns.by_sign(fact.name):
                return Question("question", fact.name, doubt_text(spec.title), (), spec.cost, 1.0, ())
        return None

    def _asks_for_road(self, leaving_out: Collection[str]) -> bool:
        """Whether nothing tells yet what the person comes with: then that comes first."""
        session = self._session
        known = ROAD in self._knowledge.vocabulary
        return known and ROAD not in leaving_out and session.is_open(ROAD) and not session.roads()

    def _worth(self, standing: list[Standing]) -> float:
        """Bits for a unit of cost that a question must promise: the less is settled, the less is enough."""
        worth = WORTH_ASKING if standing and standing[0].standing == LIKELY else WORTH_ASKING_IN_DOUBT
        if not standing:
            # Where nothing stands every question gains little: one of a thousand incidents is a small part of all.
            worth = min(WORTH_ASKING, 1 / max(self._knowledge.counts()[0], 1))
        return worth * (1 + (self._in_vain() / PATIENCE) ** 2)

    def _in_vain(self) -> int:
        """How many answers told nothing: not known, or a sign that is not there."""
        said = (s for s in self._session.statements() if s.origin.kind == ANSWER)
        return sum(
            isinstance(s, CannotTell) or (s.value is False and self._knowledge.vocabulary.spec(s.name).sign)
            for s in said
        )

    def best(self, count: int = 3, only: Collection[str] | None = None) -> list[Question]:
        """What to find out, best first; ``only`` restricts the hypotheses to some incidents."""
        standing = [s for s in self._session.standings() if s.standing != EXCLUDED]
        hypotheses = Hypotheses(self._session, self.outlook, standing, only)
        return [
            _question(hypotheses, one)
            for one in islice(hypotheses.ranked(self._willing(), WORTH_NAMING), count)
        ]

    def _willing(self) -> float:
        """How likely the person knows the next answer, by how many of the answers so far were not known."""
        answers = [s for s in self._session.statements() if s.origin.kind == ANSWER]
        untold = sum(isinstance(s, CannotTell) for s in answers)
        return 1 - untold / (len(answers) + 3)


def _question(hypotheses: Hypotheses, one: OpenFact) -> Question:
    spec = one.spec
    kind = "test" if spec.probe == "collective" else "question"
    choices = spec.values if spec.type == "choice" else ()
    separated = hypotheses.separated(one)
    return Question(kind, told_as(spec), spec.question, choices, spec.cost, round(one.gain, 4), separated)


def _road_question(spec: FactSpec) -> Question:
    return Question(
        "question", spec.name, spec.question, spec.values, spec.cost, round(log2(len(spec.values)), 4), ()
    )

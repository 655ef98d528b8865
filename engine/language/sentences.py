"""What a person's sentence says, by its likeness to the wordings in the pages of the facts.

A wording is likened by the concepts that it shares with a clause: each counts as much as it is rare among the facts. A
reading is *sure*, or it is a doubt, which is asked or shown and is evidence of nothing. What is denied, told of another
machine, past or only possible is no reading.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from ..patterns import lazy_pattern
from ..tuples import NamedTuple
from . import concepts, cues
from .stance import Stance, sentence
from .terms import Tables, Term, terms

SURE, DOUBTFUL = 0.87, 0.68
"""The share of a wording, by weight, that a clause must have."""
MOST = 3
"""Facts that are read from one sentence."""
LONGEST = 400
_SPREAD = 2
"""So many terms may stand between those of a wording, for each of them, before it counts less."""
_COUNTED = {concepts.ONE_GPU: "gpu", concepts.SEVERAL_GPUS: "gpu"}
_CLASH, _APART = 0.8, 0.93
_MODAL = lazy_pattern(
    r"\b(?:would|could|might|should|may|suppose|imagine|in case)\b|\bif (?:you|one|anyone|someone)\b|[?？]\s*$|吗\s*$"
)
_TOLD = frozenset(("quietly", "eitherway")) | concepts.STATES
_CHOSEN = lazy_pattern(
    r"\bon purpose\b|\bby choice\b|\b(?:deliberately|intentionally)\b|\bdecided (?:against|not to)\b|\bchose(?:n)?\b"
    r"|\b(?:we|i|you|they) (?:\w{1,12} ){0,2}?(?:(?:do|did|will|would)(?: not|n['’]t)|never) (?:\w{1,8}ly )?"
    r"(?:use|used|need|want|enable|enabled|require|plan|run it|set)\b"
    r"|\b(?:i|we) (?:always |usually |just )?(?:run|ran|started|launch|launched) (?:it|this|them|everything) without\b"
    r"|\b(?:built|compiled|installed) without\b"
    r"|故意|特意|有意|打算|我们?(?:这边|这里|目前|都|也)?(?:不用|没用|没有用|不使用|没有使用|没有启用|没启用|没开)",
    re.IGNORECASE,
)
"""What somebody chose is no state of the machine: "we do not use NVLink". It counts up to the next mark or turn."""
_BREAK = lazy_pattern(r"[,;:，；：。]|\b(?:but|and|then|so|still|it)\b|但|还是|就")
_REACH = 4
"""So many concepts behind a denial may be what it denies."""
_ABSENT = lazy_pattern(
    r"\b(?:instead of|rather than|(?:absence|free|lack) of|other than|except for|ruled out)\b|排除|而不是|并非",
    re.IGNORECASE,
)
_OVER = lazy_pattern(
    r"\b(?:is|was|been|got) (?:now |since |already )?(?:gone|fixed|solved|resolved)\b|现在好了|已经?(?:解决|修复)",
    re.IGNORECASE,
)
_PERHAPS = lazy_pattern(r"\b(?:may|might|could be)\b|可能")
_ANY_MORE = lazy_pattern(r"\bany ?more\b")
_CONDITION = lazy_pattern(r"\b(?:if|unless|whether|expect(?:s|ed)?|try|trying|tried)\b", re.IGNORECASE)


class Wording(NamedTuple):
    """One wording of a fact: its concepts with the weight of each."""

    fact: str
    weights: tuple[tuple[str, float], ...]
    exclusive: str  # the set of facts of which one at most is true

    @property
    def states(self) -> int:
        """How many clauses it has."""
        return sum(name.partition("#")[0] in concepts.STATES for name, _ in self.weights)


class Reading(NamedTuple):
    """That a sentence says a fact; ``share``: how much of the wording it has."""

    fact: str
    share: float

    @property
    def is_sure(self) -> bool:
        """Whether it counts as a fact; otherwise it is a doubt."""
        return self.share >= SURE


Find = Callable[[str], Sequence[Wording]]
"""The wordings that are likened where a concept stands in a text."""


def counted(names: Sequence[str]) -> list[str]:
    """Names of which the second and later of a kind are told apart."""
    seen: Counter[str] = Counter()
    found = []
    for name in names:
        seen[name] += 1
        found.append(name if seen[name] == 1 else f"{name}#{seen[name]}")
    return found


def readings(text: str, find: Find, tables: Tables) -> list[Reading]:
    """What a sentence says, the surest first: no two facts from the same words, one doubt at most, and none beside what
    is sure."""
    text = text[:LONGEST]
    found = terms(text, tables)
    best: dict[str, _Likeness] = {}
    clauses = list(_clauses(found)) if len(found) > 1 else []
    for clause in [found, *clauses] if len(clauses) > 1 else clauses:
        contrasts = len(clauses) > 1 and clause is found
        for likeness in _likenesses(clause, find, contrasts):
            known = best.get(likeness.wording.fact)
            if known and (known.share, known.weight) >= (likeness.share, likeness.weight):
                continue
            if _speaks_of_here(text, found, likeness.held, clause):
                best[likeness.wording.fact] = likeness
    return _chosen(best)


class _Likeness(NamedTuple):
    """How much of a wording stands in a clause: its share, the weight of that, and where it stands."""

    wording: Wording
    share: float
    weight: float
    held: tuple[Term, ...]

    def order(self) -> tuple[object, ...]:
        """Sort key: what is sure before what is not, then by weight."""
        return (self.share < SURE, -self.weight, -self.share, self.wording.fact)


def _likenesses(clause: Sequence[Term], find: Find, contrasts: bool) -> Iterator[_Likeness]:
    """The wordings that a clause is like; where it ``contrasts`` two states only those that do so as well."""
    names = counted([term.name for term in clause])
    places = dict(zip(names, range(len(names)), strict=True))
    for name, place in list(places.items()):
        if name in _COUNTED:  # several GPUs are GPUs
            places.setdefault(_COUNTED[name], place)
    tried: set[int] = set()
    for name in places:
        for wording in find(name):
            if id(wording) not in tried and not (contrasts and wording.states < 2):
                tried.add(id(wording))
                share, weight, held = _likeness(wording, places)
                if share >= DOUBTFUL:
                    yield _Likeness(wording, share, weight, tuple(clause[place] for place in held))


def _likeness(wording: Wording, places: dict[str, int]) -> tuple[float, float, list[int]]:
    """The share of a wording that stands in a clause, its weight, and where it stands."""
    total = sum(weight for _, weight in wording.weights)
    held = [(places[name], weight) for name, weight in wording.weights if name in places]
    if len(held) < min(len(wording.weights), 2 + (not wording.states)) or any(
        n not in places and n.partition("#")[0] in concepts.PREDICATES for n, _ in wording.weights
    ):
        return 0.0, 0.0, []
    weight = sum(bits for _, bits in held)
    where = sorted(place for place, _ in held)
    spread = where[-1] - where[0] - _SPREAD * len(where)
    share = (weight / total) * (_APART ** max(spread, 0))
    return share * (_CLASH if _clashes(wording, places) else 1), weight, where


def _clashes(wording: Wording, places: dict[str, int]) -> bool:
    """Whether a clause speaks of another number of GPUs or nodes as well."""
    names = {name for name, _ in wording.weights}
    return any(
        (one in names) is not (other in names) and one in places and other in places
        for one, other in (
            (concepts.ONE_GPU, concepts.SEVERAL_GPUS),
            (concepts.ONE_NODE, concepts.SEVERAL_NODES),
        )
    )


def _clauses(found: list[Term]) -> Iterator[list[Term]]:
    """The parts of a sentence that each say how something fares."""
    part: list[Term] = []
    kept: list[list[Term]] = []
    for term in found:
        if part and (term.turns or term.ends):
            kept.append(part)
            part = []
        part.append(term)
    kept.append(part)
    merged: list[list[Term]] = []
    for part in kept:
        if merged and not (_has_state(merged[-1]) and _has_state(part)) and not part[0].ends:
            merged[-1] = merged[-1] + part
        else:
            merged.append(part)
    yield from merged


def _has_state(part: Sequence[Term]) -> bool:
    return any(term.name in concepts.STATES for term in part)


def _speaks_of_here(text: str, found: Sequence[Term], held: Sequence[Term], clause: Sequence[Term]) -> bool:
    """Whether what was read is said of this machine and of now."""
    rest = list(text)
    told = {term.name for term in held}
    for term in found:  # what a wording accounts for is no cue, nor what a concept has in it
        if term in held or term.name in _TOLD or term.name in told:
            rest[term.start : term.end] = "_" * (term.end - term.start)
    remains = "".join(rest)
    if _is_chosen(text, held):
        return False
    part = remains[clause[0].start : clause[-1].end]
    if not any(term.name == "work" for term in clause):  # "nothing moves any more" is how it is now
        part, remains = _ANY_MORE.sub("_", part), _ANY_MORE.sub("_", remains)
    if _PERHAPS.search(part.lower()) or _is_denied(text, part, held, clause):
        return False
    if not _MODAL.search(remains.lower()):
        remains = _CONDITION.sub("_", remains)
    return sentence(remains) not in (Stance.ELSEWHERE, Stance.PAST, Stance.POSSIBLE, Stance.QUOTED)


def _is_chosen(text: str, held: Sequence[Term]) -> bool:
    """Whether all that was read stands in what somebody says of a choice."""
    for chosen in _CHOSEN.finditer(text):
        before = max((m.end() for m in _BREAK.finditer(text, 0, chosen.start())), default=0)
        ends = _BREAK.search(text, chosen.end())
        if all(before <= term.start < (ends.start() if ends else len(text)) for term in held):
            return True
    return False


def _is_denied(text: str, part: str, held: Sequence[Term], clause: Sequence[Term]) -> bool:
    """Whether a denial stands shortly before what was read; "without" leaves out only what follows it."""
    places = [place for place, term in enumerate(clause) if term in held]
    for place, term in enumerate(clause):
        if term.name != concepts.NOT or term in held:
            continue
        reach = 1 if text[term.start : term.end].lower() == "without" else _REACH
        if any(0 < held_at - place <= reach for held_at in places):
            return True
    if _OVER.search(text) and all(term.name != "work" for term in held):
        return True
    return bool(_ABSENT.search(part) or cues.DENIED_AFTER.search(part))


def _chosen(best: dict[str, _Likeness]) -> list[Reading]:
    taken: set[Term] = set()
    sets: set[str] = set()
    found: list[Reading] = []
    for likeness in sorted(best.values(), key=_Likeness.order):
        reading = Reading(likeness.wording.fact, round(likeness.share, 3))
        exclusive = likeness.wording.exclusive
        new = sum(term not in taken for term in likeness.held)
        if 2 * new < len(likeness.held) or (exclusive and exclusive in sets):
            continue
        if reading.is_sure or not found:
            found.append(reading)
            taken.update(likeness.held)
            sets.add(exclusive)
    return found[:MOST]

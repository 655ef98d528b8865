"""Skew: in which facts the nodes differ, and which nodes are the few.

``skew.<fact>`` is true where two nodes are known to differ, false where all nodes are known and equal, and
could not be established otherwise. ``minority.<fact>`` names the nodes that are not like the most.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

from ..facts import PROBE, SET, CannotTell, Fact, Origin, Statement, TypeOf, Value, show_value
from ..facts.comparable import FREELY, variation
from ..facts.hostlist import fold
from ..model import FactSpec
from ..tuples import NamedTuple
from .assembly import Fleet

SKEW, MINORITY = "skew.", "minority."
_NOT_COMPARED = ("symptom.", "issue.", "road.", "log.", SKEW, MINORITY, "variant.")
_PLACE = "comparison of the nodes"
_LONGEST_LIST = 400


class Side(NamedTuple):
    """A value and the nodes that have it."""

    value: Value
    members: tuple[int, ...]


class Skew(NamedTuple):
    """A fact in which nodes differ: the sides, the largest first, and the nodes for which it is not known."""

    fact: str
    sides: tuple[Side, ...]
    unknown: int
    natural: bool  # it differs between healthy nodes as well

    @property
    def minority(self) -> tuple[int, ...]:
        """Nodes that are not like the most; none where no value has more than half of the nodes."""
        first, *others = self.sides
        total = sum(len(side.members) for side in self.sides)
        if 2 * len(first.members) <= total:
            return ()
        return tuple(sorted(number for side in others for number in side.members))


class Comparison(NamedTuple):
    """All facts compared: what differs, outliers first, and what is known and equal on so many nodes."""

    differences: tuple[Skew, ...]
    equal: dict[str, int]


def compare(fleet: Fleet, type_of: TypeOf, read: frozenset[str] = frozenset()) -> Comparison:
    """Compare the nodes in every fact. ``read``: names of ``skew.*`` facts that rules read: these are compared
    even where healthy nodes differ."""
    sides: dict[str, dict[object, list[int]]] = defaultdict(lambda: defaultdict(list))
    values: dict[tuple[str, object], Value] = {}

    def put(name: str, value: Value, members: Iterable[int]) -> None:
        key = (type(value).__name__, value)  # 1 and true are not the same
        if value != SET:
            values.setdefault((name, key), value)
            sides[name][key].extend(members)

    for group in fleet.groups:
        for name, value in group.facts:
            if not name.startswith(_NOT_COMPARED):
                put(name, value, group.members)
    for number, node in enumerate(fleet.nodes):
        for name, value in node.own:
            varies = variation(type_of(name))
            if varies and (varies != FREELY or SKEW + name in read):
                put(name, value, (number,))
    found, equal = [], {}
    for name, by_key in sides.items():
        known = sum(map(len, by_key.values()))
        varies = variation(type_of(name))
        if len(by_key) < 2 or _within(varies, [values[name, key] for key in by_key]):
            equal[name] = known
            continue
        ordered = sorted(by_key.items(), key=lambda item: (-len(item[1]), str(item[0])))
        listed = tuple(Side(values[name, key], tuple(sorted(members))) for key, members in ordered)
        found.append(Skew(name, listed, len(fleet.nodes) - known, varies == FREELY))
    return Comparison(tuple(sorted(found, key=_rank)), equal)


def _within(tolerance: int, found: list[Value]) -> bool:
    """Whether numbers differ by no more than healthy nodes do."""
    numbers = [value for value in found if isinstance(value, int)]
    return tolerance > 0 and len(numbers) == len(found) and max(numbers) - min(numbers) <= tolerance


def _rank(difference: Skew) -> tuple[object, ...]:
    """One node of many before halves, and what differs everywhere last."""
    few = len(difference.minority)
    return (difference.natural, not few, few or len(difference.sides), difference.fact)


def statements(
    comparison: Comparison, fleet: Fleet, type_of: TypeOf, read: frozenset[str]
) -> Iterator[Statement]:
    """The facts ``skew.*`` and ``minority.*``. Of equal facts only those that rules read are told."""
    for difference in comparison.differences:
        name = difference.fact
        origin = Origin(PROBE, _PLACE, describe(difference, fleet, type_of(name)))
        if not difference.natural or SKEW + name in read:
            yield Fact(SKEW + name, True, origin)
        if difference.minority and not difference.natural:
            few = fold(fleet.names(difference.minority))
            yield Fact(MINORITY + name, few[:_LONGEST_LIST], origin)
    absent = fleet.incomplete
    every = len(fleet.nodes)
    for name, known in comparison.equal.items():
        if SKEW + name not in read:
            continue
        if known == every and not absent:
            yield Fact(SKEW + name, False, Origin(PROBE, _PLACE, f"equal on all {every} nodes"))
        else:
            others = [f"on {every - known} others"] * (known < every) + ["on those that are missing"] * absent
            reason = f"equal on {known} nodes; not known {' and '.join(others)}"
            yield CannotTell(SKEW + name, reason, Origin(PROBE, _PLACE))


def describe(difference: Skew, fleet: Fleet, spec: FactSpec) -> str:
    """``2.20.5 on node0417; 2.26.2 on 999 nodes``: the few first."""
    parts = []
    for side in sorted(difference.sides, key=lambda s: (len(s.members), str(s.value)))[:4]:
        who = fold(fleet.names(side.members)) if len(side.members) <= 8 else f"{len(side.members)} nodes"
        parts.append(f"{show_value(spec, side.value)} on {who}")
    more = len(difference.sides) - 4
    return "; ".join(parts) + (f"; and {more} more values" if more > 0 else "")

"""Kinds of nodes: those that the rules can tell apart. What no rule reads makes no difference between two nodes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from ..facts.nodefacts import Pair
from ..knowledge import Knowledge
from ..rules import Predicate
from .assembly import Fleet

Members = tuple[int, ...]
"""Nodes by their number in the fleet."""


def kinds_of(knowledge: Knowledge, fleet: Fleet) -> list[Members]:
    """Nodes by what the rules can see of them, the largest kind first; each kind by the numbers of its nodes."""
    view = _View(knowledge)
    of_group = [(*view.of(group.facts), *(name for name, _ in group.gaps)) for group in fleet.groups]
    kinds: dict[Any, list[int]] = defaultdict(list)
    for number, node in enumerate(fleet.nodes):
        kinds[of_group[node.group], view.of(node.own)].append(number)
    found = [tuple(members) for members in kinds.values()]
    return sorted(found, key=lambda members: (-len(members), members[0]))


class _View:
    """Facts as the rules see them: by the tests that hold. A fact that no rule reads is not seen."""

    def __init__(self, knowledge: Knowledge) -> None:
        self._type_of = knowledge.vocabulary.spec
        self._tests = knowledge.layout.tests
        self._exact = knowledge.exact_facts()
        self._predicates: dict[str, list[Predicate]] = {}
        self._known: dict[tuple[str, str, Any], tuple[Any, ...]] = {}

    def of(self, facts: Iterable[Pair]) -> tuple[Any, ...]:
        """What rules see of these facts."""
        return tuple(seen for pair in facts if (seen := self._one(pair)))

    def _one(self, pair: Pair) -> tuple[Any, ...]:
        name, value = pair
        key = (name, type(value).__name__, value)  # 1 and true are not the same
        seen = self._known.get(key)
        if seen is None:
            seen = self._known[key] = self._look(name, value)
        return seen

    def _look(self, name: str, value: Any) -> tuple[Any, ...]:
        if name in self._exact:
            return (name, type(value).__name__, value)
        tests = self._tests(name)
        if not tests:
            return (name,) if self._type_of(name).sign and value is True else ()
        if name not in self._predicates:
            self._predicates[name] = [Predicate(test, self._type_of(name)) for _, test in tests]
        return (name, *(predicate.holds({name: value}) for predicate in self._predicates[name]))

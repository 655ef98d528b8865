"""What could be asked for the sake of each fault while nothing of it is known: a short form kept in the index.

Where nothing speaks for anything yet every fault is a hypothesis, and reading the record of each takes too long.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from ..errors import FactError
from ..model import KNOWN_ISSUE, FactSpec, Incident
from ..rules.answers import answers
from ..rules.effects import VENDOR, Effect, Effects, ReadFacts
from ..rules.program import denial_of
from ..rules.scale import FREQUENCIES
from ..tuples import NamedTuple


class Prospect(NamedTuple):
    """A fault of which nothing is known: how often it is met, by the users of which GPUs, the facts that it reads,
    and those worth asking with the effect of each answer (nothing where the answers depend on what else is asked)."""

    frequency: str
    vendors: tuple[str, ...]
    reads: tuple[str, ...]
    asks: dict[str, list[list[Any]]]

    def effects(self, fact: str) -> tuple[Effect, ...]:
        """The effect of each answer about a fact that is worth asking."""
        return tuple([Effect(*one) for one in self.asks[fact]])


def prospect_rows(
    incidents: Iterable[Incident], type_of: Callable[[str], FactSpec]
) -> Iterator[tuple[str, list[Any]]]:
    """A row of JSON for each fault."""
    effects = Effects(lambda name: None, lambda test: None, type_of)
    knows_vendors = _is_known(VENDOR, type_of)

    def is_sign(name: str) -> bool:
        return type_of(name).sign

    for incident in incidents:
        if incident.kind == KNOWN_ISSUE or effects.excludes(incident):
            continue
        read = ReadFacts(incident, [denial_of(e.when, is_sign) for e in incident.suggests], knows_vendors)
        asked = [fact for fact in read.reads if effects.speaks(read, fact)]
        asks = [[fact, _effects(read, type_of(fact), effects)] for fact in asked]
        reads = [fact for fact, conditions in read.reads.items() if conditions]
        yield incident.id, [incident.frequency, list(incident.vendors), reads, asks]


def _is_known(fact: str, type_of: Callable[[str], FactSpec]) -> bool:
    try:
        type_of(fact)
    except FactError:
        return False
    return True


def _effects(read: ReadFacts, spec: FactSpec, effects: Effects) -> list[list[Any]]:
    if spec.type not in ("bool", "choice"):
        return []
    return [list(effect) for effect in effects.of(read, spec.name, answers(spec, ()))]


def prospect(row: list[Any]) -> Prospect:
    """A row that was read."""
    frequency, vendors, reads, asks = row
    return Prospect(frequency, tuple(vendors), tuple(reads), dict(asks))


def commonest_first(incidents: Iterable[Incident]) -> list[str]:
    """Their ids in the order in which they are met."""
    return [i.id for i in sorted(incidents, key=lambda i: (-FREQUENCIES[i.frequency], i.id))]

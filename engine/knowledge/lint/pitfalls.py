"""Linter: pitfalls lead to incidents and remedies that exist, and say what to write instead."""

from __future__ import annotations

from collections.abc import Container, Iterator

from ...errors import FactError
from ...facts import TypeOf
from ...model import Pitfall


def check(
    pitfall: Pitfall, incidents: Container[str], remedies: Container[str], type_of: TypeOf
) -> Iterator[str]:
    """One pitfall."""
    where = pitfall.path
    if pitfall.leads_to not in incidents:
        yield f'{where}: there is no incident "{pitfall.leads_to}"'
    for name in pitfall.remedies:
        if name not in remedies:
            yield f'{where}: there is no remedy "{name}"'
    if not pitfall.fix:
        yield f"{where}: it does not say what to write instead"
    if not where.startswith(f"pitfalls/{pitfall.subject}/"):
        yield f"{where}: it belongs into the folder pitfalls/{pitfall.subject}/"
    for name in pitfall.at:
        try:
            type_of(name)
        except FactError as error:
            yield f"{where}: {error.message}"
    if len(pitfall.title) > 110:
        yield f"{where}: the title has more than 110 characters"

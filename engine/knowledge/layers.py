"""A table of incidents by key, in the index or of an overlay: read row by row."""

from collections.abc import Callable, Sequence
from typing import Any

from ..tuples import NamedTuple


class Layer(NamedTuple):
    """Incidents by number, and the row of a key (numbers of incidents, as its table says), or None.

    An incident that a layer above replaces has no name here.
    """

    ids: Sequence[str]
    row: Callable[[str], Any]

    @property
    def size(self) -> int:
        """How many incidents have a name here."""
        return len(self.ids) - self.ids.count("")

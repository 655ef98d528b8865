"""The collective test: real collectives in child processes say which transport is broken."""

from __future__ import annotations

from gpudoctor.engine.tuples import NamedTuple

from ...engine.facts import Statement
from .conclusions import statements
from .errors import CollectiveError
from .matrix import Announce, Tested, test
from .plan import Options
from .runs import Progress

__all__ = ["Announce", "CollectiveError", "CollectiveResult", "Options", "Progress", "run_collective"]


class CollectiveResult(NamedTuple):
    """Statements for a session, and the runs that they come from."""

    statements: tuple[Statement, ...]
    tested: Tested


def run_collective(
    options: Options, progress: Progress | None = None, announce: Announce | None = None
) -> CollectiveResult:
    """Test the collectives of this machine within ``options.budget`` seconds and two more.

    ``progress`` hears of every stage of every rank, ``announce`` once what will be done, before it is done.
    Raises CollectiveError where no test can be made. Must be called from a thread that lives until it returns: a
    rank dies with the thread that started it.
    """
    tested = test(options, progress, announce)
    return CollectiveResult(tuple(statements(tested)), tested)

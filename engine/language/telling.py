"""How much the words around a line sound as if they told of an error that was not printed here and now.

The rules of ``stance`` know forms: a quotation, a heading, a question of an exam. People have more ways to tell of
errors than rules can list, so a linear model weighs the words as well: single ones and neighbors, and on which side of
the line they stand. It was fitted on contexts of both kinds (``make contexts``); its table is ``telling.txt``. It never
makes a line count that the rules refuse.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from math import fsum, sqrt
from pathlib import Path

from ..patterns import lazy_pattern
from .prose import is_spoken

ABOVE, BELOW = 4, 3
"""Lines of a person above and below that are heard."""
REACH = 10
"""Lines above and below among which they are looked for."""
MARK = -0.7
"""Above it a line does not count as printed here: it is asked about."""
MENTIONED = -2.25
"""The mark of a line that stands in a sentence in which nobody says that it appears here."""
LEAST = 20
"""Features that are known of the shortest words that are judged."""
FEW = 40
"""Features of a short sentence; what has fewer is believed less."""
SHORT = 2.0
"""How much no words at all sound like reporting: those who only tell of an error say more about it."""
_LONGEST = 300
_TITLE = 2
"""Blanks in a title of three words."""
_TABLE = Path(__file__).with_name("telling.txt")
_TOKENS = lazy_pattern(r"[a-z']+|[\u4e00-\u9fff]|\d+|[?!？！>:：\"“`#]")
_COLUMNS = lazy_pattern(r"\S {3,}\S|\S  \S.{0,80}\S  \S|^\s{0,8}(?:PM|ACPI|PCI|DMAR|IPMI|EDAC|BUG|RIP): ")
"""Columns of a table, or a subsystem of the kernel."""
_BEFORE, _AFTER = "<", ">"


def heard(before: Sequence[str], head: str, tail: str, after: Sequence[str]) -> tuple[str, str]:
    """The words before and behind a line that somebody wrote; ``head`` and ``tail`` are those in the line itself.

    ``before`` ends with the nearest line, and ``after`` begins with it.
    """
    above = [line[-_LONGEST:] for line in before[-REACH:] if speaks(line)][-ABOVE:]
    below = [line[:_LONGEST] for line in after[:REACH] if speaks(line)][:BELOW]
    return "\n".join((*above, head[-_LONGEST:])), "\n".join((tail[:_LONGEST], *below))


@lru_cache(maxsize=512)
def speaks(line: str) -> bool:
    """Whether somebody wrote a line: three words without a stop may be the title of a table as well."""
    if not is_spoken(line) or _COLUMNS.search(line):
        return False
    return (
        line.strip().count(" ", 0, _LONGEST) > _TITLE
        or not line.isascii()
        or not line.rstrip()[-1:].isalnum()
    )


def features(before: str, after: str) -> set[str]:
    """What the model looks at: words and pairs, also by their side, and what stands next to the line."""
    found: set[str] = set()
    for side, text in ((_BEFORE, before), (_AFTER, after)):
        tokens = ["0" if token.isdigit() else token for token in _TOKENS.findall(text.lower())]
        for kind in _grams(tokens):
            found.add(kind)
            found.add(side + kind)
        near = tokens[:3] if side is _AFTER else tokens[-3:]
        for many in range(1, len(near) + 1):
            found.add(side + "|" + " ".join(near[:many] if side is _AFTER else near[-many:]))
    return found


def _grams(tokens: list[str]) -> Iterator[str]:
    yield from tokens
    for first, second in pairwise(tokens):
        yield f"{first} {second}"


@lru_cache(maxsize=256)
def telling(before: str, after: str) -> float:
    """Above 0 the words sound more like telling than like reporting; ``-SHORT`` if few are known."""
    weights = _weights()
    known = [weights[feature] for feature in features(before, after) if feature in weights]
    return weighed(known, weights[""])


def weighed(known: Sequence[float], constant: float) -> float:
    """The score of the weights of what is known, in whatever order; of little is known little."""
    if len(known) < LEAST:
        return -SHORT
    share = fullness(len(known))
    return constant * share + fsum(known) / sqrt(max(len(known), FEW)) - SHORT * (1 - share)


def fullness(known: int) -> float:
    """How much of a sentence so many known features are."""
    return min(known, FEW) / FEW


@lru_cache(maxsize=1)
def _weights() -> dict[str, float]:
    lines = _TABLE.read_text(encoding="utf-8").splitlines()
    return {name: int(weight) / 100 for weight, _, name in (line.partition(" ") for line in lines)}

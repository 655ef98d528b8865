"""What is wrong with environment variables by themselves, whatever the fault: warnings beside the incidents.

A value outside the documented range, a name that the installed release does not read (any more, or yet), a
name that nobody knows but that is almost one that is known, a value known to hurt. An empty value counts as
not set; placeholders (``<IFNAME>``, ``YOUR_IFACE``, ``$X``) are not judged. A warning is no evidence: it
changes no standing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from ..errors import EngineError
from ..facts import SET, UNSET, Value, VersionError, VersionRange, Vocabulary, parse_version
from ..facts.assignments import problem_with
from ..model import EnvVar
from ..patterns import lazy_pattern
from ..tuples import NamedTuple
from ..vendors import VENDORS

if TYPE_CHECKING:
    from .consultation import Consultation

PREFIX = "env."
_PLACEHOLDER = lazy_pattern(
    r"[<{\[].*[>}\]]|.*\$.*|\.\.\.|X{2,}|(?:YOUR|MY|SOME)[A-Z0-9_-]*|[A-Z]+(?:_[A-Z]+)*_(?:IFACE|IFNAME|NAME|IP|HOST)"
    r"|IFACE|IFNAME|INTERFACE|INTERFACE_NAME"
)
_OPPOSITES = (frozenset(("MIN", "MAX")), frozenset(("IN", "OUT")), frozenset(("SEND", "RECV")))
_FORKS = {made.library: [v.library for v in VENDORS if v.fork_of == made.library] for made in VENDORS}
"""Libraries that carry the release number of another one, and read its variables."""
_LIBRARY = lazy_pattern("[A-Z]CCL")
_SHORTEST = 8
"""Names of fewer letters are near to too many others."""
_SHORT_WORD = 4
_LONG = 14
"""From this length on two slips count as a misspelling, below it one."""


Installed = tuple[str, str]
"""A product and its release."""


class Advisory(NamedTuple):
    """One remark on one variable: the fact, its value, and the remark in a sentence."""

    fact: str
    value: str
    text: str


def warnings_of(session: Consultation) -> list[Advisory]:
    """The warnings on every variable that the session knows to be set, sorted by name."""
    variables = [
        (fact.name.removeprefix(PREFIX), str(fact.value))
        for fact in session.facts()
        if fact.name.startswith(PREFIX) and fact.value is not None
    ]
    return remarks_on(variables, session.knowledge.vocabulary, session.value)


def remarks_on(
    variables: Iterable[tuple[str, str]], vocabulary: Vocabulary, value_of: Callable[[str], Value | None]
) -> list[Advisory]:
    """The warnings on variables with their values, in their order; ``value_of`` tells the releases in use."""
    known = [name.removeprefix(PREFIX) for name in vocabulary.names if name.startswith(PREFIX)]

    def version_of(product: str) -> Installed | None:
        for name in (product, *_FORKS.get(product, ())):
            for fact in (f"{name}.loaded_version", f"{name}.version"):
                if fact in vocabulary and (value := value_of(fact)) is not None:
                    return name, str(value)
        return None

    found: list[Advisory] = []
    for name, value in variables:
        if value.strip() in ("", UNSET):
            continue
        env = vocabulary.spec(PREFIX + name).env
        if env is not None:
            texts = _of_known(env, value, version_of)
        else:
            texts = iter(()) if name in known else _of_unknown(name, known)
        found += [Advisory(PREFIX + name, value, text) for text in texts]
    return found


def _of_known(env: EnvVar, value: str, version_of: Callable[[str], Installed | None]) -> Iterator[str]:
    yield from _unread(env, version_of)
    value = value.rstrip(".,:;")  # the end of a sentence or of a list in a report
    if value != SET and not _PLACEHOLDER.fullmatch(value) and problem_with(env, value):
        yield _outside(env, value)
    for harmful, why in env.hurts:
        if value == harmful:
            yield why


def _outside(env: EnvVar, value: str) -> str:
    """In words, without the expressions that only a machine reads."""
    plain = [allowed for allowed in env.allowed if not allowed.startswith("/")]
    if not plain:
        return "not of the documented form; gpudoctor explain shows the page of the variable"
    meant = next((allowed for allowed in plain if allowed.lower() == value.lower()), "")
    hint = f"; did you mean {meant}?" if meant else ""
    return f"outside the documented range, {', '.join(map(_range_in_words, plain))}{hint}"


def _range_in_words(allowed: str) -> str:
    """``>=0,<=31`` as ``0 to 31``, ``>=1`` as ``1 or more``; a value as it is."""
    found = re.fullmatch(r">=(-?\d+)(?:,<=(-?\d+))?", allowed)
    if not found:
        return allowed
    return f"{found[1]} to {found[2]}" if found[2] else f"{found[1]} or more"


def _unread(env: EnvVar, version_of: Callable[[str], Installed | None]) -> Iterator[str]:
    """Whether the installed release is known not to read the name."""
    instead = f"; {env.renamed} has taken its place" if env.renamed else ""
    if gone := _installed(env.until, ">=", version_of):
        if env.alias:
            yield f"renamed to {env.renamed} in {env.until}; the old name is still read where the new one is unset"
        else:
            yield f"not read any more since {env.until}, and {gone} is installed{instead}"
    if early := _installed(env.since, "<", version_of):
        yield f"read from {env.since} on, and {early} is installed"


def _installed(bound: str, operator: str, version_of: Callable[[str], Installed | None]) -> str:
    """``vllm 0.12.0`` where the version in use is known and lies on that side of ``vllm 0.11.1``, else nothing."""
    product, _, number = bound.partition(" ")
    found = version_of(product) if number else None
    if found is None:
        return ""
    product, version = found
    try:
        holds = VersionRange(operator + number).holds(parse_version(version, f"{product}.version"))
    except (VersionError, EngineError):
        return ""
    return f"{product} {version}" if holds else ""


def _of_unknown(name: str, known: Iterable[str]) -> Iterator[str]:
    near = misspelling_of(name, known)
    if near:
        yield f"no variable of this name is known; did you mean {near}?"


def misspelling_of(name: str, known: Iterable[str]) -> str:
    """The known name that ``name`` is a slip of: a letter or two, or its words in another order; or nothing."""
    if len(name) < _SHORTEST:
        return ""
    words = sorted(_stems(name))
    most = 2 if len(name) >= _LONG else 1
    best, least = "", most + 1
    for candidate in known:
        if "<" in candidate or candidate == name:
            continue
        if abs(len(candidate) - len(name)) <= most and not _different_on_purpose(name, candidate):
            slips = distance(name, candidate, least)
            if slips < least:
                best, least = candidate, slips
        if least > 1 and candidate != best and sorted(_stems(candidate)) == words:
            best, least = candidate, 1
    return best


def _stems(name: str) -> list[str]:
    """The words of a name; ``DISABLED`` counts as ``DISABLE``."""
    return [word.removesuffix("D") if word in ("DISABLED", "ENABLED") else word for word in name.split("_")]


def _different_on_purpose(one: str, other: str) -> bool:
    """Whether two names may well be two variables.

    They differ in a number, in a short word (``GIN`` and ``WIN``) or in a pair such as MIN and MAX, or one
    only has a word more.
    """
    first, second = one.split("_"), other.split("_")
    if len(first) != len(second):
        longer, shorter = (first, second) if len(first) > len(second) else (second, first)
        return any(longer[:i] + longer[i + 1 :] == shorter for i in range(len(longer)))
    differing = [place for place, word in enumerate(first) if word != second[place]]
    if differing == [0] and _LIBRARY.fullmatch(first[0]) and _LIBRARY.fullmatch(second[0]):
        return True  # UCCL_SOCKET_IFNAME and NCCL_SOCKET_IFNAME belong to two libraries
    if len(differing) != 1 or differing[0] == 0:
        return False
    pair = (first[differing[0]], second[differing[0]])
    if frozenset(pair) in _OPPOSITES or re.sub(r"\d+", "", pair[0]) == re.sub(r"\d+", "", pair[1]):
        return True
    swapped = sorted(pair[0]) == sorted(pair[1])
    plural = pair[0].removesuffix("S") == pair[1].removesuffix("S")
    return min(map(len, pair)) < _SHORT_WORD and not swapped and not plural


def distance(one: str, other: str, limit: int) -> int:
    """Edit distance (insert, delete, replace, swap neighbours); ``limit`` where it is that or more."""
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, letter in enumerate(one, start=1):
        last, before, row = before, row, [i]
        for j, wanted in enumerate(other, start=1):
            cost = min(row[-1] + 1, before[j] + 1, before[j - 1] + (letter != wanted))
            if i > 1 and j > 1 and letter == other[j - 2] and one[i - 2] == wanted:
                cost = min(cost, last[j - 2] + 1)
            row.append(cost)
        if min(row) >= limit and (not before or min(before) >= limit):
            return limit
    return min(row[-1], limit)

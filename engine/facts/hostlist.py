"""Folded host lists, ``node[001-016,018],head``, as pdsh, clush and Slurm write them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from ..errors import EngineError
from ..patterns import lazy_pattern

HOST = lazy_pattern(r"[A-Za-z0-9](?:[A-Za-z0-9._-]{0,253}[A-Za-z0-9])?\Z")
"""A host name that may stand in a command: nothing that a shell would read."""
MOST_HOSTS = 100_000
_MOST_BRACKETS = 8

_NUMBERED = lazy_pattern(r"(.*?)(\d{1,15})(\D*)\Z", re.DOTALL)
_PART = lazy_pattern(r"[^,\[\]\s]*(?:\[[^\[\]\s]*\][^,\[\]\s]*)*")
_BRACKETS = lazy_pattern(r"\[([^\[\]]*)\]")
_RANGE = lazy_pattern(r"(\d{1,15})(?:-(\d{1,15}))?\Z")


class HostListError(EngineError):
    """A text is not a list of hosts."""


def fold(names: Iterable[str]) -> str:
    """Names as one folded list; numbers of one width and in sequence become ranges."""
    plain: set[str] = set()
    numbered: dict[tuple[str, str, int], set[int]] = {}
    for name in names:
        found = _NUMBERED.match(name)
        if found is None:
            plain.add(name)
            continue
        head, digits, tail = found.groups()
        # node9 and node10 belong together, node09 and node10 as well, node9 and node09 do not.
        width = len(digits) if digits.startswith("0") else 0
        numbered.setdefault((head, tail, width), set()).add(int(digits))
    _join_widths(numbered)
    parts = [(name, name) for name in plain]
    for (head, tail, width), numbers in numbered.items():
        ranges = ",".join(_ranges(sorted(numbers), width))
        single = len(numbers) == 1
        parts.append(
            (f"{head}{min(numbers):0{width}d}", f"{head}{ranges if single else f'[{ranges}]'}{tail}")
        )
    return ",".join(text for _, text in sorted(parts))


def _join_widths(numbered: dict[tuple[str, str, int], set[int]]) -> None:
    """Numbers without a leading zero go on where padded ones end: node099, node100."""
    for head, tail, width in [key for key in numbered if key[2]]:
        bare = numbered.get((head, tail, 0), set())
        fitting = {number for number in bare if len(str(number)) == width}
        numbered[head, tail, width] |= fitting
        bare -= fitting
        if not bare:
            numbered.pop((head, tail, 0), None)


def _ranges(numbers: list[int], width: int) -> Iterator[str]:
    first = last = numbers[0]
    for number in [*numbers[1:], -1]:
        if number == last + 1:
            last = number
            continue
        yield f"{first:0{width}d}" if first == last else f"{first:0{width}d}-{last:0{width}d}"
        first = last = number


def unfold(text: str) -> list[str]:
    """The names of a folded list, or of a file with one name or list a line, in order and each once.

    ``#`` begins a comment; what follows the first word of a line (``slots=8``) is left out. Raises
    HostListError.
    """
    names: dict[str, None] = {}
    for line in text.splitlines():
        words = line.partition("#")[0].split()
        for part in _PART.findall(words[0]) if words else ():
            if part.count("[") > _MOST_BRACKETS:
                raise HostListError(f'"{part[:60]}" is not a list of hosts such as node[001-016]')
            for number, name in enumerate(_expand(part) if part else ()):
                if not HOST.match(name):
                    raise HostListError(f'"{name[:60]}" is not a host name')
                names[name] = None
                if max(number, len(names)) > MOST_HOSTS:  # one name may be said very often
                    raise HostListError(f"more than {MOST_HOSTS} hosts")
        if words and _PART.sub("", words[0]).strip(","):
            raise HostListError(f'"{words[0][:60]}" is not a list of hosts such as node[001-016]')
    return list(names)


def _expand(part: str) -> Iterator[str]:
    found = _BRACKETS.search(part)
    if found is None:
        yield part
        return
    head, tail = part[: found.start()], part[found.end() :]
    for piece in found[1].split(","):
        limits = _RANGE.match(piece)
        if limits is None:
            raise HostListError(f'"[{found[1][:60]}]" is not a range such as [001-016]')
        first, last = int(limits[1]), int(limits[2] or limits[1])
        if last < first or last - first >= MOST_HOSTS:
            raise HostListError(f'"{piece}" is not a range such as 001-016')
        for number in range(first, last + 1):
            for rest in _expand(tail):
                yield f"{head}{number:0{len(limits[1])}d}{rest}"


def same_host(one: str, other: str) -> bool:
    """Whether two names may mean one host: equal, or one is the short form of the other."""
    one, other = one.lower(), other.lower()
    return one == other or one.startswith(other + ".") or other.startswith(one + ".")

"""The slowest line: what one hostile line costs, for every literal that calls an expression or a parser."""

from __future__ import annotations

import time
from collections.abc import Iterator

from gpudoctor.engine import Knowledge
from gpudoctor.probes.report import Reader

_FILL = (
    b"a",
    b" ",
    b"0",
    b"a ",
    b"1.",
    b"0 ",
    b"[0] ",
    b"x=1 ",
    b"-",
    b"/",
    b"ab,",
    b"GPU0 ",
    b"\t",
    b"(",
    b"A_",
)
LENGTH = 16_000


def hostile(reader: Reader, knowledge: Knowledge) -> Iterator[bytes]:
    """Long lines around everything that is looked for."""
    for literal in reader.literals:
        for fill in _FILL:
            run = fill * (LENGTH // len(fill) // 2)
            yield run + literal + run
    for spec in knowledge.facts():
        for signature in spec.signatures:
            for line in signature.matches[:1]:
                data = line.encode()
                yield data * (LENGTH // len(data) + 1)


def timed() -> list[tuple[float, bytes]]:
    """Milliseconds of every hostile line, the slowest first; those are timed again, for the machine may be busy."""
    knowledge = Knowledge.load()
    reader = Reader(knowledge)
    tried = [(_taken(reader, line), line) for line in hostile(reader, knowledge)]
    tried.sort(reverse=True)
    again = [(min(taken, *(_taken(reader, line) for _ in range(4))), line) for taken, line in tried[:200]]
    return sorted([*again, *tried[200:]], reverse=True)


def _taken(reader: Reader, line: bytes) -> float:
    started = time.perf_counter()
    list(reader.read([line], "x"))
    return (time.perf_counter() - started) * 1000


def rows() -> list[list[str]]:
    """How many lines, the slowest of them, and the time that the ninety-ninth of a hundred takes."""
    found = timed()
    return [[str(len(found)), f"{found[0][0]:.1f}", f"{found[len(found) // 100][0]:.1f}", str(LENGTH)]]


if __name__ == "__main__":
    found = timed()
    print(f"the slowest of {len(found)} hostile lines takes {found[0][0]:.1f} ms")
    for milliseconds, line in found[:40]:
        print(f"{milliseconds:8.1f} ms  {line[LENGTH // 2 - 10 : LENGTH // 2 + 60]!r}")

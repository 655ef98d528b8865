"""``python -m tests.trust.worst``: the slowest input of a megabyte for every reader, by what inputs can repeat."""
# ruff: noqa: E501

from __future__ import annotations

import argparse
import gc
import random
import sys
import time
from collections.abc import Iterator

from gpudoctor.engine import Knowledge
from gpudoctor.probes.parsers import PARSERS
from gpudoctor.probes.report import Reader

from ..fuzz.targets import Target, targets

SAME = ("texts", "sentences", "documents")
"""Targets that call what others call with other seeds."""
DENSE = ("report", "search", "redact")
"""Targets that are tried with texts of nothing but what a reader of reports looks for."""
SIZE = 1 << 20
UNITS = (
    b"a", b" ", b"\n", b"0", b"9.", b"-1 ", b"[", b"{", b"- ", b"a: 1\n", b'"', b"'", b"\\", b"=", b": ", b"://", b"@", b"<", b"(",
    b"token=", b"token:", b"token~", b"api_keys:[", b"auth://", b"pin=$", b"token:x,", b"-eyJ", b"A_eyJ", b"key: x ", b"password ", b"--a ", b"NCCL WARN ", b"NCCL INFO ", b"Error: x\n", b"Traceback (most recent call last):\n",
    b"export NCCL_DEBUG=INFO\n", b"Xid (PCI:0000:01:00): 79, ", b"\x1b[31m", b"\x1b]0;", b"\xff", b"\xe5\x8d\xa1", b"\xef\xbc\x91", b"| ",
    b"GPU0 X NV18 SYS\n", b"[rank0]: ", b"2025-01-01 00:00:00 ", b"it hangs. ", b"no ", b"> ", b"0x7f ", b"a, ", b"&a ", b"*a ", b"node[1-",
)  # fmt: skip


def shapes(size: int) -> Iterator[tuple[str, bytes]]:
    """Inputs of one size, by name: a unit repeated, in lines, with numbers that differ, and nested."""
    for unit in UNITS:
        yield f"{unit!r} repeated", (unit * (size // len(unit) + 1))[:size]
        line = (unit * (2000 // len(unit) + 1))[:2000] + b"\n"
        yield f"{unit!r} in lines", (line * (size // len(line) + 1))[:size]
    for name, made in (
        ("names", "env.A{}: 1\n"), ("values", "export NCCL_DEBUG_FILE=/x/{}\n"), ("errors", "RuntimeError: x{} failed\n"),
        ("hosts", "node-{}:1:1 [0] NCCL INFO comm 0x{} rank 1 nranks 8 - Init START\n"), ("keys", '"k{}": 1,\n'),
        ("xids", "NVRM: Xid (PCI:0000:{}:00): 79, pid={}\n"), ("ranks", "[rank{}]: Watchdog caught collective operation timeout\n"),
    ):  # fmt: skip
        yield f"different {name}", _numbered(made, size)
    for parser in PARSERS:
        if parser.before + parser.after >= 20:
            yield f"calls of {parser.name}", _numbered(f"{parser.triggers[0]} {{}}\n", size)
    yield "nested", b"[" * (size // 2) + b"]" * (size // 2)
    yield "nested mappings", b"".join(b" " * i + b"a:\n" for i in range(1400))[:size]
    yield "one long key", b"a" * size + b": 1"


def dense(literals: list[bytes], size: int) -> Iterator[tuple[str, bytes]]:
    """Texts of nothing but what is looked for: a piece in each line, and lines full of pieces, among words of people."""
    choice = random.Random(1)
    pool = sorted((text for text in literals if text.strip()), key=len)[:1200]
    spoken = (
        b"we see",
        b"no",
        b"last year",
        b"if",
        b"'",
        b">",
        b"the docs say",
        b"not",
        b"someone else:",
        b"it is",
    )
    for name, many, words in (("one", 1, ()), ("ten", 10, ()), ("eighty", 80, ()), ("spoken", 6, spoken)):
        lines, total = [], 0
        while total < size:
            pieces = choice.choices(pool, k=many) + (choice.choices(words, k=4) if words else [])
            choice.shuffle(pieces)
            lines.append(b" ".join(pieces) + b"\n")
            total += len(lines[-1])
        yield f"dense, {name} in a line", b"".join(lines)[:size]


def _numbered(made: str, size: int) -> bytes:
    """Lines that differ in a number."""
    parts, total, number = [], 0, 0
    while total < size:
        parts.append(made.replace("{}", str(number)).encode())
        total += len(parts[-1])
        number += 1
    return b"".join(parts)[:size]


def readers(knowledge: Knowledge) -> list[Target]:
    """One target for each reader; the parsers are in that of reports."""
    return [t for t in targets(knowledge) if t.name not in SAME and not t.name.startswith("parser ")]


def slowest(found: list[Target], size: int, literals: list[bytes]) -> list[tuple[float, str, str]]:
    """Seconds of processor time for each reader and shape, the worst first.

    On a machine that others use a second of processor time does less. What is measured is set against a fixed
    piece of work before and after it, and that against its quickest: what comes out is the time on a quiet core.
    Garbage is collected between readers and not while they run, as in the command (``cli.start``).
    """
    times = []
    gc.disable()
    quickest = before = min(_yardstick() for _ in range(20))
    for target in found:
        gc.collect()
        made = [*shapes(size), *(dense(literals, size) if literals and target.name in DENSE else ())]
        for name, data in made:
            if name.startswith("calls of ") and target.name != "report":
                continue
            began = time.process_time()
            target.call(data)
            took, after = time.process_time() - began, _yardstick()
            quickest = min(quickest, after)
            times.append((took / ((before + after) / 2), target.name, name))
            before = after
    gc.enable()
    return sorted(((share * quickest, *rest) for share, *rest in times), reverse=True)


def _yardstick() -> float:
    """Seconds for a piece of work that is always the same."""
    began = time.process_time()
    made: dict[int, str] = {}
    for number in range(60_000):
        made[number % 1000] = str(number)[:3]
    return time.process_time() - began


def main() -> int:
    """Print the slowest; the status says whether one took more than two seconds."""
    parser = argparse.ArgumentParser(prog="python -m tests.trust.worst")
    parser.add_argument("reader", nargs="*", help="names of readers (default: all)")
    only = parser.parse_args().reader
    knowledge = Knowledge.load()
    every = readers(knowledge)
    found = [target for target in every if not only or target.name in only]
    unknown = set(only) - {target.name for target in every}
    if unknown:
        parser.error(f"no reader is called {', '.join(sorted(unknown))}: {', '.join(t.name for t in every)}")
    times = slowest(found, SIZE, Reader(knowledge).literals)
    for seconds, target, name in times[:25]:
        print(f"{seconds:6.2f} s  {target}: {name}")
    return 1 if times[0][0] > 2 else 0


if __name__ == "__main__":
    sys.exit(main())

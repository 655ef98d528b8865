"""``python -m tests.trust.worst``: the slowest input of a megabyte for every reader, by what inputs can repeat."""
# ruff: noqa: E501

from __future__ import annotations

import sys
import time
from collections.abc import Iterator

from gpudoctor.engine import Knowledge
from gpudoctor.probes.parsers import PARSERS

from ..fuzz.targets import Target, targets

SAME = ("texts", "sentences", "documents")
"""Targets that call what others call with other seeds."""
SIZE = 1 << 20
UNITS = (
    b"a", b" ", b"\n", b"0", b"9.", b"-1 ", b"[", b"{", b"- ", b"a: 1\n", b'"', b"'", b"\\", b"=", b": ", b"://", b"@", b"<", b"(",
    b"token=", b"key: x ", b"password ", b"--a ", b"NCCL WARN ", b"NCCL INFO ", b"Error: x\n", b"Traceback (most recent call last):\n",
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


def slowest(found: list[Target], size: int) -> list[tuple[float, str, str]]:
    """Seconds of processor time for each reader and shape, the worst first."""
    times = []
    for target in found:
        for name, data in shapes(size):
            if name.startswith("calls of ") and target.name != "report":
                continue
            began = time.process_time()
            target.call(data)
            times.append((time.process_time() - began, target.name, name))
    return sorted(times, reverse=True)


def main() -> int:
    """Print the slowest; the status says whether one took more than two seconds."""
    only = sys.argv[1:]
    found = [t for t in readers(Knowledge.load()) if not only or t.name in only]
    times = slowest(found, SIZE)
    for seconds, target, name in times[:15]:
        print(f"{seconds:6.2f} s  {target}: {name}")
    return 1 if times[0][0] > 2 else 0


if __name__ == "__main__":
    sys.exit(main())

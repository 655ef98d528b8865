"""One input made from another: cut, repeated, spliced, sprinkled with what breaks readers."""

from __future__ import annotations

import random
from collections.abc import Sequence

NOISE = (
    b"\0", b"\x1b[31m", b"\x1b]0;x\x07", b"\xff\xfe", b"\xc3", b"\xed\xa0\x80", b"\t", b"\r", b"\xe5\x8d\xa1",
    b"[", b"{", b",", b'"', b"\\", b": ", b"- ", b"&a ", b"*a", b"!!python/object:x ", b"<<: ", b"%", b"---\n",
    "１２".encode(), "\u0663".encode(), "²".encode(), "\u202e".encode(), b"-1", b"1e999", b"0x", b"NaN",
)  # fmt: skip
LONG = (
    b" " * 300, b"0" * 300, b"9" * 5000, b"=" * 300, b"(" * 200, b"[" * 400, b"a" * 500, b"a " * 300, b"1.2." * 100,
    b"-1 " * 200, b"a: " * 100, b"\n" * 200,
)  # fmt: skip
LARGEST, LONGEST_LINE = 20_000, 2_000
_SELDOM = 0.02
"""How often a line of many gets a long piece of noise, or is repeated many times."""


def mutation(choice: random.Random, seeds: Sequence[bytes]) -> bytes:
    """One more text."""
    return _mutated(choice, seeds, choice.randint(1, 6), long=True)[:LARGEST]


def lines(choice: random.Random, seeds: Sequence[bytes], count: int) -> bytes:
    """A text of so many lines, each mutated by itself; most of them stay short, so that a run gets through many."""
    found = [
        _mutated(choice, seeds, choice.randint(1, 3), long=choice.random() < _SELDOM)[:LONGEST_LINE]
        for _ in range(count)
    ]
    return b"\n".join(found)


def _mutated(choice: random.Random, seeds: Sequence[bytes], times: int, long: bool) -> bytes:
    data = bytearray(choice.choice(seeds))
    for _ in range(times):
        at = choice.randint(0, len(data))
        kind = choice.randrange(7)
        if kind == 0:
            data[at : at + choice.randint(0, 40)] = b""
        elif kind == 1:
            data[at:at] = choice.choice((*NOISE, *LONG) if long else NOISE)
        elif kind == 2:
            other = choice.choice(seeds)
            start = choice.randint(0, len(other))
            data[at:at] = other[start : start + choice.randint(0, 300 if long else 60)]
        elif kind == 3:
            data[at:at] = bytes(data[at : at + 30]) * choice.randint(1, 40 if long else 3)
        elif kind == 4:
            data[at : at + 1] = bytes([choice.randrange(256)])
        elif kind == 5:
            digits = [i for i, byte in enumerate(data) if 48 <= byte <= 57]
            if digits:
                data[(at := choice.choice(digits)) : at + 1] = choice.choice(
                    (b"-1", b"99999999999999999999", b"", "²".encode())
                )
        else:
            del data[at:]
    return bytes(data)

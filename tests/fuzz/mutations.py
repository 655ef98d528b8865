"""One input made from another: cut, repeated, spliced, sprinkled with what breaks readers."""

from __future__ import annotations

import random

NOISE = (
    b"\0", b"\x1b[31m", b"\x1b]0;x\x07", b"\xff\xfe", b"\xc3", b"\xed\xa0\x80", b"\t", b"\r", b"\xe5\x8d\xa1",
    b"[", b"{", b",", b'"', b"\\", b": ", b"- ", b"&a ", b"*a", b"!!python/object:x ", b"<<: ", b"%", b"---\n",
    "１２".encode(), "\u0663".encode(), "²".encode(), "\u202e".encode(), b"-1", b"1e999", b"0x", b"NaN",
    b" " * 300, b"0" * 300, b"9" * 5000, b"=" * 300, b"(" * 200, b"[" * 400, b"a" * 500, b"a " * 300, b"1.2." * 100,
    b"-1 " * 200, b"a: " * 100, b"\n" * 200,
)  # fmt: skip
LARGEST = 20_000


def mutation(choice: random.Random, seeds: list[bytes]) -> bytes:
    """One more input."""
    data = bytearray(choice.choice(seeds))
    for _ in range(choice.randint(1, 6)):
        at = choice.randint(0, len(data))
        kind = choice.randrange(7)
        if kind == 0:
            data[at : at + choice.randint(0, 40)] = b""
        elif kind == 1:
            data[at:at] = choice.choice(NOISE)
        elif kind == 2:
            other = choice.choice(seeds)
            start = choice.randint(0, len(other))
            data[at:at] = other[start : start + choice.randint(0, 300)]
        elif kind == 3:
            data[at:at] = bytes(data[at : at + 30]) * choice.randint(1, 40)
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
    return bytes(data[:LARGEST])

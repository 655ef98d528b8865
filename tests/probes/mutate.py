"""Mutated lines for the report reader: ``python -m tests.probes.mutate 1000000``.

Every line that a signature matches, and lines of the shapes that parsers read, cut, repeated, spliced and
sprinkled with control characters, escapes, broken UTF-8 and very long runs.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Iterator

from gpudoctor.engine import Knowledge
from gpudoctor.probes.report import Reader

from ..fuzz.mutations import mutation


def corpus(knowledge: Knowledge) -> list[bytes]:
    """Lines of all shapes."""
    from . import test_parsers, test_shapes, test_words

    lines = [
        line.encode()
        for spec in knowledge.facts()
        for signature in spec.signatures
        for line in (*signature.matches, *signature.rejects)
    ]
    for text in vars(test_parsers).values():
        if isinstance(text, str) and "\n" in text:
            lines += text.encode().splitlines()
    for text, _ in test_shapes.SHAPES.values():
        lines += text.encode().splitlines()
    lines += [text.encode() for text, _ in (*test_words.HEARD, *test_words.NOT_HEARD)]
    return [line for line in lines if line.strip()]


def mutated(lines: list[bytes], seed: int) -> Iterator[bytes]:
    """Endless mutations."""
    choice = random.Random(seed)
    while True:
        yield mutation(choice, lines)


def run(count: int, seed: int = 0, together: int = 50) -> tuple[int, float]:
    """Read ``count`` lines; how many facts came out, and the longest time of one text in seconds."""
    knowledge = Knowledge.load()
    reader = Reader(knowledge)
    source = mutated(corpus(knowledge), seed)
    facts, slowest = 0, 0.0
    for _ in range(count // together):
        text = b"\n".join(next(source) for _ in range(together))
        started = time.perf_counter()
        facts += sum(1 for _ in reader.read([text], "x"))
        slowest = max(slowest, time.perf_counter() - started)
    return facts, slowest


if __name__ == "__main__":
    wanted = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    began = time.perf_counter()
    found, worst = run(wanted, seed=int(sys.argv[2]) if len(sys.argv) > 2 else 0)
    print(
        f"{wanted} mutated lines, {found} facts, no exception, {time.perf_counter() - began:.0f} s; "
        f"the slowest text of 50 lines took {worst * 1000:.0f} ms"
    )

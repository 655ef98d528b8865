"""``python -m tests.fuzz COUNT [TARGET] [--seed N] [--guided]``: readers against whatever somebody may write.

Mutations of seeds by default, the same for the same seed. ``--guided`` lets atheris watch which lines of the program
an input reaches and keep the inputs that reach more; it takes one target.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
import traceback
from collections import Counter

from gpudoctor.engine import Knowledge

from .mutations import mutation
from .targets import Target, targets

SLOW = 2.0
"""Seconds of processor time for one input; the inputs here are small."""


def run(found: list[Target], count: int, seed: int, tell: float = 60.0) -> tuple[Counter[str], list[str]]:
    """So many inputs, shared out among the targets; how many each took, and what broke."""
    choice = random.Random(seed)
    shares = [target.share for target in found]
    done: Counter[str] = Counter()
    broken: dict[str, str] = {}
    told = time.monotonic()
    for number in range(count):
        target = choice.choices(found, shares)[0]
        data = mutation(choice, target.seeds)
        started = time.process_time()
        try:
            target.call(data)
        except Exception as error:
            last = traceback.extract_tb(error.__traceback__)[-1]
            place = f"{target.name}: {type(error).__name__} at {last.filename}:{last.lineno}"
            if place not in broken:
                broken[place] = f"{place}: {str(error)[:200]}\n  {data[:1500]!r}"
                print(broken[place], flush=True)
        took = time.process_time() - started
        if took > SLOW and f"{target.name} slow" not in broken:
            broken[f"{target.name} slow"] = (
                f"{target.name}: {took:.1f} s for {len(data)} bytes\n  {data[:1500]!r}"
            )
            print(broken[f"{target.name} slow"], flush=True)
        done[target.name] += 1
        if time.monotonic() - told > tell:
            told = time.monotonic()
            print(f"{number + 1} inputs, {len(broken)} defects", flush=True)
    return done, list(broken.values())


def guided(target: Target, count: int, seed: int) -> None:
    """The same with atheris, which ends the process at the first defect."""
    import atheris

    def once(data: bytes) -> None:
        target.call(mutation(random.Random(data), target.seeds) if len(data) < 64 else data)

    atheris.instrument_all()
    atheris.Setup([sys.argv[0], f"-runs={count}", f"-seed={seed or 1}", "-max_len=4096", "-timeout=10"], once)
    atheris.Fuzz()


def main() -> int:
    """Read the command line, run, say what was found."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz")
    parser.add_argument("count", type=int, nargs="?", default=100_000)
    parser.add_argument("target", nargs="?", default="")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--guided", action="store_true")
    asked = parser.parse_args()
    found = [t for t in targets(Knowledge.load()) if asked.target in ("", t.name)]
    if asked.guided:
        guided(found[0], asked.count, asked.seed)
        return 0
    began = time.monotonic()
    done, broken = run(found, asked.count, asked.seed)
    listed = ", ".join(f"{name} {number}" for name, number in sorted(done.items()))
    print(f"{asked.count} inputs ({listed}), {len(broken)} defects, {time.monotonic() - began:.0f} s")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())

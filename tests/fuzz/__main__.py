"""``python -m tests.fuzz COUNT [TARGET] [--seed N] [--keep DIR] [--guided]``: readers against whatever somebody writes.

Mutations of seeds by default, the same for the same seed: COUNT mutated lines and texts. Lines are handed to a
reader many at a time, each mutated by itself, and count one by one. ``--guided`` lets atheris watch which lines of
the program an input reaches and keep the inputs that reach more; it takes one target. ``--keep`` writes the inputs
that broke something into a folder.
"""

from __future__ import annotations

import argparse
import contextlib
import random
import sys
import time
import traceback
from collections import Counter
from pathlib import Path

from gpudoctor.engine import Knowledge

from .mutations import lines, mutation
from .targets import Target, targets

SLOW = 2.0
"""Seconds of processor time for one input; the inputs here are small."""


class Broken:
    """What broke, each place once."""

    def __init__(self, folder: Path | None) -> None:
        self.found: dict[str, str] = {}
        self._folder = folder

    def add(self, key: str, said: str, data: bytes) -> None:
        """One more defect, unless it is known."""
        if key in self.found:
            return
        self.found[key] = f"{said}\n  {data[:1500]!r}"
        print(self.found[key], flush=True)
        if self._folder:
            self._folder.mkdir(parents=True, exist_ok=True)
            (self._folder / f"{len(self.found)}-{key.split(':')[0].replace(' ', '-')}").write_bytes(data)


def run(
    found: list[Target], count: int, seed: int, tell: float = 60.0, keep: Path | None = None
) -> tuple[Counter[str], list[str]]:
    """So many lines and texts, shared out among the targets; how many each took, and what broke."""
    choice = random.Random(seed)
    shares = [target.share / (target.lines or 1) for target in found]
    done: Counter[str] = Counter()
    broken = Broken(keep)
    told = time.monotonic()
    total = 0
    first = list(found)
    while total < count:
        target = first.pop() if first else choice.choices(found, shares)[0]  # each has its turn
        size = min(target.lines, count - total)
        data = lines(choice, target.seeds, size) if size else mutation(choice, target.seeds)
        started = time.process_time()
        try:
            target.call(data)
        except Exception as error:
            last = traceback.extract_tb(error.__traceback__)[-1]
            place = f"{target.name}: {type(error).__name__} at {last.filename}:{last.lineno}"
            broken.add(place, f"{place}: {str(error)[:200]}", data)
        took = time.process_time() - started
        if took > SLOW:
            broken.add(f"{target.name} slow", f"{target.name}: {took:.1f} s for {len(data)} bytes", data)
        done[target.name] += size or 1
        total += size or 1
        if time.monotonic() - told > tell:
            told = time.monotonic()
            print(f"{total} lines and texts, {len(broken.found)} defects", flush=True)
    return done, list(broken.found.values())


def guided(target: Target, count: int, seed: int) -> None:
    """The same with atheris, which ends the process at the first defect."""
    import atheris

    def once(data: bytes) -> None:
        target.call(mutation(random.Random(data), target.seeds) if len(data) < 64 else data)

    atheris.instrument_all()
    atheris.Setup([sys.argv[0], f"-runs={count}", f"-seed={seed or 1}", "-max_len=4096", "-timeout=10"], once)
    atheris.Fuzz()


def _load_all() -> None:
    """Import everything now: a run takes hours, and the files of the program may change meanwhile."""
    import importlib
    import pkgutil

    for package in ("engine", "probes", "cli"):
        found = importlib.import_module(f"gpudoctor.{package}")
        for module in pkgutil.walk_packages(found.__path__, f"gpudoctor.{package}."):
            with contextlib.suppress(ImportError):
                importlib.import_module(module.name)


def main() -> int:
    """Read the command line, run, say what was found."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz")
    parser.add_argument("count", type=int, nargs="?", default=100_000)
    parser.add_argument("target", nargs="?", default="", help="the beginning of the name of a target")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--guided", action="store_true")
    asked = parser.parse_args()
    _load_all()
    found = [t for t in targets(Knowledge.load()) if t.name.startswith(asked.target)]
    if asked.guided:
        guided(found[0], asked.count, asked.seed)
        return 0
    began = time.monotonic()
    done, broken = run(found, asked.count, asked.seed, keep=asked.keep)
    listed = ", ".join(f"{name} {number}" for name, number in sorted(done.items()))
    took = time.monotonic() - began
    print(f"{done.total()} lines and texts ({listed}), {len(broken)} defects, {took:.0f} s")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())

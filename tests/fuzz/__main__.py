"""``python -m tests.fuzz COUNT [TARGET] [--seed N] [--keep DIR] [--guided]``: readers against whatever somebody writes.

Mutations of seeds by default, the same for the same seed: COUNT mutated lines and texts. Lines are handed to a
reader many at a time, each mutated by itself, and count one by one. ``--guided`` lets atheris (``pip install atheris``,
Python 3.11 or 3.12) watch which lines of the program an input reaches and keep the inputs that reach more, COUNT inputs
or ``--seconds`` for each target; without atheris the mutations alone have to do. ``--keep`` writes the inputs that
broke something into a folder.
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import importlib.util
import random
import sys
import time
import traceback
from collections import Counter
from pathlib import Path
from types import FunctionType

from gpudoctor.engine import Knowledge

from .mutations import lines, mutation
from .room import fork, room, wait
from .targets import Target, targets

SLOW = 2.0
"""Seconds of processor time for one input; the inputs here are small."""
GUIDED_SIZE, GUIDED_SEEDS, GUIDED_TIME, GUIDED_SLOW = 4096, 300, 90, 20.0
"""Bytes of an input at most, seeds to begin with, seconds for one target, and for one input where all is counted."""


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


def guided(found: list[Target], count: int, seconds: int, seed: int, keep: Path | None = None) -> bool:
    """The same with atheris: so many inputs for each target. Each has a process, which ends at its first defect."""
    import atheris

    for function in _functions():
        atheris.instrument_func(function)
    whole = True
    for target in found:
        print(f"{target.name}:", flush=True)
        corpus = room()
        for number, data in enumerate(_beginnings(target, seed)):
            (corpus / str(number)).write_bytes(data)
        child = fork()
        if not child:
            _follow(target, str(corpus), count, seconds, seed, keep)
        whole &= wait(child)
    return whole


def _functions() -> list[FunctionType]:
    """The program's own functions and methods: those of the tests and of what it stands on tell nothing."""
    every = (one for one in gc.get_objects() if isinstance(one, FunctionType))
    return [one for one in every if (one.__module__ or "").startswith("gpudoctor.")]


def _beginnings(target: Target, seed: int) -> list[bytes]:
    """Seeds for what is followed, a few hundred short ones; of lines several make one."""
    choice = random.Random(seed)
    seeds = target.seeds
    if target.lines:
        mixed = choice.sample(seeds, len(seeds))
        seeds = [b"\n".join(mixed[at : at + 6]) for at in range(0, len(mixed), 6)]
    short = [data for data in seeds if len(data) <= GUIDED_SIZE] or [data[:GUIDED_SIZE] for data in seeds]
    return choice.sample(short, min(len(short), GUIDED_SEEDS))


def _follow(target: Target, corpus: str, count: int, seconds: int, seed: int, keep: Path | None) -> None:
    """Hand the process to atheris, which does not come back."""
    import atheris

    def once(data: bytes) -> None:
        started = time.process_time()
        target.call(data)
        took = time.process_time() - started
        assert took < GUIDED_SLOW, f"{took:.1f} s for {len(data)} bytes"

    def mutate(data: bytes, most: int, number: int) -> bytes:
        if number % 2:
            return bytes(atheris.Mutate(data, most))
        return mutation(random.Random(number), [data, *target.seeds])[:most]

    options = [
        f"-runs={count}",
        f"-max_total_time={seconds}",
        f"-seed={seed or 1}",
        f"-max_len={GUIDED_SIZE}",
        "-timeout=60",
        "-print_final_stats=1",
    ]
    if keep:
        keep.mkdir(parents=True, exist_ok=True)
        options.append(f"-artifact_prefix={keep}/{target.name.replace(' ', '-').replace('/', '-')}-")
    atheris.Setup([sys.argv[0], *options, corpus], once, custom_mutator=mutate)
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
    parser.add_argument(
        "--seconds", type=int, default=GUIDED_TIME, help="for each target, where it is guided"
    )
    asked = parser.parse_args()
    _load_all()
    found = [t for t in targets(Knowledge.load()) if t.name.startswith(asked.target)]
    if asked.guided and not importlib.util.find_spec("atheris"):
        parser.error(
            "--guided needs atheris (pip install atheris); without it the mutations do, the same for a seed"
        )
    if asked.guided:
        return 0 if guided(found, asked.count, asked.seconds, asked.seed, asked.keep) else 1
    began = time.monotonic()
    done, broken = run(found, asked.count, asked.seed, keep=asked.keep)
    listed = ", ".join(f"{name} {number}" for name, number in sorted(done.items()))
    took = time.monotonic() - began
    print(f"{done.total()} lines and texts ({listed}), {len(broken)} defects, {took:.0f} s")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())

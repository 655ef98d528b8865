"""The process in which probes of files run: one fork for each, so that a read that hangs stops only itself.

A job comes as JSON on standard input; for each probe one JSON line goes to standard output when it has ended.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from typing import Any

from ..childend import evidence
from ..memoryfile import memory_file
from .catalogue import PROBES, Probe
from .finding import Known, Text, Unknown
from .record import Record
from .world import Unreadable, World

GRACE = 0.2
_PAUSE = 0.002
_LARGEST = 8 << 20
_KINDS: dict[type, str] = {Known: "known", Unknown: "unknown", Text: "text"}


def main() -> None:
    """Run the probes of a job."""
    job = json.load(sys.stdin)
    record = Record() if job.get("record") else None
    world = World(
        job["root"],
        python=job["python"] or "",
        pid=job.get("pid"),
        record=record,
        packages=job.get("packages") or {},
    )
    chosen = [probe for probe in PROBES if probe.name in job["probes"]]
    deadline = time.monotonic() + job["seconds"]
    running = {_start(probe, world): (probe, time.monotonic()) for probe in chosen}
    killed: dict[int, tuple[float, str]] = {}
    while running:
        for key in list(running):
            pid, file = key
            probe, began = running[key]
            done, status = os.waitpid(pid, os.WNOHANG)
            now = time.monotonic()
            if done:
                state = "timed out" if pid in killed else "done" if status == 0 else "failed"
                _report(probe, file, state, now - began, killed[pid][1] if pid in killed else "")
            elif pid in killed and now - killed[pid][0] > GRACE:
                _report(probe, file, "abandoned", now - began, killed[pid][1])
            elif pid not in killed and now > deadline:
                killed[pid] = (now, evidence(pid))
                os.kill(pid, signal.SIGKILL)
                continue
            else:
                continue
            del running[key]
        time.sleep(_PAUSE)
    sys.stdout.flush()
    os._exit(0)


def _start(probe: Probe, world: World) -> tuple[int, int]:
    file = memory_file()
    pid = os.fork()
    if pid == 0:
        status = 1
        try:
            _run(probe, world, file)
            status = 0
        finally:
            os._exit(status)
    return pid, file


def _run(probe: Probe, world: World, file: int) -> None:
    """In the fork: every finding is written as soon as it is there."""
    try:
        for finding in probe.run(world):
            _write(file, [_KINDS[type(finding)], *finding])
    except Unreadable as error:
        for fact in probe.facts:
            _write(file, ["unknown", fact, str(error), error.path])
    except Exception as error:  # a machine that nobody foresaw must not silence the other probes
        _write(file, ["failed", f"{type(error).__name__}: {error}"])
    if world.record:
        _write(file, ["record", world.record.to_dict()])


def _write(file: int, line: list[Any]) -> None:
    os.write(file, json.dumps(line).encode() + b"\n")


def _report(probe: Probe, file: int, state: str, seconds: float, detail: str) -> None:
    findings = []
    for written in os.pread(file, _LARGEST, 0).split(b"\n"):
        try:
            findings.append(json.loads(written))
        except ValueError:
            continue  # the last line of a probe that was killed
    os.close(file)
    line = {"probe": probe.name, "state": state, "seconds": seconds, "detail": detail, "findings": findings}
    sys.stdout.write(json.dumps(line) + "\n")
    sys.stdout.flush()

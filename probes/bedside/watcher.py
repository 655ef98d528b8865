"""Watches a job from a thread of its own: looks at its stacks, decides that it hangs, and takes the evidence."""

from __future__ import annotations

import os
import resource
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence

from ...engine.redaction import redact
from .chart import Job
from .copy import Copy
from .environment import written
from .hang import Hang, Watch
from .kernel import since
from .look import Look
from .oomkills import OomKills
from .processes import shm_elsewhere
from .ras import status as ras_status
from .visits import Bedside

_STATUS_SECONDS = 60.0
_PAUSE = 1.0
_SHARE = 0.005
"""Of all processors of the machine: the most that looks at a job may take that moves."""
_SETTLE = 0.5
"""Seconds that the kernel and the flight recorder are given to write down what has just happened."""


class Watcher:
    """What is known of a job that runs, and the thread that looks."""

    def __init__(self, command: Sequence[str], after: float, folder: str) -> None:
        self._command = redact(" ".join(command))[:300]
        self._folder = folder
        self._copies: dict[str, Copy] = {}
        self._watch = Watch(after)
        self._began = time.monotonic()
        self._looks: deque[Look] = deque(maxlen=3)
        self._kills = OomKills()
        self._pid = 0
        self._cost = 0.0
        self._shm: tuple[int, int] | None = None
        self._bedside = Bedside([])
        self._stop = threading.Event()
        self._urgent = threading.Event()
        self._thread: threading.Thread | None = None
        self.hang: Hang | None = None
        self.on_hang: Callable[[Look, Hang], None] = lambda look, hang: None

    def hear(self, stream: str, data: bytes) -> None:
        """What the job wrote; called for every piece."""
        self._watch.wrote(data, time.monotonic())
        copy = self._copies.get(stream)
        if copy is None:
            copy = self._copies[stream] = Copy()
        if copy.take(data):
            self._urgent.set()

    def begin(self, pid: int) -> None:
        """The job runs: look at it from now on."""
        self._pid = pid
        self._bedside = Bedside([pid])
        self._kills.look([pid])  # at once: a job may be killed within its first second
        self._thread = threading.Thread(target=self._run, name="gpudoctor", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        looked = time.monotonic()
        while not self._stop.is_set():
            self._urgent.wait(_PAUSE)
            if self._stop.is_set():
                return
            self._kills.look([self._pid])  # the groups are counted while they are there
            now = time.monotonic()
            urgent = self._urgent.is_set() and now - looked > _PAUSE
            if now - looked < self._gap(now) and not urgent:
                self._stop.wait(_PAUSE if self._urgent.is_set() else 0)
                continue
            self._urgent.clear()
            before = _processor_time()
            look = self._bedside.look()
            self._cost = _processor_time() - before
            looked = time.monotonic()
            self._kills.look([self._pid, *(member.pid for member in look.members)])
            if look.members:
                self._looks.append(look)
                self._shm = shm_elsewhere(look.ranks[0].pid) or self._shm if look.ranks else self._shm
            hang = self._watch.saw(look, time.monotonic())
            if hang and not self._stop.is_set():
                self.hang = hang
                self.on_hang(look, hang)

    def _gap(self, now: float) -> float:
        """Seconds between two looks: as planned, or so many that looks at a job that works take little of a machine."""
        planned = self._watch.next_look(now)
        return (
            planned
            if self._watch.suspects
            else max(planned, self._cost / (_SHARE * len(os.sched_getaffinity(0))))
        )

    def end(self) -> None:
        """The job has ended: look no more."""
        self._stop.set()
        self._urgent.set()
        if self._thread:
            self._thread.join(_STATUS_SECONDS)
        self._kills.look([])

    def job(self, status: int | None) -> Job:
        """How it fares."""
        hang = self.hang
        return Job(
            self._command, os.uname().nodename, self._pid, round(time.monotonic() - self._began, 1), status,
            hang.why if hang else "", round(hang.seconds, 1) if hang else 0.0,
            self._kills.count if self._kills.known else None, self._shm,
        )  # fmt: skip

    def evidence(self, alive: bool) -> tuple[list[Look], dict[str, bytes], dict[str, bytes], int | None]:
        """Looks, texts, dumps, and a process of the job whose environment and limits count."""
        time.sleep(_SETTLE)
        texts, documents = written(self._folder)
        texts.update((f"{name}.log", copy.content()) for name, copy in list(self._copies.items()))
        texts["kernel.log"] = since(time.monotonic() - self._began, [self._pid] if alive else [])
        looks = list(self._looks)
        if alive and looks:
            texts["ras.txt"] = ras_status([member.pid for member in looks[-1].members])
        pid = next((member.pid for member in looks[-1].ranks), None) if looks else None
        return looks, texts, documents, pid


def _processor_time() -> float:
    """Seconds of processor time of this thread and of the children that have ended."""
    return sum(
        used.ru_utime + used.ru_stime
        for used in map(resource.getrusage, (resource.RUSAGE_THREAD, resource.RUSAGE_CHILDREN))
    )

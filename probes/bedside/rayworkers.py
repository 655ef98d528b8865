"""The workers of a Ray job on this machine. They descend from the raylet of their node, not from the driver.

What ties them together is the log that each keeps open: a driver's name holds the id of its job, and a worker's
begins with it (`ray._private.ray_constants.LOG_PREFIX_JOB_ID`).
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable

from gpudoctor.engine.tuples import NamedTuple

from ..janitor import born, descendants
from .processes import RAY, open_files

SERVICES = ("raylet", "gcs_server", "redis-server")
"""Programs of Ray that always have something to do, whatever becomes of a job."""
AGENTS = (f"{RAY}DashboardAgent", f"{RAY}RuntimeEnvAgent")
"""Titles of its services that look like those of workers."""
IDLE_TITLE = f"{RAY}IDLE"
_DRIVER = re.compile(r"(/.*)/logs/python-core-driver-([0-9a-f]{8})f*_\d+\.log\Z")
_WORKER = re.compile(r"(/.*)/logs/worker-[0-9a-f]{56}-[0-9a-f]{8}-\d+\.(?:out|err)\Z")
_JOB = re.compile(rb"^:job_id:([0-9a-f]{8})$", re.MULTILINE)
_HEAD = 4096


class RayJob(NamedTuple):
    """A job by the folder of its Ray session and its number in it."""

    session: str
    number: str


def driven(files: Iterable[str]) -> RayJob | None:
    """The job whose driver has these files open; None for another process."""
    found = next((match for file in files if (match := _DRIVER.match(file))), None)
    return RayJob(found[1], found[2]) if found else None


def worked_for(files: Iterable[str]) -> RayJob | None:
    """The job for which a worker with these open files works; None for one that has none yet, and for others.

    Workers that were started in advance have no number in the name of their log; Ray writes it into it later.
    """
    for file in files:
        found = _WORKER.match(file)
        if not found:
            continue
        try:
            with open(file, "rb") as log:
                said = _JOB.search(log.read(_HEAD))
        except OSError:
            continue
        if said:
            return RayJob(found[1], said[1].decode())
    return None


class RayWorkers:
    """Finds the workers of the jobs whose drivers are among some processes; asks each process once."""

    def __init__(self) -> None:
        self._drives: dict[tuple[int, str], RayJob | None] = {}
        self._works: dict[tuple[int, str], RayJob] = {}

    def of(self, pids: Iterable[int]) -> list[int]:
        """Workers of those jobs on this machine, without what is below them."""
        jobs = {job for pid in pids if (job := self._driven(pid))}
        if not jobs:
            return []
        below = [pid for raylet in raylets() for pid in descendants(raylet)]
        return [pid for pid in below if self._worked_for(pid) in jobs]

    def _driven(self, pid: int) -> RayJob | None:
        key = (pid, born(pid))
        if not self._drives.get(key):  # a program becomes a driver when it calls ray.init
            self._drives[key] = driven(open_files(pid))
        return self._drives[key]

    def _worked_for(self, pid: int) -> RayJob | None:
        key = (pid, born(pid))
        job = self._works.get(key) or worked_for(open_files(pid))
        if job:
            self._works[key] = job
        return job


def ray_jobs() -> dict[RayJob, list[int]]:
    """The jobs of Ray of which drivers or workers run on this machine, with these."""
    found: dict[RayJob, list[int]] = {}
    below = {pid for raylet in raylets() for pid in descendants(raylet)}
    for name in os.listdir("/proc"):
        if name.isdecimal():
            files = open_files(int(name))
            job = driven(files) or (worked_for(files) if int(name) in below else None)
            if job:
                found.setdefault(job, []).append(int(name))
    return found


def raylets() -> list[int]:
    """The raylets of this machine."""
    found = []
    for name in os.listdir("/proc"):
        if name.isdecimal():
            try:
                with open(f"/proc/{name}/comm") as file:
                    if file.read().strip() == "raylet":
                        found.append(int(name))
            except OSError:
                continue
    return found

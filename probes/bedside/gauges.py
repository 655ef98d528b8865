"""What GPUs say of their use and their power. A kernel that waits for a peer fills the first and not the second."""

from __future__ import annotations

import contextlib
import glob
import os
import re
from collections.abc import Collection, Iterable
from typing import NamedTuple

from ..boundedchild import run

SECONDS = 8.0
_ASK = (
    "nvidia-smi",
    "--query-gpu=uuid,index,utilization.gpu,power.draw,power.limit",
    "--format=csv,noheader,nounits",
)
_ASK_WHO = ("nvidia-smi", "--query-compute-apps=gpu_uuid,pid", "--format=csv,noheader,nounits")
_FULL, _IDLE = 95.0, 0.4
"""Percent of use, and the part of the limit of its power below which a GPU that is used so much computes nothing."""
_MICRO = 1_000_000


class Gauge(NamedTuple):
    """One GPU: its use in percent, the power that it draws and the most that it may draw, in watts."""

    gpu: str
    use: float
    watts: float
    limit: float

    @property
    def spins(self) -> bool:
        """Whether what runs there waits and does not compute."""
        return self.use >= _FULL and 0 < self.watts < _IDLE * self.limit

    @property
    def works(self) -> bool:
        """Whether something computes there."""
        return self.use >= _FULL / 2 and self.watts >= _IDLE * self.limit > 0

    @property
    def words(self) -> str:
        """For people."""
        return f"GPU {self.gpu}: {self.use:.0f} % used, {self.watts:.0f} of {self.limit:.0f} W"


def gauges(pids: Collection[int], drm: str = "/sys/class/drm") -> tuple[Gauge, ...]:
    """Those of the GPUs on which these processes run, and of no others; empty where nothing tells who runs where.

    The driver numbers processes as the machine does: within a container of its own numbers it names none of them.
    amdgpu does not tell whose work a GPU does; with one GPU, there is no other.
    """
    if os.path.exists("/dev/nvidiactl"):
        who = run(list(_ASK_WHO), seconds=SECONDS)
        theirs = used_by(who.stdout, pids) if who.ok else frozenset()
        outcome = run(list(_ASK), seconds=SECONDS) if theirs else None
        return of_nvidia_smi(outcome.stdout, theirs) if outcome and outcome.ok else ()
    found = tuple(_of_amd(drm))
    return found if len(found) == 1 else ()


def used_by(text: str, pids: Collection[int]) -> frozenset[str]:
    """The GPUs on which these processes alone run, by what ``nvidia-smi`` printed of who computes where."""
    users: dict[str, set[str]] = {}
    for line in text.splitlines():
        gpu, _, pid = (part.strip() for part in line.partition(","))
        users.setdefault(gpu, set()).add(pid)
    known = {str(pid) for pid in pids}
    theirs = {gpu: there for gpu, there in users.items() if there & known}
    # What a GPU does that is shared cannot be told apart, so that of the job as a whole nothing can.
    return frozenset(theirs) if all(there <= known for there in theirs.values()) else frozenset()


def of_nvidia_smi(text: str, wanted: Collection[str]) -> tuple[Gauge, ...]:
    """What ``nvidia-smi`` printed of these GPUs; one that does not tell its power is left out."""
    found = []
    for line in text.splitlines():
        gpu, *cells = [cell.strip() for cell in line.split(",")]
        whole = len(cells) == 4 and all(re.fullmatch(r"\d{1,6}(?:\.\d{1,6})?", cell) for cell in cells)
        if gpu in wanted and whole:
            found.append(Gauge(cells[0], *map(float, cells[1:])))
    return tuple(found)


def _of_amd(drm: str) -> Iterable[Gauge]:
    """From the files of amdgpu: percent, and microwatts of its sensor."""
    for device in sorted(glob.glob(f"{glob.escape(drm)}/card[0-9]*/device")):
        use = _number(f"{device}/gpu_busy_percent")
        for sensor in glob.glob(f"{glob.escape(device)}/hwmon/hwmon*"):
            watts = _number(f"{sensor}/power1_average") or _number(f"{sensor}/power1_input")
            limit = _number(f"{sensor}/power1_cap")
            if use is not None and watts and limit:
                name = os.path.basename(os.path.dirname(device)).removeprefix("card")
                yield Gauge(name, use, watts / _MICRO, limit / _MICRO)
                break


def _number(path: str) -> float | None:
    with contextlib.suppress(OSError, ValueError), open(path) as file:
        return float(file.read(64))
    return None

"""What GPUs say of their use and their power. A kernel that waits for a peer fills the first and not the second."""

from __future__ import annotations

import contextlib
import glob
import os
import re
from collections.abc import Collection, Iterable, Mapping

from gpudoctor.engine.tuples import NamedTuple

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


def gauges(pids: Collection[int], sysfs: str = "/sys/class") -> tuple[Gauge, ...]:
    """Those of the GPUs on which these processes run, and of no others; empty where nothing tells who runs where.

    The drivers number processes as the machine does: within a container of its own numbers they name none of them.
    """
    if os.path.exists("/dev/nvidiactl"):
        who = run(list(_ASK_WHO), seconds=SECONDS)
        theirs = used_by(who.stdout, pids) if who.ok else frozenset()
        outcome = run(list(_ASK), seconds=SECONDS) if theirs else None
        return of_nvidia_smi(outcome.stdout, theirs) if outcome and outcome.ok else ()
    wanted = _of_nobody_else(_users_of_amd(f"{sysfs}/kfd/kfd"), pids)
    devices = {device for gpu in wanted if (device := _device_of_amd(sysfs, gpu))}
    return tuple(_of_amd(f"{sysfs}/drm", devices)) if len(devices) == len(wanted) else ()


def used_by(text: str, pids: Collection[int]) -> frozenset[str]:
    """The GPUs on which these processes alone run, by what ``nvidia-smi`` printed of who computes where."""
    users: dict[str, set[str]] = {}
    for line in text.splitlines():
        gpu, _, pid = (part.strip() for part in line.partition(","))
        users.setdefault(gpu, set()).add(pid)
    return _of_nobody_else(users, pids)


def _of_nobody_else(users: Mapping[str, set[str]], pids: Collection[int]) -> frozenset[str]:
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


def _users_of_amd(kfd: str) -> dict[str, set[str]]:
    """Who has queues on which GPU, by the numbers that the driver gives to both."""
    users: dict[str, set[str]] = {}
    for path in glob.glob(f"{glob.escape(kfd)}/proc/[0-9]*/queues/[0-9]*/gpuid"):
        gpu = _number(path)
        if gpu is not None:
            users.setdefault(f"{gpu:.0f}", set()).add(path.split("/")[-4])
    return users


def _device_of_amd(sysfs: str, gpu: str) -> str | None:
    """The folder of the PCI device of a GPU that the driver's compute side calls by this number."""
    for node in glob.glob(f"{glob.escape(sysfs)}/kfd/kfd/topology/nodes/[0-9]*"):
        number = _number(f"{node}/gpu_id")
        if number is None or f"{number:.0f}" != gpu:
            continue
        with contextlib.suppress(OSError), open(f"{node}/properties") as file:
            minor = re.search(r"^drm_render_minor (\d{1,6})$", file.read(1 << 16), re.MULTILINE)
            return os.path.realpath(f"{sysfs}/drm/renderD{minor[1]}/device") if minor else None
    return None


def _of_amd(drm: str, wanted: Collection[str]) -> Iterable[Gauge]:
    """From the files of amdgpu: percent, and microwatts of its sensor."""
    for device in sorted(glob.glob(f"{glob.escape(drm)}/card[0-9]*/device")):
        if os.path.realpath(device) not in wanted:
            continue
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

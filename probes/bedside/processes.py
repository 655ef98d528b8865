"""The processes of a job as /proc shows them: who they are, their state, where they wait, and whether they work."""

from __future__ import annotations

import itertools
import os
import re
import zlib
from collections.abc import Iterable, Iterator

from gpudoctor.engine.tuples import NamedTuple

from ...engine.redaction import redact
from ..janitor import descendants

RANKS = ("RANK", "SLURM_PROCID", "OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK")
"""Variables that hold the number of a rank, the most trusted first."""
WORLDS = ("WORLD_SIZE", "SLURM_NTASKS", "OMPI_COMM_WORLD_SIZE", "PMI_SIZE")
RAY = "ray::"
"""What the title of a worker of Ray begins with."""
_LOCAL = "LOCAL_RANK"
_HELPER = re.compile(r"from multiprocessing[. ]|_inductor[./]compile_worker")
"""Processes that a rank starts for itself; they hold what it has set for itself since it began."""
_LARGEST = 1 << 20
_SHOWN = 200
_FILES = 4096
_STACK = 512 << 10


class Process(NamedTuple):
    """One process at one moment.

    ``started`` tells it from a later one of the same number; ``ticks`` is the processor time of all its threads,
    ``own_ticks`` that of its main thread, ``switches`` how often that one gave up the processor by itself, ``faults``
    how often it touched memory that was not there. ``moved_bytes`` were read from files and pipes, and written.
    """

    pid: int
    parent: int
    name: str
    command: str
    state: str
    wchan: str
    started: str
    ticks: int
    own_ticks: int
    switches: int
    faults: int
    moved_bytes: int
    rank: int | None
    world: int | None
    python: bool
    numbered_by: str = ""
    """The variable of ``RANKS`` that gave the number."""
    local: bool = False
    """Whether it has a number among those of its node as well, which launchers hand out."""


def look_at(pid: int) -> Process | None:
    """What /proc shows of a process; None where it is gone. What may not be read is left empty."""
    stat = _text(pid, "stat").rpartition(")")
    fields = stat[2].split()
    if len(fields) < 20:
        return None
    own = _text(pid, f"task/{pid}/stat").rpartition(")")[2].split()
    words = [word for word in _text(pid, "cmdline").split("\0") if word]
    environment = _environment(pid)
    switches = re.search(
        r"^voluntary_ctxt_switches:\s*(\d+)$", _text(pid, f"task/{pid}/status"), re.MULTILINE
    )
    moved = re.findall(r"^[rw]char: (\d+)$", _text(pid, "io"), re.MULTILINE)
    if _text(pid, "stat").rpartition(")")[2].split()[19:20] != [fields[19]]:
        return None  # another process has its number by now, and some of this is about that one
    name = stat[0].partition("(")[2]
    rank, numbered_by = _rank(environment)
    if words and words[0].startswith(RAY):  # the kernel keeps the first fifteen characters only
        name = words[0][:80]
    return Process(
        pid,
        int(fields[1]),
        name,
        redact(" ".join(words))[:_SHOWN],
        fields[0],
        _text(pid, "wchan").strip("0 \n"),
        fields[19],
        int(fields[11]) + int(fields[12]),
        int(own[11]) + int(own[12]) if len(own) > 12 else 0,
        int(switches[1]) if switches else 0,
        int(own[7]) + int(own[9]) if len(own) > 12 else 0,
        sum(map(int, moved)),
        rank,
        _number(environment, WORLDS),
        "python" in name or "python" in os.path.basename(words[0] if words else "") or name.startswith(RAY),
        numbered_by,
        _number(environment, (_LOCAL,)) is not None,
    )


def family(roots: Iterable[int]) -> dict[int, Process]:
    """These processes and all that descends from them, as they are now."""
    found: dict[int, Process] = {}
    for root in roots:
        for pid in (root, *descendants(root)):
            process = None if pid in found else look_at(pid)
            if process and process.state not in "ZX":
                found[pid] = process
    return found


def ranks(processes: dict[int, Process]) -> dict[int, Process]:
    """Those that are ranks: the topmost ones with a number of their own; their children inherit it.

    A launcher is none. It holds the number of its node or of its task, and those below it are told better.
    """
    launchers = _launchers(processes)
    return {
        pid: process
        for pid, process in processes.items()
        if _numbered(process)
        and pid not in launchers
        and all(above.rank != process.rank for above in _first_rank_above(processes, process, launchers))
    }


def _launchers(processes: dict[int, Process]) -> set[int]:
    """Those with a number from a less trusted variable, or from none that counts on a node, than one below them."""
    found: set[int] = set()
    for process in processes.values():
        if _numbered(process) and not _HELPER.search(process.command):
            found.update(
                above.pid
                for above in _above(processes, process)
                if _trust(process) < _trust(above) or (process.local and not above.local)
            )
    return found


def _numbered(process: Process) -> bool:
    return process.python and process.rank is not None


def _trust(process: Process) -> int:
    """The place of its variable among ``RANKS``: the smaller, the better."""
    return RANKS.index(process.numbered_by) if process.numbered_by in RANKS else len(RANKS)


def _above(processes: dict[int, Process], process: Process) -> Iterator[Process]:
    """The numbered Python processes above one, the nearest first; what is between them is nobody's rank."""
    passed = {process.pid}  # numbers that were given away again while /proc was read may form a ring
    above = processes.get(process.parent)
    while above is not None and above.pid not in passed:
        passed.add(above.pid)
        if _numbered(above):
            yield above
        above = processes.get(above.parent)


def _first_rank_above(
    processes: dict[int, Process], process: Process, launchers: set[int]
) -> Iterable[Process]:
    return itertools.islice((one for one in _above(processes, process) if one.pid not in launchers), 1)


def open_files(pid: int) -> list[str]:
    """What a process has open; empty where we may not see it."""
    folder = f"/proc/{pid}/fd"
    found = []
    try:
        for name in os.listdir(folder)[:_FILES]:
            try:
                found.append(os.readlink(f"{folder}/{name}"))
            except OSError:
                continue
    except OSError:
        pass
    return found


def below_program(pid: int) -> int:
    """What is on the machine stack of the main thread, as a number: that of one who calls and returns changes always.

    The memory is read, and nobody is stopped. 0 where it may not be read.
    """
    try:
        with open(f"/proc/{pid}/maps") as maps:
            line = next((line for line in maps if line.rstrip().endswith("[stack]")), "")
        begin, end = (int(part, 16) for part in line.split(" ")[0].split("-"))
        with open(f"/proc/{pid}/mem", "rb", buffering=0) as memory:
            memory.seek(max(begin, end - _STACK))
            return zlib.crc32(memory.read(min(end - begin, _STACK)))
    except (OSError, ValueError):
        return 0


def shm_elsewhere(pid: int) -> tuple[int, int] | None:
    """Size and free bytes of /dev/shm as a process in another mount namespace has it; None where it is ours."""
    try:
        if os.readlink(f"/proc/{pid}/ns/mnt") == os.readlink("/proc/self/ns/mnt"):
            return None
        there = os.statvfs(f"/proc/{pid}/root/dev/shm")
    except OSError:
        return None
    return there.f_blocks * there.f_frsize, there.f_bavail * there.f_frsize


def variable(pid: int, name: str) -> str:
    """A variable of a process as it was started with; empty where it has none or we may not see it."""
    return _environment(pid, (name,)).get(name, "")


def _environment(pid: int, wanted: tuple[str, ...] = (*RANKS, *WORLDS, _LOCAL)) -> dict[str, str]:
    """Those variables; no other one is looked at."""
    pairs = (entry.partition("=") for entry in _text(pid, "environ").split("\0"))
    return {name: value for name, _, value in pairs if name in wanted}


def _rank(environment: dict[str, str]) -> tuple[int | None, str]:
    """The number of a rank, and the variable that gives it."""
    for name in RANKS:
        number = _number(environment, (name,))
        if number is not None:
            return number, name
    return None, ""


def _number(environment: dict[str, str], names: Iterable[str]) -> int | None:
    for name in names:
        value = environment.get(name, "")
        if value.isascii() and value.isdecimal() and len(value) < 8:
            return int(value)
    return None


def _text(pid: int, name: str) -> str:
    try:
        with open(f"/proc/{pid}/{name}", "rb") as file:
            return file.read(_LARGEST).decode("utf-8", "replace")
    except OSError:
        return ""

"""What was seen at a bedside, as files of a capture, and the same read back as facts; of one node or of many."""

from __future__ import annotations

import json
import os
import re
import signal
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from gpudoctor.engine.tuples import NamedTuple

from ...engine.facts import WORDS, Statement
from ...engine.knowledge import Knowledge
from ..capture import ArchiveEntry, cleaned, cleaned_json
from ..conversion import statements
from ..files import shown
from ..machine.finding import Known
from ..text import on_one_line, safe
from .look import Look, read_look
from .standing import findings

FOLDER = ".gpudoctor/bedside"
_JOB, _LOOKS = "job.json", "looks.json"
NATIVE = "native.txt"
"""Calls in libraries, for people: names of functions are no sentences about a fault, so no signature reads them."""
SCHEMA = "gpudoctor/bedside/1"
_LARGEST = 64 << 20
_LOGS = ("/findings/kernel-log.json", "/commands/journal.json")
_KILL = re.compile(r"(?i)out of memory|oom[-_ ]?kill|killed process|oom_memcg")
_STEADY = ("stack.groups",)


class Job(NamedTuple):
    """How a job fares: ``status`` as a shell tells it (None while it runs), ``hang`` why it is taken to hang."""

    command: str
    host: str
    pid: int
    seconds: float
    status: int | None = None
    hang: str = ""
    still: float = 0.0
    oom_kills: int | None = None
    shm: tuple[int, int] | None = None

    @property
    def signal(self) -> str:
        """The name of the signal that ended it; nothing if none did."""
        if self.status is None or not 128 < self.status < 128 + 65:
            return ""
        try:
            return signal.Signals(self.status - 128).name
        except ValueError:
            return ""


def entries(
    job: Job, looks: Sequence[Look], texts: dict[str, bytes], documents: dict[str, bytes]
) -> list[ArchiveEntry]:
    """The files of a capture. ``texts`` are redacted; ``documents`` are dumps, kept as they are."""
    found = [
        ArchiveEntry(f"{FOLDER}/{_JOB}", cleaned_json({"schema": SCHEMA, **job._asdict()})),
        ArchiveEntry(f"{FOLDER}/{_LOOKS}", cleaned_json([look.to_dict() for look in looks])),
    ]
    found += [
        ArchiveEntry(f"{FOLDER}/{name}", cleaned(f"/{name}", text))
        for name, text in sorted(texts.items())
        if text
    ]
    return found + [ArchiveEntry(f"{FOLDER}/{name}", data) for name, data in sorted(documents.items())]


def of_the_job(gathered: Sequence[ArchiveEntry], job: Job) -> list[ArchiveEntry]:
    """The files of this machine, without what speaks of others than this job.

    These are earlier kills for memory, which the kernel log still holds, and our /dev/shm where the job has its own.
    """
    kept = [entry for entry in gathered if not (job.shm and entry.name.endswith("/findings/shm.json"))]
    return [
        ArchiveEntry(entry.name, _without_kills(entry.content)) if entry.name.endswith(_LOGS) else entry
        for entry in kept
    ]


def _without_kills(content: bytes) -> bytes:
    document = json.loads(content)
    for finding in document.get("findings", ()):
        if finding[0] == "text":
            finding[2] = "\n".join(line for line in finding[2].split("\n") if not _KILL.search(line))
    if "stdout" in document:
        document["stdout"] = "\n".join(
            line for line in document["stdout"].split("\n") if not _KILL.search(line)
        )
    return json.dumps(document, indent=1, sort_keys=True).encode()


def has_chart(root: str) -> bool:
    """Whether an unpacked capture was taken at a bedside."""
    return os.path.isfile(os.path.join(root, FOLDER, _JOB))


class Chart(NamedTuple):
    """What one capture tells of a job."""

    job: Job
    looks: tuple[Look, ...]
    folder: str


def read_chart(root: str) -> Chart | None:
    """The chart in an unpacked capture; None if there is none that can be read."""
    folder = os.path.join(root, FOLDER)
    said, listed = _load(os.path.join(folder, _JOB)), _load(os.path.join(folder, _LOOKS))
    if not isinstance(said, dict) or said.get("schema") != SCHEMA:
        return None
    try:
        status, kills = said.get("status"), said.get("oom_kills")
        shm = said.get("shm")
        job = Job(
            shown(str(said["command"])[:4096])[:300], on_one_line(str(said["host"]))[:253],
            int(said["pid"]), float(said["seconds"]),
            None if status is None else int(status), safe(str(said["hang"]))[:300], float(said["still"]),
            None if kills is None else int(kills), None if shm is None else (int(shm[0]), int(shm[1])),
        )  # fmt: skip
    except (KeyError, TypeError, ValueError, IndexError, OverflowError):  # a number without end
        return None
    looks = [look for item in listed if (look := read_look(item))] if isinstance(listed, list) else []
    return Chart(job, tuple(looks), folder)


def _load(path: str) -> Any:
    try:
        if os.path.getsize(path) > _LARGEST:
            return None
        with open(path, "rb") as file:
            return json.loads(file.read())
    except (OSError, ValueError, RecursionError):
        return None


def facts(knowledge: Knowledge, charts: Sequence[Chart]) -> Iterator[Statement]:
    """What all charts of one job say together: how it ended, where its ranks stand, what its output and dumps tell."""
    from ..report import Reader

    said = [("bedside", finding) for finding in (*_of_jobs(charts), *_of_looks(charts))]
    yield from statements(knowledge, said)
    many = len(charts) > 1
    reader = Reader(knowledge, words=False)
    for fact in reader.read_all(_texts(charts, many)):
        if fact.name != WORDS or fact.value:
            yield fact


def _texts(charts: Sequence[Chart], many: bool) -> Iterator[tuple[str, Iterable[bytes]]]:
    for chart in charts:
        for folder, _, names in sorted(os.walk(chart.folder)):
            for name in sorted(names):
                path = os.path.join(folder, name)
                if name in (_JOB, _LOOKS, NATIVE) or os.path.getsize(path) > _LARGEST:
                    continue
                shown = os.path.relpath(path, chart.folder)
                yield (f"{chart.job.host}/{shown}" if many else shown), _parts(path)


def _parts(path: str) -> Iterator[bytes]:
    with open(path, "rb") as file:
        while part := file.read(1 << 20):
            yield part


def _of_jobs(charts: Sequence[Chart]) -> Iterator[Known]:
    for job in (chart.job for chart in charts):
        where = f"{job.host}, {job.command[:60]}"
        if job.hang:
            yield Known("job.hung", True, where, f"{job.hang} for {job.still:.0f} s")
            break
    else:
        if charts and all(chart.job.status is not None for chart in charts):
            yield Known("job.hung", False, charts[0].job.host, "the job ended by itself")
    ended = [chart.job for chart in charts if chart.job.status]
    for job in ended[:1]:
        yield Known(
            "job.status", job.status or 0, job.host, f"exit status {job.status} after {job.seconds:.0f} s"
        )
        if job.signal:
            yield Known("job.signal", job.signal, job.host, f"ended by {job.signal}")
    for job in (chart.job for chart in charts):
        if job.shm:
            where = f"{job.host}, /dev/shm of the job"
            yield Known("shm.size_bytes", job.shm[0], where, f"{job.shm[0]} bytes in its own mount namespace")
            yield Known("shm.free_bytes", job.shm[1], where, f"{job.shm[1]} bytes free")
            break
    counted = [chart.job for chart in charts if chart.job.oom_kills is not None]
    if counted:
        worst = max(counted, key=lambda job: job.oom_kills or 0)
        text = f"oom_kill of its control group grew by {worst.oom_kills} while it ran"
        yield Known("job.oom_kills", worst.oom_kills or 0, f"{worst.host}, control group", text)


def _of_looks(charts: Sequence[Chart]) -> Iterator[Known]:
    hung = any(chart.job.hang for chart in charts)
    last = merged([chart.looks[-1] for chart in charts if chart.looks])
    if last is None:
        return
    where = "stacks" if len(charts) == 1 else f"stacks on {len(charts)} nodes"
    found = list(findings(last, where))
    if not hung:
        # Where the job did not hang, one look is one moment: what counts is what the look before showed as well.
        before = merged([chart.looks[-2] for chart in charts if len(chart.looks) > 1])
        lasting = {(f.fact, f.value) for f in findings(before, where)} if before else set()
        found = [f for f in found if f.fact in _STEADY or (f.fact, f.value) in lasting]
    yield from found


def merged(looks: Sequence[Look]) -> Look | None:
    """One look at all nodes; a rank that is gone from one node and stands on another is not gone."""
    if len(looks) < 2:
        return looks[0] if looks else None
    members = tuple(member for look in looks for member in look.members)
    here = {member.name for member in members}
    gone = tuple(dict.fromkeys(name for look in looks for name in look.gone if name not in here))
    return Look(
        max(look.at for look in looks), ",".join(look.host for look in looks), members, gone,
        max(look.world for look in looks), any(look.busy for look in looks),
    )  # fmt: skip

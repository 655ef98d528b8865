"""Evidence of a job, from a bedside to a capture and from captures to a diagnosis: one node, or a folder of many."""

from __future__ import annotations

import contextlib
import glob
import os
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ...engine import Knowledge, Session
from ..errors import UsageError

if TYPE_CHECKING:
    from ...engine.diagnosis import Diagnosis
    from ...engine.facts import Statement
    from ...engine.fleet import Fleet
    from ...probes.bedside.chart import Chart, Job
    from ...probes.bedside.look import Look

_SUFFIXES = (".tar.gz", ".tgz")
_GATHER = 10.0


def keep(
    knowledge: Knowledge,
    job: Job,
    looks: Sequence[Look],
    texts: dict[str, bytes],
    documents: dict[str, bytes],
    folder: str,
    pid: int | None,
) -> str:
    """Write a capture of this machine and this job into a folder; its name. Raises UsageError."""
    from ...probes.bedside.chart import entries, of_the_job
    from ...probes.capture import CaptureError, gather, write

    alive = pid if pid and os.path.isdir(f"/proc/{pid}") else None
    try:
        found = [
            *of_the_job(gather(_python_of(alive), alive, _GATHER, knowledge.packages()), job),
            *entries(job, looks, texts, documents),
        ]
        os.makedirs(folder, exist_ok=True)
        stamp = time.strftime("%Y%m%d-%H%M%S")
        name = os.path.join(folder, f"gpudoctor-{job.host}-{job.pid}-{stamp}.tar.gz")
        write(found, name)
    except CaptureError as error:
        raise UsageError(str(error)) from None
    except OSError as error:
        raise UsageError(f"{folder}: cannot be written: {error.strerror}") from None
    return name


def keep_machine(knowledge: Knowledge, folder: str, most: int, python: str | None = None) -> str:
    """Keep a capture of this machine, which is well, among the last good ones; its name. Raises UsageError."""
    from ...probes.capture import CaptureError, gather, write
    from ...probes.lifeline import temporary_folder
    from .snapshots import keep_good

    try:
        os.makedirs(folder, mode=0o700, exist_ok=True)
        with temporary_folder() as place:
            name = os.path.join(
                place, f"gpudoctor-{os.uname().nodename}-{time.strftime('%Y%m%d-%H%M%S')}.tar.gz"
            )
            write(gather(python, None, _GATHER, knowledge.packages()), name)
            return keep_good(name, folder, most)
    except CaptureError as error:
        raise UsageError(str(error)) from None
    except OSError as error:
        raise UsageError(f"{folder}: cannot be written: {error.strerror}") from None


def _python_of(pid: int | None) -> str | None:
    """The interpreter that a process was started with; None where that cannot be told."""
    try:
        with open(f"/proc/{pid}/cmdline", "rb") as file:
            first = os.fsdecode(file.read(4096).split(b"\0")[0])
    except OSError:
        return None
    import shutil  # brings compression, which most runs do without

    return first if os.path.basename(first).startswith("python") and shutil.which(first) else None


def add_chart(session: Session, root: str) -> bool:
    """Add what a capture tells of a job, if it was taken at a bedside; whether it was."""
    from ...probes.bedside.chart import facts, has_chart, read_chart

    chart = read_chart(root) if has_chart(root) else None
    if chart is None:
        return False
    for fact in facts(session.knowledge, [chart]):
        session.add(fact)
    return True


def conclude(knowledge: Knowledge, name: str, engine: str, history: str | None = None) -> Diagnosis:
    """The diagnosis of one capture; ``history`` is a folder of good ones. Raises UsageError."""
    session = Session(knowledge, engine)
    nodes = read_captures(session, [name])
    assert nodes is None
    if history and os.path.isdir(history):
        from .snapshots import add_since

        with contextlib.suppress(UsageError):  # the first job that is kept there has nothing before it
            add_since(session, history)
    return session.diagnosis()


def captures_in(folder: str) -> list[str]:
    """The captures in a folder, in order. Raises UsageError."""
    found = sorted(
        name for name in glob.glob(os.path.join(glob.escape(folder), "*")) if name.endswith(_SUFFIXES)
    )
    if not found:
        raise UsageError(f"{folder}: the folder holds no captures ({', '.join(_SUFFIXES)})")
    return found


def read_captures(session: Session, names: Sequence[str]) -> Fleet | None:
    """Add what captures tell of one job to the session; their nodes, if there are several. Raises UsageError."""
    from ...probes.bedside.chart import facts, read_chart
    from ...probes.capture import CaptureError, unpacked
    from ...probes.live import ProbeError, examine
    from ...probes.machine.identity import identity
    from ...probes.machine.world import World

    charts: dict[tuple[str, int], Chart] = {}
    said: dict[str, tuple[Statement, ...]] = {}
    with contextlib.ExitStack() as stack:
        for name in names:
            try:
                root = stack.enter_context(unpacked(name))
                world = World(root)
                host = str(world.system("hostname") or "")
                chart = read_chart(root)
                if chart:
                    host = host or chart.job.host
                    charts[chart.job.host, chart.job.pid] = (
                        chart  # a later capture of a job has all of an earlier one
                    )
                said[host or os.path.basename(name)] = examine(session.knowledge, root=root).statements
            except (CaptureError, ProbeError) as error:
                raise UsageError(str(error)) from None
            session.identity = session.identity or identity(world)
        for fact in facts(session.knowledge, list(charts.values())):
            session.add(fact)
    if len(said) == 1:
        for statements in said.values():
            for statement in statements:
                session.add(statement)
        return None
    return _fleet(session, said)


def _fleet(session: Session, said: dict[str, tuple[Statement, ...]]) -> Fleet:
    from ...engine.facts.nodefacts import NodeFactsReader
    from ...engine.fleet import assemble

    session.identity = None
    type_of = session.knowledge.vocabulary.spec
    reader = NodeFactsReader(type_of)
    nodes = [reader.of(host, "", statements) for host, statements in said.items()]
    return assemble(nodes, reader, type_of, [], 0)

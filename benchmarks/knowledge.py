"""What a knowledge base costs, today and ten times as large: questions, the linter, memory.

An environment has the knowledge base as it is installed, with its index beside it; ``enlarged`` puts the tenfold one in
its place.
"""

from __future__ import annotations

import gc
import json
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from enlarge import enlarge
from process import REPORT, cpu_seconds

LATER = 12
ROUNDS = 3


@contextmanager
def enlarged(environment: Path) -> Iterator[None]:
    """The environment with ten times the knowledge, and then as it was."""
    installed = next((environment / "lib").glob("python*/site-packages/gpudoctor/kb"))
    kept = installed.with_name("kb-of-today")
    installed.rename(kept)
    try:
        enlarge(installed)
        _run(environment, "index", str(installed))
        yield
    finally:
        shutil.rmtree(installed, ignore_errors=True)
        kept.rename(installed)


def rows(environment: Path) -> list[list[str]]:
    """One row for each figure of the knowledge base that is in the environment."""
    asked = [json.loads(_run(environment, "ask")) for _ in range(ROUNDS)]
    doctor = str(environment / "bin" / "gpudoctor")
    lint = cpu_seconds([doctor, "kb", "lint"])
    read = json.loads(_run(environment, "read"))
    return [
        ["incidents and known issues", f"{asked[0]['incidents']}"],
        ["load and ask the first question, ms", f"{min(a['first'] for a in asked) * 1000:.0f}"],
        [
            "the second question, the first that is weighed, ms",
            f"{min(a['second'] for a in asked) * 1000:.0f}",
        ],
        ["a later question, ms (median)", f"{min(a['later'] for a in asked) * 1000:.0f}"],
        ["a later question, ms (worst)", f"{min(a['worst'] for a in asked) * 1000:.0f}"],
        ["`gpudoctor kb lint`, s", f"{lint:.1f}"],
        ["memory of a conversation, MB", f"{asked[0]['memory']:.0f}"],
        ["memory of `gpudoctor --report`, MB", f"{read['memory']:.0f}"],
    ]


def _run(environment: Path, *arguments: str) -> str:
    command = [str(environment / "bin" / "python"), __file__, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def _memory() -> float:
    """Peak memory in MB. Not by getrusage, which counts what the parent held when it started this process."""
    status = Path("/proc/self/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0]) / 1024


def _ask() -> dict[str, float]:
    """A conversation that comes with a hang and denies what is asked, in seconds of CPU time."""
    gc.disable()  # as the command does
    from gpudoctor.engine import Knowledge, Session

    started = time.process_time()
    knowledge = Knowledge.load()
    session = Session(knowledge)
    question = session.next_question()
    found = {"first": time.process_time() - started}
    spent = []
    for _ in range(LATER):
        if question is None:
            break
        spec = knowledge.vocabulary.spec(question.fact)
        started = time.process_time()
        if spec.type == "bool":
            session.tell(question.fact, False)
        elif spec.values:
            session.tell(question.fact, spec.values[0])
        else:
            session.cannot_tell(question.fact)
        session.standings()
        question = session.next_question()
        spent.append(time.process_time() - started)
    found |= {"second": spent[0], "later": statistics.median(spent[1:]), "worst": max(spent[1:])}
    return {**found, "incidents": len(knowledge.incident_ids), "memory": _memory()}


def _read() -> dict[str, float]:
    from gpudoctor.engine import Knowledge, Session
    from gpudoctor.probes.report import read_reports

    knowledge = Knowledge.load()
    session = Session(knowledge)
    for fact in read_reports([REPORT], knowledge):
        session.add(fact)
    session.diagnosis().to_dict()
    return {"memory": _memory()}


def _index(folder: str) -> None:
    from gpudoctor.engine.knowledge.compiler import build_index
    from gpudoctor.engine.knowledge.index import PACKAGED

    (Path(folder) / PACKAGED).write_bytes(build_index(folder))


if __name__ == "__main__":
    if sys.argv[1] == "index":
        _index(sys.argv[2])
    else:
        sys.stdout.write(json.dumps(_ask() if sys.argv[1] == "ask" else _read()))

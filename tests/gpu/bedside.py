"""``gpudoctor run`` and ``attach`` on torchrun jobs with nccl: stacks with frames of CUDA, dumps; and ``audit``."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from gpudoctor.probes.capture import unpacked
from gpudoctor.probes.flightrecorder import read_dump

from . import children
from .checks import Check, Fail, Skip
from .kit import Kit, document, facts, named

START = 60.0
"""Seconds in which the ranks of a job must be there."""
_CUDA = re.compile(
    r"libcuda\.so|libcudart|libtorch_cuda|libamdhip64|libhsa-runtime|libtorch_hip|libc10_(?:cuda|hip)"
)


def checks(kit: Kit) -> Iterator[Check]:
    """All checks of this group."""
    yield Check("run leaves a healthy job in peace", 80, lambda: _healthy(kit))
    yield Check("run reads the dumps of the flight recorder", 110, lambda: _watchdog(kit))
    yield Check("attach: ranks, and frames of CUDA", 125, lambda: _attach(kit))
    yield Check("audit --probe", 30, lambda: _audit(kit))


def _healthy(kit: Kit) -> str:
    end = kit.gpudoctor(
        "run-healthy", "run", "--hang-after", "30", "--evidence", str(kit.folder("healthy")), "--",
        *kit.job("healthy", kit.found.gpus), seconds=75,
    )  # fmt: skip
    if end.status != 0:
        raise Fail(f"the job failed: {end.why()}")
    said = [
        line for line in end.stderr.splitlines() if line.startswith("gpudoctor:") and "added to" not in line
    ]
    if said:
        raise Fail(f"gpudoctor said of a healthy job: {said[0]}")
    if end.stdout.count("trained") != kit.found.gpus or "step 19" not in end.stdout:
        raise Fail("the output of the job did not pass through whole")
    return f"{kit.found.gpus} ranks, {end.seconds:.1f} s, nothing said"


def _watchdog(kit: Kit) -> str:
    """A collective that cannot end: the group's watchdog dumps its records, and gpudoctor reads them."""
    folder = kit.folder("watchdog")
    end = kit.gpudoctor(
        "run-watchdog", "run", "--hang-after", "60", "--format", "json", "--evidence", str(folder), "--",
        *kit.job("watchdog", kit.found.gpus), seconds=105,
    )  # fmt: skip
    if end.status == 0:
        raise Fail("the watchdog did not strike: the job ended well")
    capture = kit.capture("watchdog", folder)
    with unpacked(str(capture)) as root:
        dumps = sorted(Path(root).rglob("fr_rank_*"))
        calls = [found for path in dumps if (found := read_dump(path.read_bytes(), path.name))]
    if not dumps:
        raise Fail(f"no dump of the flight recorder is in the evidence; the job: {end.why()}")
    if len(calls) != len(dumps) or not all(dump.calls for dump in calls):
        raise Fail(f"{len(calls)} of {len(dumps)} dumps could be read")
    said = facts(document(end))
    if said.get("symptom.nccl-watchdog-timeout") != [True]:
        raise Fail("symptom.nccl-watchdog-timeout was not read")
    libraries = sorted({dump.library for dump in calls})
    if libraries != [""] and not set(map(str, said.get("nccl.version", ()))) & set(libraries):
        raise Fail(f"the dumps say library {libraries}, gpudoctor {said.get('nccl.version')}")
    return (
        f"{len(calls)} dumps, {sum(len(dump.calls) for dump in calls)} calls, library {', '.join(libraries)}"
    )


def _attach(kit: Kit) -> str:
    """Rank 0 waits for its GPU, which is busy, the others for rank 0: gpudoctor says so and changes nothing."""
    if "py-spy" not in kit.found.tools:
        raise Skip(
            "py-spy is not installed: pip install 'gpudoctor[bedside]', or dist/py-spy (make gpu-carry)"
        )
    ranks = kit.found.gpus
    folder = kit.folder("attach")
    with children.beside(kit.job("waits", ranks), kit.environment()) as job:
        _wait(job, ranks)
        end = kit.gpudoctor(
            "attach", "attach", str(job.process.pid), "--seconds", f"{max(3.0, kit.patience / 2):g}",
            "--native", "--format", "json", "--evidence", str(folder), seconds=50,
        )  # fmt: skip
        if job.process.poll() is not None:
            raise Fail(f"the job has ended while it was looked at: {job.said()[-200:]}")
        stopped = [pid for pid in _below(job.mark) if _state(pid) in "Tt"]
        if stopped:
            raise Fail(f"attach has left processes stopped: {stopped}")
    said = document(end)
    with unpacked(str(kit.capture("attach", folder))) as root:
        place = Path(root, ".gpudoctor/bedside")
        look = json.loads((place / "looks.json").read_text())[-1]
        native = (place / "native.txt").read_text() if (place / "native.txt").is_file() else ""
    return stands(look, native, ranks, said)


def stands(look: dict[str, Any], native: str, ranks: int, said: dict[str, Any]) -> str:
    """Whether a look shows the job as it was made."""
    members = {member["rank"]: member for member in look["members"] if not member["of"]}
    if sorted(members) != list(range(ranks)):
        raise Fail(f"ranks that were seen: {sorted(members)}, not {list(range(ranks))}")
    first = members[0]
    if first["problem"]:
        raise Fail(f"stacks cannot be read: {first['problem']}")
    if first["place"]["doing"] != "device":
        raise Fail(f"rank 0 waits for its GPU, and is seen {first['place']}")
    if not first["gpu"]:
        raise Fail("rank 0 uses a GPU, and this was not seen")
    frames = [line for line in native.splitlines() if _CUDA.search(line)]
    if not frames:
        raise Fail(
            f"no frame of CUDA or HIP in the stacks: {native.strip()[:200] or 'there is no native.txt'}"
        )
    still = "taken to have moved, for it spins" if first["moved"] else "standing still"
    return f"{ranks} ranks, {len(frames)} frames of CUDA or HIP; rank 0 {still}; named: {named(said)[:2]}"


def _wait(job: children.Started, ranks: int) -> None:
    deadline = time.monotonic() + START
    while job.said().count(" is there") < ranks:
        if job.process.poll() is not None or time.monotonic() > deadline:
            raise Fail(f"the ranks did not come up: {job.said().strip()[-300:]}")
        time.sleep(0.1)
    time.sleep(2.0)  # the GPU is being kept busy by now


def _below(mark: str) -> list[int]:
    return sorted(children.living(mark))


def _state(pid: int) -> str:
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            return file.read(4096).rpartition(b")")[2].split()[0].decode()
    except (OSError, IndexError):
        return "?"


def _audit(kit: Kit) -> str:
    end = kit.gpudoctor("audit", "audit", "--probe", "--python", kit.python, "--format", "json", seconds=25)
    said = document(end)
    if end.status not in (0, 1, 3):
        raise Fail(f"gpudoctor audit: {end.why()}")
    if "machine" not in said["examined"]:
        raise Fail(f"the machine was not examined: {said['examined']}")
    judged = {product["title"]: product["version"] for product in said["products"]}
    one = kit.found.interpreter
    assert one
    if judged.get("PyTorch", "").partition("+")[0] != one.torch.partition("+")[0]:
        raise Fail(f"audit judged PyTorch {judged.get('PyTorch')}, installed is {one.torch}")
    return f"{len(judged)} products, {len(said['findings'])} findings, {said['verdict']}"

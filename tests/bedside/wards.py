"""Real jobs with a planted fault, and healthy ones, under ``gpudoctor run``.

``python -m tests.bedside.wards [NAME...]`` (``make bedside``) prints the table.

No job says what its fault is: what is named first must come from its stacks, its end and its output.
"""

from __future__ import annotations

import contextlib
import importlib.util
import json
import os
import re
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from gpudoctor.probes.janitor import descendants, kill_born, kill_group

JOBS = Path(__file__).parent / "jobs"
GPUDOCTOR = [sys.executable, "-c", "from gpudoctor.cli.main import entry; entry()"]
TORCHRUN = [sys.executable, "-W", "ignore", "-m", "torch.distributed.run"]
HANG_AFTER = float(os.environ.get("HANG_AFTER", "10"))
"""Seconds; the default of ``gpudoctor run`` is 30."""
NO_TOKEN = {"RAY_AUTH_MODE": "disabled"}
START = 30.0
"""Seconds in which a job that is attached to has come to its fault."""
_MEMORY = Path("/sys/fs/cgroup/memory")


class Fault(NamedTuple):
    """A job: how it is started, what must be named first (one of them), and whether it hangs or fails."""

    name: str
    expected: tuple[str, ...]
    command: Callable[[Path], list[str]]
    env: dict[str, str] = {}  # noqa: RUF012
    hangs: bool = True
    fast: bool = False
    needs: Callable[[], bool] = lambda: True
    around: Callable[[], contextlib.AbstractContextManager[list[str]]] = lambda: contextlib.nullcontext([])
    attached: str = ""
    """Words by which the job is found among those that ``attach --all`` shows; without them it is started by run."""


class Outcome(NamedTuple):
    """What became of a job: the incident that was named first, the seconds until it was, and everything printed."""

    first: str
    seconds: float
    status: int
    text: str


def torchrun(script: str, *more: str, ranks: int = 2) -> Callable[[Path], list[str]]:
    return lambda folder: [
        *TORCHRUN, "--nproc-per-node", str(ranks), str(JOBS / f"{script}.py"), *(m.format(folder=folder) for m in more)
    ]  # fmt: skip


def plain(script: str, *more: str) -> Callable[[Path], list[str]]:
    return lambda folder: [sys.executable, "-W", "ignore", str(JOBS / f"{script}.py"), *more]


def absent_node(folder: Path) -> list[str]:
    return [*TORCHRUN, "--nnodes", "2", "--nproc-per-node", "1", "--rdzv-backend", "c10d", "--rdzv-endpoint",
            "127.0.0.1:29531", "--rdzv-id", "ward", str(JOBS / "store.py")]  # fmt: skip


def has_ray() -> bool:
    return importlib.util.find_spec("ray") is not None


def is_root() -> bool:
    return os.geteuid() == 0


def can_mount() -> bool:
    return (
        is_root()
        and subprocess.run(["unshare", "-m", "true"], check=False, capture_output=True).returncode == 0
    )


def small_shm(command: Callable[[Path], list[str]]) -> Callable[[Path], list[str]]:
    mount = 'mount -t tmpfs -o size=2m tmpfs /dev/shm && exec "$@"'
    return lambda folder: ["unshare", "-m", "sh", "-c", mount, "sh", *command(folder)]


@contextlib.contextmanager
def little_memory() -> Iterator[list[str]]:
    """A control group with 900 MB, which the job enters by itself."""
    group = _MEMORY / f"gpudoctor-{os.getpid()}"
    group.mkdir()
    (group / "memory.limit_in_bytes").write_text(str(900 << 20))
    try:
        yield ["sh", "-c", f'echo $$ > {group}/cgroup.procs && exec "$@"', "sh"]
    finally:
        for _ in range(50):
            try:
                group.rmdir()
                break
            except OSError:
                time.sleep(0.1)


@contextlib.contextmanager
def taken_port() -> Iterator[list[str]]:
    with socket.create_server(("0.0.0.0", 29511)):
        yield []


@contextlib.contextmanager
def ray_cluster() -> Iterator[list[str]]:
    """A cluster that runs already: the workers of a job descend from its raylet, and not from the job."""
    ray = [str(Path(sys.executable).parent / "ray")]
    with tempfile.TemporaryDirectory(prefix="ray-", dir="/tmp") as folder:
        start = [*ray, "start", "--head", "--port", "29530", "--num-cpus", "3", "--include-dashboard", "false",
                 "--temp-dir", folder, "--disable-usage-stats"]  # fmt: skip
        held = subprocess.Popen([*start, "--block"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                start_new_session=True, env={**os.environ, **NO_TOKEN})  # fmt: skip
        try:
            for _ in range(300):
                with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", 29530), 1):
                    break
                time.sleep(0.2)
            time.sleep(5)  # the raylet registers after its server answers
            yield []
        finally:
            below = descendants(held.pid)
            kill_group(held.pid)
            kill_born(below)
            held.wait(30)


def variables(rank: int, world: int, address: str = "127.0.0.1", port: int = 29512) -> dict[str, str]:
    return {"RANK": str(rank), "WORLD_SIZE": str(world), "MASTER_ADDR": address, "MASTER_PORT": str(port)}


FAULTS = (
    Fault("uneven batches", ("uneven-batches",), torchrun("uneven"), fast=True),
    Fault("a collective for rank 0 only", ("rank-conditional-collective",), torchrun("conditional")),
    Fault("different collectives", ("rank-divergent-control-flow",), torchrun("divergent")),
    Fault("different shapes", ("collective-size-mismatch",), torchrun("shapes"), hangs=False),
    Fault("a rank is killed", ("rank-killed-from-outside",), torchrun("killed"), hangs=False, fast=True),
    Fault("a rank is stopped", ("rank-stopped",), torchrun("stopped")),
    Fault("a segfault", ("rank-native-crash",), torchrun("segfault"), hangs=False),
    Fault("out of memory in a control group", ("host-oom-kill",), torchrun("memory"), hangs=False,
          needs=lambda: is_root() and _MEMORY.is_dir() and os.access(_MEMORY, os.W_OK), around=little_memory),
    Fault("an exception on one rank", ("exception-on-one-rank",), torchrun("raises"), hangs=False),
    Fault("a deadlock of the loader", ("dataloader-worker-deadlock",), torchrun("loader")),
    Fault("a small /dev/shm", ("shm-too-small",), small_shm(torchrun("shm")), hangs=False, needs=can_mount),
    Fault("a port that is taken", ("master-port-in-use",), plain("store"), env=variables(0, 2, port=29511), hangs=False,
          around=taken_port),
    Fault("an unknown MASTER_ADDR", ("master-addr-not-resolved",), plain("store"),
          env=variables(1, 2, "no-such-host.invalid"), hangs=False),
    Fault("a wrong world size", ("world-size-larger-than-started",), plain("store"), env=variables(0, 2)),
    Fault("a long validation", ("rank-zero-long-work",), torchrun("validation"), hangs=False),
    Fault("a long checkpoint of rank 0", ("rank-zero-long-work",), torchrun("saving"), hangs=False),
    Fault("a corpus that rank 0 tokenizes", ("rank-zero-long-work",), torchrun("tokenizing"), hangs=False),
    Fault("a lock of a JIT build", ("jit-build-lock",), torchrun("jitlock", "{folder}")),
    Fault("uneven batches under mp.spawn", ("uneven-batches",), plain("spawned", "uneven")),
    Fault("an exception under mp.spawn", ("exception-on-one-rank",), plain("spawned", "raises"), hangs=False),
    Fault("a call that spins", ("rank-spins-at-one-place",), torchrun("spins")),
    Fault("a thread that keeps the interpreter", ("interpreter-lock-held",), torchrun("expression")),
    Fault("a rank that collects garbage", ("garbage-collection-on-one-rank",), torchrun("collects")),
    Fault("a file that never comes", ("rank-waits-for-file",), torchrun("polls")),
    Fault("a key that nobody writes", ("store-key-never-set",), torchrun("storekey")),
    Fault("an engine that takes no weights", ("weight-sync-engine-absent",), torchrun("weightsync")),
    Fault("a node that was not started", ("world-size-larger-than-started", "torchrun-rdzv-endpoint"), absent_node),
    Fault("uneven batches of Ray actors", ("uneven-batches",), plain("actors", "uneven"), needs=has_ray),
    Fault("a Ray actor that is killed", ("rank-killed-from-outside",), plain("actors", "killed"), hangs=False,
          needs=has_ray),
    Fault("Ray actors of a cluster that runs", ("uneven-batches",), plain("actors", "uneven+"), needs=has_ray,
          env={"RAY_ADDRESS": "127.0.0.1:29530", **NO_TOKEN}, around=ray_cluster),
    Fault("attach --all finds Ray actors", ("uneven-batches",), plain("actors", "uneven+"), needs=has_ray,
          env={"RAY_ADDRESS": "127.0.0.1:29530", **NO_TOKEN}, around=ray_cluster, attached="ray::Rank"),
)  # fmt: skip


HEALTHY = ("start", "compile", "checkpoint", "evaluation", "server", "bursts", "download")
"""Jobs in which nothing is wrong, though nothing is printed for long."""


def alarm(kind: str, seconds: float, folder: Path) -> str:
    """What was said about a healthy job; nothing if it was left in peace and ended well."""
    result = subprocess.run(
        [*GPUDOCTOR, "run", "--hang-after", str(HANG_AFTER), "--no-env", "--evidence", str(folder), "--",
         *torchrun("healthy", kind, str(seconds))(folder)],
        env={**os.environ, "PYTHONWARNINGS": "ignore", "OMP_NUM_THREADS": "1"},
        capture_output=True, text=True, errors="replace", timeout=seconds + 120, check=False,
    )  # fmt: skip
    said = [line for line in result.stderr.splitlines() if line.startswith("gpudoctor:")]
    if result.returncode:
        said += [f"status {result.returncode}", *re.findall(r"^.*Error.*$", result.stderr, re.MULTILINE)[:3]]
    return "\n".join(said)


def attach(fault: Fault, folder: Path) -> Outcome:
    """Start the job by itself, let it come to its fault, and look at all jobs of this machine."""
    env = {**os.environ, **fault.env, "PYTHONWARNINGS": "ignore", "OMP_NUM_THREADS": "1"}
    with fault.around() as before:
        job = subprocess.Popen(
            [*before, *fault.command(folder)], env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            start_new_session=True,
        )  # fmt: skip
        try:
            time.sleep(START)
            began = time.monotonic()
            result = subprocess.run(
                [*GPUDOCTOR, "attach", "--all", "--seconds", "12", "--format", "json", "--evidence", str(folder)],
                capture_output=True, text=True, errors="replace", timeout=240, check=False,
            )  # fmt: skip
            seconds = time.monotonic() - began
            alive = job.poll() is None
        finally:
            below = descendants(job.pid)
            kill_group(job.pid)
            kill_born(below)
            job.wait()
    first = ""
    for document in _documents(result.stdout):
        groups = [str(fact["value"]) for fact in document["facts"] if fact["name"] == "stack.groups"]
        if any(fault.attached in words for words in groups) and document["incidents"]:
            first = document["incidents"][0]["id"]
    return Outcome(
        first if alive else "the job has ended", seconds, result.returncode, result.stdout + result.stderr
    )


def _documents(text: str) -> Iterator[dict]:
    at = 0
    while (at := text.find("{", at)) >= 0:
        try:
            document, at = json.JSONDecoder().raw_decode(text, at)
        except ValueError:
            return
        yield document


def watch(fault: Fault, folder: Path) -> Outcome:
    """Start the job at the bedside and wait for what is said."""
    if fault.attached:
        return attach(fault, folder)
    env = {**os.environ, **fault.env, "PYTHONWARNINGS": "ignore", "OMP_NUM_THREADS": "1"}
    began = time.monotonic()
    with fault.around() as before:
        command = [*before, *fault.command(folder)]
        result = subprocess.run(
            [*GPUDOCTOR, "run", "--hang-after", str(HANG_AFTER), "--kill-on-hang", "--no-env", "--format", "json",
             "--evidence", str(folder / "evidence"), "--", *command],
            env=env, capture_output=True, text=True, errors="replace", timeout=240, check=False,
        )  # fmt: skip
    document = _document(result.stderr)
    first = document["incidents"][0]["id"] if document and document["incidents"] else ""
    still = re.search(r"for (\d+) s\n", result.stderr)
    seconds = float(still[1]) if still and fault.hangs else time.monotonic() - began
    return Outcome(first, seconds, result.returncode, result.stdout + result.stderr)


def _document(text: str) -> dict | None:
    start = text.find("\n{\n")
    if start < 0:
        return None
    with contextlib.suppress(ValueError):
        return json.JSONDecoder().raw_decode(text, start + 1)[0]
    return None


def main() -> int:
    names = sys.argv[1:]
    right = count = 0
    print(f"{'job':<36}{'named first':<34}{'right':<7}{'seconds':>8}")
    for fault in FAULTS:
        if names and not any(name in fault.name for name in names):
            continue
        if not fault.needs():
            print(f"{fault.name:<36}(needs root, or a package)")
            continue
        with tempfile.TemporaryDirectory() as folder:
            outcome = watch(fault, Path(folder))
        good = outcome.first in fault.expected
        count += 1
        right += good
        print(
            f"{fault.name:<36}{outcome.first or '-':<34}{'yes' if good else 'NO':<7}{outcome.seconds:>8.0f}",
            flush=True,
        )
        if not good and os.environ.get("SHOW"):
            print(outcome.text[-6000:])
    print(f"right: {right} of {count}")
    seconds = float(os.environ.get("HEALTHY_SECONDS", "60"))
    for kind in HEALTHY if not names or "healthy" in names else ():
        with tempfile.TemporaryDirectory() as folder:
            said = alarm(kind, seconds, Path(folder))
        right -= bool(said) * 100
        print(f"healthy, {kind} for {seconds:.0f} s: {said or 'left in peace'}", flush=True)
    return 0 if right * 16 >= count * 14 else 1


if __name__ == "__main__":
    sys.exit(main())

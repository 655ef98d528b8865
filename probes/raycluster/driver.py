"""Run by the interpreter of the job, in a child of gpudoctor: asks every node of a Ray cluster.

Only the standard library and Ray are there. The job comes as JSON on standard input; what happens goes out as
JSON lines, each as soon as it is known. Nothing is started but tasks that reserve nothing, nothing is installed,
and nothing of the cluster is stopped.
"""

from __future__ import annotations

import base64
import importlib
import json
import os
import socket
import sys
import time
import traceback
from collections.abc import Callable
from typing import Any

Json = dict[str, Any]


def examine_node(archive: bytes, command: list[str], job: Json, seconds: float) -> Json:
    """In a task, on a node: run the shipped probes in a child that is killed at its limit.

    The function is sent by value, so it brings its own imports.
    """
    import contextlib
    import io
    import json
    import os
    import shutil
    import signal
    import subprocess
    import sys
    import tempfile
    import time
    import zipfile
    import zlib

    def text(path: str) -> str:
        try:
            with open(path, errors="replace") as file:
                return file.read(4096).strip()
        except OSError:
            return ""

    raylet = os.getppid()
    said, complaint, ended = b"", b"", False
    folder = tempfile.mkdtemp(prefix="gpudoctor-")
    try:
        with zipfile.ZipFile(io.BytesIO(archive)) as packed:
            packed.extractall(folder)
        given = json.dumps(dict(job, python=sys.executable, pid=raylet)).encode()
        with contextlib.ExitStack() as files:
            stdin, stdout, stderr = (files.enter_context(tempfile.TemporaryFile()) for _ in range(3))
            stdin.write(given)
            stdin.seek(0)
            child = subprocess.Popen(
                [sys.executable, *command, folder],
                stdin=stdin,
                stdout=stdout,
                stderr=stderr,
                start_new_session=True,
                cwd="/",
            )
            limit = time.monotonic() + seconds
            while child.poll() is None and time.monotonic() < limit:
                time.sleep(0.01)
            ended = child.poll() is not None
            with contextlib.suppress(OSError):
                os.killpg(child.pid, signal.SIGKILL)
            stdout.seek(0)
            stderr.seek(0)
            said, complaint = stdout.read(16 << 20), stderr.read(2000)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return {
        "host": os.uname().nodename,
        "boot_id": text("/proc/sys/kernel/random/boot_id"),
        "raylet": text(f"/proc/{raylet}/comm"),
        "python": ".".join(map(str, sys.version_info[:3])),
        "lines": zlib.compress(said),
        "ended": ended,
        "complaint": complaint.decode("utf-8", "replace"),
    }


class Looker:
    """What an actor sees: its own environment beside that of the raylet that started it."""

    def look(self, names: list[str]) -> Json:
        """The named variables here, and at the raylet (None: they cannot be read)."""
        import os

        there: dict[str, str] | None
        try:
            with open(f"/proc/{os.getppid()}/environ", "rb") as file:
                pairs = file.read(1 << 20).decode("utf-8", "replace").split("\0")
            there = dict(pair.split("=", 1) for pair in pairs if "=" in pair)
        except OSError:
            there = None
        return {
            "actor": {name: os.environ[name] for name in names if name in os.environ},
            "raylet": None if there is None else {name: there[name] for name in names if name in there},
        }

    def clock(self) -> float:
        """The time on this node."""
        import time

        return time.time()


class Cluster:
    """One round of questions to all nodes, within a limit."""

    def __init__(self, job: Json, tell: Callable[..., None]) -> None:
        self.job = job
        self.tell = tell
        self.deadline = time.monotonic() + job["total"]
        self.waiting: dict[Any, tuple[str, str, float]] = {}
        self.actors: dict[str, Any] = {}
        self.ray: Any = importlib.import_module("ray")

    def run(self) -> None:
        """Connect, ask, tell."""
        ray = self.ray
        began = time.monotonic()
        ray.init(
            address=self.job["address"],
            log_to_driver=False,
            configure_logging=False,
            namespace=f"gpudoctor-{os.getpid()}",
        )
        self.tell(
            event="connected",
            ray=ray.__version__,
            python=".".join(map(str, sys.version_info[:3])),
            host=socket.gethostname(),
            seconds=time.monotonic() - began,
        )
        nodes = [describe(node) for node in ray.nodes()]
        self.tell(event="nodes", nodes=nodes)
        alive = [node["id"] for node in nodes if node["alive"]]
        for node in alive:
            self.ask(node)
        self.collect()
        self.give_up()
        self.tell(event="done", seconds=time.monotonic() - began)

    def ask(self, node: str) -> None:
        """Start a task and an actor on a node; they reserve nothing and are not tried again."""
        ray = self.ray
        affinity = importlib.import_module("ray.util.scheduling_strategies").NodeAffinitySchedulingStrategy
        here = affinity(node_id=node, soft=False)
        task = ray.remote(num_cpus=0, num_gpus=0, max_retries=0, max_calls=1)(examine_node)
        task = task.options(scheduling_strategy=here)
        archive = base64.b64decode(self.job["archive"])
        asked = task.remote(archive, self.job["command"], self.job["probes"], self.job["seconds"])
        self.wait(asked, node, "probes")
        if self.job["variables"]:
            actor = (
                ray.remote(Looker)
                .options(num_cpus=0, num_gpus=0, max_restarts=0, max_task_retries=0, scheduling_strategy=here)
                .remote()
            )
            self.actors[node] = actor
            self.wait(actor.look.remote(self.job["variables"]), node, "actor")

    def wait(self, reference: Any, node: str, what: str) -> None:
        """Remember what a reference stands for, and when it was sent."""
        self.waiting[reference] = (node, what, time.time())

    def collect(self) -> None:
        """Take answers as they come, until all are here or the time is over."""
        while self.waiting:
            left = self.deadline - time.monotonic()
            if left <= 0:
                return
            ready, _ = self.ray.wait(list(self.waiting), num_returns=1, timeout=min(left, 0.5))
            for reference in ready:
                received = time.time()
                node, what, sent = self.waiting.pop(reference)
                try:
                    answer = self.ray.get(reference, timeout=5)
                except Exception as error:
                    self.tell(event="silent", id=node, what=what, reason=reason_of(error))
                    continue
                if what == "probes":
                    answer["lines"] = base64.b64encode(answer["lines"]).decode()
                self.tell(event=what, id=node, answer=answer, sent=sent, received=received)
                if what == "actor":
                    self.wait(self.actors[node].clock.remote(), node, "clock")
                elif what == "clock":
                    self.ray.kill(self.actors.pop(node))

    def give_up(self) -> None:
        """Say who did not answer, and take the questions back."""
        alive = {}
        try:
            alive = {node["NodeID"]: node.get("Alive", True) for node in self.ray.nodes()}
        except Exception:
            self.tell(event="note", text="Ray did not say at the end which nodes are alive")
        for reference, (node, what, _) in self.waiting.items():
            gone = not alive.get(node, True)
            reason = (
                "the node left the cluster meanwhile" if gone else f"no answer in {self.job['total']:g} s"
            )
            self.tell(event="silent", id=node, what=what, reason=reason)
            if what == "probes":
                try:
                    self.ray.cancel(reference, force=True)
                except Exception:
                    self.tell(event="note", text="a task could not be taken back")


def describe(node: Json) -> Json:
    """A node as Ray lists it."""
    return {
        "id": node["NodeID"],
        "host": node.get("NodeManagerHostname", ""),
        "address": node.get("NodeManagerAddress", ""),
        "alive": bool(node.get("Alive", node.get("alive", True))),
        "gpus": (node.get("Resources") or {}).get("GPU", 0),
        "why": node.get("DeathReasonMessage", "") or "",
    }


def reason_of(error: BaseException) -> str:
    """The first sentence of an error, with its kind."""
    text = str(error).strip()
    return f"{type(error).__name__}: {text.splitlines()[0] if text else 'no reason given'}"


def main() -> None:
    """One job from standard input; the exit status says nothing that the lines do not say."""
    job = json.load(sys.stdin)
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # whatever Ray prints must not stand among the answers

    def tell(**line: Any) -> None:
        out.write(json.dumps(line) + "\n")
        out.flush()

    try:
        cluster = Cluster(job, tell)
    except ImportError as error:
        tell(event="failed", kind="import", reason=f"Ray cannot be imported: {error}")
    else:
        try:
            cluster.run()
        except BaseException as error:
            tell(event="failed", kind=type(error).__name__, reason=str(error)[:4000])
            traceback.print_exc()
    # The connection is not closed in good order: that may wait for a node that hangs. Ray ends the job by itself.
    os._exit(0)


if __name__ == "__main__":
    main()

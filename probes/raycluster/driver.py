"""Run by the interpreter of the job, in a child of gpudoctor: asks every node of a Ray cluster.

Only the standard library and Ray are there. The job comes as JSON on standard input; what happens goes out as
JSON lines, each as soon as it is known. Nothing is started but tasks that reserve nothing, nothing is installed,
and nothing of the cluster is stopped.
"""

import base64
import importlib
import json
import os
import socket
import sys
import time
import traceback

VISIBLE = (
    "CUDA_VISIBLE_DEVICES",
    "HIP_VISIBLE_DEVICES",
    "ROCR_VISIBLE_DEVICES",
    "GPU_DEVICE_ORDINAL",
    "ZE_AFFINITY_MASK",
)


def examine_node(archive, boot, job, seconds):
    """In a task, on a node: run the shipped probes in a child that is killed at its limit."""
    import os
    import resource
    import shutil
    import signal
    import subprocess
    import sys
    import tempfile
    import time

    began = time.time()
    raylet = os.getppid()
    folder = tempfile.mkdtemp(prefix="gpudoctor-")
    try:
        code = os.path.join(folder, "code.zip")
        with open(code, "wb") as file:
            file.write(archive)
        job = dict(job, python=sys.executable, pid=raylet)
        with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            given.write(json_text(job).encode())
            given.seek(0)
            child = subprocess.Popen(
                [sys.executable, "-I", "-S", "-B", "-c", boot, code],
                stdin=given,
                stdout=out,
                stderr=err,
                start_new_session=True,
                cwd="/",
            )
            limit = time.monotonic() + seconds
            while child.poll() is None and time.monotonic() < limit:
                time.sleep(0.01)
            ended = child.poll() is not None
            try:
                os.killpg(child.pid, signal.SIGKILL)
            except OSError:
                pass
            out.seek(0)
            err.seek(0)
            said = out.read(4 << 20).decode("utf-8", "replace")
            complaint = err.read(2000).decode("utf-8", "replace")
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return {
        "host": os.uname().nodename,
        "boot_id": read_text("/proc/sys/kernel/random/boot_id"),
        "raylet": read_text("/proc/%d/comm" % raylet),
        "python": "%d.%d.%d" % sys.version_info[:3],
        "lines": said,
        "ended": ended,
        "complaint": complaint,
        "began": began,
        "seconds": time.time() - began,
        "memlock": resource.getrlimit(resource.RLIMIT_MEMLOCK)[0],
    }


def json_text(value):
    """JSON, also where this module is not importable."""
    import json

    return json.dumps(value)


def read_text(path):
    """A small file of the kernel, or nothing."""
    try:
        with open(path, errors="replace") as file:
            return file.read(4096).strip()
    except OSError:
        return ""


class Looker:
    """What an actor sees: its own environment beside that of the raylet that started it."""

    def look(self, names):
        """The masks of devices here and at the raylet, and which of the named variables each has."""
        import os

        at_raylet = {}
        try:
            with open("/proc/%d/environ" % os.getppid(), "rb") as file:
                pairs = file.read(1 << 20).decode("utf-8", "replace").split("\0")
            at_raylet = dict(pair.split("=", 1) for pair in pairs if "=" in pair)
        except OSError:
            at_raylet = None
        return {
            "actor": {name: os.environ[name] for name in names if name in os.environ},
            "raylet": None if at_raylet is None else {n: at_raylet[n] for n in names if n in at_raylet},
        }

    def clock(self):
        """The time on this node."""
        import time

        return time.time()


class Cluster:
    """One round of questions to all nodes, within a limit."""

    def __init__(self, job, tell):
        self.job = job
        self.tell = tell
        self.deadline = time.monotonic() + job["total"]
        self.waiting = {}
        self.actors = {}
        self.ray = importlib.import_module("ray")

    def run(self):
        """Connect, ask, tell."""
        ray = self.ray
        began = time.monotonic()
        ray.init(
            address=self.job["address"],
            log_to_driver=False,
            configure_logging=False,
            namespace="gpudoctor-%d" % os.getpid(),
        )
        self.tell(
            event="connected",
            ray=ray.__version__,
            python="%d.%d.%d" % sys.version_info[:3],
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

    def ask(self, node):
        """Start a task and an actor on a node; they reserve nothing and are not tried again."""
        ray = self.ray
        affinity = importlib.import_module("ray.util.scheduling_strategies").NodeAffinitySchedulingStrategy
        here = affinity(node_id=node, soft=False)
        task = ray.remote(num_cpus=0, num_gpus=0, max_retries=0, max_calls=1)(examine_node)
        task = task.options(scheduling_strategy=here)
        archive = base64.b64decode(self.job["archive"])
        self.wait(task.remote(archive, self.job["boot"], self.job["probes"], self.job["seconds"]), node, "probes")
        if self.job["variables"]:
            actor = (
                ray.remote(Looker)
                .options(num_cpus=0, num_gpus=0, max_restarts=0, max_task_retries=0, scheduling_strategy=here)
                .remote()
            )
            self.actors[node] = actor
            self.wait(actor.look.remote(self.job["variables"]), node, "actor")

    def wait(self, reference, node, what):
        """Remember what a reference stands for, and when it was sent."""
        self.waiting[reference] = (node, what, time.time())

    def collect(self):
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
                self.tell(event=what, id=node, answer=answer, sent=sent, received=received)
                if what == "actor":
                    self.wait(self.actors[node].clock.remote(), node, "clock")
                elif what == "clock":
                    self.ray.kill(self.actors.pop(node))

    def give_up(self):
        """Say who did not answer, and take the questions back."""
        alive = {}
        try:
            alive = {node["NodeID"]: node.get("Alive", True) for node in self.ray.nodes()}
        except Exception:
            self.tell(event="note", text="Ray did not say at the end which nodes are alive")
        for reference, (node, what, _) in self.waiting.items():
            gone = not alive.get(node, True)
            reason = "the node left the cluster meanwhile" if gone else "no answer in %g s" % self.job["total"]
            self.tell(event="silent", id=node, what=what, reason=reason)
            if what == "probes":
                try:
                    self.ray.cancel(reference, force=True)
                except Exception:
                    self.tell(event="note", text="a task could not be taken back")


def describe(node):
    """A node as Ray lists it."""
    return {
        "id": node["NodeID"],
        "host": node.get("NodeManagerHostname", ""),
        "address": node.get("NodeManagerAddress", ""),
        "alive": bool(node.get("Alive", node.get("alive", True))),
        "gpus": (node.get("Resources") or {}).get("GPU", 0),
        "why": node.get("DeathReasonMessage", "") or "",
    }


def reason_of(error):
    """The first sentence of an error, with its kind."""
    text = str(error).strip()
    return "%s: %s" % (type(error).__name__, text.splitlines()[0] if text else "no reason given")


def main():
    """One job from standard input; the exit status says nothing that the lines do not say."""
    job = json.load(sys.stdin)
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # whatever Ray prints must not stand among the answers

    def tell(**line):
        out.write(json.dumps(line) + "\n")
        out.flush()

    try:
        cluster = Cluster(job, tell)
    except ImportError as error:
        tell(event="failed", kind="import", reason="Ray cannot be imported: %s" % error)
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

"""Run on a node of the cluster, from a copy of the probes in a temporary folder: files and tools, within limits.

Only the standard library is there. A job comes as JSON on standard input; the lines of the worker go out, and
one for what each tool said.
"""

from __future__ import annotations

import json
import os
import sys

from ..boundedchild import Child, run_all
from ..tools import tools

BOOT = (
    "import sys,types\n"
    "for name, path in (('gpudoctor', sys.argv[1]), ('gpudoctor.probes', sys.argv[1] + '/probes')):\n"
    "    module = types.ModuleType(name); module.__path__ = [path]; sys.modules[name] = module\n"
    "from gpudoctor.probes.{module} import main\n"
    "main()\n"
)
_OUTPUT = 4 << 20


def command(module: str, folder: str) -> list[str]:
    """How an interpreter runs one module of the copy in ``folder``."""
    return [sys.executable, "-I", "-S", "-B", "-c", BOOT.format(module=module), folder]


def main() -> None:
    """Everything at once; nothing is waited for beyond the seconds of the job."""
    job = json.load(sys.stdin)
    seconds = job["seconds"]
    limited = {**job, "seconds": seconds - 0.5}
    worker = Child(
        command("machine.worker", sys.argv[1]),
        seconds=seconds,
        limit_bytes=_OUTPUT,
        stdin=json.dumps(limited).encode(),
    )
    environment = {**os.environ, "LC_ALL": "C.UTF-8"}  # messages in English: they are read by us
    asked = {
        tool.name: Child(
            tool.command, seconds=min(tool.seconds, seconds), limit_bytes=_OUTPUT, env=environment
        )
        for tool in tools(True)
    }
    run_all([worker, *asked.values()])
    assert worker.outcome
    sys.stdout.write(worker.outcome.stdout)
    for name, child in asked.items():
        said = child.outcome
        assert said
        answer = [said.status, said.stdout, said.stderr[:4096], said.state, said.detail]
        sys.stdout.write(json.dumps({"tool": name, "answer": answer, "seconds": said.seconds}) + "\n")
    sys.stdout.flush()
    os._exit(0)

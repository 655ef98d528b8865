"""Run on a node of the cluster, from a copy of the probes in a temporary folder: one round, as JSON lines.

Only the standard library is there.
"""

from __future__ import annotations

import json
import os
import shutil
import sys

from ..machine.catalogue import PROBES
from ..round import run_round
from ..tools import tools

BOOT = (
    "import sys,types\n"
    "for name in ('gpudoctor', 'gpudoctor.engine', 'gpudoctor.probes'):\n"
    "    path = sys.argv[1] + name.replace('.', '/')[9:]\n"
    "    module = types.ModuleType(name); module.__path__ = [path]; sys.modules[name] = module\n"
    "from gpudoctor.probes.raycluster.node import main\n"
    "main()\n"
)
"""What the interpreter of the job runs with ``-c``; the folder with the copy is its argument."""


def main() -> None:
    """A job comes on standard input: the interpreter and the process asked about, and the seconds."""
    job = json.load(sys.stdin)
    lines, outcomes = run_round(
        [probe.name for probe in PROBES],
        tools(True),
        python=job["python"],
        pid=job["pid"],
        timeout=job["seconds"],
    )
    for line in lines:
        sys.stdout.write(json.dumps(line) + "\n")
    for name, said in outcomes.items():
        sys.stdout.write(json.dumps({"tool": name, "answer": list(said)}) + "\n")
    sys.stdout.flush()
    # Whoever unpacked the copy removes it, too, but may have been killed meanwhile.
    shutil.rmtree(sys.argv[1], ignore_errors=True)
    os._exit(0)  # a child that could not be killed is not waited for

"""Stands before ``start.py`` in the dry run: files of the machine come from a tree, ranks need no torch.

PRETEND_TREE: the tree. PRETEND_RANKS=real leaves the ranks alone, and after a baseline that failed there is no matrix,
which would import torch twenty times. PRETEND_LIE=forgets: gpudoctor leaves a
process behind.
"""

import os
import runpy
import subprocess
import sys
from pathlib import Path

from gpudoctor.probes import capture, live, round
from gpudoctor.probes.bedside import visits
from gpudoctor.probes.collective import matrix, nursery, runs

HERE = Path(__file__).resolve().parent
MACHINE = ("pci", "topology", "nvidia", "fabric-manager", "amdgpu")
"""Probes that read what only a machine with GPUs has."""
LIE = os.environ.get("PRETEND_LIE", "")
real_round, real_program = round.run_round, nursery.program


def run_round(files, tools, *, root="/", **more):
    """The machine's own files from the tree, everything else from here."""
    if root != "/":
        return real_round(files, tools, root=root, **more)
    lines, outcomes = real_round([name for name in files if name not in MACHINE], tools, **more)
    some = [name for name in files if name in MACHINE]
    if some:
        lines += real_round(some, (), root=os.environ["PRETEND_TREE"], **more)[0]
    return lines, outcomes


def program(name):
    return (HERE / name).read_bytes() if name == "rank.py" else real_program(name)


visits._GPU = (*visits._GPU, os.path.join(os.environ["PRETEND_TREE"], "dev", "nvidia"))
live.run_round = capture.run_round = run_round
if os.environ.get("PRETEND_RANKS") == "real":
    matrix.TestSeries.matrix = lambda course, base: None
else:
    runs.program = program
if LIE == "forgets" and "probe" in sys.argv:
    subprocess.Popen(["sleep", "300"], start_new_session=True)
sys.argv[0] = str(HERE.parent / "start.py")
runpy.run_path(sys.argv[0], run_name="__main__")

"""``python -m tests.gpu``: prove gpudoctor on the GPUs of this machine (``make gpu``)."""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
from pathlib import Path

from .base import ROOT, NoBase, prepare

UNUSABLE = 2
TRACER = ROOT / "dist" / "py-spy"


def search_path(scratch: Path) -> str:
    """Where programs are looked for: py-spy is carried, or lies beside this interpreter, behind the machine's own."""
    places = [os.environ.get("PATH", os.defpath), os.path.dirname(sys.executable)]
    if TRACER.is_file():
        copy = scratch / "bin" / TRACER.name
        copy.parent.mkdir()
        shutil.copy(TRACER, copy)
        copy.chmod(0o755)  # on the way to another machine the right to run it may have been lost
        places.insert(0, str(copy.parent))
    return os.pathsep.join(places)


def main() -> int:
    """Read the options, find gpudoctor, prove."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.gpu",
        description="Proves the probes, the collective test and the bedside on the GPUs of this machine. Installs "
        "nothing and changes no setting. Exit status: 0 all well, 1 a check failed, 2 it cannot run here, "
        "3 nothing could be proved, 130 broken off.",
    )
    parser.add_argument(
        "--out", type=Path, default=ROOT / "build" / "gpu", help="folder of the report (build/gpu)"
    )
    parser.add_argument("--python", default="", help="the interpreter whose torch sees the GPUs (looked for)")
    parser.add_argument(
        "--only", action="append", default=[], choices=("machine", "collective", "faults", "bedside"),
        help="this group; may repeat",
    )  # fmt: skip
    parser.add_argument("--budget", type=float, default=520.0, help="seconds for everything (520)")
    parser.add_argument("--yes", action="store_true", help="also where somebody's job is on the GPUs")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="gpudoctor-kit-") as scratch:
        environment = {**os.environ, "PATH": search_path(Path(scratch))}
        try:
            base = prepare(Path(scratch))
        except NoBase as error:
            print(f"gpudoctor cannot run here: {error}", file=sys.stderr)
            return UNUSABLE
        from .run import EngineError, Options, prove

        options = Options(given.out.resolve(), given.python, tuple(given.only), given.budget, given.yes)
        try:
            return prove(options, base, environment, tell=lambda line: print(line, flush=True))
        except EngineError as error:
            print(f"the report: {error}", file=sys.stderr)
            return UNUSABLE


if __name__ == "__main__":
    sys.exit(main())

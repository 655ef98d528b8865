"""``make pyz``: one file for nodes without network or pip, for any Python from 3.10 on.

What is compiled for one Python is left out: the reference matcher takes the place of durable-rules, a plain search that
of ahocorasick_rs.
"""

from __future__ import annotations

import argparse
import hashlib
import re
import shutil
import subprocess
import sys
import tempfile
import zipapp
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
COMPILED = "ahocorasick_rs"


def dependencies() -> list[str]:
    """What setup.py asks for, without what is compiled."""
    text = (ROOT / "setup.py").read_text(encoding="utf-8")
    (block,) = re.findall(r"^DEPENDENCIES = \[(.*?)^\]", text, re.MULTILINE | re.DOTALL)
    return [one for one in re.findall(r'"([^"]+)"', block) if not one.startswith(COMPILED)]


def build(target: Path, package: Path) -> None:
    """Write the archive of a package: a checkout, or a wheel."""
    with tempfile.TemporaryDirectory() as place:
        stage = Path(place) / "stage"
        pip = [
            sys.executable,
            "-m",
            "pip",
            "install",
            "--quiet",
            "--disable-pip-version-check",
            "--no-compile",
        ]
        extra = ["typing_extensions"]  # for Python 3.10
        subprocess.run([*pip, "--target", str(stage), *dependencies(), *extra], check=True)
        subprocess.run([*pip, "--target", str(stage), "--no-deps", str(package)], check=True)
        for path in [*stage.rglob("*.so"), *stage.rglob("*.pyi")]:
            path.unlink()
        for folder in [*stage.rglob("__pycache__"), stage / "bin"]:
            shutil.rmtree(folder, ignore_errors=True)
        shutil.copy(HERE / "start.py", stage / "__main__.py")
        (stage / "digest").write_text(digest(stage))
        target.parent.mkdir(parents=True, exist_ok=True)
        zipapp.create_archive(stage, target, interpreter="/usr/bin/env python3", compressed=True)


def digest(stage: Path) -> str:
    """A short digest of all files, so that another build is unpacked to a folder of its own."""
    total = hashlib.sha256()
    for path in sorted(stage.rglob("*")):
        if path.is_file():
            total.update(str(path.relative_to(stage)).encode() + b"\0" + path.read_bytes())
    return total.hexdigest()[:16]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("target", type=Path, nargs="?", default=ROOT / "dist" / "gpudoctor.pyz")
    parser.add_argument("--package", type=Path, default=ROOT, help="a wheel that was built already")
    arguments = parser.parse_args()
    build(arguments.target, arguments.package)

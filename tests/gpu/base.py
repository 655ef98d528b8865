"""Where gpudoctor comes from on this machine: installed, or from this repository with what there is. Installs nothing.

1. ``import gpudoctor`` works: that is taken.
2. The folders of this repository, under the name gpudoctor, with the packages that this interpreter has.
3. The same with the packages in ``dist/gpudoctor.pyz`` (``make gpu-carry`` builds it), which is for machines without a
   network.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
import zipfile
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
ARCHIVE = ROOT / "dist" / "gpudoctor.pyz"
_FOLDERS = ("kb", "engine", "probes", "cli")
_NEEDED = ("yaml", "packaging", "markdown_it", "mdit_py_plugins", "polib", "rich", "prompt_toolkit", "pynvml")
"""What pyproject.toml requires, by the names of the modules; what is compiled has a stand-in in gpudoctor."""


class Base(NamedTuple):
    """How gpudoctor was found, and the folders to import it from; none where it is installed."""

    how: str
    folders: tuple[str, ...] = ()


class NoBase(Exception):
    """gpudoctor cannot be imported here, and what is missing."""


def prepare(scratch: Path, root: Path = ROOT, archive: Path = ARCHIVE) -> Base:
    """See to it that this interpreter can import gpudoctor. Raises NoBase."""
    if _installed():
        return Base("installed")
    linked = _link(scratch / "base", root)
    missing = [name for name in _NEEDED if importlib.util.find_spec(name) is None]
    if not missing:
        return _use(Base("the folders of this repository", (str(linked),)))
    if archive.is_file():
        unpacked = scratch / "packages"
        with zipfile.ZipFile(archive) as packed:
            packed.extractall(unpacked)
        how = f"the folders of this repository, with the packages of {archive.name}"
        return _use(Base(how, (str(linked), str(unpacked))))
    raise NoBase(
        f"{sys.executable} lacks {', '.join(missing)}, and there is no {archive.relative_to(root)}: make gpu-carry "
        "builds it where there is a network; or install gpudoctor (pip install -e .)"
    )


def _installed() -> bool:
    try:
        importlib.import_module("gpudoctor.engine")
        importlib.import_module("gpudoctor.cli.main")
    except ImportError:
        for name in [name for name in sys.modules if name.partition(".")[0] == "gpudoctor"]:
            del sys.modules[name]
        return False
    return True


def _link(folder: Path, root: Path) -> Path:
    package = folder / "gpudoctor"
    package.mkdir(parents=True, exist_ok=True)
    for name in _FOLDERS:
        if not (package / name).exists():
            os.symlink(root / name, package / name)
    return folder


def _use(base: Base) -> Base:
    sys.path[:0] = base.folders
    importlib.invalidate_caches()
    importlib.import_module("gpudoctor.engine")
    return base

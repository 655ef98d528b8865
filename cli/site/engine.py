"""The engine for the browser: Pyodide's files, and this program with its knowledge in one archive beside them."""

from __future__ import annotations

import importlib.util
import io
import os
import tarfile
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from ...engine import Knowledge
from ...engine.knowledge.index import PACKAGED
from ..errors import UsageError

FOLDER = "engine"
ARCHIVE = "gpudoctor.zip"
RUNTIME = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
"""What of the npm package pyodide a browser needs."""
OVERLAYS = "overlays"
_TOP = Path(__file__).resolve().parents[2]
_ROOMS = ("engine", "probes", "cli")
_LEFT_OUT = ("python-m", "__pycache__", "locale", "templates", "assets", "texts")
_LIBRARIES = ("packaging",)
_FOR_OVERLAYS = ("yaml", "markdown_it", "mdit_py_plugins", "mdurl")
"""What reads Markdown: only a knowledge base that is laid over the built-in one needs it there."""
_TIME = (1980, 1, 1, 0, 0, 0)


def engine_files(runtime: Path, knowledge: Knowledge, overlays: list[str]) -> dict[str, bytes]:
    """Every file of the engine by its path on the site. Raises UsageError."""
    files = {f"{FOLDER}/{name}": data for name, data in runtime_files(runtime).items()}
    files[f"{FOLDER}/{ARCHIVE}"] = archive(knowledge, overlays)
    return files


def runtime_files(place: Path) -> dict[str, bytes]:
    """Pyodide's files, from its npm package packed (``npm pack pyodide``) or unpacked. Raises UsageError."""
    try:
        found = dict(_packed(place) if place.is_file() else _unpacked(place))
    except (OSError, tarfile.TarError) as error:
        raise UsageError(f"--engine: {place}: cannot be read: {error}") from None
    missing = [name for name in RUNTIME if name not in found]
    if missing:
        lost = ", ".join(missing)
        raise UsageError(
            f"--engine: {place}: is not the npm package pyodide ({lost} not there); npm pack pyodide fetches it"
        )
    return found


def _packed(place: Path) -> Iterator[tuple[str, bytes]]:
    with tarfile.open(place) as pack:
        for member in pack:
            name = member.name.rpartition("/")[2]
            file = pack.extractfile(member) if name in RUNTIME and member.isfile() else None
            if file:
                yield name, file.read()


def _unpacked(place: Path) -> Iterator[tuple[str, bytes]]:
    for folder in (place, place / "package", place / "node_modules" / "pyodide"):
        if (folder / RUNTIME[0]).is_file():
            for name in RUNTIME:
                if (folder / name).is_file():
                    yield name, (folder / name).read_bytes()
            return


def archive(knowledge: Knowledge, overlays: list[str]) -> bytes:
    """This program and what it needs as a zip, the same bytes for the same files. Raises UsageError."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as target:
        for name, data in sorted(_members(knowledge, overlays)):
            target.writestr(zipfile.ZipInfo(name, _TIME), data, zipfile.ZIP_DEFLATED, 9)
    return packed.getvalue()


def _members(knowledge: Knowledge, overlays: list[str]) -> Iterator[tuple[str, bytes]]:
    for room in _ROOMS:
        yield from _files(_TOP / room, f"gpudoctor/{room}", (".py", ".txt"))
    yield f"gpudoctor/kb/{PACKAGED}", knowledge.index_bytes()
    for name in (*_LIBRARIES, *(_FOR_OVERLAYS if overlays else ())):
        yield from _files(_home(name), name, (".py",))
    for number, folder in enumerate(overlays):
        yield from _files(Path(folder), f"{OVERLAYS}/{number:03}", (".md",))


def _files(folder: Path, inside: str, ends: tuple[str, ...]) -> Iterator[tuple[str, bytes]]:
    for place, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name not in _LEFT_OUT]
        for name in names:
            if name.endswith(ends):
                path = Path(place, name)
                yield f"{inside}/{path.relative_to(folder).as_posix()}", path.read_bytes()


def _home(module: str) -> Path:
    spec = importlib.util.find_spec(module)
    places: Iterable[str] = (spec.submodule_search_locations or ()) if spec else ()
    for place in places:
        return Path(place)
    raise UsageError(f"--engine: the Python package {module} is not installed")

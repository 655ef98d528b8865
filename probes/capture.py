"""A machine's evidence in one archive: what the probes read, redacted, and nothing else.

Probes of files are run on a ``World`` that keeps a record of all it was asked for, so that the archive holds just
that. What speaks of people's processes and folders is kept as findings, not as files. Links are a list in
``system.json``: an archive holds plain files only, and one with anything else is refused.
"""

from __future__ import annotations

import base64
import contextlib
import gzip
import io
import json
import os
import re
import tarfile
from collections.abc import Iterator, Mapping, Sequence
from typing import IO, Any, cast

from gpudoctor.engine.tuples import NamedTuple

from ..engine.redaction import HIDDEN, redact
from ..engine.writing import WritingError, write_whole
from .captured import COMMANDS, FINDINGS
from .lifeline import temporary_folder
from .machine.catalogue import PROBES
from .machine.identity import FILE as IDENTITY
from .machine.identity import identity
from .machine.world import SYSTEM, World
from .round import RoundError, run_round
from .text import on_one_line
from .tools import tools

AS_FINDINGS = (
    "packages",
    "processes",
    "hostname",
    "clock",
    "shm",
    "kfd",
    "fabric-manager",
    "environment",
    "kernel-log",
)
"""Probes whose findings are kept in place of the files: these are not only the machine's."""
MOST_FILES, LARGEST, LARGEST_FILE, LARGEST_ARCHIVE = 20_000, 256 << 20, 32 << 20, 64 << 20
DEEPEST, LONGEST_NAME, _SHOWN = 64, 1024, 120
"""Folders and bytes in the name of a file, since one name could make two thousand folders; how much of it is shown."""
_BINARY = re.compile(r"/config\Z")
_IDENTITY = re.compile(
    r"(?i)(\b(?:GPU|MIG)-)[0-9a-f]{8}-[0-9a-f-]{20,}"
    r"|(\b(?:serial(?: number)?|board id|uuid|board serial)\"?\s{0,40}:\s{0,3}\"?)[^\s\",]+"
    r"|(\b)(?:[0-9a-f]{2}:){5}[0-9a-f]{2}\b"
)


class CaptureError(Exception):
    """An archive cannot be made or read; the message is one sentence."""


class ArchiveEntry(NamedTuple):
    """One file of an archive."""

    name: str
    content: bytes


def gather(
    python: str | None = None,
    pid: int | None = None,
    timeout: float = 10.0,
    packages: Mapping[str, str] | None = None,
) -> list[ArchiveEntry]:
    """This machine's evidence, redacted, as the files of an archive.

    ``packages``: the fact that the version of a package establishes, for packages that the knowledge base names.
    """
    names = [probe.name for probe in PROBES]
    asked = tools(True)
    try:
        lines, outcomes = run_round(
            names, asked, python=python, pid=pid, timeout=timeout, record=True, packages=packages
        )
    except RoundError as error:
        raise CaptureError(f"the probes cannot be run here: {error}") from None
    home = os.environ.get("HOME", "")
    files: dict[str, bytes] = {}
    system: dict[str, Any] = {"links": {}, "folders": [], "refused": [], "access": {}, "disk": {}}
    environ: dict[str, str] = {}
    for line in lines:
        name = line["probe"]
        for kind, *values in line["findings"]:
            if kind == "record":
                environ.update(values[0]["environ"])
                if name not in AS_FINDINGS:
                    take_record(values[0], files, system)
        if name in AS_FINDINGS:
            kept = {**line, "findings": [f for f in line["findings"] if f[0] != "record"]}
            files[f"/{FINDINGS}/{name}.json"] = _json(kept, home)
    world = World()
    system["machine"] = world.system("machine")
    files[f"/{SYSTEM}"] = _json(system, home)
    files["/.gpudoctor/environ"] = "\n".join(f"{n}={v}" for n, v in sorted(environ.items())).encode()
    found = identity(world)
    files[f"/{IDENTITY}"] = _json(found.to_dict() if found else {}, home)
    for tool in asked:
        outcome = outcomes.get(tool.name)
        if outcome:
            files[f"/{COMMANDS}/{tool.name}.json"] = _json(outcome._asdict(), home)
    return [
        ArchiveEntry(path.lstrip("/"), _clean(path, content, home)) for path, content in sorted(files.items())
    ]


def take_record(record: dict[str, Any], files: dict[str, bytes], system: dict[str, Any]) -> None:
    """Add what one probe opened to the files of an archive and to what it says of the system."""
    for path, content in record["files"].items():
        # /proc/self is a link to a number that means nothing elsewhere; a job's files stand for our own.
        files[re.sub(r"\A/proc/\d+/(?=(?:net/)?\w+\Z)", _own, path)] = base64.b64decode(content)
    system["links"].update((path, target) for path, target in record["links"].items() if path != "/proc/self")
    system["folders"] = sorted({*system["folders"], *record["folders"]})
    system["refused"] = sorted({*system["refused"], *record["refused"]})


def _own(found: re.Match[str]) -> str:
    return found[0] if found[0] == "/proc/1/" else "/proc/self/"


def cleaned(path: str, content: bytes) -> bytes:
    """A file's content as it may be kept: without secrets, serial numbers and the name of the home folder."""
    return _clean(path, content, os.environ.get("HOME", ""))


def cleaned_json(value: Any) -> bytes:
    """A document as it may be kept: cleaned text by text, so that it can be read back whatever they hold."""
    return _json(value, os.environ.get("HOME", ""))


def _clean(path: str, content: bytes, home: str) -> bytes:
    if path.endswith(".json") or _BINARY.search(path):
        return content  # the texts in a JSON file were cleaned one by one
    return _clean_text(content.decode("utf-8", "replace"), home).encode()


def _clean_text(text: str, home: str) -> str:
    text = _IDENTITY.sub(lambda found: f"{found[1] or found[2] or found[3] or ''}{HIDDEN}", redact(text))
    return text.replace(home, "/home/user") if len(home) > 1 else text  # not of a user whose home is /


def _json(value: Any, home: str) -> bytes:
    return json.dumps(_cleaned(value, home), indent=1, sort_keys=True).encode()


def _cleaned(value: Any, home: str, name: str = "") -> Any:
    """``name``: the key or the option that a text belongs to; only both together may show that it is a secret."""
    if isinstance(value, str):
        alone = _clean_text(value, home)
        is_whole = not name or "/" in name or redact(f"{name}: {alone}") == f"{redact(name)}: {alone}"
        return alone if is_whole else HIDDEN
    if isinstance(value, list | tuple):
        return [_cleaned(item, home, _option(value, at) or name) for at, item in enumerate(value)]
    if isinstance(value, dict):
        return {_cleaned(key, home): _cleaned(item, home, str(key)) for key, item in value.items()}
    return value


def _option(arguments: Sequence[Any], at: int) -> str:
    """The option whose value stands at a place of a list, or nothing."""
    before = arguments[at - 1] if at else ""
    return before if isinstance(before, str) and before.startswith("-") else ""


def write(entries: list[ArchiveEntry], name: str) -> None:
    """Write an archive. Raises CaptureError; a file that could not be finished is not left behind."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        for entry in entries:
            member = tarfile.TarInfo(entry.name)
            member.size = len(entry.content)
            member.mode = 0o644
            archive.addfile(member, io.BytesIO(entry.content))
    try:
        write_whole(name, packed.getvalue())
    except WritingError as error:
        raise CaptureError(str(error)) from None


@contextlib.contextmanager
def unpacked(name: str) -> Iterator[str]:
    """A folder with the content of an archive, for as long as it is needed. Raises CaptureError."""
    try:
        with temporary_folder() as folder:
            _unpack(name, folder)
            yield folder
    except OSError as error:
        raise CaptureError(f"{on_one_line(name)}: cannot be unpacked: {error.strerror or error}") from None


def _unpack(name: str, folder: str) -> None:
    shown = on_one_line(name)
    try:
        if os.path.getsize(name) > LARGEST_ARCHIVE:
            raise CaptureError(f"{shown}: larger than {LARGEST_ARCHIVE >> 20} MiB: this is no capture")
        with (
            gzip.open(name) as packed,
            tarfile.open(fileobj=cast(IO[bytes], _Bounded(packed, shown)), mode="r|") as archive,
        ):
            for number, member in enumerate(archive):
                if number >= MOST_FILES:
                    raise CaptureError(f"{shown}: holds more than {MOST_FILES} files")
                _place(archive, member, folder, shown)
    except (tarfile.TarError, EOFError, gzip.BadGzipFile, ValueError) as error:
        raise CaptureError(
            f"{shown}: this is no archive of gpudoctor capture ({on_one_line(str(error))[:_SHOWN]})"
        ) from None
    if not os.path.isfile(os.path.join(folder, SYSTEM)):
        raise CaptureError(f"{shown}: this is no archive of gpudoctor capture (no {SYSTEM})")


def _place(archive: tarfile.TarFile, member: tarfile.TarInfo, folder: str, shown: str) -> None:
    if member.isdir():
        return
    parts = member.name.split("/")
    named = on_one_line(redact(member.name[:_SHOWN]))
    if not member.isreg() or member.issparse():
        raise CaptureError(f"{shown}: {named} is no plain file")
    if member.name.startswith("/") or any(part in ("", ".", "..") or "\0" in part for part in parts):
        raise CaptureError(f"{shown}: {named} would lie outside")
    if len(parts) > DEEPEST or len(os.fsencode(member.name)) > LONGEST_NAME:
        raise CaptureError(f"{shown}: {named} is a name that no capture holds")
    if member.size > LARGEST_FILE:
        raise CaptureError(f"{shown}: {named} is larger than {LARGEST_FILE >> 20} MiB")
    content = archive.extractfile(member)
    assert content
    target = os.path.join(folder, *parts)
    os.makedirs(os.path.dirname(target), exist_ok=True)
    with open(target, "xb") as file:
        file.write(content.read(LARGEST_FILE))


class _Bounded:
    """A stream that ends in an error when it gives more than a capture ever holds."""

    def __init__(self, stream: gzip.GzipFile, shown: str) -> None:
        self._stream, self._left, self._shown = stream, LARGEST, shown

    def read(self, size: int = -1) -> bytes:
        part = self._stream.read(min(size, self._left + 1) if size >= 0 else self._left + 1)
        self._left -= len(part)
        if self._left < 0:
            raise CaptureError(f"{self._shown}: unpacks to more than {LARGEST >> 20} MiB")
        return part

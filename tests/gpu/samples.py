"""The raw output of every tool, redacted, in one archive: what new cases for the parsers are made of."""

from __future__ import annotations

import getpass
import io
import os
import re
import socket
import tarfile
from pathlib import Path

from gpudoctor.engine.writing import write_whole
from gpudoctor.probes.capture import cleaned
from gpudoctor.probes.text import safe, strip_escapes

ARCHIVE = "gpu-samples.tar.gz"
LARGEST = 2 << 20
"""Bytes of one sample; of a longer one the first and the last half of this are kept."""
MOST = 15 << 20
"""Bytes of the archive: a runner may bring back files of 16 MiB at most."""
_ADDRESS = re.compile(r"(?<![\d.])(?!127\.|0\.0\.0\.0)(?:\d{1,3}\.){3}\d{1,3}(?![\d.])")
_UUID = re.compile(r"(?i)\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b")


class Samples:
    """Keeps texts and, as they are, captures, which gpudoctor has redacted; ``write`` packs them."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / ARCHIVE
        self._kept: dict[str, bytes] = {}
        self._written = -1

    @property
    def names(self) -> list[str]:
        return sorted(self._kept)

    def keep(self, name: str, text: str, command: str = "") -> None:
        """Keep what a tool said. The name is that of a file, with a folder at most."""
        data = text.encode("utf-8", "replace")
        if len(data) > LARGEST:
            half = LARGEST // 2
            data = data[:half] + b"\n[... cut out by the kit ...]\n" + data[-half:]
        content = redacted(data.decode("utf-8", "replace"))
        head = f"# command: {redacted(command)}\n" if command else ""
        self._kept[f"samples/{name}"] = (head + content).encode()

    def keep_capture(self, name: str, path: Path) -> None:
        """Keep an archive of gpudoctor."""
        data = path.read_bytes()
        if len(data) <= LARGEST:
            self._kept[f"captures/{name}"] = data

    def write(self) -> None:
        """Write the archive, if there is something new. What is too much is left out, the largest first."""
        if len(self._kept) == self._written:
            return
        self._written = len(self._kept)
        kept = dict(self._kept)
        while len(packed := _pack(kept)) > MOST:
            del kept[max(kept, key=lambda name: len(kept[name]))]
        write_whole(self.path, packed)


def redacted(text: str) -> str:
    """Without secrets, serial numbers, addresses, and the names of this machine, its user and their folder."""
    text = cleaned(
        "/sample.txt", safe(strip_escapes(text.encode()).decode("utf-8", "replace")).encode()
    ).decode()
    text = _ADDRESS.sub("192.0.2.1", _UUID.sub("[hidden]", text))
    for name, other in ((socket.gethostname(), "node1"), (_user(), "user")):
        if len(name) > 2 and name not in ("root", "user", "localhost"):
            text = re.sub(rf"(?<![\w-]){re.escape(name)}(?![\w-])", other, text)
    return text


def _user() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return ""


def _pack(kept: dict[str, bytes]) -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        for name in sorted(kept):
            member = tarfile.TarInfo(name)
            member.size, member.mode = len(kept[name]), 0o644
            archive.addfile(member, io.BytesIO(kept[name]))
    return packed.getvalue()


def captures(folder: Path) -> list[Path]:
    """The archives that gpudoctor has left in a folder."""
    return sorted(folder.glob("gpudoctor-*.tar.gz")) if os.path.isdir(folder) else []

"""``gpudoctor capture``: show what would be written, ask, write."""

from __future__ import annotations

import argparse
import os
import sys
import textwrap
from typing import TYPE_CHECKING

from ...probes.files import shown
from ..errors import OK, UsageError
from ..render.screen import terminal_width

if TYPE_CHECKING:
    from ...probes.capture import ArchiveEntry


def capture(arguments: argparse.Namespace) -> int:
    """Gather this machine's evidence and write it, after showing what it is."""
    from ...probes.capture import CaptureError, gather, write
    from ...probes.live import ProbeError
    from ..inputs.knowledge import load_knowledge
    from ..inputs.machine import check_named

    if not arguments.archive.endswith((".tar.gz", ".tgz")):
        raise UsageError(f"{arguments.archive}: the archive's name must end in .tar.gz")
    if not arguments.yes and not (sys.stdin and sys.stdin.isatty()):
        raise UsageError("nobody is here to agree to what is written: say --yes")
    check_named(arguments)
    try:
        packages = load_knowledge([]).packages()  # versions are found by the names that it knows
        entries = gather(arguments.python, arguments.pid, packages=packages)
        for entry in entries:
            sys.stderr.write(f"{len(entry.content):>9}  {shown(entry.name)}\n")
        total = sum(len(entry.content) for entry in entries)
        said = (
            f"{len(entries)} files, {total} bytes. Secrets, serial numbers, MAC addresses and the name of the home "
            "folder are blotted out; of the environment only known variables are kept."
        )
        sys.stderr.write(textwrap.fill(said, terminal_width(sys.stderr)) + "\n")
        if not arguments.yes and not _agreed(arguments.archive, entries):
            sys.stderr.write("nothing was written\n")
            return OK
        write(entries, arguments.archive)
    except (CaptureError, ProbeError) as error:
        raise UsageError(str(error)) from None
    sys.stderr.write(f"written: {shown(arguments.archive)} ({os.path.getsize(arguments.archive)} bytes)\n")
    sys.stderr.write(f"diagnose it anywhere: gpudoctor --from {shown(arguments.archive)}\n")
    return OK


def _agreed(name: str, entries: list[ArchiveEntry]) -> bool:
    """Whether a person agrees; who wants to see it all first, may."""
    while True:
        sys.stderr.write(f"Write this to {shown(name)}? [y/N, s shows it all] ")
        sys.stderr.flush()
        answer = sys.stdin.readline().strip().lower()
        if answer not in ("s", "show"):
            return answer in ("y", "yes")
        for entry in entries:
            sys.stderr.write(f"\n=== {shown(entry.name)}\n{_shown(entry.content)}\n")


def _shown(content: bytes) -> str:
    from ...probes.text import clean

    if b"\0" in content:
        return f"{len(content)} bytes: {content[:64].hex()} ..."
    return "\n".join(clean(line) for line in content.split(b"\n"))

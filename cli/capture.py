"""``gpudoctor capture``: show what would be written, ask, write."""

from __future__ import annotations

import argparse
import os
import sys

from .errors import OK, UsageError


def capture(arguments: argparse.Namespace) -> int:
    """Gather this machine's evidence and write it, after showing what it is."""
    from ..probes.capture import CaptureError, gather, write
    from ..probes.live import ProbeError

    if not arguments.archive.endswith((".tar.gz", ".tgz")):
        raise UsageError(f"{arguments.archive}: the archive's name must end in .tar.gz")
    if not arguments.yes and not sys.stdin.isatty():
        raise UsageError("nobody is here to agree to what is written: say --yes")
    try:
        entries = gather(arguments.python, arguments.pid)
        for entry in entries:
            sys.stderr.write(f"{len(entry.content):>9}  {entry.name}\n")
        total = sum(len(entry.content) for entry in entries)
        sys.stderr.write(
            f"{len(entries)} files, {total} bytes. Secrets, serial numbers, MAC addresses and the name of the home "
            "folder are blotted out; of the environment only known variables are kept.\n"
        )
        if not arguments.yes and not _agreed(arguments.archive):
            sys.stderr.write("nothing was written\n")
            return OK
        write(entries, arguments.archive)
    except (CaptureError, ProbeError) as error:
        raise UsageError(str(error)) from None
    sys.stderr.write(f"written: {arguments.archive} ({os.path.getsize(arguments.archive)} bytes)\n")
    sys.stderr.write(f"diagnose it anywhere: gpudoctor --from {arguments.archive}\n")
    return OK


def _agreed(name: str) -> bool:
    sys.stderr.write(f"Write this to {name}? [y/N] ")
    sys.stderr.flush()
    return sys.stdin.readline().strip().lower() in ("y", "yes")

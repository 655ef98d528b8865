"""The start of gpudoctor.pyz: unpacks the archive once for each user, and runs what was unpacked.

The knowledge base is many files, and probes start children that read modules from a disk, so nothing is imported from
the archive as it is.
"""

import os
import shutil
import sys
import tempfile
import time
import zipfile
import zlib

OLDEST = (3, 10)
HALF, AN_HOUR = "unpacking-", 3600.0


def main() -> None:
    """Unpack where that was not done yet, then run."""
    if sys.version_info < OLDEST:
        sys.exit("gpudoctor: needs Python 3.10 or later; this is {}.{}".format(*sys.version_info[:2]))
    archive = sys.argv[0]
    try:
        with zipfile.ZipFile(archive) as packed:
            digest = packed.read("digest").decode()
            folder = unpacked(packed, digest)
    except (zipfile.BadZipFile, zlib.error, EOFError, KeyError):
        sys.exit(f"gpudoctor: {archive}: the archive is damaged")
    sys.path[0] = folder
    from gpudoctor.cli.main import entry

    entry()


def unpacked(packed: zipfile.ZipFile, digest: str) -> str:
    """The folder with the files of this archive."""
    for home in homes():
        folder = os.path.join(home, digest)
        try:
            os.makedirs(home, mode=0o700, exist_ok=True)
            found = os.lstat(home)
            if found.st_uid != os.getuid() or found.st_mode & 0o022:
                continue  # somebody else could put files there
            if not os.path.isdir(folder):
                unpack(packed, home, folder)
        except OSError:
            continue
        return folder
    sys.exit("gpudoctor: no folder to unpack to; name one with XDG_CACHE_HOME")


def unpack(packed: zipfile.ZipFile, home: str, folder: str) -> None:
    """Unpack whole or not at all. What somebody left who was killed meanwhile goes, too."""
    for name in os.listdir(home):
        old = os.path.join(home, name)
        if name.startswith(HALF) and time.time() - os.lstat(old).st_mtime > AN_HOUR:
            shutil.rmtree(old, ignore_errors=True)
    half = tempfile.mkdtemp(prefix=HALF, dir=home)
    try:
        packed.extractall(half)
        try:
            os.rename(half, folder)
        except OSError:
            if not os.path.isdir(folder):  # else another process was quicker
                raise
    finally:
        shutil.rmtree(half, ignore_errors=True)


def homes() -> list:
    """Where to unpack, best first."""
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return [
        os.path.join(cache, "gpudoctor", "pyz"),
        os.path.join(tempfile.gettempdir(), f"gpudoctor-{os.getuid()}"),
    ]


if __name__ == "__main__":
    main()

"""Whatever system call fails while something is written, what stood there stands, or the new stands whole.

The stand-in is a library that is preloaded (``failingwrites.c``): the Nth call that opens, writes, syncs, renames or
removes below a folder gives ENOSPC, EROFS or EIO, or the process ends there as by SIGKILL.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
WRITER = """
import os, sys
from pathlib import Path
kind, place = sys.argv[1], sys.argv[2]
from gpudoctor.engine import EngineError, Knowledge
if kind == "session":
    from gpudoctor.engine import Session
    from gpudoctor.engine.session.sessionfile import save
    session = Session(Knowledge.load())
    session.tell("gpu.vendor", "amd")
    write = lambda: save(session, place)
elif kind == "capture":
    from gpudoctor.probes.capture import ArchiveEntry, write as pack
    write = lambda: pack([ArchiveEntry("a", b"x" * 50000)], place)
elif kind == "report":
    from gpudoctor.cli.output import write_file
    write = lambda: write_file(place, "line\\n" * 2000)
elif kind == "page":
    from gpudoctor.cli.site.build import write as page
    write = lambda: page(Path(place).parent, Path(place).name, "<p>" * 2000)
else:
    from gpudoctor.engine.writing import write_whole
    write = lambda: write_whole(place, b"index" * 2000)
def attempt(fault, at):
    child = os.fork()
    if child == 0:
        os.environ["GPUDOCTOR_FAULT"] = fault
        if at:
            os.environ["GPUDOCTOR_FAULT_AT"] = str(at)
        try:
            write()
        except Exception as error:
            os._exit(2 if "cannot be written" in str(error) or isinstance(error, OSError) else 3)
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
for line in sys.stdin:
    fault, at = line.split()
    print(attempt(fault, int(at)), flush=True)
"""
KINDS = ["session", "capture", "report", "page", "index"]


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        pytest.skip("there is no C compiler here")
    place = tmp_path_factory.mktemp("fault") / "failingwrites.so"
    subprocess.run([compiler, "-shared", "-fPIC", "-o", place, HERE / "failingwrites.c", "-ldl"], check=True)
    return place


class Writer:
    """A process that has loaded everything, and forks for every attempt."""

    def __init__(self, library, kind, folder):
        env = {**os.environ, "GPUDOCTOR_FAULT_FOLDER": str(folder), "LD_PRELOAD": str(library)}
        command = [sys.executable, "-c", WRITER, kind, str(folder / "file")]
        self._process = subprocess.Popen(
            command, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def __call__(self, fault="none", at=0):
        self._process.stdin.write(f"{fault} {at}\n")
        self._process.stdin.flush()
        status = int(self._process.stdout.readline())
        assert status in (0, 2, 137)
        return status

    def end(self):
        self._process.stdin.close()
        self._process.stdout.close()
        self._process.wait()


@pytest.mark.parametrize("kind", KINDS)
def test_at_every_call_that_writes(library, tmp_path, kind):
    folder = tmp_path / "x"
    folder.mkdir()
    attempt = Writer(library, kind, folder)
    assert attempt() == 0
    new = (folder / "file").read_bytes()
    assert len(new) > 100
    seen = set()
    for fault in ("ENOSPC", "EROFS", "EIO", "kill"):
        for at in range(1, 40):
            (folder / "file").write_bytes(b"before")
            status = attempt(fault, at)
            content = (folder / "file").read_bytes()
            seen.add((fault, content == b"before"))
            others = [name for name in os.listdir(folder) if name != "file"]
            if fault == "kill":  # what was begun may lie beside it; the file itself is whole
                assert all(name.endswith(".part") for name in others)
                for name in others:
                    os.unlink(folder / name)
            else:
                assert others == [], (fault, at)
            assert content == b"before" or len(content) >= len(new) * 0.9, (fault, at, len(content))
            assert status != 2 or content == b"before" or fault != "ENOSPC", (fault, at)
            if status == 0:
                break
        else:
            pytest.fail("no end of the calls that write")
    assert {(fault, True) for fault in ("ENOSPC", "kill")} <= seen
    attempt.end()

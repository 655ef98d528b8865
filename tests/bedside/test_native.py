"""``attach --native``: calls in libraries are kept and shown, and change nothing of what is concluded."""

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest

from gpudoctor.probes.bedside.native import innermost, native_text
from gpudoctor.probes.bedside.stacks import read, tracer
from gpudoctor.probes.capture import unpacked

from .wards import GPUDOCTOR

PYTHON = {"name": "synchronize", "filename": "/x/torch/cuda/__init__.py", "module": None, "line": 985}
CALLS = [
    {"name": "clock_gettime", "filename": "/usr/lib/libc.so.6", "module": "/usr/lib/libc.so.6", "line": 0},
    {
        "name": "0x7f12b62cdf7a",
        "filename": "/usr/lib/libcuda.so.1",
        "module": "/usr/lib/libcuda.so.1",
        "line": 0,
    },
    {"name": "cuStreamSynchronize", "filename": "", "module": "/usr/lib/libcuda.so.1", "line": 0},
]
THREAD = {"thread_name": "MainThread", "os_thread_id": 7, "active": True, "owns_gil": False}


def test_calls_in_libraries_are_kept_apart():
    (plain,) = read(json.dumps([{**THREAD, "frames": [PYTHON]}])).threads
    (thread,) = read(json.dumps([{**THREAD, "frames": [*CALLS, PYTHON]}])).threads
    assert thread.frames == plain.frames and plain.native == ()
    assert thread.native == (
        "clock_gettime (libc.so.6)", "0x7f12b62cdf7a (libcuda.so.1)", "cuStreamSynchronize (libcuda.so.1)"
    )  # fmt: skip
    assert innermost([thread]) == "cuStreamSynchronize (libcuda.so.1)"
    assert native_text({"rank 0": (thread,)}).splitlines()[0] == "rank 0, MainThread"


def test_only_calls_of_the_c_library_are_better_than_none():
    (thread,) = read(json.dumps([{**THREAD, "frames": CALLS[:1]}])).threads
    assert innermost([thread]) == "clock_gettime (libc.so.6)"


@pytest.mark.skipif(not tracer(), reason="needs py-spy")
def test_a_job_that_hangs_hangs_also_when_its_native_calls_are_read(tmp_path):
    """A look with native calls was taken for a movement, so that ``attach --native`` never found a hang."""
    folder = tmp_path / "torch" / "distributed"
    folder.mkdir(parents=True)
    (folder / "distributed_c10d.py").write_text(
        "import threading\ndef barrier():\n    threading.Event().wait()\nbarrier()\n"
    )
    job = subprocess.Popen(
        [sys.executable, str(folder / "distributed_c10d.py")],
        env={"PATH": "/usr/bin:/bin", "RANK": "0", "WORLD_SIZE": "1"},
    )
    try:
        time.sleep(0.5)
        result = subprocess.run(
            [*GPUDOCTOR, "attach", str(job.pid), "--native", "--seconds", "4", "--evidence", str(tmp_path)],
            capture_output=True, text=True, timeout=90, check=False,
        )  # fmt: skip
    finally:
        job.kill()
        job.wait()
    if "Stacks cannot be read" in result.stdout:
        pytest.skip("py-spy may not read another process here")
    assert "Something moved" not in result.stdout, result.stdout
    assert "rank 0 is in " in result.stdout
    (name,) = tmp_path.glob("gpudoctor-*.tar.gz")
    with unpacked(str(name)) as root:
        kept = Path(root, ".gpudoctor/bedside/native.txt").read_text()
    assert kept.startswith("rank 0, MainThread\n")

"""``python -m tests.trust.kills COUNT [--seed N]``: commands killed at random moments leave nothing behind.

Tools that hang, flood, ignore signals and leave their session stand for nvidia-smi and its kin. After each kill every
process that carries our mark in its environment and every file in the temporary folder counts as left.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from gpudoctor.cli.site.build import MARK as SITE
from gpudoctor.cli.site.engine import RUNTIME

MARK = "GPUDOCTOR_KILLS"
SIGNALS = (signal.SIGTERM, signal.SIGHUP, signal.SIGKILL, signal.SIGQUIT, signal.SIGINT)
PATIENCE = 30.0
"""Seconds in which everything must be gone: a janitor works after us, on a machine that may be busy."""
TOOLS = {
    "nvidia-smi": "exec sleep 600",
    "amd-smi": "yes 'GPU 0 xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx'",
    "xpu-smi": "trap '' TERM HUP INT QUIT; setsid sleep 600 & while :; do sleep 1; done",
    "journalctl": "(setsid sh -c 'sleep 600 & sleep 600' &) ; sleep 600",
    "nv-fabricmanager": "trap '' TERM; sleep 600",
    "hung-python": "setsid sleep 600 & sleep 600",
    "flooding-python": "yes xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
}


def commands(folder: Path) -> dict[str, list[str]]:
    """Every command that starts processes or keeps files, by name."""
    tools = folder / "bin"
    hung_ranks = ["--backend", "gloo", "--ranks", "2", "--python", str(tools / "hung-python")]
    return {
        "probe": ["probe", "--format", "json"],
        "--probe": ["--probe", "--no-ask"],
        "capture": ["capture", str(folder / "out" / "c.tar.gz"), "--yes"],
        "fleet": ["fleet", "--timeout", "5", "--python", str(tools / "hung-python")],
        "fleet-flood": ["fleet", "--timeout", "5", "--python", str(tools / "flooding-python")],
        "--python": ["--probe", "--no-ask", "--python", str(tools / "hung-python")],
        "collective": ["collective", *hung_ranks],
        "--from": ["--from", str(folder / "kept.tar.gz"), "--no-ask"],
        "report": ["--report", str(folder / "x.log"), "--no-ask", "--save", str(folder / "out" / "s.yaml")],
        "site": ["site", str(folder / "out" / "site")],
        "site --engine": ["site", str(folder / "out" / "engine"), "--engine", str(folder / "pyodide")],
        "verify": ["verify", str(folder / "s.yaml")],
        "audit": ["audit", str(folder / "run.sh"), "--probe"],
        "run": ["run", "--evidence", str(folder / "out"), "--", "sh", "-c", "sleep 2; exit 3"],
        "run --history": ["run", "--history", str(folder / "history"), "--", "sh", "-c", "sleep 1"],
        "attach": ["attach", "--all", "--evidence", str(folder / "out")],
        "try": ["try", "nccl-p2p-disable", "--yes", *hung_ranks],
        "--since": ["--probe", "--no-ask", "--since", str(folder / "kept.tar.gz")],
        "diff": ["diff", str(folder / "kept.tar.gz"), str(folder / "s.yaml")],
    }


def prepare(folder: Path) -> None:
    """The tools, and what the commands read."""
    for name in ("bin", "out", "tmp", "home"):
        (folder / name).mkdir()
    for name, script in TOOLS.items():
        (folder / "bin" / name).write_text(f"#!/bin/sh\n{script}\n")
        (folder / "bin" / name).chmod(0o755)
    (folder / "pyodide").mkdir()
    for name in RUNTIME:  # as large as those of a release, so that a kill may meet one half written
        (folder / "pyodide" / name).write_bytes(os.urandom(1 << 20))
    (folder / "x.log").write_text(
        "NCCL WARN Call to ibv_modify_qp failed with 110 Connection timed out\n" * 20000
    )
    (folder / "run.sh").write_text(
        "#!/bin/sh\nexport NCCL_DEBUG=TRACE\ntorchrun --nproc-per-node 8 train.py\n"
    )
    env = {**environment(folder), "PATH": os.environ["PATH"]}
    run = [sys.executable, "-m", "gpudoctor.cli.main"]
    subprocess.run(
        [*run, "capture", str(folder / "kept.tar.gz"), "--yes"], env=env, capture_output=True, check=True
    )
    save = [*run, "--report", str(folder / "x.log"), "--no-ask", "--save", str(folder / "s.yaml")]
    subprocess.run(save, env=env, capture_output=True, check=False)


def environment(folder: Path) -> dict[str, str]:
    """What the commands run with: the tools before all others, a temporary folder of their own, and the mark."""
    return {
        **os.environ,
        "PATH": f"{folder / 'bin'}:{os.environ['PATH']}",
        "TMPDIR": str(folder / "tmp"),
        "HOME": str(folder / "home"),
        MARK: str(folder),
    }


def left(folder: Path) -> list[str]:
    """Processes with the mark, and temporary files."""
    mark = f"{MARK}={folder}".encode()
    found = []
    for pid in filter(str.isdecimal, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/environ", "rb") as file:
                ours = mark in file.read().split(b"\0")
            with open(f"/proc/{pid}/cmdline", "rb") as file:
                command = file.read().replace(b"\0", b" ").decode("utf-8", "replace")
        except OSError:
            continue
        if ours and command:
            found.append(f"process {pid}: {command[:100]}")
    for place, folders, names in os.walk(folder):  # what goes meanwhile is passed over
        ours = Path(place).is_relative_to(folder / "tmp")
        found += [
            f"file {place}/{n}"
            for n in [*folders, *names]
            if ours or (n.startswith(".gpudoctor-") and n != SITE)  # a site that is whole is marked as ours
        ]
    return found


def once(folder: Path, argv: list[str], number: int, after: float) -> list[str]:
    """Run, kill, and say what is left."""
    child = subprocess.Popen(
        [sys.executable, "-m", "gpudoctor.cli.main", *argv],
        env=environment(folder), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    time.sleep(after)
    if child.poll() is None:
        child.send_signal(number)
    try:
        child.wait(PATIENCE)
    except subprocess.TimeoutExpired:
        child.kill()
        child.wait()
        return [f"it lived on after {signal.Signals(number).name}", *left(folder)]
    end = time.monotonic() + PATIENCE
    while (found := left(folder)) and time.monotonic() < end:
        time.sleep(0.05)
    return found


def run(count: int, seed: int, tell: bool = False) -> tuple[Counter[str], list[str]]:
    """So many kills over all commands; how many each took, and what was left."""
    choice = random.Random(seed)
    done: Counter[str] = Counter()
    bad: list[str] = []
    with tempfile.TemporaryDirectory(prefix="kills-") as name:
        folder = Path(name)
        prepare(folder)
        every = commands(folder)
        for turn in range(count):
            command = list(every)[turn % len(every)]
            number, after = (
                choice.choice(SIGNALS),
                choice.choice((0.05, 0.3, 1.0, 3.0)) * (0.5 + choice.random()),
            )
            found = once(folder, every[command], number, after)
            done[command] += 1
            bad += [f"{command}, {signal.Signals(number).name} after {after:.2f} s: {one}" for one in found]
            for one in found:
                _clear(one)
            if tell and found:
                print(*bad[-len(found) :], sep="\n", flush=True)
            if tell and (turn + 1) % 20 == 0:
                print(f"{turn + 1} kills, {len(bad)} left", flush=True)
    return done, bad


def _clear(found: str) -> None:
    """Take away what was left, so that it counts once."""
    kind, _, rest = found.partition(" ")
    with contextlib.suppress(OSError):
        if kind == "process":
            os.kill(int(rest.partition(":")[0]), signal.SIGKILL)
        elif os.path.isdir(rest):
            shutil.rmtree(rest, ignore_errors=True)
        elif kind == "file":
            os.remove(rest)


def main() -> int:
    """Read the command line, run, say what was left."""
    parser = argparse.ArgumentParser(prog="python -m tests.trust.kills")
    parser.add_argument("count", type=int, nargs="?", default=200)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    for number in SIGNALS:
        if number != signal.SIGKILL:
            # A shell starts what is in the background with SIGINT ignored.
            signal.signal(number, signal.SIG_DFL)
    began = time.monotonic()
    done, bad = run(asked.count, asked.seed, tell=True)
    print(
        f"{done.total()} kills over {len(done)} commands, {len(bad)} left, {time.monotonic() - began:.0f} s"
    )
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())

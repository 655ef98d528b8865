"""The job under ``gpudoctor run`` is as it would be without: its output, its end, its signals, its terminal."""

import os
import pty
import select
import signal
import subprocess
import sys
import time

import pytest

from ..probes.conftest import alive

GPUDOCTOR = [sys.executable, "-c", "from gpudoctor.cli.main import entry; entry()"]


def command(*words, options=()):
    return [*GPUDOCTOR, "run", "--no-env", *options, "--", *words]


def run(*words, options=(), **more):
    return subprocess.run(
        command(*words, options=options), capture_output=True, timeout=60, check=False, **more
    )


def test_streams_stay_apart_and_the_status_is_that_of_the_job(tmp_path):
    result = run("sh", "-c", "printf 'a\\0\\033[1mb'; printf err >&2; exit 0")
    assert (result.returncode, result.stdout, result.stderr) == (0, b"a\0\033[1mb", b"err")
    assert run("cat", input=b"from standard input").stdout == b"from standard input"
    failed = run("sh", "-c", "exit 7", options=("--evidence", str(tmp_path)))
    assert failed.returncode == 7 and b"the job ended with status 7" in failed.stderr
    assert len(list(tmp_path.iterdir())) == 1


def test_a_command_that_cannot_be_started():
    assert run("no-such-command").returncode == 127
    assert run("/etc/passwd").returncode == 126
    assert run().returncode == 2


def test_a_signal_reaches_the_job_and_its_end_is_ours(tmp_path):
    child = subprocess.Popen(
        command("sh", "-c", 'trap "echo caught; exit 3" TERM; echo ready; while :; do sleep 0.1; done'),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=tmp_path,
    )
    assert child.stdout.readline() == b"ready\n"
    child.send_signal(signal.SIGTERM)
    out, err = child.communicate(timeout=30)
    assert (child.returncode, out, err) == (3, b"caught\n", b""), "who ends a job himself needs no diagnosis"
    assert not list(tmp_path.iterdir())


def test_the_variables_that_are_added_are_named_at_the_start():
    result = subprocess.run(
        [*GPUDOCTOR, "run", "--", "sh", "-c", "echo $PYTHONFAULTHANDLER $NCCL_DEBUG"],
        env={**os.environ, "NCCL_DEBUG": "INFO"}, capture_output=True, text=True, timeout=60, check=True,
    )  # fmt: skip
    assert result.stdout == "1 INFO\n"
    assert "PYTHONFAULTHANDLER=1" in result.stderr and "NCCL_DEBUG=" not in result.stderr


def test_a_terminal_stays_one_and_its_keys_arrive():
    pid, master = pty.fork()
    if pid == 0:
        for number in (
            signal.SIGINT,
            signal.SIGQUIT,
            signal.SIGHUP,
        ):  # whoever started the tests may ignore them
            signal.signal(number, signal.SIG_DFL)
        script = "import sys; print(sys.stdout.isatty(), sys.stdin.isatty()); print('got', input()); input()"
        os.execv(sys.executable, command(sys.executable, "-c", script))
    try:
        said = _until(master, b"True True")
        os.write(master, b"a line\n")
        said = _until(master, b"got a line")
        os.write(master, b"\x03")
        _until(master, b"KeyboardInterrupt")
        assert os.waitstatus_to_exitcode(_ended(pid)) == 130, said
    finally:
        os.close(master)  # hangs up on whatever is left


def _ended(pid):
    until = time.monotonic() + 30
    while time.monotonic() < until:
        done, status = os.waitpid(pid, os.WNOHANG)
        if done:
            return status
        time.sleep(0.05)
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    raise AssertionError("did not end")


def _until(master, wanted):
    said, until = b"", time.monotonic() + 30
    while wanted not in said and time.monotonic() < until:
        if select.select([master], [], [], 0.2)[0]:
            try:
                said += os.read(master, 4096)
            except OSError:
                break
    assert wanted in said, said
    return said


@pytest.mark.parametrize("how", ["group", "session"])
def test_nothing_is_left_when_gpudoctor_is_killed(tmp_path, how):
    """Also not a child that has left the job's session."""
    leave = "setsid " if how == "session" else ""
    script = f"{leave}sleep 300 & echo $!; sleep 300"
    child = subprocess.Popen(
        [*GPUDOCTOR, "run", "--", "sh", "-c", script],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env={**os.environ, "TMPDIR": str(tmp_path)},
    )  # fmt: skip
    below = int(child.stdout.readline())
    time.sleep(0.5)
    assert alive(below) and list(tmp_path.iterdir()), "the folder for dumps is there"
    child.kill()
    child.wait()
    until = time.monotonic() + 10
    while (alive(below) or list(tmp_path.iterdir())) and time.monotonic() < until:
        time.sleep(0.05)
    assert not alive(below) and not list(tmp_path.iterdir())


def test_who_reads_no_more_ends_the_job_as_without_us(tmp_path):
    line = " ".join(f"'{word}'" for word in command("yes"))
    script = f"{line} | head -1"
    result = subprocess.run(
        ["bash", "-c", script], cwd=tmp_path, capture_output=True, timeout=60, check=False
    )
    assert (result.stdout, result.stderr, list(tmp_path.iterdir())) == (b"y\n", b"", []), "that is no failure"


def test_streams_that_are_closed(tmp_path):
    def close():
        for number in (0, 1):
            os.close(number)

    result = subprocess.run(
        command("sh", "-c", "echo out; echo err >&2; kill -INT $$", options=("--evidence", str(tmp_path))),
        stderr=subprocess.PIPE, timeout=60, check=False, preexec_fn=close,
    )  # fmt: skip
    assert result.returncode == 130 and result.stderr.startswith(b"err\n")
    assert b"internal error" not in result.stderr


def test_a_job_under_nohup_outlives_the_terminal(tmp_path):
    child = subprocess.Popen(
        # a job that would end by the signal, as torchrun does, which handles it whoever ignored it before
        command(sys.executable, "-c", "import signal, time\nsignal.signal(1, signal.SIG_DFL)\n"
                "print('ready', flush=True)\ntime.sleep(2)\nprint('done')"),
        stdout=subprocess.PIPE, cwd=tmp_path, preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN),
    )  # fmt: skip
    assert child.stdout.readline() == b"ready\n"
    child.send_signal(signal.SIGHUP)
    out, _ = child.communicate(timeout=30)
    assert (child.returncode, out) == (0, b"done\n")


def test_a_mistake_of_ours_leaves_the_status_to_the_job(tmp_path):
    script = (
        "from gpudoctor.cli.commands import run; from gpudoctor.cli.main import entry\n"
        "def broken(*_): raise RuntimeError('token=Zq7pLaNtEdX9w')\n"
        "run.keep = broken\nentry()"
    )
    result = subprocess.run(
        [sys.executable, "-c", script, "run", "--no-env", "--", "sh", "-c", "exit 7"],
        capture_output=True, text=True, timeout=60, check=False, cwd=tmp_path,
    )  # fmt: skip
    assert result.returncode == 7 and "this is a bug" in result.stderr and "Zq7p" not in result.stderr

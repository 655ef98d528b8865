"""The child that nobody waits for in vain: every way in which a tool can fail to end."""

import os
import shutil
import signal
import subprocess
import sys
import time

import pytest

from gpudoctor.probes.boundedchild import Child, run, run_all
from gpudoctor.probes.childend import evidence

from .conftest import alive, soon


def test_output_and_status_of_a_command_that_ends():
    outcome = run(["sh", "-c", "echo out; echo err >&2; exit 3"], seconds=5)
    assert (outcome.status, outcome.stdout, outcome.stderr) == (3, "out\n", "err\n")
    assert outcome.state == "done" and not outcome.hung and not outcome.ok


def test_a_signal_is_a_negative_status():
    assert run(["sh", "-c", "kill -SEGV $$"], seconds=5).status == -signal.SIGSEGV


def test_environment_and_working_directory_and_standard_input(tmp_path):
    outcome = run(["sh", "-c", "pwd; echo $NAME"], seconds=5, env={"NAME": "value"}, cwd=str(tmp_path))
    assert outcome.stdout == f"{tmp_path}\nvalue\n"
    child = Child(["cat"], seconds=5, stdin=b"given")
    run_all([child])
    assert child.outcome.stdout == "given"
    assert run(["cat"], seconds=5).stdout == ""


def test_arguments_reach_the_command_unchanged():
    words = ["$HOME", "a b", "'", '"', "*", ";true", "-n"]
    assert run(["printf", "%s|", *words], seconds=5).stdout == "".join(f"{w}|" for w in words)


def test_a_command_that_is_not_there_and_one_that_may_not_run(tmp_path):
    assert run(["no-such-tool-here"], seconds=5).state == "missing"
    assert run([str(tmp_path / "nothing")], seconds=5).state == "missing"
    (tmp_path / "tool").write_text("#!/bin/sh\necho hello\n")
    assert run([str(tmp_path / "tool")], seconds=5).state == "refused"
    # A tool may use these numbers itself.
    assert run(["sh", "-c", "exit 127"], seconds=5)[:1] == (127,)


def test_a_sleeper_is_killed_at_its_limit():
    outcome = run(["sleep", "100"], seconds=0.2)
    assert outcome.state == "timed out" and outcome.hung
    assert 0.2 <= outcome.seconds < 0.8
    assert outcome.detail.startswith("state S (sleeping)")


def test_what_was_said_before_the_hang_is_kept():
    outcome = run(["sh", "-c", "echo first; exec sleep 100"], seconds=0.3)
    assert outcome.state == "timed out" and outcome.stdout == "first\n"
    assert 0 < outcome.silent <= outcome.seconds
    chatty = run(["sh", "-c", "while :; do echo line; sleep 0.02; done"], seconds=0.4)
    assert chatty.state == "timed out" and chatty.silent < 0.3


def test_a_child_that_ignores_sigterm_goes_too():
    outcome = run(["sh", "-c", "trap '' TERM HUP INT; while :; do sleep 1; done"], seconds=0.2)
    assert outcome.state == "timed out" and outcome.seconds < 0.8


def test_a_stopped_child_goes_too():
    outcome = run(["sh", "-c", "kill -STOP $$"], seconds=0.2)
    assert outcome.state == "timed out" and outcome.detail.startswith("state T (stopped)")


@pytest.mark.parametrize("last", ["exit 0", "wait"], ids=["leader ends", "leader waits"])
def test_a_grandchild_neither_blocks_nor_stays(last):
    outcome = run(["sh", "-c", f"sleep 100 & echo $!; {last}"], seconds=0.4)
    assert outcome.seconds < 1.0
    pid = int(outcome.stdout)
    assert soon(lambda: not alive(pid))


def test_a_flood_is_cut_off():
    outcome = run(["yes"], seconds=10, limit_bytes=100_000)
    assert outcome.state == "flooded"
    assert outcome.seconds < 5 and len(outcome.stdout) == 100_000
    short = run(["head", "-c", "200000", "/dev/zero"], seconds=5, limit_bytes=1000)
    assert short.state == "flooded" and len(short.stdout) == 1000


def test_bytes_that_are_no_text_do_not_matter():
    assert run(["printf", r"\377\376a"], seconds=5).stdout == "��a"


def test_all_at_once_take_as_long_as_the_slowest():
    began = time.monotonic()
    children = [Child(["sleep", "0.3"], seconds=5) for _ in range(8)]
    run_all(children)
    assert time.monotonic() - began < 1.5
    assert all(child.outcome.ok for child in children)


def interruptible():
    """Whoever started the tests in the background had interrupts ignored."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def test_an_interrupt_leaves_nothing_behind(tmp_path):
    script = (
        "from gpudoctor.probes.boundedchild import run\n"
        "import sys\n"
        f"run(['sh', '-c', 'echo $$ > {tmp_path}/pid; sleep 100'], seconds=60)\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", script], stderr=subprocess.DEVNULL, preexec_fn=interruptible
    )
    assert soon(lambda: (tmp_path / "pid").exists() and (tmp_path / "pid").read_text().strip(), 10)
    pid = int((tmp_path / "pid").read_text())
    process.send_signal(signal.SIGINT)
    assert process.wait(5) != 0
    assert soon(lambda: not alive(pid))


ESCAPES = (
    "sleep 101 & echo $! >> {pids}",
    "setsid sleep 102 & echo $! >> {pids}",
    "setsid sh -c 'echo $$ >> {pids}; exec sleep 103' &",
    # Neither its group nor its environment tells whose it is, and who started it is gone.
    "env -i setsid -f sh -c 'echo $$ >> {pids}; exec sleep 104'",
)


@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP", "SIGQUIT", "SIGKILL"])
def test_nothing_outlives_us_however_we_are_ended(tmp_path, name):
    pids = tmp_path / "pids"
    tool = tmp_path / "tool"
    lines = "\n".join(ESCAPES).format(pids=pids)
    tool.write_text(f"#!/bin/sh\necho $$ >> {pids}\n{lines}\nsleep 105\n")
    tool.chmod(0o755)
    script = f"from gpudoctor.probes.boundedchild import run\nrun([{str(tool)!r}], seconds=60)\n"
    # Whoever runs the tests in the background or with nohup has some signals ignored, which children inherit.
    process = subprocess.Popen(
        [sys.executable, "-c", f"import signal; signal.signal(signal.{name}, signal.SIG_DFL)\n{script}"]
        if name != "SIGKILL"
        else [sys.executable, "-c", script],
        stderr=subprocess.DEVNULL,
    )
    assert soon(lambda: pids.exists() and len(pids.read_text().split()) == 1 + len(ESCAPES), 30)
    time.sleep(0.5)
    left = [int(pid) for pid in pids.read_text().split()]
    assert all(map(alive, left))
    process.send_signal(getattr(signal, name))
    process.wait(30)
    assert soon(lambda: not any(map(alive, left)), 30), [pid for pid in left if alive(pid)]


def test_what_left_its_group_goes_with_a_child_that_is_given_up(tmp_path):
    script = f"env -i setsid -f sh -c 'echo $$ > {tmp_path}/pid; exec sleep 100'; sleep 100"
    outcome = run(["sh", "-c", script], seconds=0.6)
    assert outcome.state == "timed out"
    pid = int((tmp_path / "pid").read_text())
    assert soon(lambda: not alive(pid))


def test_a_folder_goes_with_us(tmp_path):
    script = (
        "import os, signal\n"
        "from gpudoctor.probes.lifeline import temporary_folder\n"
        "with temporary_folder() as folder:\n"
        "    open(folder + '/x', 'w').write('x')\n"
        f"    open({str(tmp_path / 'name')!r}, 'w').write(folder)\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    subprocess.run([sys.executable, "-c", script], check=False)
    folder = (tmp_path / "name").read_text()
    assert soon(lambda: not os.path.exists(folder), 5)


def test_neither_disk_nor_home_is_needed(monkeypatch):
    monkeypatch.setenv("TMPDIR", "/dev/null/nothing")
    monkeypatch.delenv("HOME", raising=False)
    assert run(["echo", "hello"], seconds=5).stdout == "hello\n"


def test_no_file_descriptor_is_left_open():
    run(["true"], seconds=5)
    before = os.listdir("/proc/self/fd")
    run(["true"], seconds=5)
    run(["sleep", "9"], seconds=0.1)
    run(["no-such-tool-here"], seconds=5)
    assert len(os.listdir("/proc/self/fd")) == len(before)


def test_a_name_with_brackets_does_not_confuse_the_kernels_word(tmp_path):
    odd = tmp_path / "odd) R (x"
    shutil.copy(shutil.which("sleep"), odd)
    outcome = run([str(odd), "100"], seconds=0.2)
    assert outcome.detail.startswith("state S")
    assert evidence(2**22 + 5) == ""


def test_a_process_stuck_in_the_kernel_is_abandoned(frozen_file):
    """``touch`` on a frozen file system cannot be killed; the call returns all the same and says so."""
    outcome = run(["touch", frozen_file], seconds=0.4)
    assert outcome.state == "abandoned" and outcome.status is None
    assert outcome.seconds < 1.5
    assert outcome.detail.startswith("state D (stuck in the kernel)")

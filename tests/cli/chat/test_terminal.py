"""Real sessions in a real terminal: tmux types, and reads the screen."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time
import uuid

import pytest

from ...conftest import ROOT
from .test_conversation import PERSON

pytestmark = pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed")

PATIENCE = 25.0
"""Seconds to wait for something to appear: generous, since other work may share the machine."""


class Terminal:
    """A tmux session of its own server."""

    def __init__(self, home, columns=80, rows=24, **environment):
        self._server = f"gpudoctor-{uuid.uuid4().hex[:8]}"
        self.home = home
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("TMUX", "NO_COLOR", "LC_", "LANG"))}
        self._environment = {
            **kept,
            "HOME": str(home),
            "LANG": "C.UTF-8",
            "TERM": "xterm-256color",
            **environment,
        }
        self._tmux(
            "-f", "/dev/null", "new-session", "-d", "-x", str(columns), "-y", str(rows), "env PS1='$ ' sh"
        )
        self._tmux("set-option", "-g", "history-limit", "5000")

    def _tmux(self, *arguments):
        return subprocess.run(
            ["tmux", "-u", "-L", self._server, *arguments],
            env=self._environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=20,
        ).stdout

    def run(self, *arguments):
        """Start gpudoctor."""
        self.type(
            " ".join(["clear;", sys.executable, "-m", "gpudoctor.cli.main", *arguments, "; echo status=$?"])
        )

    def type(self, text):
        self._tmux("send-keys", "-l", "--", text)
        self._tmux("send-keys", "Enter")

    def key(self, *names):
        self._tmux("send-keys", *names)

    def paste(self, text):
        """As a terminal pastes: bracketed if the program asked for that."""
        self._tmux("set-buffer", "--", text)
        self._tmux("paste-buffer", "-p", "-d")

    def resize(self, columns, rows):
        self._tmux("resize-window", "-x", str(columns), "-y", str(rows))

    def screen(self):
        return self._tmux("capture-pane", "-p")

    def painted(self):
        """Everything, with the sequences that colour it."""
        return self._tmux("capture-pane", "-p", "-e", "-S", "-3000")

    def everything(self):
        return self._tmux("capture-pane", "-p", "-S", "-3000")

    def wait(self, *texts, after="", patience=PATIENCE):
        """Wait until one of the texts is on the screen (with what scrolled away), after the last ``after``."""
        deadline = time.monotonic() + patience
        while time.monotonic() < deadline:
            shown = self.everything()
            part = shown.rpartition(after)[2] if after else shown
            for text in texts:
                if text in part:
                    return text
            time.sleep(0.1)
        raise AssertionError(f"none of {texts} on the screen:\n{self.everything()}")

    def leave(self):
        """End of input, as often as it takes: one that comes between two prompts is nobody's."""
        for _ in range(8):
            self.key("C-d")
            try:
                return self.wait("status=", patience=3.0)
            except AssertionError:
                continue
        raise AssertionError(self.everything())

    def close(self):
        self._tmux("kill-server")


@pytest.fixture
def terminal(tmp_path):
    opened = []

    def start(**options):
        opened.append(Terminal(tmp_path, **options))
        return opened[-1]

    yield start
    for one in opened:
        one.close()


def question_on(terminal, before):
    """Wait for the next prompt: something new, and a status line below."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        shown = terminal.everything().rstrip()
        if (
            shown != before
            and shown.splitlines()
            and re.search("incidents? stand", shown.splitlines()[-1])
            and "\n>" in shown
        ):
            time.sleep(0.15)
            if terminal.everything().rstrip() == shown:
                return shown
        time.sleep(0.1)
    raise AssertionError(terminal.everything())


@pytest.mark.parametrize(
    "name", ["openrlhf-visibility", "device-map", "mi308", "weight-sync", "vllm-two-cards"]
)
def test_from_complaint_to_cure(terminal, knowledge, name):
    """The five stories that the project began with, typed by somebody who knows the facts."""
    words, known, expected = PERSON[name]
    screen = terminal()
    screen.run("--save", str(screen.home / "s.yaml"))
    screen.wait("What goes wrong?")
    shown = question_on(screen, "")
    screen.type(words)
    by_question = {knowledge.vocabulary.spec(fact).question: value for fact, value in known.items()}
    for _ in range(25):
        shown = question_on(screen, shown)
        last = (
            " ".join(shown.rpartition("Which of these do you see")[2].split())
            if "numbers, or none" in shown
            else ""
        )
        tail = " ".join("\n".join(shown.splitlines()[-24:]).split())
        if "it works now" in tail.rpartition(">")[0][-400:]:
            break
        if "Which of these" in tail[-1400:] and "d don't know" not in tail[-200:]:
            seen = [
                str(number)
                for number in range(1, 8)
                for question, value in by_question.items()
                if value is True and f"{number}) {' '.join(question.split())}" in last
            ]
            screen.type(" ".join(seen) or "none")
            continue
        for question, value in by_question.items():
            if " ".join(question.split()) in tail[-700:]:
                screen.type({True: "yes", False: "no"}.get(value, str(value)))
                break
        else:
            screen.type("d")
    assert any(incident in screen.everything() for incident in expected)
    screen.type("1")
    screen.wait("Good. To make sure that this was the cure")
    screen.leave()
    assert "Traceback" not in screen.everything()


def test_undo_help_paste_and_resume(terminal):
    screen = terminal()
    path = screen.home / "kept.yaml"
    screen.run("--save", str(path))
    screen.wait("What goes wrong?")
    screen.type("s")
    screen.wait("d don't know")
    first = screen.screen()
    screen.type("h")
    screen.wait("How to find out")
    screen.type("d")
    screen.wait("not known")
    screen.type("/back")
    screen.wait("taken back")
    assert first.split("?")[0].split("\n")[-1].strip() in " ".join(screen.everything().split())
    log = (
        "".join(
            f"gpu1:312:{n} [0] NCCL INFO Channel {n:02d}/0 : 0[0] -> 1[1] via P2P/CUMEM\n" for n in range(40)
        )
        + "gpu1:312:398 [0] misc/shmutils.cc:72 NCCL WARN Error: failed to extend /dev/shm/nccl-Y3 to 9637892 bytes\n"
    )
    screen.paste(log)
    screen.wait("[pasted")
    screen.key("Enter")
    screen.wait("read 4")
    screen.wait("shm")
    screen.key("C-c")
    screen.wait("Press Ctrl-C again")
    screen.key("C-c")
    screen.wait("--resume")
    screen.wait("status=")
    screen.run("--resume", str(path))
    screen.wait("shm-too-small", "/dev/shm")
    screen.type("/quit")
    screen.wait("status=1")
    assert "Traceback" not in screen.everything()


def test_a_small_window_a_resize_and_completion(terminal):
    screen = terminal(columns=60, rows=16)
    screen.run()
    screen.wait("What goes wrong?")
    screen.resize(100, 30)
    screen.type("s")
    screen.wait("d don't know")
    screen.resize(50, 20)
    screen.key("-l", "/wh")
    screen.key("Tab")
    time.sleep(0.5)
    screen.key("C-c")
    screen.type("/facts")
    screen.leave()
    assert "Traceback" not in screen.everything()


def test_line_by_line_without_colour_in_chinese(terminal):
    screen = terminal(NO_COLOR="1", TERM="dumb", LANG="zh_CN.UTF-8")
    screen.run("--plain")
    screen.wait("出了什么问题")
    screen.type("多卡卡住，共享内存不够")
    screen.wait("你看到了下面哪些现象")
    screen.type("none")
    screen.wait("[")
    screen.type("/quit")
    screen.wait("status=")
    painted = screen.painted()
    assert "\x1b[3" not in painted.replace("\x1b[39m", "")


def test_nobody_is_asked_without_a_terminal(tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "gpudoctor.cli.main"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env={**os.environ, "HOME": str(tmp_path)},
    )
    assert "What goes wrong?" not in done.stdout
    assert done.returncode in (0, 1, 3)


def test_a_wrong_reading_and_a_why_on_a_real_terminal(terminal):
    screen = terminal(columns=100, rows=40)
    screen.run("--plain")
    screen.wait("What goes wrong?")
    screen.type("2x MI350X with ROCm 7.0.2 and vLLM, TP=2, the answers are garbage")
    screen.wait("/wrong N takes back reading N")
    screen.wait("steps so far", "step so far")
    screen.type("/why")
    screen.wait("would change")
    screen.type("/wrong 1")
    screen.wait("taken back: ")
    screen.leave()


def test_words_that_are_not_sure_are_asked_on_a_real_terminal(terminal):
    screen = terminal(columns=100, rows=40)
    screen.run("--plain")
    screen.wait("What goes wrong?")
    screen.type("the loss is finite with one GPU and easily turns to nan with 4 GPUs")
    screen.wait("? perhaps: Loss or result is NaN")
    screen.wait("nothing leads yet", "now leading: ")
    screen.type("/why")
    screen.wait("would change", "Everything starts")
    screen.type("1")
    screen.wait("noted: symptom.nan-loss-multi-gpu = yes")
    screen.wait("now leading: ", after="noted: symptom.nan-loss")
    screen.leave()


def test_after_dont_knows_there_is_a_next_step_on_a_real_terminal(terminal):
    screen = terminal(columns=100, rows=40)
    screen.run()
    screen.wait("What goes wrong?")
    shown = question_on(screen, "")
    screen.type("two nodes, GPU and NIC behind one PCIe switch: one of the two nodes hangs at about 64 KB")
    for _ in range(40):
        shown = question_on(screen, shown)
        if re.search(r"What to do|1\) done, and it works now|NCCL_DEBUG=INFO", shown):
            break
        screen.type("d")
    else:
        raise AssertionError(shown)
    assert 'Understood "two nodes' in screen.everything()
    screen.leave()


def test_one_screen_holds_the_diagnosis(terminal):
    """At 100 columns and 40 lines nothing has scrolled away, and the first command stands in the upper half."""
    screen = terminal(columns=100, rows=42)
    screen.run("--report", str(ROOT / "tests" / "reports" / "vllm-two-cards-stuck.log"))
    screen.wait("status=1")
    lines = screen.screen().splitlines()
    assert lines[0].startswith("DIAGNOSED")
    assert any("docker run" in line for line in lines[:16])


def test_full_goes_through_the_pager(terminal):
    screen = terminal(columns=100, rows=30, PAGER="cat -n | head -n 3")
    screen.run("--full", "--report", str(ROOT / "tests" / "reports" / "vllm-two-cards-stuck.log"))
    screen.wait("status=1")
    assert re.search(r"^ +1\s+\S*DIAGNOSED", screen.everything(), re.MULTILINE)

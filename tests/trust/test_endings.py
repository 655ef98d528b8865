"""However a conversation is ended, its answers are kept and it says where; what is not ours is not overwritten."""

from __future__ import annotations

import contextlib
import os
import pty
import select
import signal
import sys
import time

import pytest

from gpudoctor.cli.chat.conversation import Conversation
from gpudoctor.cli.chat.run import Keeper
from gpudoctor.cli.chat.talk import Tools
from gpudoctor.cli.language import Language
from gpudoctor.cli.main import main
from gpudoctor.engine import EngineError, Session
from gpudoctor.engine.session.sessionfile import load

ANSWER = b"/change gpu.vendor amd\r"


class Talk:
    """A conversation on a terminal of its own."""

    def __init__(self, folder, *options):
        env = {
            **os.environ,
            "XDG_STATE_HOME": str(folder),
            "TERM": "xterm",
            "LANG": "C.UTF-8",
            "PROMPT_TOOLKIT_NO_CPR": "1",
        }
        facts = folder / "x.yaml"
        facts.write_text("kernel.version: 6.8\n")
        command = [sys.executable, "-m", "gpudoctor.cli.main", "--ask", "--facts", str(facts), *options]
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            os.execvpe(command[0], command, env)
        self.shown = b""

    def wait_for(self, text, seconds=60):
        end = time.monotonic() + seconds
        while text not in self.shown and time.monotonic() < end:
            if select.select([self.terminal], [], [], 0.1)[0]:
                try:
                    self.shown += os.read(self.terminal, 65536)
                except OSError:
                    return text in self.shown
        return text in self.shown

    def status(self, seconds=30):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            done, status = os.waitpid(self.pid, os.WNOHANG)
            if done:
                return os.waitstatus_to_exitcode(status)
            with contextlib.suppress(OSError):
                if select.select([self.terminal], [], [], 0.05)[0]:
                    self.shown += os.read(self.terminal, 65536)
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        raise AssertionError("it did not end")


@pytest.mark.parametrize("options", [["--plain"], []], ids=["lines", "full"])
@pytest.mark.parametrize("way", ["SIGHUP", "SIGTERM", "closed"])
def test_the_answers_are_kept(tmp_path, knowledge, options, way):
    talk = Talk(tmp_path, *options)
    assert talk.wait_for(b"> " if options else b"\x1b[?2004h"), talk.shown[-600:]
    os.write(talk.terminal, ANSWER)
    assert talk.wait_for(b"gpu.vendor = amd"), talk.shown[-600:]
    if way == "closed":
        os.close(talk.terminal)
        talk.terminal = os.open(os.devnull, os.O_RDONLY)
    else:
        time.sleep(0.3)
        os.kill(talk.pid, getattr(signal, way))
    status = talk.status()
    place = tmp_path / "gpudoctor" / "last-session.yaml"
    assert load(knowledge, place).session.value("gpu.vendor") == "amd"
    if way != "closed":
        assert status == 128 + getattr(signal, way)
        assert b"last-session.yaml" in talk.shown.replace(b"\r\n", b"")


def test_save_and_report_do_not_replace_a_log(tmp_path, knowledge):
    session = Session(knowledge)
    keeper = Keeper(session, "", Language("en"))
    chat = Conversation(session, Language("en"), Tools(save=keeper.save_to), lambda: 100)
    chat.open([])
    log = tmp_path / "serve.log"
    log.write_text("NCCL WARN something\n")
    for command in ("/report", "/save"):
        assert "not overwritten" in " ".join(chat.reply(f"{command} {log}").plain().split())
        fresh = tmp_path / f"{command[1:]}.out"
        for _ in range(2):  # one of our own is replaced
            chat.reply(f"{command} {fresh}")
            assert fresh.stat().st_size > 100
    assert log.read_text() == "NCCL WARN something\n"
    with pytest.raises(EngineError, match="no session"):
        keeper.save_to(str(log))


def test_a_place_that_cannot_be_written_is_noticed_before_the_talk(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("gpudoctor.cli.chat.run.can_talk", lambda arguments: True)
    assert main(["--ask", "--save", str(tmp_path / "none" / "s.yaml")]) == 2
    assert "cannot be written" in capsys.readouterr().err

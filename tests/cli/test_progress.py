import io
import json
import signal
import subprocess
import sys
import time

from gpudoctor.cli.progress.counting import counted
from gpudoctor.cli.progress.reading import ReadingProgress


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_a_bar_appears_only_after_a_while_and_goes_away(tmp_path, monkeypatch):
    log = tmp_path / "server.log"
    log.write_bytes(b"x" * (8 << 20))
    clock = iter([0.0, 0.1, 1.0, 1.01, 2.0])
    monkeypatch.setattr("time.monotonic", lambda: next(clock))
    screen = Terminal()
    progress = ReadingProgress([str(log)], screen)
    with progress:
        progress.advance(str(log), 1 << 20)
        assert screen.getvalue() == ""
        progress.advance(str(log), 3 << 20)
        assert "[##########          ] 4 of 8 MiB  server.log" in screen.getvalue()
        drawn = len(screen.getvalue())
        progress.advance(str(log), 1)
        assert len(screen.getvalue()) == drawn
    assert screen.getvalue().endswith("\r\x1b[K")


def test_nothing_is_drawn_where_nobody_looks(tmp_path):
    screen = io.StringIO()
    progress = ReadingProgress([], screen)
    with progress:
        progress.advance("x", 1)
    assert screen.getvalue() == ""


def test_ctrl_c_concludes_from_what_was_read():
    """Standard input that goes on for ever, interrupted."""
    child = subprocess.Popen(
        [sys.executable, "-m", "gpudoctor.cli.main", "--report", "-", "--format", "json"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    child.stdin.write(b"Duplicate GPU detected : rank 0 and rank 1 both on CUDA device 2000\n" * 100000)
    child.stdin.flush()
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        time.sleep(0.3)
        with open(f"/proc/{child.pid}/wchan", encoding="ascii") as file:
            if "pipe" in file.read():
                break
    child.send_signal(signal.SIGINT)
    out, err = child.communicate(timeout=30)
    document = json.loads(out)
    assert any("reading was stopped after" in note for note in document["notes"])
    assert any(f["name"] == "symptom.duplicate-gpu" for f in document["facts"])
    assert b"Traceback" not in err


def test_what_is_counted_is_shown_after_a_while_and_goes_away(monkeypatch):
    clock = iter([0.0, 0.1, 1.0, 1.05, 2.0])
    monkeypatch.setattr("time.monotonic", lambda: next(clock))
    screen, plain = Terminal(), io.StringIO()
    assert list(counted("abcd", "cases", screen)) == list("abcd")
    assert screen.getvalue() == "\rcases: 1 of 4\x1b[K\rcases: 3 of 4\x1b[K\r\x1b[K"
    monkeypatch.undo()
    assert list(counted("abcd", "cases", plain)) == list("abcd")
    assert plain.getvalue() == ""

"""Every command of the README and of CONTRIBUTING runs as it is written."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from gpudoctor.cli.arguments import build_parser
from gpudoctor.cli.manual import MANUALS

from .conftest import ROOT

GPUDOCTOR = [sys.executable, "-m", "gpudoctor.cli.main"]
LONG = ("gpudoctor kb lint", "gpudoctor site build/site")
"""Other tests do just this, and it takes seconds: only that it is a command is looked at here."""


def commands(name):
    text = (ROOT / name).read_text()
    for block in re.findall(r"```sh\n(.*?)```", text, re.DOTALL):
        for line in block.splitlines():
            if line.strip():
                yield line.strip()


def documented():
    return dict.fromkeys(c for name in ("README.md", "CONTRIBUTING.md") for c in commands(name))


def _overlay(folder):
    from gpudoctor.cli.authoring.skeletons import skeleton

    name, text = skeleton("incident", "our-fault")
    (folder / name).parent.mkdir(parents=True)
    (folder / name).write_text(text)
    (folder / "cases").mkdir()
    (folder / "cases" / "our-fault.yaml").write_text("incident: our-fault\nthin:\n  - report: nothing\n")


@pytest.mark.parametrize("command", documented())
def test_documented_commands_run(command, tmp_path):
    words = shlex.split(command)
    if words[0] == "make":
        targets = re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
        assert words[1] in targets
        return
    if words[0] == "source":
        return
    assert words[0] == "gpudoctor"
    if command in LONG:
        build_parser().parse_args(words[1:])
        return
    if words[1:3] == ["kb", "new"]:
        words += ["--dir", str(tmp_path)]
    if "my.facts.yaml" in words:
        Path(tmp_path, "my.facts.yaml").write_text("gpu.vendor: amd\n")
        words[words.index("my.facts.yaml")] = str(tmp_path / "my.facts.yaml")
    if any("~/our-kb" in word for word in words):
        _overlay(tmp_path / "our-kb")
        Path(tmp_path, "job.log").write_text("nothing\n")
        words = [w.replace("~", str(tmp_path)).replace("job.log", str(tmp_path / "job.log")) for w in words]
    result = subprocess.run(
        [*GPUDOCTOR, *words[1:]], cwd=ROOT, capture_output=True, text=True, timeout=60, check=False
    )
    assert result.returncode in (0, 1, 3), result.stderr
    assert result.stdout
    assert "Traceback" not in result.stderr


def test_the_python_example_runs(tmp_path, monkeypatch):
    (code,) = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
    (tmp_path / "serve.log").write_text(
        "Duplicate GPU detected : rank 0 and rank 1 both on CUDA device 2000\n"
    )
    result = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False
    )
    assert result.returncode == 0, result.stderr


def test_the_exit_statuses_of_the_readme_are_those_of_the_program():
    from gpudoctor.cli.manual import DIAGNOSING

    table = dict(re.findall(r"^\| (\d) \| (.*?) \|$", (ROOT / "README.md").read_text(), re.MULTILINE))
    assert len(table) == 5
    for status, meaning in table.items():
        assert f"{status} {meaning.replace(',', '')}" in DIAGNOSING.replace(",", "")


def test_every_command_is_documented():
    text = (ROOT / "README.md").read_text() + (ROOT / "CONTRIBUTING.md").read_text()
    for name in filter(None, MANUALS):
        assert f"gpudoctor {name}" in text, name


def test_the_recorded_conversation_leads_where_it_says(knowledge):
    """The session in the README, typed again."""
    from gpudoctor.cli.chat.conversation import Conversation
    from gpudoctor.cli.language import ENGLISH
    from gpudoctor.engine import Session

    recorded = (ROOT / "README.md").read_text().partition("```console\n")[2].partition("```")[0]
    typed = [line[2:] for line in recorded.splitlines() if line.startswith("> ")]
    chat = Conversation(Session(knowledge), ENGLISH)
    shown = chat.open().plain() + "".join(chat.reply(text).plain() for text in typed[:2])
    chat.reply("/change gpu.vendor nvidia")
    shown += chat.reply(f"/change iommu.mode {typed[-1]}").plain()
    flat = " ".join(shown.split())
    for line in recorded.splitlines():
        if line.startswith(
            ("What goes", "Which of these", "  1) Does", "DIAGNOSED", "The IOMMU", "likely", "now leading")
        ):
            assert " ".join(line.split()) in flat, line

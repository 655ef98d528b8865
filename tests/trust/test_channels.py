"""What nobody sees and what a terminal would obey, through every command that shows what others wrote."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tarfile

import pytest

from gpudoctor.cli.chat.conversation import Conversation
from gpudoctor.cli.chat.talk import Tools
from gpudoctor.cli.language import Language
from gpudoctor.cli.main import main
from gpudoctor.engine import Session
from gpudoctor.engine.characters import UNSEEN
from gpudoctor.engine.redaction import redact
from gpudoctor.probes.bedside.groups import sentences
from gpudoctor.probes.report import Reader
from gpudoctor.probes.text import visible

from ..bedside.test_chart import HERE as LOOK

HIDDEN = "\u200b\u200f\u202e\u2066\ufeff\u00ad\u061c\u2060\u3164\ufe0f\U000e0041\U000e0101"
ODD = f"A\x1b[31mB\x1b]8;;http://evil/\x07C\x1b]52;c;aGk=\x07D\x9b31mE\x7fF{HIDDEN}G"
SECRET = "Zq7pLaNtEdX9w"
FORMS = ("text", "json", "markdown", "prometheus")
SAID = f"{ODD} password={SECRET}"


def strings(document):
    if isinstance(document, dict):
        for key, value in document.items():
            yield key
            yield from strings(value)
    elif isinstance(document, list):
        for value in document:
            yield from strings(value)
    elif isinstance(document, str):
        yield document


def harmless(text):
    """Fails where a text, or a string of its JSON, holds what must not be there."""
    text = re.sub(
        "(?<=[#@])\u200b", "", text
    )  # our own, in Markdown: nobody is mentioned, and no other issue
    found = UNSEEN.search(text)
    assert not found, ascii(text[max(0, found.start() - 60) : found.end() + 20])
    assert "pLaNtEd" not in text
    if text.startswith("{"):
        for one in strings(json.loads(text)):
            assert not UNSEEN.search(one), ascii(one)


@pytest.fixture
def said(capsys, tmp_path, monkeypatch):
    """Runs a command in a folder of its own and looks at what it says."""
    monkeypatch.chdir(tmp_path)

    def run(*argv):
        assert main(list(argv)) != 4
        printed = capsys.readouterr()
        harmless(printed.out)
        harmless(printed.err)
        return printed.out

    return run


@pytest.mark.parametrize("form", ["text", "json", "markdown", "sarif"])
def test_specs(said, tmp_path, form):
    (tmp_path / "run.sh").write_text(
        f"#!/bin/sh\nexport NCCL_DEBUG=TRACE{ODD}\nexport NCCL_P2P_LEVEL='{SAID}'\n"
        f"torchrun --nproc-per-node 8 '{ODD}' --api-key {SECRET}\n"
    )
    pod = {"name": SAID, "image": f"vllm/vllm-openai:v0.6.0{ODD}", "command": ["python", ODD, "--api-key", SECRET],
           "env": [{"name": "NCCL_IB_DISABLE", "value": f"2 {ODD}"}, {"name": "HF_TOKEN", "value": SECRET}],
           "resources": {"limits": {"nvidia.com/gpu": 4}}}  # fmt: skip
    (tmp_path / "pod.yaml").write_text(
        json.dumps(
            {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": ODD}, "spec": {"containers": [pod]}}
        )
    )
    assert "NCCL_DEBUG" in said("audit", "run.sh", "--format", form)
    said("audit", "pod.yaml", "--format", form)


NAMES = [
    "a\nDIAGNOSED  confirmed", "b\u202e\u200bx", "c\x1b[31m", f"token={SECRET}", "d %20#?",
    "<img src=x onerror=alert(1)>", "e\u2028f", "caf\udce9", "[x](javascript:alert(1))", "`g`|h", "k" * 240,
]  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_a_name_of_a_file_forges_nothing(said, tmp_path, name):
    (tmp_path / f"{name}.sh").write_text("export NCCL_DEBUG=TRACE\nexport NCCL_P2P_LEVEL=9\n")
    (tmp_path / f"{name}.log").write_text(
        "NVRM: Xid (PCI:0000:9c:00): 79, pid=1, GPU has fallen off the bus.\n"
    )
    (tmp_path / f"{name}.yaml").write_text("gpu.count: 2\nshm.size_bytes: 67108864\ncontainer.shm: default\n")
    told = [
        *(said("audit", f"{name}.sh", "--format", form) for form in ("text", "json", "markdown", "sarif")),
        *(said("--report", f"{name}.log", "--no-ask", "--full", "--format", form) for form in FORMS),
        *(said("--facts", f"{name}.yaml", "--no-ask", "--full", "--format", form) for form in FORMS),
    ]
    assert not any("\nDIAGNOSED  confirmed" in text for text in told)
    for text in (told[2], told[6], told[10]):  # Markdown
        for line in text.splitlines():
            bare = re.sub(r"(`+).*?\1", "", line)
            assert "](javascript" not in bare.replace("\\[", "") or "\\[" in bare
            assert not re.search(r"(?<!\\)<img", bare)
    assert json.loads(told[3])["runs"]


@pytest.mark.parametrize("form", ["text", "json", "markdown", "prometheus"])
def test_facts_sessions_and_logs(said, tmp_path, form):
    (tmp_path / "x.json").write_text(json.dumps({"kernel.cmdline": SAID, "gpu.model": f"NVIDIA {SAID}"}))
    (tmp_path / "x.log").write_text(
        f"NVRM: Xid (PCI:0000:9c:00): 79, {SAID}\nexport NCCL_DEBUG_FILE={SAID}\n"
    )
    said("--facts", "x.json", "--no-ask")
    said("--report", "x.log", "--no-ask", "--full", "--format", form, "--save", "s.yaml")
    harmless((tmp_path / "s.yaml").read_text())
    (tmp_path / "odd.yaml").write_text(
        f"schema: gpudoctor/session/1\nnotes: [{json.dumps(SAID)}]\nstatements:\n"
        f"- {{fact: kernel.cmdline, value: {json.dumps(SAID)}, by: report, where: {json.dumps(SAID)}}}\n"
    )
    said("--resume", "odd.yaml", "--no-ask", "--full", "--format", form)
    if form in ("text", "json"):
        said("diff", "odd.yaml", "x.json", "--full", "--format", form)


def test_the_conversation(knowledge):
    session = Session(knowledge)
    chat = Conversation(session, Language("en"), Tools(), lambda: 4000)
    chat.open([])
    for text in (
        SAID,
        f"/explain {SAID}",
        f"/change kernel.cmdline {SAID}",
        "/facts",
        f"NVRM: Xid (PCI:0): 79, {SAID}",
    ):
        harmless(chat.reply(text).plain())


def test_names_of_files_and_commands(said, tmp_path):
    said("run", "--", f"/none/{ODD}")
    said("explain", SAID)
    said("kb", "new", "incident", ODD)
    said("attach", ODD)
    said("--output", f"none/{SAID}", "--facts", "x")
    said("--from", SAID)
    said("capture", f"none/{SAID}.tar.gz", "--yes")


def test_a_job_that_is_called_like_an_escape_sequence():
    members = [
        member._replace(place=member.place._replace(call=ODD, file=ODD), wchan=ODD) for member in LOOK.members
    ]
    assert members
    for sentence in sentences(LOOK._replace(members=members, gone=(ODD,))):
        harmless(sentence)


def test_history_keeps_no_secret_of_its_job(tmp_path, monkeypatch, capfd):
    monkeypatch.setenv("HF_TOKEN", SECRET)
    monkeypatch.chdir(tmp_path)
    job = f"import sys; sys.stderr.write('RuntimeError: NCCL error password={SECRET}\\n'); sys.exit(3)"
    assert main(["run", "--evidence", "kept", "--", sys.executable, "-c", job, f"--api-key={SECRET}"]) == 3
    shown = capfd.readouterr()
    assert SECRET not in shown.out
    assert shown.err.count(SECRET) == 1  # the job's own line, passed on as it is


def test_bytes_and_characters_that_nobody_sees_are_the_same():
    for number in (*range(0x3200), *range(0xFE00, 0x10000), *range(0x1BC90, 0x1BCB0), *range(0x1D170, 0x1D180),
                   *range(0xDFFF0, 0xE1010)):  # fmt: skip
        character = chr(number)
        if character in "\r\x1b" or 0xD800 <= number < 0xE000:
            continue
        left = visible(f"a{character}b".encode()).decode()
        assert (left == "ab") == bool(UNSEEN.match(character)), hex(number)


@pytest.mark.parametrize("odd", [*HIDDEN, "\x00", "\x9b", "\x1b[0m"])
def test_no_character_hides_a_line_or_a_denial(knowledge, reader, odd):
    def found(text):
        return {fact.name for fact in reader.read([text.encode()], "x")}

    line = "NVRM: Xid (PCI:0000:9c:00): 79, GPU has fallen off the bus."
    assert "xid.79" in found(line.replace("Xid", f"X{odd}id").replace("fallen", f"fal{odd}len"))
    assert "xid.79" not in found(f"We do N{odd}OT see this: {line}")
    assert "xid.79" not in found(f"{odd}> {line}")


def test_no_character_hides_a_secret(knowledge):
    session = Session(knowledge)
    for fact in Reader(knowledge).read([f"RuntimeError: NCCL error, pass\u200bword={SECRET}".encode()], "x"):
        session.add(fact)
    assert SECRET not in json.dumps(session.diagnosis().to_dict())
    assert SECRET not in redact(f"password={SECRET}")


@pytest.fixture
def jobs(tmp_path):
    """Two jobs of two ranks each, whose command lines hold a secret, escapes and a line of their own."""
    script = tmp_path / "rank.py"
    script.write_text("import time\nprint(1, flush=True)\ntime.sleep(120)\n")
    command = [sys.executable, str(script), "--api-key", SECRET, f"{ODD}\nJOB 1  all is well\nFORGED"]
    running = []
    for port in ("29611", "29612"):
        for rank in ("0", "1"):
            place = {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": port, "RANK": rank, "WORLD_SIZE": "2"}
            env = {"PATH": os.environ["PATH"], "HF_TOKEN": SECRET, **place}
            running.append(subprocess.Popen(command, env=env, stdout=subprocess.PIPE))
    for one in running:
        one.stdout.readline()
    yield [one.pid for one in running]
    for one in running:
        one.kill()
        one.wait()
        one.stdout.close()


@pytest.mark.parametrize("form", ["text", "json", "markdown"])
def test_several_jobs(said, tmp_path, jobs, form):
    options = ["--all", "--seconds", "0.5", "--evidence", "kept", "--format", form]
    command = [sys.executable, "-m", "gpudoctor.cli.main", "attach", *options]
    # A process of its own: what the tests have started is no job of theirs.
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    harmless(done.stdout)
    harmless(done.stderr)
    told = done.stdout
    assert str(jobs[0]) in told and str(jobs[2]) in told
    assert "\nJOB 1 " not in told and "\nFORGED" not in told
    kept = [name for name in sorted(os.listdir("kept")) if any(f"-{pid}-" in name for pid in jobs)]
    assert len(kept) == 2
    said(
        "diff",
        *(f"kept/{name}" for name in kept),
        "--full",
        "--format",
        "text" if form == "markdown" else form,
    )
    said("--from", f"kept/{kept[0]}", "--no-ask", "--full", "--format", form)
    for name in kept:
        with tarfile.open(f"kept/{name}") as archive:
            for member in archive:
                file = archive.extractfile(member)
                assert file is None or SECRET.encode() not in file.read(), member.name

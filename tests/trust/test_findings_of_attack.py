"""What the first attack found, each as a test where no other file has it.

Elsewhere: environments and secrets in every channel (test_secrets), exit 0 on failures (test_all_clear), quoted text
(probes/test_stance), lost answers and overwritten files (test_endings), processes and temporary files (test_kills),
devices and full disks (engine/test_writing, test_failing_writes), expressions (engine/test_backtracking).
"""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
import time

import pytest

from gpudoctor.cli.main import main
from gpudoctor.engine import Session
from gpudoctor.engine.facts import PRINTED, REPORT, Fact, Origin
from gpudoctor.engine.facts.nodefacts import SCHEMA
from gpudoctor.engine.language.backtracking import problem
from gpudoctor.probes.report import Reader

from ..conftest import ROOT

RUN = [sys.executable, "-m", "gpudoctor.cli.main"]


def told(tmp_path, text, name="x.yaml"):
    place = tmp_path / name
    place.write_bytes(text if isinstance(text, bytes) else text.encode())
    return str(place)


@pytest.mark.parametrize(
    "text", ["[" * 30000, "[" * 900 + "]" * 900, "{a: " * 20000, "- " * 30000, "? " * 30000]
)
@pytest.mark.parametrize("option", ["--facts", "--resume"])
def test_deep_nesting_is_one_sentence(tmp_path, capfd, text, option):
    head = "" if text[0] in "-?" else "a: "
    done = subprocess.run(
        [*RUN, option, told(tmp_path, head + text), "--no-ask"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2, done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_deep_nesting_in_an_overlay(tmp_path, capsys):
    page = tmp_path / "kb" / "facts" / "x" / "x.y.md"
    page.parent.mkdir(parents=True)
    page.write_text("---\na: " + "[" * 30000 + "\n---\ntext\n")
    assert main(["--kb", str(tmp_path / "kb"), "--facts", told(tmp_path, "gpu.count: 1")]) == 2
    assert "nested too deeply" in capsys.readouterr().err


@pytest.mark.parametrize("made", ["pipe", "zero"])
def test_pages_that_are_no_files(tmp_path, capsys, made):
    page = tmp_path / "kb" / "facts" / "x" / "x.y.md"
    page.parent.mkdir(parents=True)
    os.mkfifo(page) if made == "pipe" else page.symlink_to("/dev/zero")
    assert main(["--kb", str(tmp_path / "kb"), "--facts", told(tmp_path, "gpu.count: 1")]) == 2
    assert "no page" in capsys.readouterr().err


def test_a_pipe_among_facts_files_is_not_waited_for(tmp_path, capsys):
    os.mkfifo(tmp_path / "a.json")
    assert main(["--facts", str(tmp_path / "a.json")]) == 2
    assert "pipe" in capsys.readouterr().err


@pytest.mark.parametrize("text", ["cuda.version: １２.８", "gpu.count: ٣"])
def test_digits_that_are_not_ascii(tmp_path, capsys, text):
    assert main(["--facts", told(tmp_path, text)]) != 4


def test_digits_that_are_not_ascii_in_a_log(knowledge):
    found = {
        fact.name: fact.value for fact in Reader(knowledge).read(["CUDA Version: １２.８".encode()], "x")
    }
    session = Session(knowledge)
    for name, value in found.items():
        session.add(Fact(name, value, Origin(REPORT, "x")))


@pytest.mark.parametrize("kind", ["report", "node"])
def test_thousands_of_values_of_one_fact(tmp_path, knowledge, kind):
    began = time.process_time()
    if kind == "report":
        text = "".join(f"export NCCL_DEBUG_FILE=/x/{i}\n" for i in range(4000))
        session = Session(knowledge)
        for fact in Reader(knowledge).read([text.encode()], "x.log"):
            session.add(fact)
        session.diagnosis()
    else:
        facts = [{"name": "env.NCCL_DEBUG_FILE", "value": f"/x/{i}", "from": []} for i in range(4000)]
        node = {"schema": SCHEMA, "host": "a", "boot_id": "b", "taken": "", "facts": facts, "gaps": []}
        main(["--facts", told(tmp_path, json.dumps(node), "a.json"), "--output", str(tmp_path / "out")])
    assert time.process_time() - began < 8


def test_shared_lists_in_a_pickle(tmp_path, knowledge):
    shared: object = ["x" * 10]
    for _ in range(30):
        shared = [shared, shared]
    entry = {
        "profiling_name": shared,
        "collective_seq_id": 1,
        "record_id": 0,
        "frames": [],
        "state": "scheduled",
    }
    data = pickle.dumps({"version": "2.1", "entries": [entry]})
    began = time.process_time()
    list(Reader(knowledge).read([data], "t_0.pkl"))
    assert time.process_time() - began < 2


def test_json_lines_that_only_look_like_a_dump(knowledge):
    line = json.dumps({"msg": "NCCL WARN Call to ibv_modify_qp failed with 110 Connection timed out"})
    text = f'{{"collective_seq_id": 1, "msg": "x"}}\n{line}\n'
    names = {fact.name for fact in Reader(knowledge).read([text.encode()], "x.jsonl")}
    assert any(name.startswith("symptom.") for name in names)


@pytest.mark.parametrize("option", ["--output", "--save"])
def test_names_that_are_not_utf8(tmp_path, option):
    folder = os.fsencode(tmp_path)
    with open(folder + b"/caf\xe9.log", "wb") as file:
        file.write(b"x\n")
    target = folder + b"/caf\xe9.out"
    done = subprocess.run(
        [*RUN, "--report", folder + b"/caf\xe9.log", option, target], capture_output=True, check=False
    )
    assert done.returncode in (0, 1, 3), done.stderr
    assert os.path.getsize(target) > 0


def test_half_a_character_in_a_node_file(tmp_path):
    facts = [{"name": "env.NCCL_DEBUG_FILE", "value": "\ud800", "from": []}]
    node = {"schema": SCHEMA, "host": "a", "boot_id": "b", "taken": "", "facts": facts, "gaps": []}
    place = told(tmp_path, json.dumps(node), "a.json")
    assert main(
        ["--facts", place, "--save", str(tmp_path / "s.yaml"), "--output", str(tmp_path / "out")]
    ) in (0, 1, 3)


def test_two_sources_that_disagree_confirm_nothing(knowledge):
    session = Session(knowledge)
    text = "NVRM: Xid (PCI:0000:2b:00): 79, pid=1, GPU has fallen off the bus."
    for order in ((True, False), (False, True)):
        session = Session(knowledge)
        for fact in Reader(knowledge).read([text.encode()], "x.log"):
            session.add(fact)
        alone = [one.id for one in session.standings() if one.standing == "confirmed"]
        for value in order:
            session.add(Fact("pcie.acs_redirect", value, Origin(REPORT, "x", "", PRINTED)))
        assert "pcie-acs-redirect" not in [
            one.id for one in session.standings() if one.standing == "confirmed"
        ]
        assert alone == [one.id for one in session.standings() if one.standing == "confirmed"]


@pytest.mark.parametrize(
    "expression", [r"zzlit (a|a)*$", r".*.*.*.*x$", r"(?:a{1,30}){1,30}b", r"=+ +at ncclDev"]
)
def test_expressions_that_could_take_for_ever_are_refused(expression):
    assert problem(expression)


def test_standard_input_that_is_closed():
    for option in ("--report", "--facts"):
        done = subprocess.run(
            f"{sys.executable} -m gpudoctor.cli.main {option} - <&-", shell=True, capture_output=True
        )
        assert done.returncode == 2 and b"closed" in done.stderr


def test_a_cut_pipe_is_never_an_all_clear():
    command = f"{sys.executable} -m gpudoctor.cli.main search gpu | true; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert done.stdout.strip() in ("141", "0") and "Traceback" not in done.stderr


def test_escapes_in_names_and_addresses(tmp_path, capsys):
    page = tmp_path / "kb" / "facts" / "a\x1b[31m.md"
    page.parent.mkdir(parents=True)
    page.write_text("x")
    main(["kb", "lint", str(tmp_path / "kb")])
    said = capsys.readouterr()
    assert "\x1b" not in said.out + said.err
    assert main(["--facts", told(tmp_path, "gpu.count: 1"), "--site-url", "http://x/\x1b[31m"]) == 2
    assert "\x1b" not in capsys.readouterr().err


def test_a_source_has_an_address_of_the_web(tmp_path, capsys):
    page = tmp_path / "kb" / "incidents" / "disk-full.md"
    page.parent.mkdir(parents=True)
    original = next((ROOT / "kb" / "incidents").rglob("disk-full.md")).read_text()
    page.write_text(original.replace("url: https://", "url: data:text/html,", 1))
    assert main(["kb", "lint", str(tmp_path / "kb")]) == 2
    assert "https://" in capsys.readouterr().out


def test_a_long_value_is_not_quoted_whole(tmp_path, capsys):
    assert main(["--facts", told(tmp_path, "gpu.count: " + "x" * 100_000)]) == 2
    assert len(capsys.readouterr().err) < 1000

"""The command line from outside: what is printed where, and the exit status."""

import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from packaging.version import Version

from gpudoctor.cli.main import main

from ..conftest import ROOT

STUCK = str(ROOT / "tests" / "reports" / "vllm-two-cards-stuck.log")
RAY = str(ROOT / "tests" / "reports" / "mi300x-ray.facts.yaml")


@pytest.fixture
def run(capsys):
    def call(*arguments):
        status = main([str(a) for a in arguments])
        out, err = capsys.readouterr()
        return status, out, err

    return call


def test_a_diagnosis_in_three_forms_says_the_same(run):
    status, text, err = run("--facts", RAY, "--full")
    assert (status, err) == (1, "")
    assert text.startswith("DIAGNOSED\n")
    assert "ray-rocm-visible-devices" in text
    status, out, _ = run("--facts", RAY, "--format", "json")
    assert status == 1
    document = json.loads(out)
    assert document["incidents"][0]["standing"] == "confirmed"
    status, markdown, _ = run("--facts", RAY, "--format", "markdown")
    assert status == 1
    assert "**Confirmed** (`ray-rocm-visible-devices`)" in markdown
    for url in {s["url"] for s in document["incidents"][0]["sources"]}:
        assert url in text
        assert url in markdown


def test_warnings_about_variables_stand_in_all_forms(run, tmp_path):
    log = tmp_path / "job.log"
    log.write_text("export NCCL_P2P_DISALBE=1\nexport NCCL_IB_TIMEOUT=99\n")
    _, text, _ = run("--report", log)
    assert "NCCL_P2P_DISALBE=1: " in text and "NCCL_P2P_DISABLE?" in text
    assert "NCCL_IB_TIMEOUT=99: " in text
    _, markdown, _ = run("--report", log, "--format", "markdown")
    assert "- `NCCL_P2P_DISALBE=1`: " in markdown
    _, out, _ = run("--report", log, "--format", "json")
    assert [w["fact"] for w in json.loads(out)["warnings"]] == ["env.NCCL_IB_TIMEOUT", "env.NCCL_P2P_DISALBE"]


def test_the_order_of_one_screen(run):
    _, text, _ = run("--report", STUCK)
    parts = [
        "DIAGNOSED",
        "Why",
        "What to do: ",
        "If that does not help",
        "Also possible",
        "Sources",
        "--full",
    ]
    places = [text.index(part) for part in parts]
    assert places == sorted(places)


def test_the_order_of_the_text(run):
    _, text, _ = run("--report", STUCK, "--full")
    parts = [
        "DIAGNOSED",
        "Why",
        "What to do",
        "Verify:",
        "Undo:",
        "Also possible",
        "Sources",
        "knowledge base",
    ]
    places = [text.index(part) for part in parts]
    assert places == sorted(places)


@pytest.mark.parametrize("width", [80])
def test_text_fits_the_terminal_except_commands_and_addresses(run, width):
    _, text, _ = run("--report", STUCK)
    for line in text.splitlines():
        command = line.startswith(" " * 9) or "https://" in line
        assert len(line) <= width or command, line


def test_the_steps_are_for_this_runtime(run):
    _, text, _ = run("--report", STUCK, "--full")
    assert "Docker or Podman:" in text
    assert "kubectl" not in text
    assert "not here: " in text


def test_several_inputs_are_joined_and_contradictions_shown(run, tmp_path):
    facts = tmp_path / "f.yaml"
    facts.write_text("topology.link: nvlink\n")
    status, text, _ = run("--report", STUCK, "--facts", facts)
    assert status in (1, 3)
    assert f"Contradiction: topology.link: nvlink (file {facts}:1) against node" in " ".join(text.split())
    _, text, _ = run("--report", STUCK, "--facts", facts, "--full")
    assert f"topology.link: nvlink (file {facts}:1) is used, against node" in " ".join(text.split())


def test_standard_input(run, monkeypatch):
    class Standard:
        buffer = io.BytesIO(b"gpu.vendor: amd\nsymptom.visible-devices-conflict: true\n")

    monkeypatch.setattr("sys.stdin", Standard)
    status, out, _ = run("--facts", "-", "--format", "json")
    assert status == 1
    assert json.loads(out)["facts"][0]["from"][0]["where"] == "standard input:1"


def test_output_goes_to_a_file(run, tmp_path):
    target = tmp_path / "out.json"
    status, out, err = run("--facts", RAY, "--format", "json", "--output", target)
    assert (status, out, err) == (1, "", "")
    assert json.loads(target.read_text())["verdict"] == "diagnosed"


def test_colour_only_where_it_is_wanted(run):
    _, plain, _ = run("--facts", RAY)
    _, painted, _ = run("--facts", RAY, "--color", "always")
    assert "\x1b" not in plain
    assert "\x1b[" in painted
    assert re.sub(r"\x1b\[[0-9;]*m", "", painted).split() == plain.split()


@pytest.mark.parametrize(
    ("name", "content", "arguments", "message"),
    [
        (
            "f.yaml",
            b"gpu.vendor: nvida\n",
            ["--facts"],
            '{0}:1: gpu.vendor must be nvidia, amd, intel or none, not "nvida"',
        ),
        (
            "f.yaml",
            b"gpu.vendr: amd\n",
            ["--facts"],
            '{0}:1: there is no fact "gpu.vendr"; did you mean gpu.vendor?',
        ),
        ("f.yaml", b"a: [\n", ["--facts"], "{0}:2: this is not YAML"),
        ("f.yaml", b"", ["--facts"], "{0}: the file holds no facts"),
        ("f.yaml", b"\x00\x01", ["--facts"], "{0}: this is a binary file"),
        ("f.yaml", b"\xff\xfe", ["--facts"], "{0}: this is not UTF-8 text"),
        ("f.yaml", b"#" * (5 << 20), ["--facts"], "{0}: larger than 4 MiB"),
        (None, None, ["--facts"], "{0}: cannot be read: No such file or directory"),
        (None, None, ["--report"], "{0}: cannot be read: No such file or directory"),
        ("kb/facts/a.md", b"x", ["--facts", RAY, "--kb"], "must begin with a YAML head"),
        ("kb/none.txt", b"x", ["--facts", RAY, "--kb"], "this is no knowledge base"),
    ],
)
def test_bad_input_is_one_sentence_with_the_place(run, tmp_path, name, content, arguments, message):
    path = tmp_path / (name or "missing")
    if name:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    target = path.parents[len(path.relative_to(tmp_path).parts) - 2] if "kb" in str(name) else path
    status, out, err = run(*arguments, target)
    assert status == 2
    assert out == ""
    assert err.startswith("gpudoctor: ")
    assert message.format(target) in err
    assert err.count("\n") == 1


def test_an_overlay_that_the_linter_refuses_is_refused_whole(run, tmp_path):
    text = (
        (ROOT / "kb" / "incidents" / "p2p" / "pcie-acs-redirect.md")
        .read_text()
        .replace("## Limits", "## Limit")
    )
    (tmp_path / "kb" / "incidents").mkdir(parents=True)
    (tmp_path / "kb" / "incidents" / "pcie-acs-redirect.md").write_text(text)
    status, out, err = run("--facts", RAY, "--kb", tmp_path / "kb")
    assert (status, out) == (2, "")
    assert "kb/incidents/pcie-acs-redirect.md: the headings must be" in err


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_folder_without_permission(run, tmp_path):
    tmp_path.chmod(0)
    status, _, err = run("--report", tmp_path)
    assert status == 2
    assert "Permission denied" in err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--ask", "--facts", RAY], "--ask needs a terminal"),
        (
            ["--frobnicate"],
            "there is no option --frobnicate here; an option of a command goes behind the command",
        ),
        (["--reprot", "job.log"], "there is no option --reprot here; did you mean --report?"),
        (["audit", "--frobnicate", "a.yaml"], "gpudoctor audit does not know --frobnicate"),
        (["prob"], 'there is no command "prob"; did you mean probe?'),
        ([RAY], f"to have a log read: gpudoctor --report {RAY}"),
        (["--report"], "--report needs a value"),
        (["--format", "xml", "--facts", RAY], "--format takes text, json, markdown, prometheus, not 'xml'"),
        (["--facts", "-", "--report", "-"], "standard input (-) can be read only once"),
        (["explain", "pcie-acs-redirct"], "near to it: pcie-acs-redirect"),
        (["kb"], "TASK"),
    ],
)
def test_wrong_usage(run, arguments, message):
    status, out, err = run(*arguments)
    assert (status, out) == (2, "")
    assert message in err


def test_an_internal_error_is_not_a_traceback(run, monkeypatch):
    import gpudoctor.cli.commands.diagnose as diagnose

    monkeypatch.setattr(diagnose, "load_knowledge", lambda overlays: 1 / 0)
    status, _, err = run("--facts", RAY)
    assert status == 4
    assert err.startswith("gpudoctor: internal error: ZeroDivisionError")


def test_a_closed_standard_input_is_nobody_to_talk_to():
    command = f"{sys.executable} -m gpudoctor.cli.main --resume /nowhere.yaml 0<&-"
    result = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert result.stderr == "gpudoctor: /nowhere.yaml: cannot be read: No such file or directory\n"


def test_a_log_given_as_facts_is_sent_to_report(run):
    status, _, err = run("--facts", ROOT / "tests" / "reports" / "vllm-two-cards-stuck.log")
    assert status == 2 and err.endswith("a log goes behind --report\n")


def test_a_closed_pipe_is_no_error():
    command = f"{sys.executable} -m gpudoctor.cli.main explain pcie-acs-redirect | head -1"
    result = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert result.stdout.startswith("PCIe ACS")
    assert result.stderr == ""


def test_empty_report_is_not_health(run, tmp_path):
    (tmp_path / "empty.log").write_bytes(b"")
    status, text, _ = run("--report", tmp_path / "empty.log")
    assert status == 3
    assert "not a sign of health" in " ".join(text.split())


def test_version(run):
    """A checkout prints what stands in the file, with or without tags; tests/test_package.py tests what is built."""
    found = re.search(r'^VERSION = "(.+)"$', (ROOT / "cli" / "version.py").read_text(), re.MULTILINE)
    assert str(Version(found[1])) == found[1]
    assert run("--version") == (0, f"gpudoctor {found[1]}\n", "")


def test_an_error_does_not_quote_terminal_escapes(run, tmp_path):
    for name, text in (("a.yaml", '"\\e[2Jx": 1\n'), ("b\x1b[2J.yaml", "gpu.vendor: none such\n")):
        path = tmp_path / name
        path.write_text(text)
        status, out, err = run("--facts", path)
        assert (status, out) == (2, "")
        assert "\x1b" not in err


def test_markdown_of_a_log_stays_text(run, tmp_path):
    log = tmp_path / "a.log"
    log.write_text("RuntimeError: x `` <img src=a> `` [y](http://z) @all\n")
    _, out, _ = run("--report", log, "--format", "markdown")
    assert "``` RuntimeError: x `` <img src=a> `` [y](http://z) @all ```" in out


def test_contradictions_stand_in_all_forms(run, tmp_path):
    facts, log = tmp_path / "a.yaml", tmp_path / "a.log"
    facts.write_text("env.NCCL_DEBUG: WARN\n")
    log.write_text("export NCCL_DEBUG=INFO\n")
    outs = [run("--facts", facts, "--report", log, "--format", f)[1] for f in ("text", "markdown", "json")]
    (fact,) = [f for f in json.loads(outs[2])["facts"] if f["name"] == "env.NCCL_DEBUG"]
    assert (fact["value"], fact["conflicts"][0]["value"]) == ("WARN", "INFO")
    assert all("Contradiction" in out and "INFO (report" in out for out in outs[:2])


def test_a_value_of_several_lines_is_one_row_of_the_table(run, tmp_path):
    facts = tmp_path / "a.yaml"
    facts.write_text('gpu.model: "a\\n\\n# b | c"\n')
    _, out, _ = run("--facts", facts, "--format", "markdown")
    assert "| `gpu.model` | a # b \\| c |" in out


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["job.log"], 'there is no command "job.log"'),
        (["--kb", "somewhere", "explain", "pcie-acs-redirect"], "options go behind the command"),
        (["--color", "never", "search", "hang"], "options go behind the command"),
        (["--report", ""], "--report has an empty name"),
        (["--facts", ""], "--facts has an empty name"),
        (["--facts", RAY, "--output", ""], "--output has an empty name"),
        (["--resume", ""], "--resume has an empty name"),
        (["probe", "--pid", "-1"], "must be the number of a process, not -1"),
        (["probe", "--pid", "999999999"], "--pid: there is no process 999999999"),
        (["--probe", "--python", "/nonexistent"], "--python: /nonexistent is no program"),
        (
            ["capture", "x.tar.gz", "--yes", "--python", "/nonexistent"],
            "--python: /nonexistent is no program",
        ),
        (["probe", "--timeout", "soon"], "must be between 0.001 and 600 seconds, not soon"),
        (["probe", "--timeout", "nan"], "must be between 0.001 and 600 seconds, not nan"),
        (["collective", "--budget", "much"], "must be between 5 and 3600 seconds, not much"),
        (["collective", "--print"], "--print goes with --nodes HOSTFILE"),
    ],
)
def test_what_would_be_passed_over_is_refused(run, arguments, says):
    status, out, err = run(*arguments)
    assert (status, out) == (2, "")
    assert says in err and err.count("\n") == 1


def test_a_file_that_holds_nothing_to_read_is_named(run, tmp_path):
    (tmp_path / "empty.log").touch()
    (tmp_path / "core").write_bytes(b"\x7fELF\0\0\0" * 100)
    _, text, _ = run("--report", tmp_path / "empty.log", tmp_path / "core")
    flat = " ".join(text.split())
    assert "empty.log: the file is empty" in flat
    assert "core: this looks like a binary file" in flat
    _, text, _ = run("--report", STUCK)
    assert "binary" not in text and "the file is empty" not in text


def test_a_long_log_of_powershell_is_read_to_its_end(run, tmp_path):
    with open(STUCK, encoding="utf-8") as file:
        stuck = file.read()
    (tmp_path / "w.log").write_bytes(("nothing\n" * 100_000 + stuck).encode("utf-16"))
    status, text, _ = run("--report", tmp_path / "w.log")
    assert status == 1 and "pcie-acs-redirect" in text and "binary" not in text


def _closed(monkeypatch, folder):
    """As a user finds a folder of root's, also where root runs the tests."""
    scan = os.scandir

    def scandir(path="."):
        if os.fspath(path) == str(folder):
            raise PermissionError(13, "Permission denied", str(folder))
        return scan(path)

    listdir = os.listdir
    monkeypatch.setattr(os, "scandir", scandir)
    monkeypatch.setattr(
        os, "listdir", lambda path=".": list(scandir(path)) and listdir(path) if path else listdir(path)
    )


@pytest.mark.parametrize("option", ["--report", "--facts"])
def test_a_closed_folder_is_one_sentence(run, tmp_path, monkeypatch, option):
    _closed(monkeypatch, tmp_path)
    status, out, err = run(option, tmp_path)
    assert (status, out) == (2, "")
    assert err == f"gpudoctor: {tmp_path}: cannot be read: Permission denied\n"


def test_a_closed_folder_inside_is_told(run, tmp_path, monkeypatch):
    (tmp_path / "rank1").mkdir()
    (tmp_path / "rank0.log").write_text("nothing\n")
    _closed(monkeypatch, tmp_path / "rank1")
    status, text, _ = run("--report", tmp_path)
    assert status == 3
    assert "rank1: cannot be read: Permission denied" in " ".join(text.split())


@pytest.mark.parametrize(
    ("redirection", "status", "says"),
    [
        (">&-", 1, ""),
        (">/dev/full", 2, "gpudoctor: standard output: cannot be written: No space left on device\n"),
    ],
)
def test_a_standard_output_that_takes_nothing(redirection, status, says):
    script = f'"$0" -c "from gpudoctor.cli.main import entry; entry()" --facts "{RAY}" {redirection}'
    result = subprocess.run(
        ["bash", "-c", script, sys.executable], capture_output=True, text=True, check=False, timeout=60
    )
    assert (result.returncode, result.stderr) == (status, says)


def test_a_terminal_that_knows_few_characters(tmp_path):
    result = subprocess.run(
        [
            sys.executable,
            "-c",
            "from gpudoctor.cli.main import entry; entry()",
            "--facts",
            RAY,
            "--lang",
            "zh",
        ],
        capture_output=True,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
        check=False,
        timeout=60,
    )
    assert (result.returncode, result.stderr) == (1, b"")
    assert b"ray-rocm-visible-devices" in result.stdout


@pytest.mark.parametrize("options", [["--output"], ["--format", "json", "--output"], ["--save"]])
def test_names_that_are_not_utf8(run, tmp_path, options):
    log, target = (f"{tmp_path}/{name}\udce9" for name in ("log", "out"))
    with open(log, "w") as file:
        file.write(Path(STUCK).read_text())
    status, _, err = run("--report", log, "--output", tmp_path / "text", *options, target)
    assert (status, err) == (1, "")
    assert os.path.getsize(target) > 0
    if options == ["--save"]:
        assert run("--resume", target, "--no-ask", "--output", tmp_path / "text")[0] == 1


def test_a_device_is_not_replaced(run):
    status, out, err = run("--facts", RAY, "--output", "/dev/null")
    assert (status, out) == (2, "")
    assert err == "gpudoctor: /dev/null: cannot be written: it is no regular file\n"
    assert not os.path.isfile("/dev/null")

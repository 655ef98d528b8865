"""The help of every command, completion, the manual page and the schemas."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys

import pytest

from gpudoctor.cli.arguments import build_parser
from gpudoctor.cli.arguments.knowing import SCHEMAS
from gpudoctor.cli.main import main
from gpudoctor.cli.manual import MANUALS


def help_of(name, capsys):
    with pytest.raises(SystemExit) as left:
        main([*name.split(), "--help"])
    assert left.value.code == 0
    return capsys.readouterr().out


def test_every_command_has_a_manual(capsys):
    assert main(["nonsense"]) == 2
    listed = re.search(r"there are ([\w, ]+);", capsys.readouterr().err)[1]
    assert {name for name in MANUALS if " " not in name} == {"", *listed.split(", ")}


@pytest.mark.parametrize("name", MANUALS)
def test_the_help_has_a_sentence_two_examples_and_the_exit_status(name, capsys):
    text = help_of(name, capsys)
    manual = MANUALS[name]
    assert " ".join(manual.sentence.split()) in " ".join(text.split())
    assert len(manual.examples) == 2
    for example in manual.examples:
        assert example in text
    codes = re.findall(r"^  (\d) \S", text.split("exit status:")[1], re.MULTILINE)
    assert codes == sorted(codes) and {"0", "2", "4"} <= set(codes)


@pytest.mark.parametrize("example", [e for m in MANUALS.values() for e in m.examples])
def test_every_example_parses(example):
    words = shlex.split(re.split(r" [|>] ", example)[0])
    assert words[0] == "gpudoctor"
    parsed = build_parser(words[1:]).parse_args(words[1:])
    assert parsed.command == next((w for w in words[1:2] if not w.startswith("-")), None)


def test_the_schemas_are_json_schemas(capsys):
    import jsonschema

    assert main(["schema"]) == 0
    every = json.loads(capsys.readouterr().out)
    assert set(every) == set(SCHEMAS)
    for name, schema in every.items():
        jsonschema.Draft202012Validator.check_schema(schema)
        assert main(["schema", name]) == 0
        assert json.loads(capsys.readouterr().out) == schema


def test_the_manual_page_names_every_command_and_option(capsys):
    assert main(["man"]) == 0
    page = capsys.readouterr().out
    for name in filter(None, MANUALS):
        assert f".SS gpudoctor {name}" in page
        options = set(re.findall(r"^ +(?:-\w,? .*)?(--[a-z-]+)", help_of(name, capsys), re.MULTILINE))
        assert "--help" in options
        for option in options - {"--help"}:
            assert option.replace("-", "\\-") in page, (name, option)
    if shutil.which("groff"):
        ran = subprocess.run(
            ["groff", "-man", "-Tutf8", "-ww"], input=page, capture_output=True, text=True, check=True
        )
        assert ran.stderr == ""
        assert len(ran.stdout.splitlines()) > 200


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_for_a_shell(capsys, shell):
    pytest.importorskip("argcomplete")
    assert main(["completion", shell]) == 0
    assert "gpudoctor" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("gpudoctor expl", {"explain"}),
        ("gpudoctor audit --fail", {"--fail-on"}),
        ("gpudoctor explain pcie-acs-", {"pcie-acs-redirect"}),
        ("gpudoctor try nccl-p2p-dis", {"nccl-p2p-disable"}),
    ],
)
def test_completion_offers_commands_options_and_ids(tmp_path, line, wanted):
    pytest.importorskip("argcomplete")
    out = tmp_path / "out"
    environment = {
        **os.environ,
        "_ARGCOMPLETE": "1",
        "_ARGCOMPLETE_STDOUT_FILENAME": str(out),
        "_ARGCOMPLETE_IFS": "\n",
        "COMP_LINE": line,
        "COMP_POINT": str(len(line)),
        "COMP_TYPE": "9",
    }
    subprocess.run(
        [sys.executable, "-c", "from gpudoctor.cli.main import entry; entry()"],
        env=environment,
        check=False,
        timeout=60,
    )
    assert wanted <= {word.strip() for word in out.read_text().split("\n")}


def test_all_errors_of_a_facts_file_are_told_at_once(tmp_path, capsys):
    path = tmp_path / "f.yaml"
    path.write_text("gpu.vendr: amd\ngpu:\n  vendor: amd\ngpu.vendor: nvida\n")
    assert main(["--facts", str(path)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert [line.split(": ")[1] for line in err.splitlines()] == [f"{path}:{n}" for n in (1, 2, 4)]
    assert 'write "gpu.vendor: ..."' in err


@pytest.mark.parametrize("option", ["--version", "--help"])
def test_what_needs_no_knowledge_imports_no_engine(option):
    script = (
        "import sys\n"
        "from gpudoctor.cli.main import main\n"
        "try:\n"
        f"    main([{option!r}])\n"
        "except SystemExit:\n"
        "    pass\n"
        "rooms = ('gpudoctor.engine', 'gpudoctor.probes')\n"
        "print(*(name for name in sys.modules if name.startswith(rooms)), file=sys.stderr)\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout and done.stderr.strip() == ""

"""The help of every command, completion, the manual page and the schemas."""

from __future__ import annotations

import argparse
import json
import os
import re
import shlex
import shutil
import subprocess
import sys

import pytest

from gpudoctor.cli.arguments import SCHEMAS, build_parser
from gpudoctor.cli.main import main
from gpudoctor.cli.manual import MANUALS


def commands():
    (action,) = [a for a in build_parser()._actions if isinstance(a, argparse._SubParsersAction)]
    return action.choices


def test_every_command_has_a_manual():
    (tasks,) = [a for a in commands()["kb"]._actions if isinstance(a, argparse._SubParsersAction)]
    assert set(MANUALS) == {"", *commands(), *(f"kb {task}" for task in tasks.choices)}


@pytest.mark.parametrize("name", MANUALS)
def test_the_help_has_a_sentence_two_examples_and_the_exit_status(name, capsys):
    with pytest.raises(SystemExit) as left:
        main([*name.split(), "--help"])
    assert left.value.code == 0
    text = capsys.readouterr().out
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
    for name, command in commands().items():
        assert f".SS gpudoctor {name}" in page
        for action in command._actions:
            for option in action.option_strings[-1:]:
                assert option == "--help" or option.replace("-", "\\-") in page, (name, option)
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

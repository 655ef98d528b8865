"""No shape of a secret passes, whatever channel it comes by; what looks similar stays as it is."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time

import pytest

from gpudoctor.cli.chat.commands import report_of
from gpudoctor.cli.chat.conversation import Conversation
from gpudoctor.cli.chat.talk import Tools
from gpudoctor.cli.language import Language
from gpudoctor.cli.main import main
from gpudoctor.cli.render.report.markdown import markdown_report
from gpudoctor.cli.render.report.terminal import text_report
from gpudoctor.engine import EngineError, Session
from gpudoctor.engine.audit import Subject, audit
from gpudoctor.engine.facts import ANSWER, FILE, PROBE, REPORT, CannotTell, Fact, Origin
from gpudoctor.engine.facts.factsfile import read_any
from gpudoctor.engine.facts.nodefacts import SCHEMA, NodeFactsReader
from gpudoctor.engine.fleet import assemble, diagnose_fleet
from gpudoctor.engine.redaction import is_secret, redact, without_apart
from gpudoctor.engine.session.sessionfile import document_of
from gpudoctor.probes import capture
from gpudoctor.probes.childend import ChildEnd
from gpudoctor.probes.collective import ranks
from gpudoctor.probes.conversion import statements
from gpudoctor.probes.files import shown
from gpudoctor.probes.live import read_lines
from gpudoctor.probes.machine.kernellog import interesting
from gpudoctor.probes.report import Reader
from gpudoctor.probes.tools import read as read_tool
from gpudoctor.probes.tools import tools

from .furthershapes import ATTACKED
from .lastshapes import ATTACKED_TOO
from .printedshapes import PRINTED
from .secretshapes import HARMLESS, PLAIN, SHAPES, WORD

PLAIN_ONES = {text.format(*[PLAIN] * text.count("{}")) for text in (*ATTACKED, *ATTACKED_TOO, *PRINTED)}
CASES = [one for one in SHAPES if one[0] not in PLAIN_ONES]
"""What goes through every channel; plain words in the shapes of the second attack go through the function alone."""
ERROR = "RuntimeError: NCCL error: unhandled system error, {}"


def every_form(session):
    """Everything that is shown or kept of a session."""
    document = session.diagnosis().to_dict()
    return "\n".join(
        (
            json.dumps(document, ensure_ascii=False),
            markdown_report(document),
            text_report(document, 4000, Language("en")).plain(),
            json.dumps(document_of(session), ensure_ascii=False, default=str),
            repr(session.facts()),
            repr(session.error_lines()),
        )
    )


def said_as_statements(knowledge, texts):
    session = Session(knowledge)
    for text in texts:
        session.note(text)
        for kind in (PROBE, REPORT, FILE, ANSWER):
            session.add(Fact("kernel.cmdline", text, Origin(kind, text, text)))
        session.add(CannotTell("shm.size_bytes", text, Origin(PROBE, "x", text)))
        session.add(Fact("log.error_line", True, Origin(REPORT, text, text)))
    return every_form(session)


def in_lines(text):
    """What several lines make is at its place at the beginning of one."""
    return f"\n{text}" if "\n" in text else text


def as_report(knowledge, texts):
    session = Session(knowledge)
    reader = Reader(knowledge)
    for fact in reader.read(
        ["\n".join(ERROR.format(in_lines(text)) for text in texts).encode("utf-8", "replace")], "x.log"
    ):
        session.add(fact)
    return every_form(session)


def as_environment_in_a_report(knowledge, texts):
    lines = "\n".join(f"export NCCL_DEBUG_FILE='{in_lines(text)}'\nrank0: {in_lines(text)}" for text in texts)
    session = Session(knowledge)
    for fact in Reader(knowledge).read([lines.encode()], "x.log"):
        session.add(fact)
    return every_form(session)


def as_facts_file(knowledge, texts):
    type_of = knowledge.vocabulary.spec
    session = Session(knowledge)
    for text in texts:
        said = {"kernel.cmdline": text, "env.NCCL_DEBUG_FILE": text, "env.HF_TOKEN": WORD}
        found = read_any(json.dumps(said, ensure_ascii=False), "x.yaml", NodeFactsReader(type_of), type_of)
        for statement in found.statements:
            session.add(statement)
    return every_form(session)


def as_nodes(knowledge, texts):
    type_of = knowledge.vocabulary.spec
    reader = NodeFactsReader(type_of)
    captures = []
    for host, value in (*((f"n{i}", text) for i, text in enumerate(texts)), ("b", "ro quiet")):
        facts = [{"name": n, "value": value, "from": [{"kind": "probe", "where": value, "text": value}]}
                 for n in ("kernel.cmdline", "env.NCCL_DEBUG_FILE")]  # fmt: skip
        gaps = [{"fact": "shm.size_bytes", "reason": value}]
        node = {"schema": SCHEMA, "host": host, "boot_id": host, "taken": "", "facts": facts, "gaps": gaps}
        captures.append(reader.read(json.dumps(node), f"{host}.json"))
    fleet = assemble(captures, reader, type_of)
    found = diagnose_fleet(knowledge, fleet, (), (), "reference", [(text, False) for text in texts]).to_dict()
    return "\n".join(
        (
            json.dumps(found, ensure_ascii=False),
            markdown_report(found),
            text_report(found, 4000, Language("en")).plain(),
        )
    )


def as_tool_output(knowledge, text):
    tool = next(t for t in tools(False) if t.name == "nvidia-smi")
    text = in_lines(text)
    answer = ChildEnd(1, f"Failed to initialize NVML: {text}\n", text, 0.1, "done", text)
    said = [(tool.name, finding) for finding in read_tool(tool, answer)]
    return repr(list(statements(knowledge, said)))


def as_answer_of_a_node(knowledge, text):
    lines = [
        {"probe": "host", "state": "done", "seconds": 0.1, "detail": "",
         "findings": [["known", "kernel.cmdline", text, text, text], ["unknown", "shm.size_bytes", text, text],
                      ["known", "env.HF_TOKEN", WORD, "x", "x"]]},
    ]  # fmt: skip
    return repr(read_lines(knowledge, lines))


def as_capture(knowledge, text):
    content = [
        capture.cleaned("/proc/cmdline", text.encode()),
        capture.cleaned_json({"findings": [["known", "kernel.cmdline", text]], "stdout": text}),
    ]
    return b"\n".join(content).decode()


def as_kernel_log(knowledge, text):
    return interesting(f"[1.0] NVRM: {text}\n[2.0] Command line: {text}")


def as_collective_output(knowledge, text):
    return ranks.shown(text.encode())


def as_audit(knowledge, text):
    facts = (
        Fact("env.NCCL_DEBUG_FILE", text, Origin(FILE, f"{text}:1", text)),
        Fact("env.NCCL_P2P_LEVEL", text, Origin(FILE, f"{text}:1", text)),
        Fact("env.NCCL_DEBUG", text, Origin(FILE, f"{text}:1", text)),
    )
    return json.dumps(audit(knowledge, [Subject(text, facts, "docker", text)]).to_dict(), ensure_ascii=False)


def as_error(knowledge, text):
    return str(EngineError(f'gpu.count must be a whole number, not "{in_lines(text)}"', text))


def as_file_name(knowledge, text):
    return shown(text)


MANY = [said_as_statements, as_report, as_environment_in_a_report, as_facts_file, as_nodes]
"""Channels that take a list of texts: a session for each would take minutes."""
CHANNELS = [
    *MANY, as_tool_output, as_answer_of_a_node, as_capture, as_kernel_log, as_collective_output, as_audit, as_error,
    as_file_name,
]  # fmt: skip


def test_there_are_enough_of_them():
    assert len(set(SHAPES)) >= 600 and len(CHANNELS) >= 12 and len(HARMLESS) >= 100
    assert all(secret in text for text, secret in SHAPES)


@pytest.mark.parametrize(("text", "secret"), SHAPES)
def test_a_shape_is_hidden_and_hiding_twice_hides_no_more(text, secret):
    once = redact(text)
    assert secret not in once
    assert redact(once) == once


NEED_THE_LINE_ABOVE = ('"api_keys": ["a",', 'password = ("abc"', 'password: "abc')
"""Values that are told only with the line before them, which they do not end."""


def test_shapes_of_the_second_attack_read_line_by_line():
    shown = []
    for text in (*ATTACKED, *ATTACKED_TOO, *PRINTED):
        lines = without_apart(text.format(*[PLAIN] * text.count("{}")).encode()).decode().split("\n")
        if PLAIN in "\n".join(map(redact, lines)) and not text.startswith(NEED_THE_LINE_ABOVE):
            shown.append(text)
    assert shown == []


@pytest.mark.parametrize(
    "text",
    [
        "setenv HF_TOKEN correcthorse", "set -gx MY_TOKEN correcthorse", "setx OPENAI_API_KEY correcthorse",
        "ENV HF_TOKEN correcthorse",
        '(setenv "API_KEY" "correcthorse")', "- name: WANDB_API_KEY\n  value: correcthorse", "X-Api-Key: correcthorse",
        "curl -H 'X-Api-Key: correcthorse' h", "java -DapiKey=correcthorse x",
    ],
)  # fmt: skip
def test_a_variable_that_a_shell_sets_needs_no_digit_in_its_value(text):
    assert "correcthorse" not in redact(text)


@pytest.mark.parametrize("text", ["the token we use is %s", "The secret that you chose is '%s'"])
@pytest.mark.parametrize("word", [WORD, "3f9a1c77b2d84e55a9c0"])
def test_what_a_person_says_of_it(text, word):
    assert word not in redact(text % word)


@pytest.mark.parametrize(
    "text",
    [
        "sk-{}",
        "u: bob p: {}",
        "u=bob, p={}",
        "login bob / {}",
        "root/{} 登录",
        "admin/{}登陆机器",
    ],
)
@pytest.mark.parametrize("word", ["abcdEFGH12345", "1234567890abc"])
def test_a_short_secret_behind_little(text, word):
    assert word not in redact(text.format(word))


@pytest.mark.parametrize(
    "text",
    [
        "u: 12 p: 34",
        "login node1 / scratch2 is full",
        "sk-learn",
        "task-1234567890abc of the job",
        "root/dir1 未登录",
        "u=0, p=1",
        "U = 1024, p = 0.05",
        "u=0.5 p=0.001; u: 0.25, p: 0.95",
    ],
)
def test_what_is_like_it_and_is_none(text):
    assert redact(text) == text


@pytest.mark.parametrize("between", [":", "~", "=", "://", ":["])
@pytest.mark.parametrize("name", ["token", "api_keys", "auth", "password"])
def test_names_without_end_hide_the_secret_among_them(name, between):
    assert WORD not in redact(f"{(name + between) * 300}{WORD}")


@pytest.mark.parametrize(
    "text", ["API_KEYS={0}1,{1}", "PASSWORDS={0}1,{1}", "serve --api-keys {0}1,{1} --port 1"]
)
def test_a_list_goes_on_behind_a_long_secret(text):
    assert WORD not in redact(text.format("aB" * 75, WORD))


@pytest.mark.parametrize("text", ["wandb:\n  key: %s\n", "<password type='x' value='%s'/>"])
def test_a_long_secret_below_a_name_is_hidden_to_its_end(text):
    assert "qwe" not in redact(text % ("qwertasdfg" * 60))


@pytest.mark.parametrize("text", HARMLESS)
def test_what_is_no_secret_stays(text):
    assert redact(text) == text


@pytest.mark.parametrize("channel", CHANNELS)
def test_nothing_passes_by_a_channel(knowledge, channel):
    leaked = []
    step = 20 if channel in MANY else 1
    for at in range(0, len(CASES), step):
        some = CASES[at : at + step]
        said = channel(knowledge, [text for text, _ in some]) if step > 1 else channel(knowledge, some[0][0])
        leaked += [text for text, secret in some if secret in said or WORD in said]
    assert leaked == []


@pytest.mark.parametrize(
    "name", ["HF_TOKEN", "VLLM_API_KEY", "GITHUB_PAT", "SGL_PW", "DATABASE_DSN", "http_password"]
)
def test_a_variable_with_such_a_name_tells_only_that_it_is_set(knowledge, name):
    assert is_secret(name)
    session = Session(knowledge)
    session.add(Fact(f"env.{name}", "a b", Origin(FILE, "x")))
    assert session.value(f"env.{name}") == "[hidden]"
    other = Session(knowledge)
    other.tell(f"env.{name}", "set")
    assert other.value(f"env.{name}") == "set"


def test_an_answer_in_the_conversation(knowledge):
    session = Session(knowledge)
    chat = Conversation(session, Language("en"), Tools(), lambda: 4000)
    chat.open([])
    screens = [
        chat.reply(said).plain()
        for said in (
            "/change env.HF_TOKEN Zq7pLaNtEdX9w",
            "/change kernel.cmdline password=Zq7pLaNtEdX9w ro",
            "/facts",
            "/report",
            "/whatif env.HTTPS_PROXY http://u:Zq7pLaNtEdX9w@h",
            "/explain --api-key=Zq7pLaNtEdX9w",
            "it hangs with HF_TOKEN=Zq7pLaNtEdX9w",
        )
    ]
    assert WORD not in "\n".join([*screens, report_of(chat), every_form(session)])


def test_the_environment_of_a_process_is_kept_by_a_list(tmp_path):
    env = {"PATH": os.environ["PATH"], "GH_PAT": WORD, "DATABASE_DSN": "me/Zq7pLaNtEdX9w@db",
           "MY_OWN": WORD, "NCCL_DEBUG": "INFO", "HF_TOKEN": WORD}  # fmt: skip
    with subprocess.Popen(["sleep", "60"], env=env) as job:
        try:
            time.sleep(0.2)
            entries = capture.gather(pid=job.pid)
        finally:
            job.kill()
    everything = b"\n".join(entry.content for entry in entries)
    assert b"Zq7pLaNtEdX9w" not in everything and b"MY_OWN" not in everything
    assert b"NCCL_DEBUG=INFO" in everything


def test_command_lines_and_names_of_files_in_errors(tmp_path, capsys):
    for argv in (
        ["--facts", str(tmp_path / "token=Zq7pLaNtEdX9w.yaml")],
        ["--report", str(tmp_path / "http_proxy=u:Zq7pLaNtEdX9w@h:3128")],
        ["--resume=x", "--api-key=Zq7pLaNtEdX9w"],
        ["--resume", str(tmp_path / "password=Zq7pLaNtEdX9w")],
        ["explain", "api_key=Zq7pLaNtEdX9w"],
        ["audit", str(tmp_path / "HF_TOKEN=Zq7pLaNtEdX9w")],
        ["capture", str(tmp_path / "none" / "HF_TOKEN=Zq7pLaNtEdX9w"), "--yes"],
    ):
        main(argv)
        said = capsys.readouterr()
        assert WORD not in said.out + said.err, argv


def test_the_interpreter_that_redacts_needs_no_more_than_the_standard_library():
    code = "import sys, gpudoctor.engine.redaction as r; print(r.redact('password=Zq7pLaNtEdX9w'))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "password=[hidden]\n"


def test_an_entry_below_a_section_whose_first_entry_is_told():
    assert (
        redact("[credentials]\nuser = me\nhash = Zq7pLaNtEdX9w")
        == "[credentials]\nuser = me\nhash = [hidden]"
    )


NESTED = (
    "{'wandb': {'key': '%s'}}", '{"wandb": {"project": "x", "key": "%s"}}', "wandb:\n  key: %s\n",
    "wandb:\n  project: x\n  key: %s\n", "logging:\n  wandb:\n    key: %s\n", "[wandb]\nproject = x\nkey = %s\n",
    "huggingface:\n  token: %s\n", "<Token value='%s'>", '<add name="x"/><ApiKey value="%s"/>',
    "tools:\n- openai:\n    key: %s\n",
    "logger: {wandb: {key: %s}}", "logger:\n  wandb: {key: %s}\n", "logger: {wandb: {name: x, key: %s}}",
    '{\n  "wandb": {\n    "entity": "me",\n    "key": "%s"\n  }\n}', "wandb:\n\n  key: %s\n",
    "wandb: # ours\n  key: %s\n", "wandb: &w\n  key: %s\n", "[tools.wandb]\n\nkey = %s\n", "wandb:\n- key: %s\n",
    "wandb:\n  key: hunter2hunter2\n  auth: %s\n", "[wandb]\nkey = hunter2hunter2\nauth = %s\n",
    "{wandb: {key: hunter2hunter2, auth: %s}}",
)  # fmt: skip


@pytest.mark.parametrize("text", NESTED)
@pytest.mark.parametrize("word", [WORD, "correcthorse"])
def test_a_key_below_the_name_of_what_it_opens(text, word):
    assert word not in redact(text % word)
    assert word not in "\n".join(map(redact, without_apart((text % word).encode()).decode().split("\n")))


@pytest.mark.parametrize(
    "text",
    [
        "cache: {key: layers}",
        "model:\n  key: value1\n",
        "<input value='start'>",
        "wandb:\n  key: ${WANDB}\nx:\n  key: abc1\n",
        "wandb:\n  project: x\nmodel:\n  key: value1\n",
        "[wandb]\nproject = x\n[model]\nkey = value1\n",
        '{\n  "wandb": {\n    "a": 1\n  },\n  "key": "value1"\n}',
    ],
)
def test_other_keys_are_shown(text):
    assert redact(text) == text

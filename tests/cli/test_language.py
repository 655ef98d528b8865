"""Messages in Chinese: all there, with their placeholders, and none that nobody says any more."""

from __future__ import annotations

import ast
import re

import polib
import pytest

from gpudoctor.cli.chat.commands import COMMANDS
from gpudoctor.cli.content.complaints import COMPLAINTS
from gpudoctor.cli.language import Language, preferred
from gpudoctor.cli.render.report.terminal import text_report
from gpudoctor.engine import Session
from gpudoctor.engine.model import NEEDS

from ..conftest import ROOT

MESSAGES = ROOT / "cli" / "locale" / "zh" / "messages.po"
_FIELD = re.compile(r"\{(\w+)\}")


def spoken():
    """Every message that the program hands to ``say`` as it stands."""
    found = set()
    for path in (ROOT / "cli").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            name = getattr(
                getattr(node, "func", None), "attr", getattr(getattr(node, "func", None), "id", "")
            )
            if (
                isinstance(node, ast.Call)
                and name == "say"
                and node.args
                and isinstance(node.args[0], ast.Constant)
            ):
                found.add(node.args[0].value)
    return found | set(COMMANDS.values()) | {complaint.title for complaint in COMPLAINTS}


def test_every_message_has_a_translation():
    translated = {entry.msgid for entry in polib.pofile(str(MESSAGES)) if entry.msgstr}
    assert spoken() - translated == set()


def test_every_translation_is_of_something_in_the_source():
    source = "".join(path.read_text() for path in (ROOT / "cli").rglob("*.py"))
    source = (
        re.sub(r'"\s*\n\s*"', "", source)
        + "confirmed likely possible ruled out fix workaround"
        + " ".join(NEEDS)
    )
    for entry in polib.pofile(str(MESSAGES)):
        last = entry.msgid.split()[-1]
        assert entry.msgid in source or entry.msgid.removesuffix(" sign") in ("weak", "strong", "decisive"), (
            last
        )


def test_placeholders_survive():
    for entry in polib.pofile(str(MESSAGES)):
        assert sorted(_FIELD.findall(entry.msgid)) == sorted(_FIELD.findall(entry.msgstr)), entry.msgid


@pytest.mark.parametrize(
    ("environment", "code"),
    [
        ({}, "en"),
        ({"LANG": "zh_CN.UTF-8"}, "zh"),
        ({"LANG": "zh_CN.UTF-8", "LC_ALL": "C"}, "en"),
        ({"LC_MESSAGES": "zh_TW", "LANG": "en_US.UTF-8"}, "zh"),
    ],
)
def test_the_locale_decides(environment, code):
    assert preferred(environment) == code


def test_a_report_in_chinese_says_the_same(knowledge):
    session = Session(knowledge)
    session.tell("symptom.hang-at-first-collective", True)
    session.tell("gpu.vendor", "nvidia")
    document = session.diagnosis().to_dict()
    chinese = text_report(document, 80, Language("zh")).plain()
    assert "怎么办" in chinese or "可能" in chinese
    for incident in document["incidents"]:
        assert incident["id"] in chinese


def test_what_has_no_translation_stays_english():
    assert Language("zh").say("no such message at all") == "no such message at all"
    assert Language("zh").say("written to {file}", file="a.md").endswith("a.md")

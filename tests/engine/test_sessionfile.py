"""A session on disk."""

from __future__ import annotations

import os

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpudoctor.engine import CannotTell, EngineError, Fact, Origin, Session
from gpudoctor.engine.session.sessionfile import load, save

# What reports and probes give: their texts were cleaned before.
_SHOWN = st.text(st.characters(exclude_categories=["Cc", "Cf", "Cs"]), max_size=60)


def said(session):
    return session.diagnosis().to_dict()


def test_it_comes_back_as_it_was(knowledge, tmp_path):
    session = Session(knowledge)
    session.add(Fact("gpu.vendor", "amd", Origin("probe", "pci: /sys", "0x1002")))
    session.add(Fact("gpu.vendor", "nvidia", Origin("report", "a.log:3", "CUDA error 1: x")))
    session.add(Fact("rocm.version", "6.10", Origin("report", "a.log:4", "ROCm: 6.10")))
    session.add(Fact("symptom.hang-mid-run", True, Origin("report", "a.log:5", "it hangs", "read")))
    session.add(CannotTell("pcie.acs_redirect", "needs root", Origin("probe", "acs")))
    session.add(Fact("log.error_line", True, Origin("report", "a.log:9", 'odd: "error" 中文')))
    session.tell("symptom.hang-at-init", "yes")
    session.note("a.log: only half was read", partial=True)
    path = tmp_path / "s.yaml"
    save(session, path, {"tried": ["disable-p2p"]})
    again = load(knowledge, path)
    assert said(again.session) == said(session)
    assert again.session.statements() == session.statements()
    assert again.extra == {"tried": ["disable-p2p"]}
    assert again.before["verdict"] == said(session)["verdict"]
    assert again.dropped == []
    assert os.listdir(tmp_path) == ["s.yaml"]


@settings(max_examples=15)
@given(where=_SHOWN, text=_SHOWN)
def test_any_text_survives(knowledge, tmp_path_factory, where, text):
    session = Session(knowledge)
    session.add(Fact("gpu.model", "H100", Origin("report", where, text)))
    path = tmp_path_factory.mktemp("s") / "s.yaml"
    save(session, path)
    assert load(knowledge, path).session.statements() == session.statements()


def test_a_fact_that_no_longer_exists_is_named_and_the_rest_kept(knowledge, tmp_path):
    path = tmp_path / "old.yaml"
    path.write_text(
        "schema: gpudoctor/session/1\nstatements:\n"
        "- {fact: gpu.vendor, value: amd, by: answer}\n- {fact: gpu.smell, value: burnt, by: answer}\n"
    )
    again = load(knowledge, path)
    assert again.session.value("gpu.vendor") == "amd"
    assert again.dropped[0].startswith(f"{path}:4: ")


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("gpu.vendor: amd\n", 1),
        ("schema: gpudoctor/session/1\nstatements: none\n", 2),
        ("schema: gpudoctor/session/1\nstatements:\n- {value: amd}\n", 3),
        ("schema: gpudoctor/session/1\nstatements:\n- {fact: gpu.vendor}\n", 3),
        ("schema: gpudoctor/session/1\nstatements:\n- {fact: gpu.vendor, value: amd, by: rumour}\n", 3),
        ("schema: [\n", 2),
    ],
)
def test_what_is_no_session_is_refused_with_its_place(knowledge, tmp_path, text, line):
    path = tmp_path / "s.yaml"
    path.write_text(text)
    with pytest.raises(EngineError) as error:
        load(knowledge, path)
    assert str(error.value).startswith(f"{path}:{line}: ")


def test_a_failed_save_leaves_the_old_file(knowledge, tmp_path):
    with pytest.raises(EngineError, match="cannot be written"):
        save(Session(knowledge), tmp_path / "missing" / "s.yaml")
    path = tmp_path / "s.yaml"
    path.write_text("old")
    with pytest.raises(Exception, match="represent"):
        save(Session(knowledge), path, {"odd": object()})
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["s.yaml"]


@pytest.mark.parametrize(
    "entries",
    [
        "error_lines: [a]",
        "error_lines: {a: b}",
        "notes: a",
        "statements:\n- {fact: [a], value: 1}",
        "statements:\n- {fact: gpu.vendor, value: amd, where: [x]}",
        "statements:\n- {fact: gpu.vendor, cannot_tell: {a: b}}",
    ],
)
def test_a_wrong_shape_is_refused_in_one_sentence(knowledge, tmp_path, entries):
    path = tmp_path / "s.yaml"
    path.write_text(f"schema: gpudoctor/session/1\n{entries}\n")
    with pytest.raises(EngineError, match=r"s\.yaml:[23]: "):
        load(knowledge, path)


def test_escapes_that_yaml_writes_in_letters_do_not_come_in(knowledge, tmp_path):
    path = tmp_path / "s.yaml"
    path.write_text(
        'schema: gpudoctor/session/1\nnotes: ["\\e[2Jn"]\nstatements:\n'
        '- {fact: gpu.model, value: "\\e[31mH200", where: "\\u009b2J", text: "\\u202eabc"}\n'
    )
    session = load(knowledge, path).session
    (fact,) = [fact for fact in session.facts() if fact.name == "gpu.model"]
    assert (fact.value, *fact.origins[0][1:3], session.notes) == ("[31mH200", "2J", "abc", ["[2Jn"])

"""Single signs in a report: what they mean and what to do first, with the ranks and tools that they name."""

import pytest

from gpudoctor.cli.render.report.markdown import markdown_report
from gpudoctor.cli.render.report.terminal import brief_report, text_report
from gpudoctor.engine import Session
from gpudoctor.probes.report import Reader


def diagnosis(knowledge, report="", **facts):
    session = Session(knowledge)
    for name, value in facts.items():
        session.tell(name.replace("__", "."), value)
    for fact in Reader(knowledge).read([report.encode()], "report"):
        session.add(fact)
    document = session.diagnosis().to_dict()
    session.close()
    return document


def meant(document):
    return {one["fact"]: one for one in document["meanings"]}


def flat(screen):
    return " ".join(screen.plain().split())


def numbers(knowledge):
    named = [name for name in knowledge.vocabulary.names if name.split(".")[0] in ("xid", "sxid")]
    return [name for name in named if name.split(".")[1].isdigit()]


def test_every_number_with_a_page_has_a_meaning_and_an_action(knowledge):
    listed = numbers(knowledge)
    assert len(listed) > 100
    specs = [knowledge.vocabulary.spec(name) for name in listed]
    assert [spec.name for spec in specs if not spec.meaning or not spec.first] == []


def test_a_generic_line_of_any_number_leads_to_both(knowledge):
    bare = []
    for name in numbers(knowledge):
        word, _, number = name.partition(".")
        line = (
            f"NVRM: Xid (PCI:0000:3b:00): {number}, pid=1, name=python"
            if word == "xid"
            else f"nvidia-nvswitch0: SXid (PCI:0000:c1:00.0): {number}, Non-fatal, Link 3"
        )
        document = diagnosis(knowledge, line)
        silent = document["verdict"] == "no known incident" and not knowledge.vocabulary.spec(name).harmless
        if not meant(document).get(name, {}).get("first") or silent:
            bare.append(name)
    assert bare == []


def test_a_number_without_a_page_says_where_to_look(knowledge):
    told = meant(diagnosis(knowledge, "NVRM: Xid (PCI:0000:3b:00): 999, whatever"))
    assert "catalogue" in told["xid.999"]["meaning"]


def test_what_the_driver_asks_for_comes_first(knowledge):
    report = (
        "NVRM: Xid (PCI:0000:3b:00): 109, pid=1, name=python, CTX SWITCH TIMEOUT\n"
        "NVRM: Xid (PCI:0000:3b:00): 154, GPU recovery action changed from 0x0 (None) to 0x2 (Node Reboot Required)"
    )
    document = diagnosis(knowledge, report)
    assert [one["fact"] for one in document["meanings"]] == ["gpu.recovery_action", "xid.109", "xid.154"]
    shown = flat(brief_report(document, 100))
    assert "wants done with a GPU: node_reboot" in shown
    assert "before the general advice" in shown


@pytest.mark.parametrize(
    ("fact", "value"),
    [
        ("log.late_ranks", "5"),
        ("log.missing_dumps", "3,4"),
        ("log.unfinished_ranks", "2"),
        ("ras.behind_ranks", "7"),
        ("ras.missing_ranks", "6"),
        ("ras.dead_process", "node3 pid 77"),
        ("probe.hung", "nvidia-smi"),
    ],
)
def test_ranks_and_tools_are_named_in_every_form(knowledge, fact, value):
    document = diagnosis(knowledge, **{fact.replace(".", "__"): value})
    title = knowledge.vocabulary.spec(fact).title
    assert f"{title}: {value}" in flat(brief_report(document, 100))
    full = flat(text_report(document, 100))
    assert f"{title}: {value}" in full
    assert "First:" in full
    assert title in markdown_report(document)
    assert document["verdict"] == "insufficient evidence"


def test_they_are_named_beside_an_incident_that_leads(knowledge):
    document = diagnosis(
        knowledge,
        "NVRM: Xid (PCI:0000:3b:00): 79, pid=1, GPU has fallen off the bus.",
        log__late_ranks="5",
    )
    assert document["verdict"] == "diagnosed"
    shown = flat(brief_report(document, 100))
    assert "Ranks that did not join the last collective: 5" in shown
    assert "fallen off the bus" not in shown.split("What the signs mean")[1][:200]


def test_what_is_known_to_be_false_means_nothing(knowledge):
    assert diagnosis(knowledge, probe__hung_in_kernel=False)["meanings"] == []


def test_settings_are_no_signs(knowledge):
    assert diagnosis(knowledge, env__HSA_ENABLE_IPC_MODE_LEGACY="0")["meanings"] == []

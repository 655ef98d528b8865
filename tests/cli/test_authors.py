import datetime
from types import SimpleNamespace

import pytest

from gpudoctor.cli.main import main

TODAY = datetime.date.today().isoformat()


def test_the_linter_counts_the_pages_that_wait_for_a_second_reader(monkeypatch, capsys):
    from gpudoctor.cli.commands import kb
    from gpudoctor.engine.knowledge.lint import Examined
    from gpudoctor.engine.model import Incident, Remedy

    records = SimpleNamespace(
        incidents={"a": Incident("a", "A", "p2p", ("nvidia",), "stated")},
        remedies={
            "b": Remedy("b", "B", "fix", "none", path="remedies/p2p/b.md"),
            "fix-c": Remedy("fix-c", "C", "fix", "none", path="known-issues/nccl/c.md"),
            "d": Remedy("d", "D", "fix", "none", path="remedies/p2p/d.md", checked=TODAY),
        },
    )
    monkeypatch.setattr(kb, "examine", lambda folder: Examined([], records))
    assert main(["kb", "lint"]) == 0
    assert capsys.readouterr().out.splitlines()[1].startswith("2 pages to read against their sources again")


def test_pages_never_checked_or_not_for_a_year_are_named():
    from gpudoctor.cli.authoring.ledger import unchecked
    from gpudoctor.engine.model import INCIDENT, KNOWN_ISSUE, Incident, Remedy

    class Base:
        fault_ids = ("fresh", "old")
        issue_ids = frozenset({"forgotten"})
        remedy_ids = ("mine", "fix-forgotten")

        def incident(self, name):
            day = {"fresh": TODAY, "old": "2020-02-29", "forgotten": "2021-01-01"}[name]
            kind = KNOWN_ISSUE if name == "forgotten" else INCIDENT
            return Incident(name, name, "p2p", ("nvidia",), "stated", checked=day, kind=kind)

        def remedy(self, name):
            folder = "remedies" if name == "mine" else "known-issues"
            return Remedy(name, name, "fix", "none", path=f"{folder}/{name}.md")

    assert unchecked(Base()) == [
        "incident old: sources last read on 2020-02-29",
        "known issue forgotten: sources last read on 2021-01-01",
        "remedy mine: sources never checked by a second reader",
    ]


@pytest.mark.parametrize(
    ("kind", "name"), [("incident", "my-fault"), ("remedy", "my-cure"), ("fact", "symptom.my-sign")]
)
def test_a_skeleton_is_valid_in_form(tmp_path, capsys, kind, name):
    if kind == "remedy":
        assert main(["kb", "new", "incident", "my-own", "--dir", str(tmp_path)]) == 0
    assert main(["kb", "new", kind, name, "--dir", str(tmp_path)]) == 0
    if kind == "remedy":
        path = tmp_path / "incidents" / "framework" / "my-own.md"
        path.write_text(path.read_text().replace("[nccl-debug-log]", f"[{name}]"))
    capsys.readouterr()
    assert main(["kb", "lint", str(tmp_path)]) == 0, capsys.readouterr().out


def test_nothing_is_overwritten_and_ids_are_checked(tmp_path, capsys):
    assert main(["kb", "new", "incident", "mine", "--dir", str(tmp_path)]) == 0
    assert main(["kb", "new", "incident", "mine", "--dir", str(tmp_path)]) == 2
    assert "is there already" in capsys.readouterr().err
    assert main(["kb", "new", "incident", "../Mine", "--dir", str(tmp_path)]) == 2
    assert main(["kb", "new", "fact", "nodots", "--dir", str(tmp_path)]) == 2
    assert main(["kb", "new", "incident", "other", "--family", "weather", "--dir", str(tmp_path)]) == 2
    assert '"weather" is none of' in capsys.readouterr().err


def test_entries_lie_in_the_folder_of_their_family(tmp_path):
    assert main(["kb", "new", "incident", "mine", "--family", "network", "--dir", str(tmp_path)]) == 0
    assert "family: network" in (tmp_path / "incidents" / "network" / "mine.md").read_text()
    assert main(["kb", "new", "fact", "symptom.mine", "--dir", str(tmp_path)]) == 0
    assert (tmp_path / "facts" / "symptom" / "symptom.mine.md").is_file()


@pytest.mark.parametrize("kind", ["incidents", "known-issues", "products", "remedies", "facts"])
def test_list(capsys, kind):
    assert main(["kb", "list", kind]) == 0
    assert len(capsys.readouterr().out.splitlines()) > 5


def test_cases_of_an_overlay_run_and_a_wrong_one_is_named(tmp_path, capsys):
    assert main(["kb", "new", "incident", "mine", "--dir", str(tmp_path)]) == 0
    (tmp_path / "cases").mkdir()
    (tmp_path / "cases" / "mine.yaml").write_text(
        "incident: mine\nthin:\n  - facts: {symptom.hang-at-init: true}\n"
        "match:\n  - name: never\n    facts: {gpu.vendor: amd}\n"
    )
    capsys.readouterr()
    assert main(["kb", "test", str(tmp_path)]) == 2
    out = capsys.readouterr().out
    assert "match 'never': nothing comes first" in out
    assert "2 cases, 1 not as expected" in out


def test_gaps_are_listed(capsys, monkeypatch):
    from ..conftest import ROOT

    monkeypatch.chdir(ROOT)
    assert main(["kb", "list", "--gaps"]) == 0
    assert "incident " in capsys.readouterr().out


def test_look_alikes_without_a_case_or_a_link_are_gaps(capsys, monkeypatch, tmp_path):
    from gpudoctor.cli.authoring.gaps import gaps
    from gpudoctor.engine import Knowledge

    from ..conftest import ROOT

    monkeypatch.chdir(ROOT)
    assert not [g for g in gaps(Knowledge.load()) if "no case separates" in g]
    (tmp_path / "tests" / "cases").mkdir(parents=True)
    (tmp_path / "tests" / "cases" / "p2p-path-broken.yaml").write_text(
        "incident: p2p-path-broken\n"
        "lookalike:\n  - instead: driver-p2p-bug\n    facts: {gpu.vendor: nvidia}\n"
    )
    monkeypatch.chdir(tmp_path)
    found = gaps(Knowledge.load())
    assert "incidents iommu-translation-breaks-p2p and pcie-acs-redirect: no case separates them" in found
    assert "incidents driver-p2p-bug and p2p-path-broken: no case separates them" not in found
    assert "incident p2p-path-broken: no match, thin case" in found


def test_an_overlay_may_be_named_by_the_option_of_all_commands(tmp_path, capsys):
    assert main(["kb", "new", "incident", "My Fault"]) == 2
    assert "no id for an incident" in capsys.readouterr().err
    for task in ("lint", "test"):
        assert main(["kb", task, "--kb", str(tmp_path)]) == 2
        out, err = capsys.readouterr()
        assert "this is no knowledge base" in out + err


def test_cases_that_are_not_there_are_no_success(tmp_path, capsys):
    (tmp_path / "one.yaml").write_text("incident: pcie-acs-redirect\nthin:\n  - report: hello\n")
    assert main(["kb", "test", "--cases", str(tmp_path)]) == 0
    assert capsys.readouterr().out == "1 case, 0 not as expected\n"
    assert main(["kb", "test", "--cases", str(tmp_path), "--only", "nonsense"]) == 2
    assert "there is no case of nonsense" in capsys.readouterr().err


def test_a_skeleton_of_a_known_issue_is_refused_until_it_is_filled_in(tmp_path, capsys):
    assert main(["kb", "new", "product", "my_router", "--dir", str(tmp_path)]) == 0
    assert (
        main(
            ["kb", "new", "known-issue", "my-router-stalls", "--product", "my_router", "--dir", str(tmp_path)]
        )
        == 0
    )
    path = tmp_path / "known-issues" / "my_router" / "my-router-stalls.md"
    capsys.readouterr()
    assert main(["kb", "lint", str(tmp_path)]) == 2
    assert "a skeleton that nobody has filled in" in capsys.readouterr().out
    text = path.read_text().replace("One sentence that a person would recognize", "The router stalls")
    path.write_text(text.replace("the-thread-that-you-read", "42"))
    assert main(["kb", "lint", str(tmp_path)]) == 0, capsys.readouterr().out


def test_the_product_of_a_known_issue_is_what_its_id_begins_with(tmp_path, capsys):
    for name, folder in (("nccl-mine", "nccl"), ("aws-ofi-nccl-mine", "aws_ofi_nccl")):
        assert main(["kb", "new", "known-issue", name, "--dir", str(tmp_path)]) == 0
        assert capsys.readouterr().out.strip() == str(tmp_path / "known-issues" / folder / f"{name}.md")

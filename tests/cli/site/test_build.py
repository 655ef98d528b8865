"""The build: what it writes, what it refuses, and that what it shows is what runs."""

import html
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from gpudoctor.cli.content.addresses import page_folder
from gpudoctor.cli.content.entries import describe, rules_of
from gpudoctor.cli.main import main
from gpudoctor.cli.site.build import Site
from gpudoctor.cli.site.catalogue import Catalogue
from gpudoctor.cli.site.links import broken, outline
from gpudoctor.cli.site.pages import Pages
from gpudoctor.cli.site.prose import ProseError
from gpudoctor.cli.site.templating import environment
from gpudoctor.cli.site.translations import PageWording
from gpudoctor.engine import FactError, Knowledge
from gpudoctor.engine.model import Evidence
from gpudoctor.engine.rules.conditions import from_json, words
from gpudoctor.engine.rules.program import compile_program

from ...conftest import ROOT
from .conftest import URL


def test_every_entry_has_its_page(site, knowledge):
    assert len(knowledge.fault_ids) > 200 and len(knowledge.issue_ids) > 200
    for name in knowledge.fault_ids:
        assert (site / "incidents" / name / "index.html").is_file()
    for kind, names in (("known-issues", knowledge.issue_ids), ("products", knowledge.product_ids)):
        for name in names:
            assert (site / kind / name / "index.html").is_file()
    for remedy in map(knowledge.remedy, knowledge.remedy_ids):
        folder = "known-issues" if remedy.path.startswith("known-issues/") else "remedies"
        assert (site / folder / Path(remedy.path).stem / "index.html").is_file()
    for spec in knowledge.facts():
        if spec.path.startswith("facts/"):
            assert (site / "facts" / Path(spec.path).stem / "index.html").is_file()


def shown_rules(site, incident):
    text = (site / page_folder(incident.kind, incident.id) / "index.html").read_text(encoding="utf-8")
    for item in re.findall(r'<li data-rule="([^"]*)">(.*?)</li>', text, re.DOTALL):
        slot, weight, condition = json.loads(html.unescape(item[0]))
        yield slot, weight, from_json(condition), html.unescape(re.sub(r"<[^>]+>", "", item[1]))


def test_every_rule_that_is_shown_is_the_rule_that_runs(site, knowledge):
    """Incidents rebuilt from nothing but their pages compile to the program that the engine runs."""
    rebuilt = []
    for name in knowledge.incident_ids:
        slots = {"requires": [], "confirms": [], "suggests": [], "excludes": []}
        incident = knowledge.incident(name)
        for slot, weight, condition, _ in shown_rules(site, incident):
            slots[slot].append(Evidence(weight, condition) if weight else condition)
        rebuilt.append(incident._replace(**{slot: tuple(found) for slot, found in slots.items()}))
    sign = lambda fact: knowledge.vocabulary.spec(fact).sign  # noqa: E731
    program = compile_program(knowledge.facts(), rebuilt, sign)
    assert program.to_json() == knowledge.program.to_json()


def test_every_rule_is_said_in_the_words_of_the_engine(site, knowledge):
    for name in knowledge.incident_ids:
        incident = knowledge.incident(name)
        shown = [(slot, text) for slot, _, _, text in shown_rules(site, incident)]
        for slot, _, condition, text in shown_rules(site, incident):
            assert text.endswith(f": {words(condition)}"), (name, slot)
        assert sorted(shown) == sorted((r.slot, r.sentence) for r in rules_of(incident))


def test_no_page_asks_for_anything_outside(site):
    for page in site.rglob("*.html"):
        text = page.read_text(encoding="utf-8").replace(f'<link rel="canonical" href="{URL}/', "")
        if page.name == "404.html":  # shown at any address, so it names its own whole
            text = text.replace(f'="{URL}/', '="')
        assert not re.findall(r'<(?:script|link|img|iframe)[^>]+(?:src|href)="(?:https?:)?//', text), page


def test_the_machine_index_names_pages_that_exist(site, knowledge):
    index = json.loads((site / "index.json").read_text(encoding="utf-8"))
    assert [i["id"] for i in index["incidents"]] == knowledge.fault_ids
    assert {i["id"] for i in index["known_issues"]} == knowledge.issue_ids
    for kind in ("incidents", "known_issues", "products", "remedies", "facts"):
        for entry in index[kind]:
            assert (site / entry["page"].removeprefix(f"{URL}/")).is_file()


def test_with_an_address_there_are_a_sitemap_and_whole_addresses(site):
    assert f"<loc>{URL}/incidents/shm-too-small/index.html</loc>" in (site / "sitemap.xml").read_text()
    assert f'href="{URL}/assets/site.css"' in (site / "404.html").read_text()
    page = (site / "incidents" / "shm-too-small" / "index.html").read_text()
    assert f'<link rel="canonical" href="{URL}/incidents/shm-too-small/index.html">' in page


def test_a_second_build_changes_nothing_and_removes_what_is_gone(site):
    before = {p: p.stat().st_mtime_ns for p in site.rglob("*") if p.is_file()}
    (site / "incidents" / "gone").mkdir()
    (site / "incidents" / "gone" / "index.html").write_text("old")
    assert main(["site", str(site), "--site-url", URL, "--jobs", "1"]) == 0
    assert {p: p.stat().st_mtime_ns for p in site.rglob("*") if p.is_file()} == before
    assert not (site / "incidents" / "gone").exists()


def test_a_folder_with_other_things_is_refused(tmp_path, capsys):
    (tmp_path / "thesis.tex").write_text("years of work")
    assert main(["site", str(tmp_path)]) == 2
    assert "is not empty" in capsys.readouterr().err
    assert (tmp_path / "thesis.tex").read_text() == "years of work"


def changed(small_kb, old, new):
    text = (ROOT / "kb" / "incidents" / "network" / "roce-gid-index.md").read_text(encoding="utf-8")
    assert old in text
    return Knowledge.load(small_kb({"incidents/network/roce-gid-index.md": text.replace(old, new)}))


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("(rails-not-connected.md)", "(rails-not-konnected.md)", "no incidents/rails-not-konnected.md"),
        ("(rails-not-connected.md)", "(../../secrets.txt)", "leads out of the knowledge base"),
        ("[^nccl-902]", "[^nccl-9020]", "no source is called nccl-9020"),
    ],
)
def test_a_page_whose_links_or_citations_lead_nowhere_is_not_made(small_kb, old, new, said):
    """The linter refuses this as well; the site must not depend on it."""
    with pytest.raises(ProseError, match=said):
        Pages(Catalogue(changed(small_kb, old, new))).incident("roce-gid-index")


def test_the_day_on_which_the_sources_were_read_is_shown(tmp_path, small_kb, monkeypatch):
    text = (ROOT / "kb" / "incidents" / "network" / "roce-gid-index.md").read_text(encoding="utf-8")
    text = re.sub(r"^checked: .*\n", "", text, flags=re.MULTILINE).replace(
        "\nid:", "\nchecked: 2026-11-20\nid:", 1
    )
    knowledge = Knowledge.load(small_kb({"incidents/network/roce-gid-index.md": text}))
    monkeypatch.setattr("gpudoctor.cli.commands.site.load_knowledge", lambda overlays: knowledge)
    assert main(["site", str(tmp_path / "out")]) == 0
    page = (tmp_path / "out" / "incidents" / "roce-gid-index" / "index.html").read_text(encoding="utf-8")
    assert "Its sources were read on: 2026-11-20." in page
    assert "sources read on 2026-11-20" in describe(knowledge, knowledge.incident("roce-gid-index")).about


def test_a_fact_that_nobody_knows_is_not_shown(small_kb):
    with pytest.raises(FactError, match="no_such_fact"):
        Pages(
            Catalogue(changed(small_kb, "by: [skew.rdma.gid_index]", "by: [no_such_fact.at_all]"))
        ).incident("roce-gid-index")


def test_a_missing_anchor_is_found(small_kb, tmp_path):
    knowledge = changed(small_kb, "(rails-not-connected.md)", "(rails-not-connected.md#nowhere)")
    wording = PageWording()
    built = Site(Catalogue(knowledge), environment(wording), wording, tmp_path)
    names = ("roce-gid-index", "rails-not-connected")
    pages = [outline(*built.render("incident", name)) for name in names]
    assert [
        p for p in broken(pages, []) if "rails-not-connected/index.html#nowhere leads to a page without" in p
    ]


def test_a_broken_site_is_an_error(tmp_path, capsys, monkeypatch):
    problems = [f"a/index.html: the link {n} leads nowhere" for n in range(30)]
    monkeypatch.setattr(Site, "build", lambda self, jobs: (1, problems))
    assert main(["site", str(tmp_path / "out")]) == 2
    err = capsys.readouterr().err
    assert "the link 0 leads nowhere" in err and "and 10 more" in err


def test_a_diagnosis_leads_to_the_pages(site, capsys):
    report = str(ROOT / "tests" / "reports" / "vllm-two-cards-stuck.log")
    assert main(["--report", report, "--format", "json", "--site-url", URL]) == 1
    document = json.loads(capsys.readouterr().out)
    for incident in document["incidents"]:
        for entry in (incident, *incident["remedies"]):
            assert (site / entry["page"].removeprefix(f"{URL}/")).is_file()


def test_broken_links_of_the_templates_would_be_found():
    page = outline("a/index.html", '<p id="x"> <a href="../b.html#y">b</a> <a href="#z">z</a> <i id="x"></i>')
    other = outline("b.html", '<p id="w"> <a href="https://example.org/">out</a> <img src="no.png">')
    assert broken([page, other], []) == [
        'a/index.html: the anchor "x" stands there twice',
        "a/index.html: the link ../b.html#y leads to a page without that anchor",
        "a/index.html: the link #z leads to a page without that anchor",
        "b.html: the link no.png leads nowhere",
    ]


def test_without_jinja_one_sentence_says_what_to_install(tmp_path):
    code = (
        "import sys; sys.modules['jinja2'] = None\n"
        f"from gpudoctor.cli.main import main; sys.exit(main(['site', {str(tmp_path / 'out')!r}]))"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert result.returncode == 2
    assert result.stderr == "gpudoctor: the site needs Jinja2: pip install 'gpudoctor[site]'\n"


def test_the_command_reference_is_that_of_the_parser(site):
    text = (site / "learn" / "commands" / "index.html").read_text(encoding="utf-8")
    for words_ in ("gpudoctor kb lint", "gpudoctor explain", "--site-url", "--report", "--timeout"):
        assert words_ in text
    assert (site / "assets" / "diagnosis.schema.json").read_text() == (
        ROOT / "engine" / "diagnosis" / "diagnosis.schema.json"
    ).read_text()


def test_the_tutorial_shows_what_the_program_prints(site):
    text = html.unescape((site / "learn" / "tutorial" / "index.html").read_text(encoding="utf-8"))
    assert "DIAGNOSED" in text
    assert "PCIe ACS redirects peer traffic to the root complex" in text
    report = (ROOT / "tests" / "reports" / "vllm-two-cards-stuck.log").read_text()
    assert report.strip() in text

"""Diagnoses carry the addresses of their pages when they are told where the site lies."""

import json

import jsonschema
import pytest

from gpudoctor.cli.main import main

from ..conftest import ROOT

REPORT = str(ROOT / "tests" / "reports" / "vllm-two-cards-stuck.log")
URL = "https://docs.example.org/gpu"


def said(capsys, *arguments):
    assert main(["--report", REPORT, *arguments]) == 1
    return capsys.readouterr().out


def test_json_names_the_page_of_every_incident_and_remedy(capsys):
    document = json.loads(said(capsys, "--format", "json", "--site-url", URL + "/"))
    schema = json.loads((ROOT / "engine" / "diagnosis" / "diagnosis.schema.json").read_text())
    jsonschema.validate(document, schema)
    first = document["incidents"][0]
    assert first["page"] == f"{URL}/incidents/{first['id']}/index.html"
    assert all(i["page"].startswith(URL) for i in (*document["incidents"], *document["ruled_out"]))
    for remedy in first["remedies"]:
        assert remedy["page"] == f"{URL}/remedies/{remedy['id']}/index.html"


def test_text_and_markdown_name_it_as_well(capsys):
    page = f"{URL}/incidents/pcie-acs-redirect/index.html"
    assert page in said(capsys, "--site-url", URL)
    assert f"<{page}>" in said(capsys, "--site-url", URL, "--format", "markdown")


def test_without_the_option_nothing_is_added(capsys):
    assert '"page"' not in said(capsys, "--format", "json")


@pytest.mark.parametrize("url", ["docs", "javascript:alert(1)", "https://x y", 'https://x"', "https://x/?q"])
def test_what_is_no_address_is_refused(capsys, url):
    assert main(["--report", REPORT, "--site-url", url]) == 2
    assert "is no address of a site" in capsys.readouterr().err

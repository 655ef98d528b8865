"""The engine in the page: started by a button, over http, and its diagnoses are those of the command.

Needs chromium, chromedriver, selenium and the npm package pyodide (``make site-engine`` fetches it). A sample of the
cases is compared; ``GPUDOCTOR_ENGINE_CASES=all`` compares every case that has a report.
"""

from __future__ import annotations

import functools
import http.server
import json
import os
import shutil
import subprocess
import sys
import tarfile
import threading
import zipfile
from pathlib import Path

import pytest
import yaml

from gpudoctor.cli.authoring.casetest import load_cases
from gpudoctor.cli.errors import UsageError
from gpudoctor.cli.main import main
from gpudoctor.cli.site import engine as engine_module
from gpudoctor.cli.site.build import Site, write
from gpudoctor.cli.site.catalogue import Catalogue
from gpudoctor.cli.site.inpage import PASTED, Doctor
from gpudoctor.cli.site.templating import environment
from gpudoctor.cli.site.translations import PageWording
from gpudoctor.engine import Knowledge, Session
from gpudoctor.probes.report import Reader

from ...conftest import ROOT, SHARED
from .test_browser import By, WebDriverWait, chromium_in

LOG = ROOT / "tests" / "reports" / "vllm-two-cards-stuck.log"
BATCH = 10
ALL = os.environ.get("GPUDOCTOR_ENGINE_CASES") == "all"
EVERY = 1 if ALL else 50


def reports():
    """The reports of the cases; where all are wanted, also of those that lie beside the checkout."""
    found = [case.report for case in load_cases([ROOT / "tests" / "cases"]) if case.report]
    for path in sorted(SHARED.glob("cases*/*.yaml")) if ALL else ():
        found.append(str(yaml.safe_load(path.read_text(encoding="utf-8")).get("report") or ""))
    found = [report for report in found if report.strip()]
    return list(dict.fromkeys(found))[::EVERY]


def settled(document):
    """A diagnosis without what says which matcher did the work."""
    return {name: value for name, value in document.items() if name not in ("engine", "notes")}


@pytest.fixture(scope="module")
def command(knowledge):
    """What the command says of a pasted text, with the matcher that it uses here."""
    reader = Reader(knowledge)

    def call(text):
        session = Session(knowledge)
        for fact in reader.read_all([(PASTED, [text.encode()])]):
            session.add(fact)
        document = session.diagnosis().to_dict()
        session.close()
        return json.loads(json.dumps(settled(document)))

    return call


def test_the_page_s_own_python_says_what_the_command_says(knowledge, command, tmp_path):
    """Without a browser: from the packed index, and from files."""
    doctor = Doctor(knowledge.index_bytes())
    parts = []
    told = doctor.diagnose(LOG.read_text(), told=parts.append)
    assert settled(json.loads(told["json"])) == command(LOG.read_text())
    assert parts[-1] == 1.0
    assert told["brief"].startswith("DIAGNOSED  likely · pcie-acs-redirect")
    assert json.loads(told["pages"])[0]["id"] == "pcie-acs-redirect"
    (tmp_path / "empty.log").write_bytes(b"")
    told = doctor.diagnose("", [str(LOG), str(tmp_path / "empty.log")])
    assert any("empty.log" in note for note in json.loads(told["json"])["notes"])
    assert json.loads(told["json"])["incidents"][0]["id"] == "pcie-acs-redirect"


def test_an_overlay_goes_along(tmp_path, knowledge):
    overlay = tmp_path / "kb" / "incidents" / "network"
    overlay.mkdir(parents=True)
    page = (ROOT / "kb" / "incidents" / "network" / "master-port-in-use.md").read_text()
    (overlay / "master-port-in-use.md").write_text(page.replace("title: ", "title: Ours, ", 1))
    laid = Knowledge.load(str(tmp_path / "kb"))
    packed = engine_module.archive(laid, [str(tmp_path / "kb")])
    target = tmp_path / "unpacked"
    (tmp_path / "a.zip").write_bytes(packed)
    with zipfile.ZipFile(tmp_path / "a.zip") as archive:
        archive.extractall(target)
    assert (target / "yaml" / "reader.py").is_file()
    rows = (target / "gpudoctor" / "kb" / "index.rows").read_bytes()
    there = Knowledge.from_index(rows, str(target / "overlays" / "000"))
    assert there.digest == laid.digest != knowledge.digest
    assert there.incident("master-port-in-use").title == laid.incident("master-port-in-use").title


def test_the_packed_program_needs_nothing_that_is_not_packed(tmp_path, knowledge):
    """Without a browser, with nothing of what is installed: -S leaves the site-packages out, -I the folder."""
    (tmp_path / "a.zip").write_bytes(engine_module.archive(knowledge, []))
    with zipfile.ZipFile(tmp_path / "a.zip") as archive:
        archive.extractall(tmp_path / "program")
    code = (
        "import sys; sys.path.insert(0, 'program')\n"
        "from gpudoctor.cli.site import inpage\n"
        "doctor = inpage.Doctor(open('program/gpudoctor/kb/index.rows', 'rb').read())\n"
        "print(doctor.diagnose(sys.stdin.read())['brief'])"
    )
    ran = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code],
        input=LOG.read_text(),
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.startswith("DIAGNOSED  likely · pcie-acs-redirect")


def test_what_is_not_the_package_is_refused_in_words(tmp_path, capsys):
    (tmp_path / "not.tgz").write_bytes(b"no archive")
    for place in (tmp_path, tmp_path / "not.tgz", tmp_path / "nowhere"):
        assert main(["site", str(tmp_path / "site"), "--engine", str(place)]) == 2
        assert "--engine: " in capsys.readouterr().err


def test_the_package_is_taken_packed_or_unpacked(tmp_path):
    for name in engine_module.RUNTIME:
        path = tmp_path / "package" / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(name.encode())
    with tarfile.open(tmp_path / "pyodide-1.tgz", "w:gz") as pack:
        pack.add(tmp_path / "package", "package")
    wanted = {name: name.encode() for name in engine_module.RUNTIME}
    for place in (tmp_path, tmp_path / "package", tmp_path / "pyodide-1.tgz"):
        assert engine_module.runtime_files(place) == wanted
    (tmp_path / "package" / "pyodide.asm.wasm").unlink()
    with pytest.raises(UsageError, match=r"pyodide\.asm\.wasm not there"):
        engine_module.runtime_files(tmp_path)


@pytest.fixture(scope="module")
def engine_site(site, knowledge, tmp_path_factory):
    """The site with the engine beside it."""
    runtime = Path(os.environ.get("GPUDOCTOR_PYODIDE") or Path(sys.prefix) / "pyodide")
    try:
        files = engine_module.engine_files(runtime, knowledge, [])
    except UsageError as error:
        pytest.skip(f"{error} (make site-engine)")
    folder = tmp_path_factory.mktemp("with-engine") / "site"
    shutil.copytree(site, folder, copy_function=os.link)
    wording = PageWording()
    built = Site(Catalogue(knowledge), environment(wording), wording, folder, engine=files)
    built.write_assets()
    write(folder, *built.render("search", ""))
    return folder


class Asked(http.server.SimpleHTTPRequestHandler):
    """Serves the site and remembers what was asked for."""

    seen: tuple[str, ...] = ()

    def log_message(self, *arguments):
        Asked.seen = (*Asked.seen, self.requestline)


@pytest.fixture(scope="module")
def served(engine_site):
    handler = functools.partial(Asked, directory=str(engine_site))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module")
def page(served, tmp_path_factory):
    """The search page in Chromium."""
    driver = chromium_in(tmp_path_factory.mktemp("chromium"), "--no-proxy-server")
    driver.set_script_timeout(300)
    yield driver
    driver.quit()


def diagnosed(driver, seconds=180):
    """Press the button and wait; what the page says then."""
    driver.find_element(By.CSS_SELECTOR, "[data-ask]").click()
    status = driver.find_element(By.CSS_SELECTOR, "[data-engine-status]")
    WebDriverWait(driver, seconds).until(
        lambda d: d.find_element(By.CSS_SELECTOR, "[data-ask]").is_enabled() and status.text
    )
    return status.text


def test_the_button_gives_the_diagnosis_and_nothing_leaves(page, served, command):
    Asked.seen = ()
    page.get(f"{served}/search/index.html")
    assert not any("/engine/" in line for line in Asked.seen)  # only when somebody asks
    secret = "hf_" + "Zq7" * 12
    text = LOG.read_text() + f"\nHF_TOKEN={secret}\n"
    page.execute_script("document.getElementById('query').value = arguments[0]", text)
    assert diagnosed(page).startswith("Done in ")
    shown = page.find_element(By.CSS_SELECTOR, "[data-diagnosis] pre")
    assert shown.text.startswith("DIAGNOSED  likely · pcie-acs-redirect")
    page.find_element(By.CSS_SELECTOR, "[data-form=json]").click()
    document = json.loads(page.execute_script("return arguments[0].textContent", shown))
    assert settled(document) == command(text)
    assert secret not in json.dumps(document)
    link = page.find_element(By.CSS_SELECTOR, "[data-pages] a").get_attribute("href")
    assert link == f"{served}/incidents/pcie-acs-redirect/index.html"
    before = len(Asked.seen)
    assert diagnosed(page).startswith("Done in ")  # the engine is there: nothing is loaded again
    assert len(Asked.seen) == before
    assert all(line.startswith("GET /") and secret not in line for line in Asked.seen)
    complaints = [one["message"] for one in page.get_log("browser") if one["level"] == "SEVERE"]
    assert [one for one in complaints if "favicon" not in one] == []


def test_files_are_read_compressed_ones_too(page, served, tmp_path):
    import gzip

    page.get(f"{served}/search/index.html")
    packed = tmp_path / "serve.log.gz"
    packed.write_bytes(gzip.compress(LOG.read_bytes()))
    page.find_element(By.CSS_SELECTOR, "[data-files]").send_keys(str(packed))
    assert diagnosed(page).startswith("Done in ")
    shown = page.find_element(By.CSS_SELECTOR, "[data-diagnosis] pre").text
    assert "pcie-acs-redirect" in shown and "serve.log.gz:" in shown


def test_the_worker_has_no_way_out(page, served):
    page.get(f"{served}/search/index.html")
    ways = page.execute_async_script(
        "var done = arguments[0];"
        "fetch('../assets/worker.mjs').then(a => a.text()).then(done, e => done('' + e))"
    )
    assert "Failed to fetch" in ways or "Refused" in ways  # the page itself may connect to nothing
    text = (ROOT / "cli" / "site" / "assets" / "worker.mjs").read_text()
    assert text.index("Object.defineProperty(self, way") < text.index("diagnose(")


_ALL = """
var texts = arguments[0], done = arguments[1], answers = [];
if (!window.doctor) window.doctor = new Worker("../assets/worker.mjs", {type: "module"});
function next() {
  if (answers.length === texts.length) done(answers);
  else window.doctor.postMessage({id: answers.length, pasted: texts[answers.length], files: []});
}
window.doctor.onmessage = function (event) {
  if (event.data.kind === "diagnosis") { answers.push(event.data.answer.json); next(); }
  if (event.data.kind === "failed") { answers.push(JSON.stringify({failed: event.data.text})); next(); }
};
next();
"""


def test_the_diagnoses_are_those_of_the_command(page, served, command):
    page.get(f"{served}/search/index.html")
    texts = reports()
    assert len(texts) >= 10
    differing = []
    for start in range(0, len(texts), BATCH):
        batch = texts[start : start + BATCH]
        answers = page.execute_async_script(_ALL, batch)
        for text, answer in zip(batch, answers, strict=True):
            if settled(json.loads(answer)) != command(text):
                differing.append(text[:300])
    assert not differing, f"{len(differing)} of {len(texts)}"


def test_from_a_disk_the_page_says_why_not(page, engine_site):
    page.get((engine_site / "search" / "index.html").as_uri())
    page.execute_script("document.getElementById('query').value = 'NCCL WARN'")
    page.find_element(By.CSS_SELECTOR, "[data-ask]").click()
    assert "http.server" in page.find_element(By.CSS_SELECTOR, "[data-engine-status]").text


def test_without_the_engine_the_page_says_how_to_get_it(site):
    text = (site / "search" / "index.html").read_text()
    assert "data-engine" not in text and "diagnosis.js" not in text
    assert "gpudoctor site DIR --engine" in text

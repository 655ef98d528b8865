"""The built site in headless Chromium, opened from the disk: search, filters, copying, colours, accessibility.

Needs chromium and chromedriver (Debian packages of these names) and selenium; axe-core comes from npm when the
tests run. What is missing is skipped with the reason.
"""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from gpudoctor.cli.content.search import find_entries

webdriver = pytest.importorskip("selenium.webdriver", reason="selenium is not installed")
By = pytest.importorskip("selenium.webdriver.common.by").By
Keys = pytest.importorskip("selenium.webdriver.common.keys").Keys
WebDriverWait = pytest.importorskip("selenium.webdriver.support.wait").WebDriverWait

FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--window-size=1280,900",
)

ERRORS = {
    "node7:4121:4390 [3] misc/ibvwrap.cc:160 NCCL WARN Call to ibv_modify_qp failed with error Invalid argument": (
        "roce-gid-index"
    ),
    "Failed to initialize NVML: Driver/library version mismatch": "driver-library-mismatch",
    "NCCL WARN Error while creating shared memory segment /dev/shm/nccl-PfLhM1 (size 9637888), error: "
    "No space left on device (28)": "shm-too-small",
    "RuntimeError: Unexpected error from cudaGetDeviceCount(). Error 802: system not yet initialized": (
        "fabric-manager-down"
    ),
    "Unable to open /dev/kfd read-write: Permission denied": "kfd-permission",
    "The server socket has failed to listen on any local network address. port: 29500, useIpv6: false, code: -98, "
    "name: EADDRINUSE": "master-port-in-use",
    "RuntimeError: Cannot re-initialize CUDA in forked subprocess. To use CUDA with multiprocessing, you must use "
    "the 'spawn' start method": "cuda-fork-after-init",
    "RuntimeError: Expected to have finished reduction in the prior iteration before starting a new one.": (
        "ddp-unused-parameters"
    ),
    "[3] NCCL WARN Mismatched NCCL version detected : rank 0 version 22105 rank 1 version 21805": (
        "nccl-version-mismatch-ranks"
    ),
    "OSError: [Errno 24] Too many open files": "nofile-limit",
}

KINDS = {
    "start": "index.html",
    "incident": "incidents/pcie-acs-redirect/index.html",
    "remedy": "remedies/shm-size-larger/index.html",
    "symptom": "facts/symptom.ibv-modify-qp-bad-gid/index.html",
    "variable": "facts/env.NCCL_IB_GID_INDEX/index.html",
    "search": "search/index.html?q=ibv_modify_qp",
    "incidents": "incidents/index.html?vendor=amd",
    "symptoms": "symptoms/index.html",
    "errors": "errors/index.html",
    "remedies": "remedies/index.html",
    "facts": "facts/index.html",
    "environment": "env/index.html",
    "xid": "xid/index.html",
    "road": "roads/wrong/index.html",
    "learn": "learn/index.html",
    "tutorial": "learn/tutorial/index.html",
    "commands": "learn/commands/index.html",
    "schema": "learn/schema/index.html",
}


class Browser:
    """One Chromium for all tests, with the site in it."""

    def __init__(self, driver, site):
        self.driver = driver
        self.base = site.as_uri()

    def open(self, path):
        self.driver.get(f"{self.base}/{path}")

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def find(self, selector):
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def size(self, width, height=900):
        """The size of the page itself; a window cannot be made as narrow as a phone."""
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)

    def media(self, **features):
        listed = [{"name": name.replace("_", "-"), "value": value} for name, value in features.items()]
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": listed})

    def complaints(self):
        return [entry["message"] for entry in self.driver.get_log("browser") if entry["level"] != "INFO"]

    def requests(self):
        """Every address that was asked for since the last call."""
        for entry in self.driver.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                yield message["params"]["request"]["url"]


def chromium_in(folder, *flags, **logs):
    """Chromium without a window, with a profile in a folder; the test is skipped where it is not installed."""
    chromium, chromedriver = shutil.which("chromium"), shutil.which("chromedriver")
    if not chromium or not chromedriver:
        pytest.skip("chromium and chromedriver are not installed (Debian: chromium, chromium-driver)")
    options = webdriver.ChromeOptions()
    options.binary_location = chromium
    for flag in (*FLAGS, *flags, f"--user-data-dir={folder}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", **logs})
    return webdriver.Chrome(options=options, service=webdriver.ChromeService(executable_path=chromedriver))


@pytest.fixture(scope="module")
def browser(site, tmp_path_factory):
    driver = chromium_in(tmp_path_factory.mktemp("chromium"), performance="ALL")
    driver.set_page_load_timeout(60)
    driver.set_script_timeout(60)
    yield Browser(driver, site)
    driver.quit()


@pytest.fixture(scope="module")
def axe():
    """The text of axe-core, from npm, kept in the environment."""
    folder = Path(sys.prefix) / "axe-core"
    script = folder / "node_modules" / "axe-core" / "axe.min.js"
    if not script.is_file():
        npm = shutil.which("npm")
        if not npm:
            pytest.skip("axe-core comes from npm, which is not installed")
        command = [
            npm,
            "install",
            "--silent",
            "--no-audit",
            "--no-fund",
            "--prefix",
            str(folder),
            "axe-core@4",
        ]
        try:
            subprocess.run(command, capture_output=True, timeout=60, check=True)
        except (subprocess.SubprocessError, OSError) as error:
            pytest.skip(f"axe-core could not be had from npm: {type(error).__name__}")
    return script.read_text(encoding="utf-8")


def shown_ids(browser):
    return [row.text for row in browser.all("[data-results] .id")]


@pytest.mark.parametrize("line", ERRORS)
def test_an_error_line_finds_its_page_first(browser, line):
    if not browser.driver.current_url.endswith("search/index.html"):
        browser.open("search/index.html")
    browser.run(
        "var f = document.getElementById('query'); f.value = arguments[0];"
        "document.querySelector('[data-search-form]').dispatchEvent(new Event('submit', {cancelable: true}))",
        line,
    )
    assert shown_ids(browser)[0] == ERRORS[line]
    assert browser.find("[data-results] li a").get_attribute("href").endswith(f"{ERRORS[line]}/index.html")


def test_the_search_of_the_start_page_leads_there(browser):
    browser.open("index.html")
    browser.run("document.body.focus()")
    browser.find("body").send_keys("/")
    field = browser.driver.switch_to.active_element
    assert field == browser.find("form[role=search] [data-search]")
    list(browser.requests())
    field.send_keys("nvidia-smi: Driver/library version mismatch", Keys.ENTER)
    WebDriverWait(browser.driver, 10).until(lambda d: "search/index.html#q=" in d.current_url)
    WebDriverWait(browser.driver, 10).until(lambda _: shown_ids(browser))
    assert shown_ids(browser)[0] == "driver-library-mismatch"
    asked = list(browser.requests())
    assert any(url.endswith("/search/index.html") for url in asked)
    assert not any("mismatch" in url or "?" in url for url in asked)
    browser.find("[data-results] li a").click()
    assert browser.find("h1").is_displayed()
    assert "incidents/driver-library-mismatch/" in browser.driver.current_url


@pytest.mark.parametrize("kind", ["start", "incident"])
def test_a_search_form_has_no_words_to_send(browser, kind):
    """Also where no script stops it: what a browser would send of the filled form is nothing."""
    browser.open(KINDS[kind])
    browser.find("form[role=search] [data-search]").send_keys("secret words")
    sent = "return [...new FormData(document.querySelector('form[role=search]')).entries()]"
    assert browser.run(sent) == []


def test_the_page_finds_what_the_terminal_finds(browser, knowledge):
    queries = [
        *ERRORS,
        "NCCL_IB_GID_INDEX",
        "xid 79",
        "hangs after init complete",
        "乱码",
        "共享内存 不足",
        "<script>",
    ]
    browser.open("search/index.html")
    found = browser.run(
        "return arguments[0].map(q => GPUDOCTOR.search(q).hits.slice(0, 10)"
        ".map(h => [h.document[0], h.document[1], Math.round(h.score * 100)]))",
        queries,
    )
    for query, hits in zip(queries, found, strict=True):
        expected = [[h.kind, h.id, h.score * 100] for h in find_entries(knowledge, query)[:10]]
        assert [h[:2] for h in hits] == [e[:2] for e in expected], query
        assert [h[2] for h in hits] == pytest.approx([e[2] for e in expected], abs=1)


def test_filters_narrow_the_list_and_stand_in_the_address(browser, knowledge):
    browser.open("incidents/index.html")
    every = len(knowledge.fault_ids)
    assert browser.find("[data-status]").text == f"{every} incidents"
    browser.run(
        "var s = document.querySelector('select[name=vendor]'); s.value = 'amd';"
        "s.dispatchEvent(new Event('change', {bubbles: true}))"
    )
    amd = [name for name in knowledge.fault_ids if "amd" in knowledge.incident(name).vendors]
    visible = browser.run(
        "return [...document.querySelectorAll('[data-filtered] > li:not([hidden])')].length"
    )
    assert visible == len(amd) < every
    assert "vendor=amd" in browser.driver.current_url
    browser.open("incidents/index.html?vendor=amd&symptom=hangs&framework=vLLM")
    shown = "return [...document.querySelectorAll('[data-filtered] > li:not([hidden])')].length"
    WebDriverWait(browser.driver, 10).until(lambda d: 0 < browser.run(shown) < visible)
    browser.find("form.filters button[type=reset]").click()
    WebDriverWait(browser.driver, 5).until(lambda d: browser.run(shown) == every)


def test_a_product_shows_what_is_broken_in_a_release(browser, knowledge):
    shown = "return [...document.querySelectorAll('tbody > tr:not([hidden])')].map(r => r.innerText)"
    issues = map(knowledge.incident, knowledge.issue_ids)
    every = [i for i in issues if any(affected.product == "nccl" for affected in i.affects)]
    browser.open("products/nccl/index.html")
    assert len(browser.run(shown)) == len(every)
    browser.run(
        "var s = document.querySelector('select[name=release]'); s.value = '2.27.3';"
        "s.dispatchEvent(new Event('change', {bubbles: true}))"
    )
    rows = browser.run(shown)
    assert any("does not load a plugin that is given as a path" in row for row in rows)
    assert not any("2.26.5" in row.split("\t")[2] for row in rows)  # fixed before
    assert 0 < len(rows) < len(every)
    assert browser.find("[data-status]").text == f"{len(rows)} known issues"
    assert "release=2.27.3" in browser.driver.current_url
    browser.open("products/nccl/index.html?release=2.27.3")
    assert browser.run(shown) == rows


def test_filters_narrow_what_was_found(browser, knowledge):
    browser.open("search/index.html?q=peer+copy+garbage&vendor=amd")
    for row in browser.all("[data-results] .id"):
        assert "amd" in knowledge.incident(row.text).vendors


def test_copying_takes_the_commands_and_says_so(browser):
    browser.open("remedies/container-gpus-flag/index.html")
    browser.driver.execute_cdp_cmd(
        "Browser.grantPermissions", {"permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]}
    )
    box = browser.find(".panel:not(.later) .code")
    button = box.find_element(By.CSS_SELECTOR, ".copy")
    button.click()
    WebDriverWait(browser.driver, 5).until(lambda d: button.text == "Copied")
    copied = browser.driver.execute_async_script(
        "var done = arguments[0]; navigator.clipboard.readText().then(done, e => done('' + e))"
    )
    assert copied == "docker run --rm --gpus all --ipc=host IMAGE COMMAND"


def test_tabs_by_runtime_follow_the_keyboard_and_are_remembered(browser):
    browser.open("remedies/container-gpus-flag/index.html")
    tabs = browser.all("[role=tab]")
    assert len(tabs) >= 2

    def shown():
        """Which panels are shown, by their place; each tab has one."""
        panels = browser.all("[role=tabpanel]")
        assert len(panels) == len(tabs)
        return [n for n, panel in enumerate(panels) if panel.is_displayed()]

    assert shown() == [0]
    tabs[0].send_keys(Keys.ARROW_RIGHT)
    assert tabs[1].get_attribute("aria-selected") == "true"
    assert browser.driver.switch_to.active_element == tabs[1]
    assert shown() == [1]
    tabs[1].send_keys(Keys.END)
    assert browser.driver.switch_to.active_element == tabs[-1]
    tabs[-1].send_keys(Keys.ARROW_RIGHT)  # round to the first
    assert shown() == [0]
    tabs[0].send_keys(Keys.ARROW_LEFT)
    assert shown() == [len(tabs) - 1]
    browser.driver.refresh()
    assert shown() == [len(tabs) - 1]
    browser.all("[role=tab]")[0].click()
    assert shown() == [0]


def ground(browser):
    return browser.run("return getComputedStyle(document.body).backgroundColor")


def test_dark_follows_the_system_and_the_button_which_is_remembered(browser):
    try:
        browser.media(prefers_color_scheme="dark")
        browser.open("index.html")
        dark = ground(browser)
        browser.find("[data-theme-switch]").click()
        light = ground(browser)
        assert (dark, light) == ("rgb(18, 23, 24)", "rgb(255, 255, 255)")
        browser.open("incidents/roce-gid-index/index.html")
        assert ground(browser) == light
    finally:
        browser.media(prefers_color_scheme="light")
        browser.run("localStorage.clear()")


@pytest.mark.parametrize("kind", KINDS)
def test_no_page_is_wider_than_a_phone(browser, kind):
    browser.size(375, 812)
    try:
        browser.open(KINDS[kind])
        wide = browser.run("return document.documentElement.scrollWidth")
        if kind == "incident":
            assert browser.find(".glance .do").rect["y"] < 1300
    finally:
        browser.size(1280)
    assert wide <= 375


@pytest.mark.parametrize("name", ["pcie-acs-redirect", "roce-gid-index", "shm-too-small"])
def test_the_answer_stands_above_the_fold(browser, name):
    browser.size(1280, 900)
    browser.open(f"incidents/{name}/index.html")
    assert browser.run("return document.querySelector('.glance').getBoundingClientRect().bottom") < 900


def test_nothing_moves_when_the_scripts_have_run(browser):
    browser.open(KINDS["incident"])
    shift = browser.driver.execute_async_script(
        "var done = arguments[0], sum = 0;"
        "new PerformanceObserver(l => l.getEntries().forEach(e => { sum += e.value; }))"
        ".observe({type: 'layout-shift', buffered: true}); setTimeout(() => done(sum), 300)"
    )
    assert shift < 0.01


def test_paper_shows_every_step(browser):
    browser.open("incidents/pcie-acs-redirect/index.html")
    try:
        browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
        browser.run("dispatchEvent(new Event('beforeprint'))")
        assert all(panel.is_displayed() for panel in browser.all("[role=tabpanel]"))
        assert not browser.find("header.top").is_displayed()
    finally:
        browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "", "features": []})


@pytest.mark.parametrize("kind", KINDS)
def test_no_request_leaves_the_site_and_no_error_is_logged(browser, kind):
    list(browser.requests())
    browser.complaints()
    browser.open(KINDS[kind])
    asked = list(browser.requests())
    WebDriverWait(browser.driver, 10).until(lambda _: asked.extend(browser.requests()) or len(asked) >= 4)
    assert [url for url in asked if not url.startswith((browser.base, "data:"))] == []
    assert browser.complaints() == []


SEEN = [
    *((kind, "light") for kind in KINDS),
    *((kind, "dark") for kind in ("start", "incident", "remedy", "search")),
]


@pytest.mark.parametrize(("kind", "theme"), SEEN)
def test_axe_finds_nothing_serious(browser, axe, kind, theme):
    browser.open(KINDS[kind])
    browser.run(f"document.documentElement.setAttribute('data-theme', '{theme}')")
    browser.run(axe)
    found = browser.driver.execute_async_script(
        "var done = arguments[0]; axe.run(document, {resultTypes: ['violations']}).then("
        "r => done(r.violations.map(v => [v.impact, v.id, v.nodes.slice(0, 3).map(n => n.html.slice(0, 200))])),"
        "e => done([['failed', '' + e, []]]))"
    )
    assert [v for v in found if v[0] in ("serious", "critical", "failed")] == []

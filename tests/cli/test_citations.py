"""Citations are asked for from a server of the test's own; nothing else is reached."""

import http.server
import threading

import pytest

from gpudoctor.cli.authoring import citations
from gpudoctor.cli.main import main


class Host(http.server.BaseHTTPRequestHandler):
    def do_HEAD(self):
        self._answer()

    def do_GET(self):
        self._answer()

    def _answer(self):
        status = {"/there": 200, "/gone": 404, "/broken": 500, "/moved": 301}.get(self.path, 404)
        if self.path == "/no-head":
            status = 405 if self.command == "HEAD" else 200
        self.send_response(status)
        if status == 301:
            self.send_header("Location", "/there")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *arguments):
        pass


@pytest.fixture
def host():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Host)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def test_each_address_gets_its_state(host):
    paths = ["there", "gone", "broken", "moved", "no-head"]
    answers = citations.ask_all([f"{host}/{path}" for path in paths], 5)
    states = {url.rsplit("/", 1)[1]: answer for url, answer in answers.items()}
    assert states["there"] == ("there", "200")
    assert states["gone"] == ("gone", "404")
    assert states["broken"] == ("refused", "500")
    assert states["moved"] == ("moved", f"{host}/there")
    assert states["no-head"] == ("there", "200")


def test_a_host_that_is_not_there_and_one_that_is_no_host():
    answers = citations.ask_all(["http://127.0.0.1:9/x", "https://no-such-host.invalid/"], 2)
    assert answers["http://127.0.0.1:9/x"].state == "unreachable"
    assert answers["https://no-such-host.invalid/"].state == citations.OFFLINE


def test_everything_is_reported_and_nothing_dropped(host):
    cited = {f"{host}/there": ["incidents/a.md"], f"{host}/gone": ["incidents/b.md", "remedies/c.md"]}
    text = citations.report(cited, citations.ask_all(cited, 5))
    assert f"gone         {host}/gone  (404)" in text
    assert "cited by incidents/b.md, remedies/c.md" in text
    assert text.endswith("2 addresses: 1 there, 1 gone\n")


def test_every_source_of_the_knowledge_base_is_asked_for(knowledge):
    cited = citations.citations(knowledge)
    for name in knowledge.incident_ids:
        for source in knowledge.incident(name).sources:
            assert knowledge.incident(name).path in cited[source.url.partition("#")[0]]


def test_without_a_network_it_says_so_and_succeeds(monkeypatch, capsys):
    def unknown(*_):
        raise OSError("Name or service not known")

    monkeypatch.setattr(citations.socket, "getaddrinfo", unknown)
    assert main(["kb", "links"]) == 0
    assert "There is no network here: none of the " in capsys.readouterr().out


def test_wrong_usage_is_2(capsys):
    assert main(["kb", "links", "--timeout", "soon"]) == 2
    assert "--timeout" in capsys.readouterr().err

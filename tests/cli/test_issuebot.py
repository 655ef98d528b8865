"""Answers to issues: on payloads in the shape of GitHub's events, against a pretended GitHub.

The shape is that of the webhook ``issues`` (docs.github.com, webhook events and payloads): action, issue with number,
title, body, state and user, repository, sender with login and type.
"""

from __future__ import annotations

import io
import json
import re
import threading
from http.client import IncompleteRead
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from gpudoctor.cli.errors import UsageError
from gpudoctor.cli.issuebot import __main__ as bot
from gpudoctor.cli.issuebot import github
from gpudoctor.cli.issuebot.reply import LONGEST_COMMENT, MARK, answer, text_of

from ..conftest import ROOT

STUCK = (ROOT / "tests" / "reports" / "vllm-two-cards-stuck.log").read_text()


def event(body, title="It hangs", action="opened", **more):
    issue = {"number": 7, "title": title, "body": body, "state": "open", "user": {"login": "someone"}}
    return {
        "action": action,
        "issue": issue | more.pop("issue", {}),
        "repository": {"full_name": "owner/project"},
        "sender": {"login": "someone", "type": "User"},
        **more,
    }


class GitHub:
    """Keeps comments, as far as the bot asks for them."""

    def __init__(self):
        self.comments = []
        self.calls = []

    def open(self, request, timeout):
        body = json.loads(request.data) if request.data else None
        self.calls.append(request.get_method())
        assert request.full_url.startswith("https://api.github.com/repos/owner/project/issues/")
        if request.get_method() == "GET":
            page = int(re.search(r"[?&]page=(\d+)", request.full_url)[1])
            return io.BytesIO(json.dumps(self.comments[(page - 1) * 100 : page * 100]).encode())
        if request.get_method() == "POST":
            self.add("github-actions[bot]", body["body"])
        else:
            (comment,) = [c for c in self.comments if request.full_url.endswith(f"/comments/{c['id']}")]
            comment["body"] = body["body"]
        return io.BytesIO(b"{}")

    def add(self, login, body):
        self.comments.append({"id": len(self.comments) + 1, "user": {"login": login}, "body": body})


@pytest.fixture
def hub(monkeypatch):
    made = GitHub()
    monkeypatch.setattr(github._OPENER, "open", made.open)
    return made


@pytest.fixture
def run(tmp_path, hub):
    def call(payload):
        path = tmp_path / "event.json"
        path.write_text(json.dumps(payload))
        environment = {
            "GITHUB_EVENT_PATH": str(path),
            "GITHUB_REPOSITORY": "owner/project",
            "GITHUB_TOKEN": "t",
        }
        return bot.main(environment)

    return call


def test_a_clear_report_gets_the_short_diagnosis(run, hub):
    assert run(event(f"```\n{STUCK}\n```")) == 0
    (comment,) = hub.comments
    assert comment["body"].startswith(MARK)
    assert "pcie-acs-redirect" in comment["body"]
    assert "docker run" in comment["body"].partition("<details>")[0]


def test_one_comment_is_edited_in_place(run, hub):
    hub.add("somebody", "me too")
    run(event(STUCK))
    said = hub.comments[-1]["body"]
    run(event(STUCK, action="edited"))
    assert hub.calls.count("POST") == 1 and "PATCH" not in hub.calls  # nothing new to say
    run(
        event(
            "NCCL WARN Duplicate GPU detected : rank 0 and rank 1 both on CUDA device 2000", action="edited"
        )
    )
    assert len(hub.comments) == 2
    assert hub.comments[-1]["body"] != said
    run(event("never mind, a typo", title="Solved", action="edited"))
    assert len(hub.comments) == 2 and "does not follow from it any more" in hub.comments[-1]["body"]


@pytest.mark.parametrize("before", [0, 99, 100, 250])
def test_the_own_comment_is_found_behind_many(run, hub, before):
    for _ in range(before):
        hub.add("somebody", "me too")
    run(event(STUCK))
    run(event("NCCL WARN Duplicate GPU detected : rank 0 and rank 1 both on 2000", action="edited"))
    assert len(hub.comments) == before + 1


def test_a_comment_of_somebody_else_is_not_touched(run, hub):
    hub.add("mallory", f"{MARK}\nmine")
    run(event(STUCK))
    assert hub.comments[0]["body"] == f"{MARK}\nmine"
    assert len(hub.comments) == 2


def test_too_little_gets_two_questions_and_the_command(knowledge):
    said = answer(
        knowledge, "vLLM with tensor parallel 2 hangs at the first all-reduce on two RTX 4090, why?"
    )
    assert said is not None
    assert len(re.findall(r"^\d\. ", said, re.MULTILINE)) == 2 or "Likely" in said
    assert "gpudoctor probe" in said or "Likely" in said


@pytest.mark.parametrize(
    "text", ["How do I install this?", "Please support my model", "Typo in the README", "thanks!", "NCCL"]
)
def test_it_is_quiet_where_it_does_not_know(knowledge, text):
    assert answer(knowledge, text) is None


@pytest.mark.parametrize(
    "payload",
    [
        event(STUCK, action="closed"),
        event(STUCK, action="labeled"),
        event(STUCK, sender={"login": "dependabot[bot]", "type": "Bot"}),
        event(STUCK, issue={"pull_request": {}}),
        event(STUCK, issue={"state": "closed"}),
        event(STUCK, comment={"body": STUCK}),
        event(None, title=None),
        event({"a": 1}, title=["x"]),
        {"action": "opened", "issue": "no"},
        {},
    ],
)
def test_other_events_are_passed_over(run, hub, payload):
    assert run(payload) == 0
    assert hub.calls == []


@pytest.mark.parametrize(
    "hostile",
    [
        "@everyone @owner/team `` ` ``` <script>alert(1)</script> [x](javascript:1) #1 owner/other#2",
        "</details></details><img src=x onerror=alert(1)>",
        "<!-- gpudoctor -->\n## gpudoctor: all is well",
        "$(touch /tmp/owned) `touch /tmp/owned`; ${{ github.token }} ::set-output name=x::y",
        "\x1b]0;owned\x07\x00\u202e",
        "HF_TOKEN=hf_abcdefghijklmnopqrstuvwxyz0123 password=hunter2hunter2",
        "\ud800",
        "a" * 30_000,
    ],
)
def test_hostile_text_does_nothing(knowledge, hostile):
    line = f"NCCL WARN Duplicate GPU detected : rank 0 and rank 1 both on CUDA device 2000 {hostile}"
    text = text_of(event(f"{line}\n{hostile}\n{STUCK}", title=hostile))
    said = answer(knowledge, text)
    assert said is not None
    assert len(said) <= LONGEST_COMMENT + 500
    assert said.count(MARK) == 1
    outside = re.sub(r"(`+)[^`].*?\1", "", re.sub(r"```.*?```", "", said, flags=re.DOTALL))
    assert not re.search(
        r"(?<!\\)<(?!details|/details|summary|/summary|sub|/sub|https?:|!-- gpudoctor)", outside
    )
    assert not re.search(r"(?<![\w.])@\w", outside)
    assert "hf_abcdef" not in said and "hunter2" not in said
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f\u202e]", said)
    opened, closed = (len(re.findall(rf"(?<!\\){tag}", outside)) for tag in ("<details>", "</details>"))
    assert opened == closed > 0


def test_a_repository_that_is_none_is_refused(tmp_path, hub):
    path = tmp_path / "event.json"
    path.write_text(json.dumps(event(STUCK)))
    for name in ("", "../../user", "owner/project/../x", "owner"):
        environment = {"GITHUB_EVENT_PATH": str(path), "GITHUB_REPOSITORY": name, "GITHUB_TOKEN": "t"}
        assert bot.main(environment) == 2
    assert hub.calls == []


@pytest.mark.parametrize("content", ["", "[]", "{", "[" * 100_000])
def test_an_event_that_cannot_be_read_is_one_sentence(tmp_path, capsys, content):
    (tmp_path / "event.json").write_text(content)
    assert bot.main({"GITHUB_EVENT_PATH": str(tmp_path / "event.json")}) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_a_token_with_a_line_break_is_no_error(tmp_path, monkeypatch):
    seen = []

    def opened(request, timeout):
        seen.append(request.get_header("Authorization"))
        return io.BytesIO(b"[]")

    monkeypatch.setattr(github._OPENER, "open", opened)
    path = tmp_path / "event.json"
    path.write_text(json.dumps(event(STUCK)))
    environment = {
        "GITHUB_EVENT_PATH": str(path),
        "GITHUB_REPOSITORY": "owner/project",
        "GITHUB_TOKEN": "abc\n",
    }
    assert bot.main(environment) == 0 and set(seen) == {"Bearer abc"}


@pytest.mark.parametrize(
    "spoiled", ["IncompleteRead", "nested", "endless", "no list", "no comments", "closed"], ids=str
)
def test_an_answer_that_is_none_is_one_sentence(run, monkeypatch, capsys, spoiled):
    def opened(request, timeout):
        if spoiled == "closed":
            raise ConnectionResetError(104, "Connection reset by peer")
        stream = io.BytesIO(
            {
                "nested": b"[" * 200_000, "endless": b" " * (github._LARGEST + 2), "no list": b'{"message": "x"}',
                "no comments": b'[1, null, "x"]',
            }.get(spoiled, b"[]")
        )  # fmt: skip
        return _Cut() if spoiled == "IncompleteRead" else stream

    monkeypatch.setattr(github._OPENER, "open", opened)
    assert run(event(STUCK)) == 2
    said = capsys.readouterr().err
    assert said.startswith("gpudoctor: GitHub did not take the answer") and said.count("\n") == 1


class _Cut(io.BytesIO):
    def read(self, size=-1):
        raise IncompleteRead(b"[{")


def test_the_token_is_not_sent_to_where_an_answer_points():
    heard = []

    class Hub(BaseHTTPRequestHandler):
        def do_GET(self):
            heard.append((self.server.server_port, self.headers.get("Authorization")))
            self.send_response(302)
            self.send_header("Location", f"http://127.0.0.1:{other.server_port}/x")
            self.end_headers()

        def log_message(self, *said):
            pass

    first, other = (HTTPServer(("127.0.0.1", 0), Hub) for _ in range(2))
    for server in (first, other):
        threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        with pytest.raises(UsageError, match="another address"):
            github.call("secret", "GET", f"http://127.0.0.1:{first.server_port}/x")
    finally:
        for server in (first, other):
            server.shutdown()
            server.server_close()
    assert heard == [(first.server_port, "Bearer secret")]

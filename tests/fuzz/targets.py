"""Everything that reads what somebody else wrote: calls that take any bytes, and raise nothing but one sentence."""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import NamedTuple

from gpudoctor.cli.content.search import find_entries
from gpudoctor.cli.errors import UsageError
from gpudoctor.cli.inputs.hostfile import read_hosts
from gpudoctor.cli.inputs.specs import subjects_of
from gpudoctor.cli.issuebot.reply import answer, text_of
from gpudoctor.cli.render.kbpage import lay_out
from gpudoctor.cli.render.screen import Screen
from gpudoctor.engine import EngineError, Knowledge, Session
from gpudoctor.engine.audit import audit
from gpudoctor.engine.audit.suppressions import read_suppressions
from gpudoctor.engine.characters import UNSEEN
from gpudoctor.engine.facts.factsfile import read_any
from gpudoctor.engine.facts.hostlist import unfold
from gpudoctor.engine.facts.nodefacts import NodeFactsReader
from gpudoctor.engine.knowledge.compiler import read_folder
from gpudoctor.engine.knowledge.files import LARGEST
from gpudoctor.engine.knowledge.lint import lint
from gpudoctor.engine.knowledge.markdown import read_page
from gpudoctor.engine.redaction import redact
from gpudoctor.engine.session.sessionfile import read
from gpudoctor.probes.bedside.chart import facts as chart_facts
from gpudoctor.probes.bedside.chart import read_chart
from gpudoctor.probes.bedside.stacks import read as read_stack
from gpudoctor.probes.capture import CaptureError, unpacked
from gpudoctor.probes.parsers import PARSERS, Parser
from gpudoctor.probes.parsers.listings import listings
from gpudoctor.probes.report import Reader

from ..probes.mutate import corpus as lines_of
from . import seeds
from .room import room

TWICE = 1 << 16
"""Characters up to which a text is redacted a second time, to see that nothing more is found."""


class Target(NamedTuple):
    """A reader under attack.

    ``seeds`` are what the mutations start from, ``share`` is how many of 1,000 lines and texts are for it,
    ``lines`` how many mutated lines make one input of its own; 0: an input is one mutated text.
    """

    name: str
    call: Callable[[bytes], object]
    seeds: list[bytes]
    share: float
    lines: int = 0


def targets(knowledge: Knowledge) -> list[Target]:
    """All readers. ``call`` raises only what is a defect."""
    folder = room()
    parsers = [*PARSERS, listings(knowledge.packages())]
    return [
        *_of_reports(knowledge),
        *(_of_parser(parser, 800 / len(parsers)) for parser in parsers),
        *_of_files(knowledge, folder),
        *_of_knowledge(knowledge, folder),
    ]


def _of_reports(knowledge: Knowledge) -> list[Target]:
    """Logs, what people say, documents of tools, error lines that are searched for, issues."""
    reader = Reader(knowledge)
    printed = lines_of(knowledge)

    def report(data: bytes) -> object:
        return list(reader.read([data], "x.log"))

    def search(data: bytes) -> object:
        return find_entries(knowledge, data.decode("utf-8", "replace"))

    def issue(data: bytes) -> object:
        try:
            payload = json.loads(data)
        except (ValueError, RecursionError):
            return None
        text = text_of(payload) if isinstance(payload, dict) else None
        said = answer(knowledge, text) if text is not None else None
        assert said is None or "\x1b" not in said, "an escape sequence in a comment"
        return said

    def hide(data: bytes) -> object:
        text = data.decode("utf-8", "replace")
        hidden = redact(text)
        if len(text) <= TWICE:
            assert redact(hidden) == hidden, "hiding twice hides more"
        return hidden

    texts = [b"\n".join(printed[at : at + 12]) for at in range(0, len(printed), 12)]
    return [
        Target("report", report, printed, 15, 400),
        Target("sentences", report, seeds.sentences(), 2, 8),
        Target("texts", report, texts + seeds.files("reports", "cases"), 0.5),
        Target("documents", report, seeds.documents(), 2),
        Target("search", search, printed, 0.1, 4),
        Target("issue", issue, seeds.events(), 0.1),
        Target("redact", hide, [*printed, *seeds.secrets()], 150, 40),
    ]


def _of_parser(parser: Parser, share: float) -> Target:
    """One parser, called as the reader calls it: at every line with a literal that calls it, with its neighbours."""

    def parse(data: bytes) -> object:
        lines = data.decode("utf-8", "replace").split("\n")
        for at, line in enumerate(lines):
            if any(trigger in line for trigger in parser.triggers):
                above = lines[max(0, at - parser.before) : at]
                window = [*above, line, *lines[at + 1 : at + 1 + parser.after]]
                for found in parser.parse(window, len(above)):
                    assert 0 <= found.line < len(window), "a place outside of the text"
        return None

    found = ["\n".join(window) for window, _ in seeds.of_parser(parser)]
    return Target(f"parser {parser.name}", parse, seeds.joined(found), share, 40)


def _of_files(knowledge: Knowledge, folder: Path) -> list[Target]:
    """What colleagues and other machines hand on."""
    type_of = knowledge.vocabulary.spec
    reader = Reader(knowledge)
    rng = random.Random(0)
    spec_file = folder / "spec"
    asked = argparse.Namespace(
        facts=[], spec=[str(spec_file)], probe=False, root=None, captured=None, pid=None, python=None
    )

    def facts(data: bytes) -> object:
        try:
            return read_any(
                data.decode("utf-8", "replace"), "x.yaml", lambda: NodeFactsReader(type_of), type_of
            )
        except EngineError as error:
            return one_sentence(error)

    def node(data: bytes) -> object:
        try:
            return NodeFactsReader(type_of).read(data.decode("utf-8", "replace"), "node.json")
        except EngineError as error:
            return one_sentence(error)

    def session(data: bytes) -> object:
        try:
            found = read(knowledge, data.decode("utf-8", "replace"), "s.yaml", "reference").session
        except EngineError as error:
            return one_sentence(error)
        try:
            return found.standings()
        finally:
            found.close()

    def capture(data: bytes) -> object:
        (folder / "c.tar.gz").write_bytes(data)
        try:
            with unpacked(str(folder / "c.tar.gz")) as root:
                return _chart(root)
        except CaptureError as error:
            return one_sentence(error)

    def chart(data: bytes) -> object:
        job, _, looks = data.partition(b"\n\n")
        inside = folder / "chart" / ".gpudoctor" / "bedside"
        inside.mkdir(parents=True, exist_ok=True)
        (inside / "job.json").write_bytes(job)
        (inside / "looks.json").write_bytes(looks)
        return _chart(str(folder / "chart"))

    def _chart(root: str) -> object:
        found = read_chart(root)
        if found is None:
            return None
        taken = Session(knowledge, "reference")
        try:
            for statement in chart_facts(knowledge, [found, found] if rng.random() < 0.2 else [found]):
                taken.add(statement)
            return taken.standings()
        finally:
            taken.close()

    def spec(data: bytes) -> object:
        spec_file.write_bytes(data)
        try:
            return audit(knowledge, subjects_of(knowledge, asked), []).to_dict()
        except (EngineError, UsageError) as error:
            return one_sentence(error)

    def suppressed(data: bytes) -> object:
        try:
            return read_suppressions(data.decode("utf-8", "replace"), "s.yaml")
        except EngineError as error:
            return one_sentence(error)

    def hosts(data: bytes) -> object:
        text = data.decode("utf-8", "replace")
        for read_them in (unfold, lambda t: read_hosts(t, "hosts")):
            try:
                read_them(text)
            except (EngineError, UsageError) as error:
                one_sentence(error)
        return None

    def stack(data: bytes) -> object:
        return read_stack(data.decode("utf-8", "replace")).main

    return [
        Target("facts", facts, seeds.facts(), 5),
        Target("node", node, seeds.nodes(), 10),
        Target("session", session, seeds.sessions(knowledge, reader), 0.3),
        Target("capture", capture, seeds.captures(folder), 1),
        Target("chart", chart, seeds.charts(), 0.1),
        Target("spec", spec, seeds.specs(), 1),
        Target("suppressions", suppressed, seeds.suppressions(), 4),
        Target("hosts", hosts, seeds.hosts(), 4),
        Target("stack", stack, seeds.stacks(), 4),
    ]


def _of_knowledge(knowledge: Knowledge, folder: Path) -> list[Target]:
    """Overlays, as they are loaded and checked, and the site and the terminal that show their pages."""
    overlays = folder / "kb"
    one_in = random.Random(1)

    def overlay(data: bytes) -> object:
        named, _, text = data.partition(b"\n")
        kind = named.split(b"/")[0].decode("ascii", "replace")
        kind = kind if kind in ("facts", "incidents", "remedies", "known-issues", "products") else "pitfalls"
        for old in overlays.rglob("*.md"):
            old.unlink()
        name = named.split(b"/")[-1].decode("utf-8", "replace").replace("\0", "")[:80]
        inside = overlays / kind / ("nccl" if kind == "known-issues" else "")
        inside.mkdir(parents=True, exist_ok=True)
        (inside / (name if name.endswith(".md") else "x.md")).write_bytes(text)
        try:
            read_folder(str(overlays), knowledge)
            if one_in.random() > 0.05:
                return None
            for problem in lint(str(overlays)):
                assert problem and "\n" not in problem, f"no sentence: {problem[:200]!r}"
            return Session(Knowledge.load(str(overlays)), "reference").close()
        except EngineError as error:
            return one_sentence(error)

    prose, errors = _prose(knowledge)

    def page(data: bytes) -> object:
        text = data.partition(b"\n")[2].decode("utf-8", "replace")
        if len(text) > LARGEST or UNSEEN.search(text):
            return None  # as the loader refuses it
        try:
            found = read_page(text, "x.md")
        except EngineError as error:
            return one_sentence(error)
        lay_out(Screen(80), found.tokens)
        if prose:
            try:
                Harmless().feed(prose(found.tokens))
            except errors as error:
                one_sentence(error)
        return None

    pages = seeds.pages()
    return [Target("overlay", overlay, pages, 0.15), Target("site", page, pages, 1.5)]


def _prose(knowledge: Knowledge) -> tuple[Callable[..., str] | None, tuple[type[Exception], ...]]:
    """What makes HTML of the tokens of a page, where Jinja2 is there; and its sentences."""
    try:
        from gpudoctor.cli.site.catalogue import Catalogue
        from gpudoctor.cli.site.prose import Prose, ProseError, Spot
    except ModuleNotFoundError:
        return None, ()
    prose = Prose(Catalogue(knowledge))
    return (lambda tokens: prose.html(tokens, Spot("incidents/x.md"))), (ProseError,)


class Harmless(HTMLParser):
    """Refuses HTML that could do more than show text and lead to other pages."""

    TAGS = frozenset(
        ("a", "blockquote", "br", "code", "div", "em", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "img", "li", "ol", "p",
         "pre", "section", "strong", "sup", "table", "tbody", "td", "th", "thead", "tr", "ul")
    )  # fmt: skip
    ATTRIBUTES = frozenset(
        (
            "alt",
            "aria-label",
            "class",
            "href",
            "id",
            "rel",
            "scope",
            "src",
            "start",
            "style",
            "tabindex",
            "title",
        )
    )

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """One tag."""
        assert tag in self.TAGS, f"<{tag}>"
        for name, value in attrs:
            assert name in self.ATTRIBUTES, f"{name}="
            if name in ("href", "src"):
                scheme = (value or "").strip().lower().partition(":")[0]
                assert scheme not in ("javascript", "vbscript", "data", "file"), value


def one_sentence(error: Exception) -> str:
    """What an error says: one sentence, or one for each thing that is wrong with a file."""
    said = str(error)
    assert said and all(said.split("\n")) and "\x1b" not in said, f"no sentence: {said[:200]!r}"
    assert all(len(line) < 2000 for line in said.split("\n")), f"a sentence of {len(said)} characters"
    assert said.count("\n") < 50, f"{said.count(chr(10)) + 1} sentences"
    return said

"""Pages to learn from: the tutorial, the authors' guide, the architecture; and what their commands print.

The tutorial's outputs are made when the site is built, by the same program, so they cannot grow stale.
"""

from __future__ import annotations

import re
from pathlib import Path

from gpudoctor.engine.tuples import NamedTuple

from ...engine import Knowledge, Session
from ...engine.errors import EngineError
from ...engine.knowledge.markdown import parser
from ..content.entries import find
from ..render.report.terminal import text_report
from .prose import Prose, Spot

HERE = Path(__file__).resolve().parent
_CHECKOUT = HERE.parents[1]
_OUTPUT = re.compile(r"^<<(report|facts|explain) ([\w.-]+)>>$", re.MULTILINE)
_SHOWN = re.compile(r"^<<show ([\w.-]+)>>$", re.MULTILINE)
_TITLE = re.compile(r"\A# (.*)\n")
_LINES = 46


class Guide(NamedTuple):
    """A page to learn from."""

    id: str
    title: str
    lead: str


class GuideError(Exception):
    """A guide is missing or shows what does not run."""


GUIDES = (
    Guide(
        "tutorial",
        "From a stuck job to its cause",
        "A real log, read line by line to a diagnosis and its remedy.",
    ),
    Guide("authors", "Write knowledge", "From a clone to a new incident in ten minutes."),
    Guide("architecture", "How gpudoctor is built", "One screen on how the parts fit."),
)
_FILES = {"authors": "CONTRIBUTING.md", "architecture": "ARCHITECTURE.md"}
_LINKS = {
    "CONTRIBUTING.md": "../authors/index.html",
    "ARCHITECTURE.md": "../architecture/index.html",
    "engine/diagnosis/diagnosis.schema.json": "../../assets/diagnosis.schema.json",
}


def guide_html(guide: Guide, prose: Prose, knowledge: Knowledge) -> str:
    """A guide as HTML. Raises GuideError."""
    text = _TITLE.sub("", _text(guide))
    text = _SHOWN.sub(lambda found: _fenced(_material(found[1])), text)
    text = _OUTPUT.sub(lambda found: _fenced(_output(found[1], found[2], knowledge)), text)
    for target, address in _LINKS.items():
        text = text.replace(f"]({target})", f"](#{address})")
    html = prose.html(parser().parse(text), Spot(f"guides/{guide.id}.md"))
    for address in _LINKS.values():
        html = html.replace(f'href="#{address}"', f'href="{address}"')
    return html


def _text(guide: Guide) -> str:
    name = _FILES.get(guide.id, f"{guide.id}.md")
    for place in (HERE / "texts" / name, _CHECKOUT / name):
        if place.is_file():
            return place.read_text(encoding="utf-8")
    raise GuideError(f"the guide {name} is not installed")


def _material(name: str) -> str:
    for place in (HERE / "texts" / name, _CHECKOUT / "tests" / "reports" / name):
        if place.is_file():
            return place.read_text(encoding="utf-8")
    raise GuideError(f"the guides show {name}, which is not there")


def _fenced(text: str) -> str:
    return f"```text\n{text.rstrip()}\n```"


def _output(what: str, name: str, knowledge: Knowledge) -> str:
    """What the program prints; long output is cut at the end of a paragraph."""
    from ...engine.facts.factsfile import read_facts
    from ...probes.report import Reader
    from ..render.kbpage import explain_entry
    from ..render.screen import Screen

    if what == "explain":
        screen = Screen(80)
        explain_entry(screen, knowledge, getattr(find(knowledge, name), "id", name))
        return _cut(screen.plain())
    session = Session(knowledge, "reference")
    try:
        if what == "report":
            for fact in Reader(knowledge).read([_material(name).encode()], name):
                session.add(fact)
        else:
            for statement in read_facts(_material(name), name, knowledge.vocabulary.spec):
                session.add(statement)
    except EngineError as error:
        raise GuideError(f"{name}: {error}") from None
    return _cut(text_report(session.diagnosis().to_dict()).plain())


def _cut(text: str) -> str:
    lines = text.splitlines()
    if len(lines) <= _LINES:
        return text
    end = next((i for i in range(_LINES, 0, -1) if not lines[i].strip()), _LINES)
    return "\n".join([*lines[:end], "", f"[{len(lines) - end} more lines]"])

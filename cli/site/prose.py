"""Markdown of the knowledge base as HTML: links between entries, citations, names of facts, code to copy."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token

from gpudoctor.engine.tuples import NamedTuple

from ...engine.knowledge.markdown import FOOTNOTE, parser
from .catalogue import Catalogue

_ENTRY = re.compile(
    r"^(?:\.\./)*(?:(incidents|remedies|facts|known-issues|products)/)?(?:[\w-]+/)?([^/#]+)\.md(#.*)?$"
)
_FACT = re.compile(r"^(?:[a-z][a-z0-9_]*(?:\.[A-Za-z0-9_<>-]+)+|[A-Z][A-Z0-9]*_[A-Z0-9_]+)$")
_NAME = re.compile(r"([\w.<>-]+)")
UP = "../../"
"""From a page of an entry to the root of the site."""


class ProseError(Exception):
    """A text of the knowledge base points to something that is not there."""


class Spot(NamedTuple):
    """Where a text stands: which folder of the knowledge base, whose sources, which prefix its anchors have."""

    path: str
    sources: Mapping[str, str] = {}  # footnote to address; never written to
    prefix: str = ""
    level: int = 2


class Prose:
    """Renders tokens of the engine's own parser."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue
        self._markdown: MarkdownIt = parser()
        self._renderer = _Renderer(self)

    def html(self, tokens: Sequence[Token], place: Spot) -> str:
        """A run of tokens as HTML. Raises ProseError for a link or citation that leads nowhere."""
        return str(
            self._renderer.render(list(tokens), self._markdown.options, {"place": place, "titles": {}})
        )

    def line(self, text: str, place: Spot) -> str:
        """One line of Markdown as HTML."""
        tokens = self._markdown.parseInline(text)
        return self.html(tokens, place)

    def link(self, target: str, place: Spot) -> str:
        """The address of a link as the page needs it."""
        if re.match(r"^(?:https?:|mailto:|#)", target):
            return target
        found = _ENTRY.match(target)
        if not found:
            raise ProseError(f"{place.path}: the link {target} leads out of the knowledge base")
        kind = found[1] or place.path.partition("/")[0]
        name = found[2]
        known: dict[str, Mapping[str, object]] = {
            "incidents": self._catalogue.incidents,
            "remedies": self._catalogue.remedies,
            "facts": self._catalogue.facts,
            "known-issues": self._catalogue.issues,
            "products": self._catalogue.products,
        }
        if name not in known.get(kind, {}):
            raise ProseError(f"{place.path}: there is no {kind}/{name}.md to link to")
        return f"{UP}{kind}/{name}/index.html{found[3] or ''}"

    def fact_link(self, code: str) -> str:
        """The page of a fact or environment variable named in code, or nothing."""
        if not _FACT.match(code):
            return ""
        for name in (code, f"env.{code}"):
            if name in self._catalogue.facts:
                return UP + self._catalogue.fact_page(name)
        return ""


class _Renderer(RendererHTML):
    """The standard renderer with the rules of this site."""

    def __init__(self, prose: Prose) -> None:
        super().__init__()
        self._prose = prose

    def text(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
        """Text, with its citations as links to the sources."""
        place: Spot = env["place"]

        def cite(mark: re.Match[str]) -> str:
            if mark[1] not in place.sources:
                raise ProseError(f"{place.path}: no source is called {mark[1]}")
            number = list(place.sources).index(mark[1]) + 1
            return (
                f'<sup class="cite"><a href="{escape(place.sources[mark[1]])}" '
                f'aria-label="source {number}">{number}</a></sup>'
            )

        return FOOTNOTE.sub(cite, escape(tokens[idx].content))

    def code_inline(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
        """Code, linked where it names a fact."""
        content = tokens[idx].content
        shown = f"<code>{escape(content)}</code>"
        linked = any(t.type == "link_open" for t in tokens[:idx]) and not any(
            t.type == "link_close" for t in tokens[:idx]
        )
        address = "" if linked else self._prose.fact_link(content)
        return f'<a class="fact" href="{escape(address)}">{shown}</a>' if address else shown

    def link_open(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
        """A link, rewritten to the page of the entry."""
        address = self._prose.link(str(tokens[idx].attrs["href"]), env["place"])
        outside = ' rel="noopener noreferrer"' if address.startswith("http") else ""
        return f'<a href="{escape(address)}"{outside}>'

    def fence(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
        """A block of commands."""
        return code_block(tokens[idx].content)

    code_block = fence

    def table_open(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
        """A table that scrolls on its own."""
        return '<div class="scroll" tabindex="0"><table>\n'

    def table_close(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
        """The end of a table."""
        return "</table></div>\n"

    def th_open(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
        """A heading of a column."""
        return '<th scope="col">'

    def heading_open(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
        """A heading at the level of the place, with its anchor."""
        place: Spot = env["place"]
        level = min(6, int(tokens[idx].tag[1]) + place.level - 2)
        anchor = place.prefix + slug(tokens[idx + 1].content)
        seen = env["titles"]
        seen[anchor] = seen.get(anchor, 0) + 1
        if seen[anchor] > 1:
            anchor += f"-{seen[anchor]}"
        return f'<h{level} id="{anchor}">'

    def heading_close(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
        """The end of a heading."""
        place: Spot = env["place"]
        return f"</h{min(6, int(tokens[idx].tag[1]) + place.level - 2)}>\n"


def code_block(content: str) -> str:
    """Commands or output in a box that can be copied and scrolled by keyboard."""
    return f'<div class="code"><pre tabindex="0"><code>{escape(content.rstrip())}</code></pre></div>\n'


def slug(title: str) -> str:
    """The anchor of a heading."""
    return re.sub(r"[^a-z0-9\u4e00-\u9fff]+", "-", title.lower()).strip("-")


def linked_words(text: str, address: Mapping[str, str]) -> str:
    """A rule in words as HTML, with its facts as links; ``text`` is what the engine says of it."""
    return "".join(
        f'<a class="fact" href="{escape(address[piece])}"><code>{escape(piece)}</code></a>'
        if piece in address
        else escape(piece)
        for piece in _NAME.split(text)
    )

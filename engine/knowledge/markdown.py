"""Knowledge files as Markdown: the YAML head, the sections, numbered steps, footnotes, links.

One parser (markdown-it) for the loader, the linter, the terminal and the site.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.footnote import footnote_plugin

from ..errors import KnowledgeError
from ..model import Step

_HEADED = re.compile(r"---[ \t]*\n((?:.*\n)*?)---[ \t]*(?:\n|\Z)")
"""A head ends at the first line that holds three dashes from its beginning on, and nothing else."""
_DEFINITION = re.compile(r"^ {0,3}\[[^\]\n]+\]:", re.MULTILINE)
FOOTNOTE = re.compile(r"\[\^([^\]\s]+)\]")
_LINK = re.compile(r"\[([^\[\]]+)\]\(([^)\s]+)\)")


@lru_cache(maxsize=1)
def parser() -> MarkdownIt:
    """The dialect of the knowledge base: CommonMark with tables and footnotes, no raw HTML."""
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    return markdown.use(footnote_plugin)


@lru_cache(maxsize=2)
def _blocks(tables: bool) -> MarkdownIt:
    """The same dialect, of which only the blocks are told apart, for a text without definitions; without the rules
    that would find nothing on any line."""
    markdown = MarkdownIt("commonmark", {"html": False})
    markdown.disable(["inline", "text_join", "html_block", "reference"])
    return markdown.enable("table") if tables else markdown


@dataclass(frozen=True)
class Section:
    """A heading and what stands under it, up to the next heading of its level or above."""

    title: str
    level: int
    line: int
    tokens: tuple[Token, ...]


@dataclass(frozen=True)
class Page:
    """A parsed file: the text of its YAML head, where that begins, and its sections in order."""

    head: str
    head_line: int
    sections: tuple[Section, ...]
    tokens: tuple[Token, ...]

    def section(self, title: str) -> Section | None:
        """The second-level section with that heading."""
        return next((s for s in self.sections if s.level == 2 and s.title == title), None)


def read_page(text: str, where: str) -> Page:
    """Split a knowledge file, for being shown. Raises KnowledgeError if it has no YAML head."""
    return _page(parser(), *_split(text, where))


def read_blocks(text: str, where: str) -> Page:
    """The same without what is inside a paragraph, which takes a third of the time: for records and the linter."""
    head, body = _split(text, where)
    # Definitions of links and footnotes are read with what is in the paragraphs.
    return _page(parser() if _DEFINITION.search(body) else _blocks("|" in body), head, body)


def _page(markdown: MarkdownIt, head: str, body: str) -> Page:
    tokens = markdown.parse(body)
    return Page(head, 2, tuple(_sections(tokens)), tuple(tokens))


def _split(text: str, where: str) -> tuple[str, str]:
    """The head and the body, with lines without anything in the place of the head: the parser would look at every
    character of it."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "\ufffd")
    found = _HEADED.match(text)
    if not found:
        raise KnowledgeError("the file must begin with a YAML head between two lines of ---", f"{where}:1")
    return found[1].removesuffix("\n"), "\n" * text.count("\n", 0, found.end()) + text[found.end() :]


def _sections(tokens: list[Token]) -> list[Section]:
    starts = [i for i, t in enumerate(tokens) if t.type == "heading_open" and t.level == 0]
    found = []
    for position, start in enumerate(starts):
        level = int(tokens[start].tag[1])
        end = len(tokens)
        for later in starts[position + 1 :]:
            if int(tokens[later].tag[1]) <= level:
                end = later
                break
        line = (tokens[start].map or [0])[0] + 1
        found.append(Section(tokens[start + 1].content.strip(), level, line, tuple(tokens[start + 3 : end])))
    return found


def steps(tokens: tuple[Token, ...]) -> tuple[Step, ...]:
    """The items of the numbered (or plain) lists, or else the paragraphs, with their commands."""
    found: list[Step] = []
    text: list[str] = []
    commands: list[str] = []

    def close() -> None:
        if text or commands:
            found.append(Step(" ".join(text), tuple(commands)))
            text.clear()
            commands.clear()

    depth = 0
    cells: list[str] | None = None
    for token in tokens:
        if token.type in ("footnote_block_open", "heading_open"):
            break
        if token.type == "tr_open":
            cells = []
        elif token.type == "tr_close" and cells is not None:
            text += _row(cells)
            cells = None
        elif token.type == "thead_close":
            text.pop()  # the head of a table has no place in a sentence
        if token.type == "inline" and cells is not None:
            cells.append(plain(token.content))
            continue
        if token.type == "list_item_open" and depth == 0:
            close()
        depth += (token.type == "list_item_open") - (token.type == "list_item_close")
        if token.type == "inline":
            if depth == 0 or (depth == 1 and commands):  # words behind a block begin a step of their own
                close()
            text.append(plain(token.content))
        elif token.type in ("fence", "code_block"):
            commands.append(token.content.rstrip("\n"))
    close()
    return tuple(found)


def _row(cells: list[str]) -> list[str]:
    """A row of a table as a sentence."""
    first, *rest = [cell for cell in cells if cell] or [""]
    return [f"{first[:1].upper()}{first[1:]}" + (f": {'; '.join(rest)}" if rest else "") + "."]


def variants(section: Section) -> dict[str, tuple[Step, ...]]:
    """Steps under the section itself (key ``""``) and under each of its sub-headings."""
    groups: dict[str, list[Token]] = {"": []}
    current = groups[""]
    skip = 0
    for index, token in enumerate(section.tokens):
        if token.type == "footnote_block_open":
            break
        if token.type == "heading_open" and token.level == 0:
            current = groups.setdefault(section.tokens[index + 1].content.strip(), [])
            skip = 3
        if skip:
            skip -= 1
            continue
        current.append(token)
    return {name: found for name, group in groups.items() if (found := steps(tuple(group)))}


def plain(markdown: str) -> str:
    """Inline Markdown as text: footnote marks gone, links as their words, line ends as spaces."""
    if "[" in markdown:
        markdown = _LINK.sub(_link_in_words, FOOTNOTE.sub("", markdown))
    return " ".join(markdown.split())


def _link_in_words(link: re.Match[str]) -> str:
    target = link[2].rsplit("/", 1)[-1]
    return f"{link[1]} ({target.removesuffix('.md')})" if target.endswith(".md") else link[1]


def paragraphs(section: Section | None) -> list[str]:
    """The section's paragraphs and list items as text."""
    if section is None:
        return []
    return [plain(t.content) for t in section.tokens if t.type == "inline"]


def marks(section: Section | None) -> tuple[str, ...]:
    """The footnotes of the section's first paragraph, each once."""
    first = next((t for t in section.tokens if t.type == "inline"), None) if section else None
    return tuple(dict.fromkeys(FOOTNOTE.findall(first.content))) if first else ()


def cited(markdown: str) -> str:
    """Inline Markdown as text in which the footnotes still stand, as ``[id]``."""
    return plain(FOOTNOTE.sub(r" [\1]", markdown))


def links(tokens: tuple[Token, ...]) -> list[tuple[str, int]]:
    """Every link target with the line of the block it stands in."""
    found = []
    for token in tokens:
        if token.type == "inline" and ("](" in token.content or "<" in token.content or token.children):
            line = (token.map or [0])[0] + 1
            children = token.children or parser().parseInline(token.content)[0].children or ()
            found += [(str(c.attrs["href"]), line) for c in children if c.type == "link_open"]
    return found

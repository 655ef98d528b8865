"""Linter: headings, claims without sources, sources without claims, shell blocks, internal links."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Collection, Iterable, Iterator
from functools import lru_cache

from markdown_it.token import Token

from ...facts import TypeOf
from ..files import LoadedFile
from ..markdown import FOOTNOTE, Section, links
from ..products import HOW_TO_FIND

HEADINGS = {
    "incidents": ("Symptom", "Cause", "Tell it apart", "Limits"),
    "remedies": ("Steps", "Verify", "Undo", "Limits"),
    "facts": ("How to find out",),
    "known-issues": ("What happens", "Affected", "What to do", "Limits"),
    "products": (HOW_TO_FIND,),
    "pitfalls": ("Why", "Limits"),
}
_CLAIMING = ("Symptom", "Cause", "What happens", "Affected", "Why")


def check(kind: str, file: LoadedFile, type_of: TypeOf, parsed: Collection[str] = ()) -> Iterator[str]:
    """One file of a knowledge base; shell blocks in ``parsed`` are known to be right."""
    where = file.where
    page = file.page
    found = [s.title for s in page.sections if s.level == 2]
    wanted = list(HEADINGS[kind])
    if found[: len(wanted)] != wanted:
        yield f"{where}: the headings must be {', '.join(wanted)}, in this order"
        return
    if "<" in "".join(t.content for t in page.tokens if t.type == "html_block"):
        yield f"{where}: raw HTML is not allowed"
    named = [part.text("id") for part in file.head().parts("sources")]
    sources = set(named)
    for mark in sorted(mark for mark in sources if named.count(mark) > 1):
        yield f'{where}: there are two sources "{mark}"'
    body = "\n".join(t.content for t in page.tokens if t.type == "inline")
    cited = set(FOOTNOTE.findall(body))
    for mark in sorted(cited - sources):
        yield f"{where}: the footnote [^{mark}] has no source"
    for mark in sorted(sources - cited if kind != "products" else ()):
        yield f'{where}: the source "{mark}" supports no claim of the text'
    if kind in ("incidents", "known-issues", "pitfalls"):
        for section in page.sections:
            if section.level == 2 and section.title in _CLAIMING:
                yield from _claims(section, where)
    for title in ("Cause", "Why", "What happens"):
        yield from _first_paragraph(page.section(title), where)
    for target, line in links(page.tokens):
        yield from _link(file, target, line)
    for token in shell_blocks(file):
        if token.content not in parsed:
            problem = shell_problem(token.content)
            if problem:
                yield f"{where}:{(token.map or [0])[0] + 1}: this shell block does not parse: {problem}"


def _claims(section: Section, where: str) -> Iterator[str]:
    for token in section.tokens:
        if (
            token.type == "inline"
            and not FOOTNOTE.search(token.content)
            and token.level < 4
            and len(token.content) > 40
            and not token.content.endswith(":")
        ):
            yield f"{where}:{(token.map or [0])[0] + 1}: this paragraph of {section.title} has no source"


def _first_paragraph(section: Section | None, where: str) -> Iterator[str]:
    """The first paragraph is shown alone, so it cannot announce what stands below it."""
    first = next((t for t in section.tokens if t.type == "inline"), None) if section else None
    if first is not None and FOOTNOTE.sub("", first.content).rstrip().endswith((":", ",", ";")):
        at = (first.map or [0])[0] + 1
        yield f"{where}:{at}: the first paragraph is shown alone and must not end by announcing what follows"


def _link(file: LoadedFile, target: str, line: int) -> Iterator[str]:
    if re.match(r"[a-z]+:", target):
        if not target.startswith(("https://", "http://")):
            yield f"{file.where}:{line}: the link {target} is no web address"
        return
    path = file.path.parent / target.split("#")[0]
    if target.split("#")[0] and not path.is_file():
        yield f"{file.where}:{line}: the link {target} leads nowhere"


def shell_blocks(file: LoadedFile) -> Iterator[Token]:
    """The blocks of a page that are for a shell."""
    return (t for t in file.page.tokens if t.type == "fence" and t.info.strip() in ("sh", "bash"))


_MARK = "\n: '(' \"(\"\n"
"""Stands between blocks that are parsed together: a syntax error where the block before leaves a quote open."""


def parsed_together(blocks: Iterable[str]) -> frozenset[str]:
    """The blocks that one run of the shell finds to be right together; none of them if one is wrong.

    A process for each would take most of the time. Here-documents and backticks may swallow what follows, so
    blocks with these are left to be parsed alone.
    """
    plain = sorted({block for block in blocks if "<<" not in block and "`" not in block})
    return frozenset() if not plain or shell_problem(_MARK.join(plain)) else frozenset(plain)


@lru_cache(maxsize=4096)
def shell_problem(block: str) -> str:
    """What ``bash -n`` says of a block; empty where it parses or where there is no bash."""
    bash = shutil.which("bash")
    if bash is None:
        return ""
    result = subprocess.run(
        [bash, "-n"], input=block, capture_output=True, text=True, timeout=10, check=False
    )
    return result.stderr.strip().splitlines()[0] if result.returncode else ""

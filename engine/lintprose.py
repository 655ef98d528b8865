"""Linter: headings, claims without sources, sources without claims, shell blocks, internal links."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator
from functools import lru_cache

from .facttypes import TypeOf
from .loader import LoadedFile
from .markdown import FOOTNOTE, Section, links

HEADINGS = {
    "incidents": ("Symptom", "Cause", "Tell it apart", "Limits"),
    "remedies": ("Steps", "Verify", "Undo", "Limits"),
    "facts": ("How to find out",),
}
_CLAIMING = ("Symptom", "Cause")


def check(kind: str, file: LoadedFile, type_of: TypeOf) -> Iterator[str]:
    """One file of a knowledge base."""
    where = file.where
    page = file.page
    found = [s.title for s in page.sections if s.level == 2]
    wanted = list(HEADINGS[kind])
    if found[: len(wanted)] != wanted:
        yield f"{where}: the headings must be {', '.join(wanted)}, in this order"
        return
    if "<" in "".join(t.content for t in page.tokens if t.type == "html_block"):
        yield f"{where}: raw HTML is not allowed"
    sources = {part.text("id") for part in file.head().parts("sources")}
    body = "\n".join(t.content for t in page.tokens if t.type == "inline")
    cited = set(FOOTNOTE.findall(body))
    for mark in sorted(cited - sources):
        yield f"{where}: the footnote [^{mark}] has no source"
    for mark in sorted(sources - cited):
        yield f'{where}: the source "{mark}" supports no claim of the text'
    if kind == "incidents":
        for section in page.sections:
            if section.level == 2 and section.title in _CLAIMING:
                yield from _claims(section, where)
    for target, line in links(page.tokens):
        yield from _link(file, target, line)
    for token in page.tokens:
        if token.type == "fence" and token.info.strip() in ("sh", "bash"):
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


def _link(file: LoadedFile, target: str, line: int) -> Iterator[str]:
    if re.match(r"[a-z]+:", target):
        if not target.startswith(("https://", "http://")):
            yield f"{file.where}:{line}: the link {target} is no web address"
        return
    path = file.path.parent / target.split("#")[0]
    if target.split("#")[0] and not path.is_file():
        yield f"{file.where}:{line}: the link {target} leads nowhere"


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

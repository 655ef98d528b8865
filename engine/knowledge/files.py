"""The files of a knowledge base: found, read as pages, and what all of them say alike."""

from __future__ import annotations

import stat
from collections.abc import Iterable
from pathlib import Path

from ..characters import first_unseen
from ..errors import EngineError, KnowledgeError
from ..facts.yamltext import read_yaml
from ..model import FOLDERS, SOURCE_KINDS, Source
from .head import Head
from .markdown import Page, read_blocks

LARGEST = 64 << 10
"""Bytes of a page at most, four times the largest one: a Markdown reader takes its time for brackets without end."""


class LoadedFile:
    """One parsed file, kept for the linter: its page beside its record.

    ``entry`` is its place inside the knowledge base, ``incidents/p2p/driver-p2p-bug.md``.
    """

    def __init__(self, path: Path, entry: str, where: str) -> None:
        self.path = path
        self.entry = entry
        self.where = where
        try:
            state = path.stat()
            if not stat.S_ISREG(state.st_mode) or state.st_size > LARGEST:
                raise KnowledgeError(f"this is no page: a regular file of up to {LARGEST >> 10} KiB", where)
            text = path.read_bytes().decode().replace("\r\n", "\n").replace("\r", "\n")
        except (OSError, UnicodeDecodeError) as error:
            raise KnowledgeError(f"cannot be read: {_reason(error)}", where) from None
        odd = first_unseen(text)
        if odd:
            line = text.count("\n", 0, odd.start()) + 1
            raise KnowledgeError(f"a character that no text needs: {odd[0]!r}", f"{where}:{line}")
        self.page: Page = read_blocks(text, where)
        self.document = read_yaml(self.page.head, where, self.page.head_line)

    def head(self) -> Head:
        """A fresh reader of the head."""
        return Head(self.document)


def _reason(error: OSError | UnicodeDecodeError) -> str:
    return (error.strerror or str(error)) if isinstance(error, OSError) else "it is not UTF-8 text"


def knowledge_files(folder: Path) -> dict[str, list[Path]]:
    """The Markdown files of a knowledge base by kind, sorted: in the folder of their kind or one below it.

    Raises KnowledgeError.
    """
    if not folder.is_dir():
        raise KnowledgeError("there is no such folder", str(folder))
    try:
        found = {
            kind: sorted([*(folder / kind).glob("*.md"), *(folder / kind).glob("*/*.md")]) for kind in FOLDERS
        }
    except OSError as error:
        raise KnowledgeError(f"cannot be read: {error.strerror}", str(folder)) from None
    if not any(found.values()):
        raise KnowledgeError(f"this is no knowledge base: it has no {', '.join(FOLDERS)}", str(folder))
    return found


def read_files(folder: Path, kind: str, paths: Iterable[Path]) -> dict[str, LoadedFile]:
    """Parse files of one kind; keys are the names of the files."""
    found: dict[str, LoadedFile] = {}
    for path in paths:
        entry, name = path.relative_to(folder).as_posix(), path.stem
        if name in found:
            raise KnowledgeError(f"{found[name].entry} has the same name", f"{folder}/{entry}")
        found[name] = LoadedFile(path, entry, f"{folder}/{entry}")
    return found


def sources_of(head: Head) -> tuple[Source, ...]:
    """The citations of a page."""
    found = []
    for part in head.parts("sources"):
        source = Source(
            id=part.text("id"),
            url=part.text("url"),
            kind=part.word("kind", SOURCE_KINDS),
            date=part.text("date", ""),
            supports=part.text("supports"),
        )
        if not source.url.startswith(("https://", "http://")):
            part.fail("the address of a source begins with https:// or http://", "url")
        part.finish()
        found.append(source)
    return tuple(found)


def named_like_file(head: Head, key: str, file: LoadedFile) -> str:
    """The name of an entry, which must be that of its file."""
    name = head.text(key)
    if name != file.path.stem and "<" not in name:
        head.fail(f'"{key}" must be the name of the file, {file.path.stem}', key)
    return name


def kb_version(folder: Path) -> str:
    """The version of a knowledge base, from the head of its README.md, or empty."""
    readme = folder / "README.md"
    if not readme.is_file():
        return ""
    try:
        return LoadedFile(readme, readme.name, str(readme)).head().text("version", "")
    except EngineError:
        return ""

"""Reading a report: whatever people paste, from a line to gigabytes, becomes facts with their lines."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import chain

from ..engine.facts import REPORT, WORDS, Fact, Origin
from ..engine.knowledge import Knowledge
from ..engine.knowledge.literals import LOGS, SAID
from ..engine.language.counts import may_tell_of_none, without_none
from ..engine.language.matching import as_words
from ..engine.patterns import lazy_pattern
from ..engine.redaction import redact, without_apart
from .alarms import alarms
from .documents import Documents, Part
from .files import Progress, report_files
from .findings import STAGE, Findings
from .parsers import PARSERS
from .parsers.listings import listings
from .parsers.mentions import read_mentions
from .scanner import CHUNK, LiteralHit, Scanner, Search, chunks
from .signatures import SignatureTable
from .text import clean, decode, safe, visible
from .timeline import FileTimeline, Timeline
from .windows import lines_above

SHORT = 64 << 10
"""A text up to this size is also read for a person's own words; logs are not."""
_TAIL = 64 << 10
_HEAD = 12 << 10
"""Bytes at the beginning and at the end of a text whose words name pages that resemble it."""
_PARAGRAPH = 2000
_LONGEST_ERROR = 2000
_LONGEST_TEXT = 300
_ERRORS = (
    "Error",
    "ERROR",
    "FATAL",
    "CRITICAL",
    "NCCL WARN",
    "Exception",
    "ailed",
    "annot",
    "error:",
    "Segmentation",
)
_JOINS = ("- Init START", "- Init COMPLETE", "NCCL INFO cudaDriverVersion", "NCCL INFO NCCL version ")
_ERROR = lazy_pattern(
    r"\b(?:[A-Z]\w{0,80}(?:Error|Exception)\b|(?:ERROR|FATAL|CRITICAL)\b|NCCL WARN\b|[Ff]ailed\b|[Cc]annot\b|error:"
    r"|Segmentation fault)"
)
_NO_ERROR = lazy_pattern(r"(?i)\bno error\b|\b0 errors?\b")
_BEGIN_NO_ERROR = ("Traceback", "#", "//", "raise ", 'File "', "except ")

Named = tuple[str, Iterable[bytes]]


def read_report(
    text: str | bytes | os.PathLike[str], where: str = "", knowledge: Knowledge | None = None
) -> Iterator[Fact]:
    """The facts of one text, file or folder. Raises FileError if a file cannot be read."""
    if isinstance(text, os.PathLike):
        yield from read_reports([text], knowledge)
        return
    data = text.encode("utf-8", "surrogateescape") if isinstance(text, str) else text
    yield from Reader(knowledge).read_all([(where, [data])])


def read_reports(
    paths: Iterable[str | os.PathLike[str]],
    knowledge: Knowledge | None = None,
    progress: Progress | None = None,
) -> Iterator[Fact]:
    """The facts of several files and folders, read together. ``progress`` hears how it goes.

    Raises FileError if one cannot be read.
    """
    parts = (named for path in paths for named in report_files(path, progress))
    yield from Reader(knowledge).read_all(parts)


class Reader:
    """Signatures and parsers of a knowledge base, prepared once for any number of texts.

    Without ``words`` a short text is not read for a person's own words: it comes from a tool.
    """

    def __init__(self, knowledge: Knowledge | None = None, words: bool = True) -> None:
        knowledge = knowledge or built_in()
        self._knowledge = knowledge
        self._spec = knowledge.vocabulary.spec
        self._log, self._words = (
            SignatureTable(knowledge.literals(LOGS)),
            SignatureTable(knowledge.literals(SAID)),
        )
        self._short = SHORT if words else 0
        for parser in (*PARSERS, listings(knowledge.packages())):
            self._log.add_parser(parser)
        self._log.add_handler(_ERRORS, _take_error)
        self._log.add_handler(_JOINS, _take_join)

    @property
    def search(self) -> Search:
        """The search for everything that is looked for in a log of any size."""
        return self._log.search

    @property
    def literals(self) -> list[bytes]:
        """Everything that is looked for in a log of any size."""
        return list(self.search.literals)

    def read(self, parts: Iterable[bytes], where: str) -> Iterator[Fact]:
        """The facts of one text."""
        yield from self.read_all([(where, parts)])

    def read_all(self, texts: Iterable[Named]) -> Iterator[Fact]:
        """The facts of several texts that belong together: those of each in order, then what all of them tell."""
        timeline = Timeline()
        documents = Documents()
        ends: list[tuple[bool | None, list[Fact]]] = []
        for where, stream in texts:
            whole, parts, found = documents.take(where, stream)
            yield from map(_fact, found)
            if whole:
                continue
            part = FileTimeline(timeline, where)
            findings = Findings(where, self._spec, part)
            yield from self._read(parts, findings, timeline, where)
            ends.append((part.quiet, findings.last()))
        yield from _endings(ends)
        yield from map(_fact, chain(timeline.facts(), documents.compare()))

    def _read(
        self, parts: Iterable[bytes], findings: Findings, timeline: Timeline, where: str
    ) -> Iterator[Fact]:
        scanner = Scanner(self._log.search)
        first: bytes | None = None
        size = 0
        tail, tail_line = b"", 1
        head = b""
        for chunk in chunks(parts, CHUNK):
            chunk = without_apart(visible(decode(chunk) if size == 0 else chunk))
            first = chunk if size == 0 else None
            size += len(chunk)
            if len(head) < _HEAD:
                head += chunk[: _HEAD - len(head)]
            if len(chunk) > _TAIL:
                tail, tail_line = chunk, scanner.line
            else:
                tail += chunk
            cut = tail.rfind(b"\n", 0, -_TAIL) + 1 if len(tail) > _TAIL else 0
            tail, tail_line = tail[cut:], tail_line + tail.count(b"\n", 0, cut)
            for hit in scanner.scan(chunk):
                self._log.apply(hit, findings)
            if size > SHORT:
                yield from findings.take()
        if scanner.forgot:
            findings.only_last = True  # the end of a chatty log still tells how far it came
            for hit in Scanner(self._log.search, tail_line).scan(tail):
                self._log.apply(hit, findings)
        if first is not None and size <= self._short:
            self._read_words(first, findings)
        yield from findings.take()
        yield from _words_in(head, tail if size > len(head) else b"", where)
        if findings.is_silent:
            for number, text in alarms(tail, tail_line):
                findings.alarm(number, text)

    def _read_words(self, data: bytes, findings: Findings) -> None:
        """What a person says in a short text."""
        lines = [clean(piece) for piece in data.split(b"\n")]
        from .sayings import read_sayings

        read_sayings(lines, self._knowledge.wordings, findings)
        lowered = "\n".join(map(as_words, lines)).encode()
        for hit in Scanner(self._words.search).scan(lowered):
            self._words.apply(hit, findings, lines[hit.number - 1])
        for found in read_mentions([line if len(line) <= _PARAGRAPH else "" for line in lines]):
            findings.mentioned(found.name, found.value, found.line + 1, lines[found.line])


def _words_in(head: bytes, tail: bytes, where: str) -> Iterator[Fact]:
    """The words of a text, each once, redacted like everything that is kept."""
    head, end = head[: _last_blank(head)], tail[-_HEAD:]
    if len(tail) > _HEAD:  # what begins in the middle of a line may be a secret whose name was cut off
        end = end[end.find(b"\n") + 1 :]
    text = without_none(clean(head + b"\n" + end))
    words = dict.fromkeys(redact(safe(text)).split())
    if words:
        yield Fact(WORDS, " ".join(words), Origin(REPORT, where))


def _last_blank(head: bytes) -> int:
    """Where the last whole word of the beginning of a text ends: half a token is no longer known as one."""
    return len(head) if len(head) < _HEAD else max(head.rfind(b" "), head.rfind(b"\n"), 0)


@lru_cache(maxsize=1)
def built_in() -> Knowledge:
    """The built-in knowledge base."""
    return Knowledge.load()


def _fact(part: Part) -> Fact:
    name, value, where, text = part
    value = redact(value) if isinstance(value, str) else value
    return Fact(name, value, Origin(REPORT, where, redact(safe(text))[:_LONGEST_TEXT]))


def _take_error(hit: LiteralHit, line: str, findings: Findings) -> None:
    if (
        findings.wants_errors
        and len(line) <= _LONGEST_ERROR
        and _ERROR.search(line)
        and not _is_no_error(line)
    ):
        findings.error(hit.number, line, lambda: lines_above(hit, 40))


def _is_no_error(line: str) -> bool:
    """Whether a line with the words of an error reports none: source code, what comes before the error itself."""
    return (
        line.lstrip().startswith(_BEGIN_NO_ERROR)
        or line.rstrip().endswith(":")
        or "NCCL INFO" in line
        or (may_tell_of_none(line) and _tells_of_none(line))
    )


def _tells_of_none(line: str) -> bool:
    return bool(_NO_ERROR.search(line)) or not _ERROR.search(without_none(line))


def _take_join(hit: LiteralHit, line: str, findings: Findings) -> None:
    findings.joined(hit.number, line)


def _endings(ends: list[tuple[bool | None, list[Fact]]]) -> Iterator[Fact]:
    """How far most texts came, and whether the texts that tell so end in silence."""
    for _, facts in ends:
        yield from (fact for fact in facts if fact.name != STAGE)
    stages = [
        (quiet, fact) for quiet, facts in ends for fact in facts if quiet is not None and fact.name == STAGE
    ]
    if not stages:
        return
    usual, _ = Counter(fact.value for _, fact in stages).most_common(1)[0]
    quiet = all(q for q, _ in stages)
    chosen = next(fact for _, fact in stages if fact.value == usual)
    yield chosen
    yield Fact("log.quiet", quiet, chosen.origin)

"""Which lines of a text somebody wrote, and the sentences in them. What programs print is none of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..patterns import lazy_pattern
from ..vendors import alternatives
from .stance import is_logged

LONGEST = 1000
"""Characters of a line that may be somebody's words."""
FENCE = lazy_pattern(r"^\s{0,8}(?:```|~~~)")
_BULLET = lazy_pattern(r"^\s{0,12}(?:[-*•]\s|\d{1,2}[.)]\s|#{1,4}\s|>\s)?\s{0,4}")
_PRINTED = lazy_pattern(
    "|".join(
        (
            r"::| : |[{}]|=>|\||0x[0-9a-f]{3}|\b[0-9a-f]{4}:[0-9a-f]{2}:[0-9a-f]{2}\.\d",
            r"[<>]{2}|\.{4}|={3}|-{4}|\*{4}|_{4}",
            r"\bFile \"|Traceback|\bline \d+, in\b|\w\.(?:py|cc|cpp|cuh?|c|h|so|rs):?\d*[:)\]]",
            r"\b[A-Z]\w{0,60}(?:Error|Exception|Warning)\b ?[:(]|\b[a-z]{2,20}[A-Z]\w{1,40}:",
            r"[A-Z]{2,8}/[A-Z]{2,8}\b|ERROR|WARN|INFO|DEBUG|FATAL|CRITICAL",
            r"^\s{0,12}(?:at |raise |return |import |from \w+ import|def |class |if .{1,80}:$|for .{1,80}:$|[$#%] )",
            r"^\W{0,8}(?:sudo|docker|podman|python3?|torchrun|vllm|srun|mpirun|kubectl|export|pip|"
            rf"{alternatives(lambda v: v.tool)}|accelerate)\b.{{0,80}}\s--?\w",
            r"\bpid[= ]\d|\brank ?\d{1,4}\]|(?:/[\w.-]{1,40}){4}|\w\[\d{2,}\]",
            r"\[\w[^\]]{0,60}\]:?\s|^\s{0,12}[\w.-]{1,60}: (?:error|warning|fatal|cannot|failed)\b",
        )
    )
)
"""What hardly anybody writes: levels, paths, brackets, classes of exceptions, code."""
_MARKS = (
    "ERROR",
    "WARN",
    "INFO",
    "DEBUG",
    "FATAL",
    "CRITICAL",
    "{",
    "}",
    "|",
    "::",
    " : ",
    "=>",
    "Traceback",
)
"""What of it most printed lines have, which is seen much faster so."""
_CLASS = lazy_pattern(r"^[\w./-]*[._/:][\w./:-]*: |^[a-z]\w{2,30}: [a-z]|^[A-Z][\w ]{2,40}: (?:\d|/|[a-z]+$)")
"""What a program puts before its message."""
_WORD = lazy_pattern(r"[A-Za-z][a-z'’]*\b|[\u4e00-\u9fff]")
_TOKEN = lazy_pattern(r"[\u4e00-\u9fff]|[^\s\u4e00-\u9fff]+")
_PROGRAMS = lazy_pattern(
    r"(?i)^(?:compile with|for debugging|to avoid|please |note that|note:|hint|using |loading "
    r"|starting |waiting |failed to|unable to|could not|cannot |can't |no such|error\b|warning|exception|caught "
    r"|fatal\b|killed\b|aborted|segmentation|terminate called|process group |current |setting |initializing "
    r"|initialized|"
    + alternatives(lambda v: v.remarks)
    + r"|last error|call to |root cause|stack trace|device-side"
    r"|this (?:error|may|can|indicates)|run ['\"`][\w ./-]{1,60} --?h(?:elp)?\b"
    r"|welcome to \w{1,40}\. "
    r"|for (?:bug reports|more (?:information|details|help)),? (?:please |see |visit |run |check ))"
)
"""How messages of programs begin that read like sentences."""
_END = lazy_pattern(r"(?<=[.!?])\s+(?=[\"'(]?[A-Z0-9\u4e00-\u9fff])|(?<=[。！？；])|(?<=;)\s+")
_WRAPPED = lazy_pattern(r"[^.!?:;。！？：；]\s*$")
_EQUALS = 2
_FULL = 60
"""A line of so many characters may go on in the next."""
_SHARE = 0.6
"""So many of the words of a line are words of a language."""


def is_spoken(line: str) -> bool:
    """Whether somebody wrote a line, as far as its form tells."""
    if not 8 <= len(line) <= LONGEST * 4 or line.count("=") > _EQUALS:
        return False
    start = line[:LONGEST]
    for mark in _MARKS:
        if mark in start:
            return False
    if _PRINTED.search(start):
        return False
    plain = line[_BULLET.match(line).end() :]  # type: ignore[union-attr]
    if _CLASS.match(plain) or _PROGRAMS.match(plain) or line[:1] == "\t" or is_logged(line):
        return False
    tokens = _TOKEN.findall(plain)
    words = [t for t in tokens if _WORD.fullmatch(t.strip("\"'`*_.,;:!?()，。：；！？"))]
    return len(words) >= 3 and len(words) >= _SHARE * len(tokens)


def sentences(lines: Sequence[str]) -> Iterator[tuple[int, str]]:
    """The sentences of persons with the number of the line (from 0 on) in which each begins."""
    fenced = False
    held: list[tuple[int, str]] = []
    for number, line in enumerate(lines):
        if FENCE.match(line):
            fenced = not fenced
        if fenced or FENCE.match(line) or not is_spoken(line):
            yield from _split(held)
            held = []
            continue
        plain = line[_BULLET.match(line).end() :].rstrip()  # type: ignore[union-attr]
        wraps = held and plain[:1].islower() and len(held[-1][1]) >= _FULL and _WRAPPED.search(held[-1][1])
        if held and not wraps:
            yield from _split(held)
            held = []
        held.append((number, plain))
    yield from _split(held)


def _split(held: Sequence[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """The sentences of lines that make one paragraph."""
    if not held:
        return
    text = " ".join(part for _, part in held)
    begins = [0]
    for _, part in held:
        begins.append(begins[-1] + len(part) + 1)
    at = 0
    for piece in _END.split(text):
        place = text.find(piece, at)
        at = place + len(piece)
        line = sum(begin <= place for begin in begins[1:])
        if piece.strip():
            yield held[min(line, len(held) - 1)][0], piece.strip()

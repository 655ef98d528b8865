"""A sentence as the concepts in it, so that two wordings of one thing can be compared: English and Chinese."""

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from ..patterns import lazy_pattern
from ..tuples import NamedTuple
from ..vendors import VENDORS
from . import concepts, phrasebook
from .phrases import places

_PIECE = lazy_pattern(
    r"[a-z]+n['’]t\b|[a-z]+|\d+(?:\.\d+)? ?%|\d+|[\u4e00-\u9fff]+|[,;:!?()，。；：！？—–]|\.(?=\s|$)"
)
_COUNTS = {
    "one gpu": concepts.ONE_GPU,
    "several gpus": concepts.SEVERAL_GPUS,
    "one node": concepts.ONE_NODE,
    "several nodes": concepts.SEVERAL_NODES,
}
"""Phrases of the phrasebook that count GPUs and nodes."""
_ELLIPTIC = {concepts.ONE_GPU: 0, concepts.SEVERAL_GPUS: 0, concepts.ONE_NODE: 1, concepts.SEVERAL_NODES: 1}
_PAIRS = {
    ("off", "p2p"): "p2poff",
    ("p2p", "off"): "p2poff",
    ("off", "graph"): "eager",
    ("graph", "off"): "eager",
}
_KEPT = frozenset(("0", "12", "135", "7", "802"))
"""Numbers that are words: codes of errors, and GPU 0."""
_FEW = frozenset("2 3 4 5 6 7 8 16 32 64 two three four six eight both 两 双 四 八".split())  # noqa: SIM905
_AFTER = frozenset(", ， with on for to using not but only and hang fail work 但".split())  # noqa: SIM905
_BEFORE_A_RUN = frozenset(
    (
        "the",
        "a",
        "this",
        "that",
        "first",
        "second",
        "each",
        "every",
        "long",
        "training",
        "test",
        "next",
        "last",
        "one",
        "my",
        "our",
    )
)
_TURNS = frozenset(("but", "while", "whereas", "however", "although", "though", "and", "then", "yet", "with"))
_ENDS = ".;!?。；！？"
_LONGEST_CHINESE = 8
_SKIPPED = 2
"""Filler words that may stand between two words of a phrase."""


_VARIABLE = lazy_pattern(r"\b[A-Z][A-Z0-9]{0,40}(?:_[A-Z0-9]{1,40}){1,8}\b")
"""A variable of the environment; its parts are no words."""


_SWITCHES = frozenset(vendor.p2p_switch for vendor in VENDORS if vendor.p2p_switch)


class Term(NamedTuple):
    """A concept or a stem, where it stands in the text, and whether a new clause may begin with it."""

    name: str
    start: int
    end: int
    turns: bool = False
    ends: bool = False


class Tables(NamedTuple):
    """English phrases as a tree of stems, with the concept under an empty word; Chinese words with their concepts."""

    english: dict[str, Any]
    chinese: dict[str, str]


def terms(text: str, tables: Tables) -> list[Term]:
    """The concepts of a sentence in order; words that tell nothing are left out."""
    lowered = _VARIABLE.sub(_opaque, text).lower()
    counted: list[tuple[int, int, str]] = []
    spans = ((s, -e, concept) for phrase, concept in _COUNTS.items() for s, e in places(phrase, lowered))
    for start, end, concept in sorted(spans):
        if (not counted or start >= counted[-1][1]) and "process" not in lowered[start:-end]:
            counted.append((start, -end, concept))
    found = _words(lowered, counted, tables)
    return _paired(_flipped(found))


def _opaque(name: re.Match[str]) -> str:
    """A variable is not read by its parts, but for the one that stands for a thing that people do."""
    return name[0] if name[0] in _SWITCHES else "_" * len(name[0])


class _Piece(NamedTuple):
    raw: str
    stem: str
    start: int
    end: int


def _pieces(text: str, counted: list[tuple[int, int, str]]) -> list[_Piece]:
    """The words, numbers and marks of a text, and what counts GPUs or nodes as one piece each."""
    found = []
    at = 0
    for start, end, concept in [*counted, (len(text), len(text), "")]:
        found += [_Piece(m[0], stem(m[0]), m.start(), m.end()) for m in _PIECE.finditer(text, at, start)]
        if concept:
            found.append(_Piece(concept, concept, start, end))
        at = end
    return found


def _words(text: str, counted: list[tuple[int, int, str]], tables: Tables) -> list[Term]:
    pieces = _pieces(text, counted)
    found: list[Term] = []
    at, turns, ends, seen = 0, False, False, ""
    while at < len(pieces):
        piece = pieces[at]
        new: list[Term] = []
        if piece.raw in _ELLIPTIC:
            seen = piece.raw
            new = [Term(piece.raw, piece.start, piece.end)]
            at += 1
        elif not piece.raw[0].isalnum():
            ends = ends or piece.raw in _ENDS
            turns = True
            at += 1
        elif piece.raw[0] > "\u3fff":
            new = list(_chinese(text, piece.start, piece.end, tables.chinese))
            at += 1
        else:
            turns = turns or piece.raw in _TURNS
            name, after = _phrase(pieces, at, tables.english)
            if name:
                new = [Term(name, piece.start, pieces[after - 1].end)]
                at = after
            else:
                name = (
                    _plain(piece, pieces[at - 1].stem if at else "", seen)
                    if not _runs(pieces, at)
                    else "work"
                )
                new = [Term(name, piece.start, piece.end)] if name else []
                at += 1
        for term in new:
            found.append(term._replace(turns=turns, ends=ends))
            turns = ends = False
    return found


def _runs(pieces: list[_Piece], at: int) -> bool:
    """Whether somebody says that something runs: "one GPU runs", "small ones run", not "the run"."""
    if pieces[at].raw != "run":
        return pieces[at].raw == "runs"
    last = at + 1 == len(pieces) or not pieces[at + 1].raw[0].isalnum()
    return last and at > 0 and pieces[at - 1].raw not in _BEFORE_A_RUN


def _plain(piece: _Piece, before: str, seen: str) -> str:
    """The term of a word that stands in no phrase; nothing for one that tells nothing."""
    if piece.raw in _FEW and before in _AFTER and seen:
        return concepts.SEVERAL_NODES if _ELLIPTIC[seen] else concepts.SEVERAL_GPUS
    if piece.raw in ("one", "1") and before in _AFTER and seen:
        return concepts.ONE_NODE if _ELLIPTIC[seen] else concepts.ONE_GPU
    if piece.raw[0].isdigit():
        return piece.raw if piece.raw in _KEPT else ""
    if piece.stem == concepts.NOT or piece.raw in concepts.DENIALS:
        return concepts.NOT
    if piece.raw in concepts.FILLERS or len(piece.raw) < 2:
        return ""
    return piece.stem


def _phrase(pieces: list[_Piece], at: int, table: dict[str, Any]) -> tuple[str, int]:
    """The longest phrase that begins here, and where what follows it begins; an empty name if there is none."""
    best, after = "", at
    node, place, skipped = table, at, 0
    while place < len(pieces):
        piece = pieces[place]
        if piece.stem in node:
            node, skipped = node[piece.stem], 0
            place += 1
            if "" in node:
                best, after = node[""], place
        elif place > at and skipped < _SKIPPED and piece.raw in concepts.FILLERS:
            place, skipped = place + 1, skipped + 1
        else:
            break
    return best, after


def _chinese(text: str, start: int, end: int, table: dict[str, str]) -> Iterable[Term]:
    """The words of a run of Chinese, the longest first; of what is in no table the pairs of characters."""
    at, rest = start, start
    while at <= end:
        name, size = "", 0
        for length in range(min(_LONGEST_CHINESE, end - at), 0, -1):
            if at < end and (name := table.get(text[at : at + length], "")):
                size = length
                break
        if name or at == end or text[at] in concepts.CHINESE_FILLERS:
            for place in range(rest, at - 1):
                yield Term(text[place : place + 2], place, place + 2)
            if name:
                yield Term(name, at, at + size)
            at += max(size, 1)
            rest = at
        else:
            at += 1


def _flipped(found: list[Term]) -> list[Term]:
    """With denied states turned over: "does not work" is a failure, "does not hang" is none."""
    kept: list[Term] = []
    for term in found:
        denied = kept[-1] if kept else None
        if (
            denied is not None
            and denied.name == concepts.NOT
            and term.name in concepts.OPPOSITE
            and not term.ends
        ):
            kept[-1] = Term(concepts.OPPOSITE[term.name], denied.start, term.end, denied.turns, denied.ends)
        else:
            kept.append(term)
    return kept


def _paired(found: list[Term]) -> list[Term]:
    kept: list[Term] = []
    for term in found:
        pair = _PAIRS.get((kept[-1].name, term.name)) if kept and not term.ends else None
        if pair:
            kept[-1] = Term(pair, kept[-1].start, term.end, kept[-1].turns, kept[-1].ends)
        else:
            kept.append(term)
    return kept


@lru_cache(maxsize=8192)
def stem(word: str) -> str:
    """A word without its ending, roughly; denials with "n't" are all ``not``."""
    if word.endswith(("n't", "n’t")) or word in ("cannot", "dont", "doesnt", "didnt", "cant", "wont"):
        return concepts.NOT
    if not word.isascii() or not word.isalpha() or len(word) < 4:
        return word.replace(" ", "")
    if word.endswith("ies"):
        return word[:-3] + "y"
    for ending, least in (("ing", 6), ("ed", 5), ("ly", 6)):
        if word.endswith(ending) and len(word) >= least:
            word = word[: -len(ending)]
            if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "sl":
                word = word[:-1]
            break
    else:
        if word.endswith(("sses", "shes", "ches", "xes")):
            word = word[:-2]
        elif word.endswith("s") and not word.endswith(("ss", "us", "is")):
            word = word[:-1]
    return word[:-1] if word.endswith("e") and len(word) > 3 else word


def tables() -> Tables:
    """The tables of ``concepts.txt``, made when a knowledge base is compiled."""
    english: dict[str, Any] = {}
    chinese: dict[str, str] = dict.fromkeys(concepts.CHINESE_DENIALS, concepts.NOT)
    for name, text in phrasebook.concepts().items():
        for phrase in re.split(r"[;\n]", text):
            plain, *words = re.split(r"(?:^|\s)(?=\S*[\u4e00-\u9fff])", phrase, maxsplit=1)
            for word in " ".join(words).split():
                chinese.setdefault(word, name)
            node = english
            stems = [stem(m[0]) for m in _PIECE.finditer(plain.lower())]
            for one in stems:
                node = node.setdefault(one, {})
            if stems:
                node.setdefault("", name)
    return Tables(english, chinese)

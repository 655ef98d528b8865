"""The tables of the search page as scripts: a page opened from a disk may not fetch, but may load a script.

The words are those that ``gpudoctor search`` counts, the signatures and rules those that the engine runs.
"""

from __future__ import annotations

import json
import re
from typing import Any

from ...engine import signs
from ...engine.model import Signature
from ...engine.search import LENGTH_SHARE, SATURATION
from ...probes import signatures as reading
from ...probes.text import LONGEST
from ..finding import LONG, SIGN_WEIGHT
from .catalogue import Catalogue
from .pages import facets, sentences


def words_script(catalogue: Catalogue) -> str:
    """Entries and, for each word, the entries that hold it with its count."""
    listed = catalogue.knowledge.searchable()
    documents, postings = [], {}  # type: list[Any], dict[str, list[int]]
    for number, (kind, name, title, counts) in enumerate(listed):
        documents.append([kind, name, title, sum(counts.values()), *_rest(catalogue, kind, name)])
        for word, count in counts.items():
            postings.setdefault(word, []).extend((number, count))
    data = {
        "saturation": SATURATION,
        "lengthShare": LENGTH_SHARE,
        "average": sum(d[3] for d in documents) / max(1, len(documents)),
        "documents": documents,
        "words": dict(sorted(postings.items())),
    }
    return _script("GPUDOCTOR_WORDS", data)


def _rest(catalogue: Catalogue, kind: str, name: str) -> list[Any]:
    """Folder, one sentence, filters."""
    if kind == "incident":
        incident = catalogue.incidents[name]
        return [
            catalogue.folder(incident),
            sentences(incident.summary, 1).replace("`", ""),
            facets(catalogue, incident),
        ]
    if kind == "remedy":
        remedy = catalogue.remedies[name]
        return [catalogue.folder(remedy), f"{remedy.kind}; risk: {remedy.risk}", {}]
    fact = catalogue.facts[name]
    return [catalogue.folder(fact), fact.question, {}]


def signs_script(catalogue: Catalogue) -> str:
    """Signatures of every fact, and the rules that read facts with signatures."""
    signatures = catalogue.knowledge.signatures()
    rules = signs.rules_by_id(catalogue.incidents.values())
    data = {
        "weight": SIGN_WEIGHT,
        "long": LONG,
        "partly": signs.PARTLY,
        "more": signs.MORE,
        "lines": reading.MOST_LINES,
        "sentence": reading.SENTENCE,
        "longest": LONGEST,
        "signatures": {name: [_signature(s) for s in found] for name, found in sorted(signatures.items())},
        "rules": {name: [[bits, when] for bits, when in found] for name, found in rules.items()},
    }
    return _script("GPUDOCTOR_SIGNS", data)


def _signature(signature: Signature) -> list[Any]:
    return [
        list(signature.literals),
        javascript(signature.pattern),
        javascript(signature.unless),
        int(signature.words),
        signature.value,
    ]


def javascript(pattern: str) -> list[str] | None:
    """An expression of the knowledge base for a browser: source and flags.

    There ``\\w`` and ``\\b`` know only ASCII, which matters beside Chinese words, so both are spelt out.
    """
    if not pattern:
        return None
    flags = "i" if pattern.startswith("(?i)") else ""
    source = pattern.removeprefix("(?i)").replace("(?P<", "(?<")
    return [_PIECE.sub(_spelt_out, source), flags]


_LETTERS = r"\u00c0-\u9fff"
_EDGE = rf"(?:(?<=[\w{_LETTERS}])(?![\w{_LETTERS}])|(?<![\w{_LETTERS}])(?=[\w{_LETTERS}]))"
_PIECE = re.compile(r"\[\^?\]?(?:\\.|[^\]\\])*\]|\\.", re.DOTALL)


def _spelt_out(piece: re.Match[str]) -> str:
    text = piece[0]
    if text.startswith("["):
        return text.replace(r"\w", rf"\w{_LETTERS}")
    return {r"\b": _EDGE, r"\w": rf"[\w{_LETTERS}]", r"\W": rf"[^\w{_LETTERS}]"}.get(text, text)


def _script(name: str, data: Any) -> str:
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    text = text.replace("</", "<\\/").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
    return f"window.{name}={text};\n"

"""The tables of the search page as scripts: a page opened from a disk may not fetch, but may load a script.

The words are those that ``gpudoctor search`` counts, the signatures and rules those that the engine runs.
"""

from __future__ import annotations

import json
from typing import Any

from ...engine.belief import signs
from ...engine.knowledge.search import LENGTH_SHARE, SATURATION
from ...engine.language import matching, phrasebook, phrases
from ...engine.model import INCIDENT, KNOWN_ISSUE, Signature
from ...engine.rules import as_json
from ...probes.text import LONGEST
from ..content.search import LONG, MOST_LINES, SIGN_WEIGHT
from .catalogue import Catalogue
from .javascript import javascript
from .pages import facets, sentences


def words_script(catalogue: Catalogue) -> str:
    """Entries and, for each word, the entries that hold it with its count."""
    searchable = catalogue.knowledge.searchable()
    documents = [
        [*document, *_rest(catalogue, document[0], document[1])] for document in searchable.documents
    ]
    data = {
        "saturation": SATURATION,
        "lengthShare": LENGTH_SHARE,
        "average": sum(d[3] for d in documents) / max(1, len(documents)),
        "documents": documents,
        "words": {word: found for word, found in sorted(searchable.every()) if found},
    }
    return _script("GPUDOCTOR_WORDS", data)


def _rest(catalogue: Catalogue, kind: str, name: str) -> list[Any]:
    """Folder, one sentence, filters."""
    if kind == "product":
        product = catalogue.products[name]
        return [catalogue.folder(product), f"{len(product.releases)} releases", {}]
    if kind in (INCIDENT, KNOWN_ISSUE):
        incident = catalogue.incident(name)
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
    rules = signs.rules_by_id(catalogue.every())
    data = {
        "weight": SIGN_WEIGHT,
        "long": LONG,
        "partly": signs.PARTLY,
        "more": signs.MORE,
        "lines": MOST_LINES,
        "sentence": matching.SENTENCE,
        "longest": LONGEST,
        "phrases": {name: _phrase(name) for name in phrasebook.phrases()},
        "denials": phrases.DENIALS,
        "sentenceEnds": javascript(phrases.SENTENCE_ENDS.pattern),
        "within": phrases.WITHIN,
        "most": phrases.MOST,
        "signatures": {name: [_signature(s) for s in found] for name, found in sorted(signatures.items())},
        "rules": {name: [[bits, as_json(when)] for bits, when in found] for name, found in rules.items()},
    }
    return _script("GPUDOCTOR_SIGNS", data)


def _signature(signature: Signature) -> list[Any]:
    return [
        list(signature.literals),
        javascript(signature.pattern),
        javascript(signature.unless),
        int(signature.words),
        signature.value,
        list(signature.near),
        list(signature.unless_near),
    ]


def _phrase(name: str) -> list[Any]:
    """Whether it can be denied, and fixed text and expression of each wording."""
    return [
        int(phrasebook.phrases()[name].deniable),
        [[fixed, javascript(e)] for fixed, e in phrases.wordings(name)],
    ]


def _script(name: str, data: Any) -> str:
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    text = text.replace("</", "<\\/").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
    return f"window.{name}={text};\n"

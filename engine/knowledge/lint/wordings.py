"""Linter: wordings (``said``) that say too little, or what another page says."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from ...language.terms import Tables, tables, terms
from ...model import FactSpec
from ..files import LoadedFile
from ..wordings import KIND

LEAST = 3
"""Words of English, or characters of Chinese, that a wording has at least."""
_COUNTED = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.'’/%-]*|[\u4e00-\u9fff]")


def check(specs: Iterable[FactSpec], every: Iterable[FactSpec]) -> Iterator[str]:
    """The wordings of some symptoms among those of all."""
    own = [spec for spec in specs if spec.name.startswith(KIND) and spec.said]
    if not own:
        return
    made = tables()
    owners: dict[str, set[str]] = {}
    in_set: dict[tuple[str, tuple[str, ...]], set[str]] = {}
    for spec in every:
        if spec.name.startswith(KIND):
            for text in spec.said:
                owners.setdefault(text.lower(), set()).add(spec.name)
                if spec.one_of:
                    in_set.setdefault((spec.one_of, _concepts(text, made)), set()).add(spec.name)
    for spec in own:
        for text in spec.said:
            others = owners[text.lower()] | in_set.get((spec.one_of, _concepts(text, made)), set())
            if wrong := _problem(spec, text, others - {spec.name}, made):
                yield f"{spec.path}: said {text!r}: {wrong}"


def check_pages(files: Iterable[LoadedFile]) -> Iterator[str]:
    """The wordings of incidents and known issues: those that say too little, and those that stand in two pages."""
    told = {file.entry: file.head().texts("said") for file in files}
    counted = Counter(text.lower() for wordings in told.values() for text in wordings)
    for entry, wordings in told.items():
        for text in wordings:
            if len(_COUNTED.findall(text)) < LEAST:
                yield f"{entry}: said {text!r}: a wording has {LEAST} words, or {LEAST} Chinese characters, at least"
            elif counted[text.lower()] > 1:
                yield f"{entry}: said {text!r}: it stands there twice, or in another page"


def _problem(spec: FactSpec, text: str, others: set[str], made: Tables) -> str:
    if len(_COUNTED.findall(text)) < LEAST:
        return f"a wording has {LEAST} words, or {LEAST} Chinese characters, at least"
    if spec.said.count(text) > 1:
        return "it stands there twice"
    if len(_concepts(text, made)) < 2:
        return "it says too little: at least two of its words must tell something"
    return f"it says the same of {min(others)}" if others else ""


def _concepts(text: str, made: Tables) -> tuple[str, ...]:
    return tuple(sorted(term.name for term in terms(text, made)))

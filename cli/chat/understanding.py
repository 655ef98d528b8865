"""Free words to symptoms, by signatures and by the search index; nothing is taken for a fact unconfirmed."""

from __future__ import annotations

import re
from typing import Any

from ...engine import Knowledge
from ...engine.facts import ERROR_LINE, WORDS, Fact
from ...engine.knowledge.search import Searchable, search, tokens
from ...engine.model import MADE_SIGNS
from ...probes.report import Reader
from ..language import Language

MOST = 6
_NEAR = 0.35
"""Symptoms that score less than this part of the best are not offered."""
_LOG = re.compile(
    r"NCCL (?:INFO|WARN)|RCCL|Traceback|\[rank\d|\bERROR\b|Error:|^\s*export \w+=|^\w[\w-]*:\d+:\d+ \[\d+\]|"
    r"^\[?\d{4}-\d\d-\d\d[ T]\d\d:|nvidia-smi|^\+[-=]{5}|^GPU\d|^\s*\w+=\S+$",
    re.MULTILINE,
)


def is_report(text: str) -> bool:
    """Whether this is output of a program rather than somebody's sentence."""
    return text.strip().count("\n") >= 2 or len(text) > 400 or bool(_LOG.search(text))


def read_text(reader: Reader, text: str, where: str) -> list[Fact]:
    """The facts of a pasted text."""
    return list(reader.read([text.encode("utf-8", "surrogateescape")], where))


def recognised(facts: list[Fact]) -> list[Fact]:
    """What was read, without the error lines that no signature knows."""
    return [fact for fact in facts if fact.name not in (ERROR_LINE, WORDS)]


class Symptoms:
    """A search index of the symptoms alone, in English and in the person's language."""

    def __init__(self, knowledge: Knowledge, language: Language) -> None:
        listed: list[Any] = []
        for spec in knowledge.facts():
            if not spec.sign or not spec.question or spec.type != "bool" or spec.name.startswith(MADE_SIGNS):
                continue
            texts = [spec.name.removeprefix("symptom."), spec.title, spec.question]
            texts += [language.say(spec.title), language.say(spec.question)]
            texts += [line for signature in spec.signatures for line in signature.matches]
            counted: dict[str, int] = {}
            for weight, text in zip((3, 3, 2, 3, 2), texts, strict=False):
                for token in tokens(text):
                    counted[token] = counted.get(token, 0) + weight
            for text in texts[5:]:
                for token in tokens(text):
                    counted[token] = counted.get(token, 0) + 1
            listed.append(["fact", spec.name, spec.title, counted])
        self._listed = Searchable.of(listed)

    def find(self, words: str) -> list[str]:
        """The symptoms nearest to the words, best first."""
        hits = search(self._listed, words, ("fact",))
        if not hits:
            return []
        return [hit.id for hit in hits if hit.score >= _NEAR * hits[0].score][:MOST]

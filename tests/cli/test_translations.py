"""Translations of the knowledge base: they parse, they are current, and they lose no product string."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import polib
import pytest

import gpudoctor.cli
from gpudoctor.engine.knowledge.base import Knowledge
from gpudoctor.engine.model import Remedy

LOCALE = Path(gpudoctor.cli.__file__).resolve().parent / "locale"
LANGUAGES = sorted(path.name for path in LOCALE.iterdir() if path.is_dir())
MISSING = 0.1
"""The share that may be missing: what is new is translated in a pass of its own."""
COMMON_NOUNS = {"GPU", "NIC", "VM"}
"""Words in capitals that a translation may put into its own language."""


def product_tokens(text: str) -> Iterator[str]:
    """Words with a digit, an underscore, a dot or a slash, and words in capitals."""
    for word in re.split(r"[\s,;]+", text):
        # A hyphen joins plain English words ("P2P-patched"), but belongs to options and paths.
        parts = [word] if "_" in word or "/" in word or word.startswith("-") else word.split("-")
        for part in parts:
            token = re.sub(r"'s$", "", part.strip(".,;:!?()[]{}\"'`*")).strip(".,;:!?()[]{}\"'`*")
            letters = re.sub(r"[^A-Za-z]", "", token)
            capitals = len(letters) >= 2 and letters.isupper() and token not in COMMON_NOUNS
            if re.search(r"[\d_./]", token) or capitals:
                yield token


def told_by(remedy: Remedy) -> Iterator[str]:
    """Everything that a remedy says beside its title and its commands."""
    yield from filter(None, (remedy.risk, remedy.cost, remedy.danger))
    yield from (one.why for one in remedy.applies)
    for step in (*chain.from_iterable(remedy.steps.values()), *remedy.verify, *remedy.undo):
        if step.text:
            yield step.text


@pytest.fixture(scope="module")
def knowledge() -> Knowledge:
    return Knowledge.load()


@pytest.fixture(scope="module")
def english(knowledge: Knowledge) -> dict[str, set[str]]:
    """What can be translated, by kind. Of known issues that is the title; products are in English only."""
    facts = [fact for fact in knowledge.facts() if fact.path.startswith("facts/")]
    incidents = [knowledge.incident(name) for name in knowledge.fault_ids]
    remedies = [r for r in map(knowledge.remedy, knowledge.remedy_ids) if r.path.startswith("remedies/")]
    return {
        "question": {fact.question for fact in facts if fact.question},
        "fact": {fact.title for fact in facts},
        "choice": {value for fact in facts if fact.type == "choice" for value in fact.values},
        "incident": {incident.title for incident in incidents},
        "known issue": {knowledge.incident(name).title for name in knowledge.issue_ids},
        "summary": {incident.summary for incident in incidents if incident.summary},
        "remedy": {remedy.title for remedy in remedies},
        "steps": {text for remedy in remedies for text in told_by(remedy)},
    }


@pytest.fixture(scope="module", params=LANGUAGES)
def files(request: pytest.FixtureRequest) -> dict[str, polib.POFile]:
    """The files of a language as polib reads them, by their places in ``knowledge/``."""
    folder = LOCALE / request.param / "knowledge"
    return {
        path.relative_to(folder).with_suffix("").as_posix(): polib.pofile(
            str(path), check_for_duplicates=True
        )
        for path in sorted(folder.rglob("*.po"))
    }


@pytest.fixture(scope="module")
def catalogue(files: dict[str, polib.POFile]) -> polib.POFile:
    """All messages of a language; one that stands in two files is an error."""
    joined = polib.POFile(check_for_duplicates=True)
    joined.extend(entry for file in files.values() for entry in file)
    return joined


def test_chinese_is_there():
    assert "zh" in LANGUAGES


def test_a_message_stands_where_its_english_does(files: dict[str, polib.POFile], knowledge: Knowledge):
    """In the file named after the folder of the first entry that says it."""
    entries = [*map(knowledge.incident, knowledge.incident_ids), *map(knowledge.remedy, knowledge.remedy_ids)]
    folders = {entry.id: entry.path.rpartition("/")[0] for entry in entries}
    folders |= {fact.name: fact.path.rpartition("/")[0] for fact in knowledge.facts()}
    wrong = [
        (place, entry.msgid)
        for place, file in files.items()
        for entry in file
        if place != ("choices" if entry.msgctxt else folders.get(entry.occurrences[0][0].partition(":")[2]))
    ]
    assert wrong == []


def test_tokens_are_found():
    text = "Does NCCL_DEBUG=INFO, with torch 2.8, say 'sm_90' in /dev/shm (the P2P-patched driver's GPU)?"
    assert list(product_tokens(text)) == ["NCCL_DEBUG=INFO", "2.8", "sm_90", "/dev/shm", "P2P"]


def test_header(files: dict[str, polib.POFile]):
    for file in files.values():
        assert file.metadata["Content-Type"] == "text/plain; charset=UTF-8"
        assert file.metadata["Language"] == Path(file.fpath).relative_to(LOCALE).parts[0]


def test_every_message_is_translated_and_says_where_it_stands(catalogue: polib.POFile):
    assert [entry.msgid for entry in catalogue if not entry.msgstr.strip() or entry.fuzzy] == []
    assert [entry.msgid for entry in catalogue if not entry.occurrences] == []
    assert catalogue.obsolete_entries() == []


def test_nothing_is_translated_that_the_knowledge_base_no_longer_says(
    catalogue: polib.POFile, english: dict[str, set[str]]
):
    prose = set().union(*(texts for kind, texts in english.items() if kind != "choice"))
    known = {None: prose, "choice": english["choice"]}
    gone = [(e.msgctxt, e.msgid) for e in catalogue if e.msgid not in known.get(e.msgctxt, ())]
    assert gone == []


@pytest.mark.parametrize(
    "kind", ["question", "incident", "known issue", "summary", "remedy", "steps", "fact"]
)
def test_coverage(catalogue: polib.POFile, english: dict[str, set[str]], kind: str):
    translated = {entry.msgid for entry in catalogue if entry.msgctxt is None}
    missing = sorted(english[kind] - translated)
    assert len(missing) <= MISSING * len(english[kind]), f"not translated: {missing[:20]}"


def test_no_product_string_is_lost(catalogue: polib.POFile):
    lost = [
        (token, entry.msgid)
        for entry in catalogue
        for token in product_tokens(entry.msgid)
        if entry.msgctxt is None and token not in entry.msgstr
    ]
    assert lost == []


def test_no_control_character_reaches_a_terminal(catalogue: polib.POFile):
    bad = re.compile(r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufffd]")
    assert [entry.msgid for entry in catalogue if bad.search(entry.msgstr.replace("\n", ""))] == []

"""The pages of entries: what each template is given."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

from markdown_it.token import Token

from gpudoctor.engine.tuples import NamedTuple

from ...engine.knowledge.markdown import Page, Section, paragraphs, variants
from ...engine.model import FactSpec, Incident, Remedy, Step
from ...engine.rules import facts_of
from ..content.complaints import COMPLAINTS
from ..content.entries import Entry, WordedRule, describe
from ..content.grades import GRADES
from ..render.words import VARIANTS
from .catalogue import Catalogue, Use
from .prose import UP, Prose, Spot
from .rules import gates, shown
from .translations import ENGLISH, in_language

Values = dict[str, Any]
_SENTENCE = re.compile(r"(?<=[.!?。])\s+(?=[A-Z`\"'(\u4e00-\u9fff])")
_SHOWN_LINES = 6
_FIRST = 3


class Remedied(NamedTuple):
    """A remedy ready for any page: its entry, and its parts as HTML."""

    remedy: Remedy
    entry: Entry
    address: str
    common: str
    variants: tuple[tuple[str, str, str], ...]  # id, words, HTML
    verify: str
    undo: str
    limits: str
    rules: tuple[Any, ...]
    first_steps: tuple[Step, ...]


class Pages:
    """Makes the values of each entry's page."""

    def __init__(self, catalogue: Catalogue) -> None:
        self.catalogue = catalogue
        self.prose = Prose(catalogue)
        self.remedied = lru_cache(maxsize=None)(self._remedied)

    def incident(self, name: str, language: str = ENGLISH) -> Values:
        """Values of an incident's page."""
        catalogue = self.catalogue
        incident = catalogue.incidents[name]
        entry = self._entry(incident, language)
        summary = next(iter(paragraphs(entry.page.section("Cause"))), "")
        place = Spot(incident.path, {s.id: f"#source-{s.id}" for s in incident.sources})
        sections = {
            title: self._section(entry, title, place)
            for title in ("Symptom", "Cause", "Tell it apart", "Limits")
        }
        remedies = [self.remedied(remedy, language) for remedy in incident.remedies]
        return {
            "incident": incident,
            "entry": entry,
            "grade": GRADES[incident.grade],
            "see": self._first_paragraph(entry, "Symptom", place),
            "lead": sentences(summary, 2),
            "description": sentences(summary, 1).replace("`", ""),
            "gates": gates(entry.rules, self.addresses(entry.rules), incident.collective),
            "sections": sections,
            "lines": self._lines(incident),
            "lookalikes": [
                (
                    catalogue.incidents[look.id],
                    note.text,
                    [(fact, self.fact_address(fact)) for fact in look.by],
                )
                for look, note in zip(incident.lookalikes, entry.notes, strict=True)
            ],
            "confused_with": catalogue.confused_with[name],
            "remedies": remedies,
            "sources": incident.sources,
            "related": catalogue.related(incident),
            "complaints": [
                complaint for complaint in COMPLAINTS if complaint.id in catalogue.complaints(incident)
            ],
            "frameworks": catalogue.frameworks(incident),
        }

    def remedy(self, name: str, language: str = ENGLISH) -> Values:
        """Values of a remedy's page."""
        done = self.remedied(name, language)
        return {
            "done": done,
            "entry": done.entry,
            "description": f"{done.entry.title}. Risk: {done.remedy.risk}",
            "cures": self.catalogue.cures[name],
            "sources": done.remedy.sources,
        }

    def fact(self, name: str) -> Values:
        """Values of a fact's page."""
        catalogue = self.catalogue
        spec = catalogue.facts[name]
        entry = describe(catalogue.knowledge, spec)
        place = Spot(spec.path, {s.id: f"#source-{s.id}" for s in spec.sources})
        uses = catalogue.uses[name]
        return {
            "fact": spec,
            "entry": entry,
            "description": spec.question or spec.title,
            "body": self.prose.html(entry.page.tokens, place),
            "derived": [shown(rule, self.addresses(entry.rules)) for rule in entry.rules],
            "speaks_for": by_incident(u for u in uses if u.rule.slot in ("suggests", "confirms")),
            "read_by": by_incident(u for u in uses if u.rule.slot in ("requires", "excludes")),
            "remedies": catalogue.touched_by[name],
            "family": "<" in name,
            "sources": spec.sources,
            "complaints": COMPLAINTS,
        }

    def _entry(self, record: Incident | Remedy, language: str) -> Entry:
        """What is said of an entry, in a language where there is a translation."""
        knowledge = self.catalogue.knowledge
        entry = describe(knowledge, record)
        return in_language(knowledge, entry, record.path, language) or entry

    def _remedied(self, name: str, language: str) -> Remedied:
        remedy = self.catalogue.remedies[name]
        entry = self._entry(remedy, language)
        address = f"{UP}{self.catalogue.folder(remedy)}/index.html"
        cited = {s.id: f"{address}#source-{s.id}" for s in remedy.sources}
        place = Spot(remedy.path, cited, f"{name}-", 4)
        groups = _variant_tokens(entry.page.section("Steps"))
        html = {key: self.prose.html(tokens, place) for key, tokens in groups.items()}
        return Remedied(
            remedy=remedy,
            entry=entry,
            address=address,
            common=html.pop("", ""),
            variants=tuple((key, VARIANTS.get(key, key), text) for key, text in html.items()),
            verify=self._section(entry, "Verify", place),
            undo=self._section(entry, "Undo", place),
            limits=self._section(entry, "Limits", place),
            rules=tuple(shown(rule, self.addresses(entry.rules)) for rule in entry.rules),
            first_steps=_first_steps(_steps(entry.page)),
        )

    def _section(self, entry: Entry, title: str, place: Spot) -> str:
        section = entry.page.section(title)
        return self.prose.html(section.tokens, place) if section else ""

    def _first_paragraph(self, entry: Entry, title: str, place: Spot) -> str:
        section = entry.page.section(title)
        tokens = section.tokens if section else ()
        end = next((i for i, t in enumerate(tokens) if t.type == "paragraph_close"), -1)
        return self.prose.html(tokens[: end + 1], place)

    def addresses(self, rules: Iterable[WordedRule]) -> dict[str, str]:
        """The page of every fact that rules read."""
        return {fact: self.fact_address(fact) for rule in rules for fact in facts_of(rule.condition)}

    def fact_address(self, fact: str) -> str:
        """The page of a fact, from another entry's page."""
        return UP + self.catalogue.fact_page(fact)

    def _lines(self, incident: Incident) -> list[tuple[str, FactSpec]]:
        """Lines of logs in which the incident shows itself, one for each sign."""
        found = []
        for spec in self.catalogue.signs(incident):
            if "symptom." in spec.name and spec.name not in incident.explains:
                found += [(s.matches[0], spec) for s in spec.signatures if s.matches and not s.words][:1]
        return found[:_SHOWN_LINES]


def _steps(page: Page) -> dict[str, tuple[Step, ...]]:
    section = page.section("Steps")
    return variants(section) if section else {}


def _first_steps(steps: dict[str, tuple[Step, ...]]) -> tuple[Step, ...]:
    """The first steps up to the first command: those for everybody, then those of the first runtime."""
    names = list(steps)
    listed = [step for name in names[: 2 if "" in steps else 1] for step in steps[name]]
    end = next((number for number, step in enumerate(listed, 1) if step.commands), 1)
    return tuple(listed[: min(end, _FIRST)])


def by_incident(uses: Iterable[Use]) -> list[tuple[Incident, list[str]]]:
    """The incidents that read a fact and in which ways, the strongest first."""
    found: dict[str, tuple[Incident, list[str]]] = {}
    for use in uses:
        labels = found.setdefault(use.incident.id, (use.incident, []))[1]
        if use.rule.label not in labels:
            labels.append(use.rule.label)
    order = {
        "proof": 0,
        "decisive sign": 1,
        "strong sign": 2,
        "required": 3,
        "ruled out by": 4,
        "weak sign": 5,
    }
    for _, labels in found.values():
        labels.sort(key=lambda label: order[label])
    return sorted(found.values(), key=lambda pair: (order[pair[1][0]], pair[0].title))


def _variant_tokens(section: Section | None) -> dict[str, Sequence[Token]]:
    """The steps for everybody (key ``""``) and those of each runtime."""
    groups: dict[str, list[Token]] = {"": []}
    current = groups[""]
    tokens = section.tokens if section else ()
    position = 0
    while position < len(tokens):
        if tokens[position].type == "heading_open" and tokens[position].level == 0:
            current = groups.setdefault(tokens[position + 1].content.strip(), [])
            position += 3
            continue
        current.append(tokens[position])
        position += 1
    return {key: found for key, found in groups.items() if found or not key}


def sentences(text: str, count: int) -> str:
    """The first sentences of a text."""
    return " ".join(_SENTENCE.split(text)[:count])


def facets(catalogue: Catalogue, incident: Incident) -> dict[str, list[str]]:
    """By what the lists and the search filter an incident."""
    return {
        "vendor": list(incident.vendors),
        "family": [incident.family],
        "symptom": catalogue.complaints(incident),
        "framework": catalogue.frameworks(incident),
    }

"""The pages that lead to entries: start, complaints, lists, indexes, search, references, 404."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from typing import Any

from ...engine.model import FactSpec, Incident
from ...engine.rules.scale import FREQUENCIES
from ..content.complaints import COMPLAINTS
from . import guides, reference
from .catalogue import FRAMEWORKS, Catalogue
from .issues import IssuePages
from .pages import Pages, by_incident, facets, sentences

Page = tuple[str, str, dict[str, Any]]
VENDOR_NAMES = {"nvidia": "NVIDIA", "amd": "AMD", "intel": "Intel", "none": "no GPU"}
_SIGNS_OF_A_COMPLAINT = 12


class Listings:
    """Makes path, template and values of each page that is not an entry's own."""

    def __init__(self, catalogue: Catalogue, pages: Pages, issues: IssuePages) -> None:
        self.catalogue = catalogue
        self.pages = pages
        self._makers: dict[str, Callable[[], Page]] = {
            "home": self._home,
            "search": self._search,
            "incidents": self._incidents,
            "known-issues": issues.listing,
            "products": issues.products,
            "symptoms": self._symptoms,
            "errors": self._errors,
            "remedies": self._remedies,
            "facts": self._facts,
            "env": self._env,
            "xid": self._xid,
            "learn": self._learn,
            "commands": self._commands,
            "schema": self._schema,
            "404": self._missing,
        }

    @property
    def names(self) -> list[str]:
        """The pages that there is one of."""
        return list(self._makers)

    def page(self, kind: str, name: str) -> Page:
        """One page."""
        return self._complaint(name) if kind == "complaint" else self._makers[kind]()

    def _ordered(self, incidents: list[Incident]) -> list[Incident]:
        """The frequent ones first."""
        return sorted(incidents, key=lambda i: (-FREQUENCIES[i.frequency], i.title))

    def _home(self) -> Page:
        catalogue = self.catalogue
        complaints = []
        for complaint in COMPLAINTS:
            found = [i for i in catalogue.incidents.values() if complaint.id in catalogue.complaints(i)]
            complaints.append((complaint, len(found)))
        counts = (
            len(catalogue.incidents),
            len(catalogue.issues),
            len(catalogue.remedies),
            len(catalogue.facts),
        )
        return "index.html", "home", {"complaints": complaints, "counts": counts, "guides": guides.GUIDES}

    def _complaint(self, name: str) -> Page:
        catalogue = self.catalogue
        complaint = next(r for r in COMPLAINTS if r.id == name)
        found = self._ordered([i for i in catalogue.incidents.values() if name in catalogue.complaints(i)])
        signs: dict[str, set[str]] = defaultdict(set)
        for incident in found:
            for spec in catalogue.signs(incident):
                if complaint.words.search(spec.title):
                    signs[spec.name].add(incident.id)
        best = sorted(signs, key=lambda fact: (-len(signs[fact]), fact))[:_SIGNS_OF_A_COMPLAINT]
        values = {
            "complaint": complaint,
            "incidents": [(i, sentences(i.summary, 1)) for i in found],
            "issues": sum(name in catalogue.complaints(i) for i in catalogue.issues.values()),
            "signs": [(catalogue.facts[fact], len(signs[fact])) for fact in best],
        }
        return f"roads/{name}/index.html", "complaint", values

    def _search(self) -> Page:
        return "search/index.html", "search", self._filters()

    def _filters(self) -> dict[str, Any]:
        incidents = self.catalogue.incidents.values()
        found = {key: {v for i in incidents for v in facets(self.catalogue, i)[key]} for key in _FILTERS}
        named = {
            "vendor": VENDOR_NAMES,
            "symptom": {complaint.id: complaint.title for complaint in COMPLAINTS},
            "framework": {name: name for name in FRAMEWORKS},
            "family": {name: name for name in sorted(found["family"])},
        }
        options = [
            (key, words, [(value, name) for value, name in named[key].items() if value in found[key]])
            for key, words in _FILTERS.items()
        ]
        return {"filters": options}

    def _incidents(self) -> Page:
        rows = [
            (i, sentences(i.summary, 1), facets(self.catalogue, i))
            for i in self._ordered(list(self.catalogue.incidents.values()))
        ]
        return "incidents/index.html", "incidents", {"rows": rows, **self._filters()}

    def _symptoms(self) -> Page:
        """Symptoms by complaint; one that fits none is a crash, as for incidents."""
        groups: dict[str, list[tuple[FactSpec, list[Incident]]]] = {
            complaint.id: [] for complaint in COMPLAINTS
        }
        for name, spec in self.catalogue.facts.items():
            if not name.startswith("symptom."):
                continue
            used = {u.incident.id: u.incident for u in self.catalogue.uses[name] if u.rule.slot != "excludes"}
            listed = sorted(used.values(), key=lambda i: (-FREQUENCIES[i.frequency], i.title))
            for complaint in [r.id for r in COMPLAINTS if r.words.search(spec.title)] or ["crashes"]:
                groups[complaint].append((spec, listed))
        for found in groups.values():
            found.sort(key=lambda pair: pair[0].title.lower())
        return (
            "symptoms/index.html",
            "symptoms",
            {"groups": [(complaint, groups[complaint.id]) for complaint in COMPLAINTS]},
        )

    def _errors(self) -> Page:
        """Error lines in the order of the alphabet, ignoring what stands before the first letter."""
        lines: dict[str, FactSpec] = {}
        for spec in filter(lambda spec: spec.sign, self.catalogue.facts.values()):
            for signature in spec.signatures:
                for line in () if signature.words or signature.value == "false" else signature.matches:
                    lines.setdefault(line.strip(), spec)
        rows = []
        for line, spec in sorted(lines.items(), key=lambda item: _plain_key(item[0])):
            uses = [u for u in self.catalogue.uses[spec.name] if u.rule.slot in ("confirms", "suggests")]
            rows.append((line, spec, [incident for incident, _ in by_incident(uses)[:3]]))
        groups: dict[str, list[Any]] = defaultdict(list)
        for row in rows:
            first = (_plain_key(row[0]) or "#")[0]
            groups[first.upper() if "a" <= first <= "z" else "#"].append(row)
        return "errors/index.html", "errors", {"groups": sorted(groups.items()), "count": len(rows)}

    def _remedies(self) -> Page:
        kinds: dict[str, list[Any]] = {"fix": [], "workaround": [], "test": []}
        for remedy in sorted(self.catalogue.remedies.values(), key=lambda r: r.title):
            kinds[remedy.kind].append((remedy, len(self.catalogue.cures[remedy.id])))
        return "remedies/index.html", "remedies", {"kinds": kinds}

    def _facts(self) -> Page:
        groups: dict[str, list[FactSpec]] = defaultdict(list)
        for name, spec in self.catalogue.facts.items():
            if not name.startswith(("env.", "symptom.")):
                groups[name.split(".")[0].strip("<>")].append(spec)
        return "facts/index.html", "facts", {"groups": sorted(groups.items())}

    def _env(self) -> Page:
        return "env/index.html", "env", {"groups": reference.variables(self.catalogue)}

    def _xid(self) -> Page:
        return "xid/index.html", "xid", {"codes": reference.codes(self.catalogue)}

    def _learn(self) -> Page:
        return "learn/index.html", "learn", {"guides": guides.GUIDES}

    def _commands(self) -> Page:
        return "learn/commands/index.html", "commands", {"commands": reference.commands()}

    def _schema(self) -> Page:
        return "learn/schema/index.html", "schema", {"rows": reference.schema_rows()}

    def _missing(self) -> Page:
        return "404.html", "404", {}


_FILTERS = {"vendor": "Vendor", "family": "Family", "symptom": "Symptom", "framework": "Framework"}


def _plain_key(line: str) -> str:
    start = next((i for i, c in enumerate(line) if c.isalpha()), 0)
    return line[start:].lower()

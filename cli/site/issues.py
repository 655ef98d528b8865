"""The pages of known issues and products: what each template is given."""

from __future__ import annotations

from typing import Any

from gpudoctor.engine.tuples import NamedTuple

from ...engine.facts import VersionRange, version_of
from ...engine.knowledge.affected import bounds, sign_fact
from ...engine.knowledge.products import HOW_TO_FIND
from ...engine.model import SEVERITIES, Incident, Product
from ...engine.rules.scale import FREQUENCIES
from ..content.complaints import COMPLAINTS
from ..content.entries import affected, describe
from ..content.grades import GRADES
from .catalogue import Catalogue
from .pages import Pages, sentences
from .prose import UP, Spot
from .rules import gates

Values = dict[str, Any]
_HEADINGS = ("What happens", "Affected", "What to do", "Limits")


class Row(NamedTuple):
    """A known issue in the table of a product: its bounds, and the releases of the table that have it."""

    issue: Incident
    introduced: str
    fixed: str
    releases: tuple[str, ...]


class IssuePages:
    """Makes the values of the pages of known issues and products, and of the lists that lead to them."""

    def __init__(self, catalogue: Catalogue, pages: Pages) -> None:
        self.catalogue = catalogue
        self.pages = pages

    def issue(self, name: str) -> Values:
        """Values of the page of a known issue."""
        catalogue, pages = self.catalogue, self.pages
        issue = catalogue.issues[name]
        entry = describe(catalogue.knowledge, issue)
        place = Spot(issue.path, {s.id: f"#source-{s.id}" for s in issue.sources})
        sections = {title: entry.page.section(title) for title in _HEADINGS}
        signs = [spec for spec in catalogue.signs(issue) if spec.name.startswith(sign_fact(name))]
        remedies = [(found, catalogue.knowledge.remedy(found)) for found, _ in entry.remedies]
        return {
            "issue": issue,
            "entry": entry,
            "product": catalogue.products[issue.product],
            "affected": affected(catalogue.knowledge, issue),
            "grade": GRADES[issue.grade],
            "description": sentences(issue.summary, 1).replace("`", ""),
            "sections": {t: pages.prose.html(s.tokens, place) if s else "" for t, s in sections.items()},
            "lines": [line for spec in signs for s in spec.signatures for line in s.matches[:1]],
            "said": catalogue.spec(sign_fact(name)).said,
            "gates": gates(entry.rules, pages.addresses(entry.rules)),
            "remedies": [(n, r.title, f"{UP}{catalogue.folder(r)}/index.html") for n, r in remedies],
            "sources": issue.sources,
        }

    def product(self, name: str) -> Values:
        """Values of the page of a product."""
        catalogue = self.catalogue
        product = catalogue.products[name]
        entry = describe(catalogue.knowledge, product)
        rows = self.rows(product)
        place = Spot(product.path, {s.id: f"#source-{s.id}" for s in product.sources})
        section = entry.page.section(HOW_TO_FIND)
        releases = [
            (r.version, f"{r.version} ({r.date})" if r.date else r.version) for r in _newest_first(product)
        ]
        return {
            "product": product,
            "rows": rows,
            "filters": [("release", "Release", releases), _severities([row.issue for row in rows])],
            "how": self.pages.prose.html(section.tokens, place) if section else "",
            "notes": [f"{note.label}: {note.text}" for note in entry.notes[:2]],
            "sources": product.sources,
        }

    def rows(self, product: Product) -> list[Row]:
        """The known issues that affect a product, the worst first."""
        found = []
        for issue in self.catalogue.issues.values():
            own = [one for one in issue.affects if one.product == product.id]
            if not own:
                continue
            ranges = [VersionRange(text) if (text := bounds(one)) else None for one in own]
            having = tuple(
                release.version
                for release in product.releases
                if any(r is None or r.holds(version_of(release.version)) is True for r in ranges)
            )
            introduced = ", ".join(one.introduced or "not known" for one in own)
            fixed = ", ".join(one.fixed or "not known" for one in own)
            found.append(Row(issue, introduced, fixed, having))
        return sorted(found, key=lambda row: _worst_first(row.issue))

    def listing(self) -> tuple[str, str, Values]:
        """The page of all known issues."""
        catalogue = self.catalogue
        issues = sorted(catalogue.issues.values(), key=_worst_first)
        rows = [(i, affected(catalogue.knowledge, i), catalogue.complaints(i)) for i in issues]
        said = {complaint for _, _, found in rows for complaint in found}
        owners = {issue.product for issue in issues}
        filters = [
            ("product", "Product", [(p.id, p.title) for p in self._by_title() if p.id in owners]),
            _severities(issues),
            ("vendor", "Vendor", [(v, v) for v in sorted({v for i in issues for v in i.vendors})]),
            ("symptom", "Symptom", [(c.id, c.title) for c in COMPLAINTS if c.id in said]),
        ]
        return "known-issues/index.html", "known-issues", {"rows": rows, "filters": filters}

    def products(self) -> tuple[str, str, Values]:
        """The page of all products."""
        rows = [(p, len(self.rows(p)), next(iter(_newest_first(p)), None)) for p in self._by_title()]
        return "products/index.html", "products", {"rows": rows}

    def _by_title(self) -> list[Product]:
        return sorted(self.catalogue.products.values(), key=lambda product: product.title.lower())


def _newest_first(product: Product) -> list[Any]:
    return sorted(product.releases, key=lambda release: version_of(release.version), reverse=True)


def _severities(issues: list[Incident]) -> tuple[str, str, list[tuple[str, str]]]:
    present = {issue.severity for issue in issues}
    return "severity", "Severity", [(name, name) for name in SEVERITIES if name in present]


def _worst_first(issue: Incident) -> tuple[int, float, str]:
    return SEVERITIES.index(issue.severity), -FREQUENCIES[issue.frequency], issue.title

"""Known issues of the releases in use."""

from __future__ import annotations

from functools import partial

from ..facts import VersionRange, parse_value, parse_version, version_of
from ..knowledge import Knowledge
from ..knowledge.affected import bounds, fix_id, last_before, span
from ..model import Affected, Incident, Product
from ..rules import facts_of
from ..tuples import NamedTuple
from .findings import ISSUE, AuditFinding
from .judging import of_stacks
from .known import SubjectFacts
from .upgrades import Upgrade, upgrade_of


class Undecided(NamedTuple):
    """A known issue of a release in use that takes circumstances which are not known.

    ``needs``: the facts that would tell; empty where it depends on what the job uses, or where nobody has said in
    which release it began.
    """

    id: str
    title: str
    severity: str
    needs: tuple[str, ...]

    def to_dict(self) -> dict[str, object]:
        """As it stands in the JSON."""
        return {**self._asdict(), "needs": list(self.needs)}


class Releases(NamedTuple):
    """What is said of the releases in use."""

    findings: list[AuditFinding]
    undecided: list[Undecided]
    upgrades: list[Upgrade]
    products: list[tuple[str, str]]


def of_releases(knowledge: Knowledge, known: SubjectFacts) -> Releases:
    """The known issues of every product whose release the subject states."""
    found = Releases([], [], [], [])
    seen: set[str] = set()
    for name in knowledge.product_ids:
        product = knowledge.product(name)
        stated = [fact for fact in (product.loaded, product.fact) if fact]
        if not known.states(stated):
            continue
        version = known.value(product.in_use)
        if version is None:
            continue
        found.products.append((product.title, str(version)))
        hits: list[Incident] = []
        open_: list[Incident] = []
        issues = knowledge.issues_of(name)
        for issue in issues:
            missing = _standing(knowledge, known, issue, issues)
            if missing is None:
                continue
            # A spec names a release, and hardly ever what of it the job will use.
            named_only = bool(known.subject.kind) and not issue.requires
            vague = bool(missing) or named_only or not _surely(knowledge, known, issue)
            (open_ if vague else hits).append(issue)
            if issue.id in seen:
                continue
            seen.add(issue.id)
            if vague:
                found.undecided.append(Undecided(issue.id, issue.title, issue.severity, missing))
            else:
                found.findings.append(_finding(knowledge, known, issue, stated))
        installed = parse_version(str(version), product.fact)
        concerned = [issue for issue in issues if _of_vendor(known, issue)]
        upgrade = upgrade_of(
            product, installed, hits, open_, concerned, partial(_works, knowledge, known, product)
        )
        if upgrade:
            found.upgrades.append(upgrade)
    return found


def _works(knowledge: Knowledge, known: SubjectFacts, product: Product, version: str) -> bool:
    """Whether no combination is known that cannot work and that has to do with this release of a product."""
    facts = {fact for fact in (product.fact, product.loaded, product.in_use) if fact}
    value = parse_value(knowledge.vocabulary.spec(product.fact), version)
    other = known.supposing(dict.fromkeys(facts, value))
    return not any(
        other.holds(pitfall.when)
        for pitfall in of_stacks(knowledge)
        if not facts.isdisjoint(facts_of(pitfall.when))
    )


def _standing(
    knowledge: Knowledge, known: SubjectFacts, issue: Incident, others: list[Incident]
) -> tuple[str, ...] | None:
    """None where an issue does not concern the subject, else the facts on which that still depends.

    What every release has is no matter of releases.
    """
    inside = [_inside(knowledge, known, one) for one in issue.affects]
    if not any(inside):
        return None
    missing: dict[str, None] = {}
    if not _of_vendor(known, issue):
        return None
    if known.value("gpu.vendor") is None and {*issue.vendors} != {
        v for other in others for v in other.vendors
    }:
        missing["gpu.vendor"] = None
    for condition in issue.requires:
        holds = known.holds(condition)
        if holds is False:
            return None
        if holds is None:
            missing.update((f, None) for f in facts_of(condition) if known.value(f) is None)
    return tuple(missing)


def _of_vendor(known: SubjectFacts, issue: Incident) -> bool:
    """Whether an issue may concern GPUs of this vendor."""
    vendor = known.value("gpu.vendor")
    return vendor is None or vendor == "none" or vendor in issue.vendors


def _inside(knowledge: Knowledge, known: SubjectFacts, one: Affected) -> bool:
    version = known.value(knowledge.product(one.product).in_use)
    if version is None:
        return False
    text = bounds(one)
    fact = knowledge.product(one.product).fact
    return bool(text) and VersionRange(text).holds(parse_version(str(version), fact)) is True


def _surely(knowledge: Knowledge, known: SubjectFacts, issue: Incident) -> bool:
    """Whether the release is known to have the issue.

    Where only the fix is known, the releases right before it have it; older ones may.
    """
    for one in issue.affects:
        if not _inside(knowledge, known, one):
            continue
        product = knowledge.product(one.product)
        before = (
            last_before(one.fixed, [release.version for release in product.releases]) if one.fixed else ""
        )
        installed = parse_version(str(known.value(product.in_use)), product.fact)
        if one.introduced or not before or version_of(before).release[:2] == installed.release[:2]:
            return True
    return False


def _finding(knowledge: Knowledge, known: SubjectFacts, issue: Incident, stated: list[str]) -> AuditFinding:
    affected = next(one for one in issue.affects if _inside(knowledge, known, one))
    product = knowledge.product(affected.product)
    fact = next(f for f in (product.loaded, product.fact) if f and known.value(f) is not None)
    reasons = [(fact, str(known.value(fact)))]
    reasons += [reason for condition in issue.requires for reason in known.reasons(condition)]
    fix = knowledge.remedy(fix_id(issue.id))
    first = next(iter(fix.steps.get("", ())), None)
    told = (
        f"Move to {product.title} {affected.fixed} or later."
        if affected.fixed
        else first.text
        if first
        else ""
    )
    upgrade = product.upgrade.replace("{version}", affected.fixed) if affected.fixed else ""
    return AuditFinding(
        id=issue.id,
        kind=ISSUE,
        severity=issue.severity,
        where=known.where(fact),
        title=issue.title,
        what=f"{span(affected, product)}. {issue.summary}",
        fix=told,
        command=upgrade or (first.commands[0] if first and first.commands and not affected.fixed else ""),
        subject=known.subject.name,
        because=tuple(dict.fromkeys(reasons)),
        remedies=issue.remedies,
        sources=issue.sources,
        since=affected.introduced,
        fixed=affected.fixed,
    )

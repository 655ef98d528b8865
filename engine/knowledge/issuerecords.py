"""From a known issue to what the engine works with: facts for its signs, an incident with rules, a remedy."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from ..errors import FactError
from ..facts import TypeOf
from ..model import (
    KNOWN_ISSUE,
    RELEASE,
    ROADS,
    Affected,
    Condition,
    Evidence,
    FactSpec,
    Incident,
    Product,
    Remedy,
    Step,
)
from .affected import bounds, fix_id
from .issues import IssuePage
from .markdown import marks, paragraphs, variants
from .roads import road_fact

ProductOf = Callable[[str], Product]
_QUOTED = 160


def sign_facts(issue: IssuePage) -> Iterator[FactSpec]:
    """The facts that say that a sign was seen; an issue without signs still has one, which a person can answer."""
    specific = [s.signature for s in issue.signs if s.specific]
    vague = [s.signature for s in issue.signs if not s.specific]
    first = FactSpec(
        issue.fact,
        "bool",
        f"A sign of: {issue.title}",
        question=_question(issue),
        cost=1,
        sign=True,
        trouble=("true",),
        signatures=tuple(specific or vague),
        said=issue.said,
        path=issue.file.entry,
    )
    yield first
    if specific and vague:
        title = f"A sign of this and other faults: {issue.title}"
        yield first._replace(
            name=issue.vague_fact, title=title, question="", signatures=tuple(vague), said=()
        )


def _question(issue: IssuePage) -> str:
    lines = [line for sign in issue.signs for line in sign.signature.matches]
    if not lines:
        return f"Is this what happens: {issue.title}?"
    shown = lines[0] if len(lines[0]) <= _QUOTED else f"{lines[0][:_QUOTED]}..."
    return f"Does the output hold a line such as: {shown}"


def issue_incident(issue: IssuePage, type_of: TypeOf) -> Incident:
    """The incident with its rules. Raises KnowledgeError."""
    head = issue.file.head()

    def made(raw: Any, *path: str | int) -> Condition:
        return head.parse(raw, type_of, path)

    inside = in_range(issue.affects)
    seen = {issue.fact: "true"}
    suggests = [Evidence("decisive" if issue.is_specific else "strong", made(seen))]
    if issue.is_specific and not all(s.specific for s in issue.signs):
        suggests.append(Evidence("strong", made({issue.vague_fact: "true"})))
    confirms = []
    suggests += [Evidence(weight, made(raw, "symptom")) for weight, raw in _by_road(issue, inside)]
    if inside:
        together = made({"all": [seen, inside]}, "affects")
        if issue.is_specific:
            confirms.append(together)
        else:
            suggests.append(Evidence("strong", together))
    what = paragraphs(issue.file.page.section("What happens"))
    return Incident(
        id=issue.id,
        title=issue.title,
        family=RELEASE,
        vendors=issue.vendors,
        grade=issue.grade,
        frequency=issue.frequency,
        requires=tuple(made(raw, "needs", index) for index, raw in enumerate(issue.needs)),
        suggests=tuple(suggests),
        confirms=tuple(confirms),
        excludes=tuple(made(raw, "affects") for raw in _excludes(issue, inside, type_of)),
        explains=(issue.symptom,) if issue.symptom not in ROADS else (),
        remedies=(fix_id(issue.id), *issue.remedies),
        sources=issue.sources,
        summary=what[0] if what else "",
        path=issue.file.entry,
        kind=KNOWN_ISSUE,
        product=issue.product,
        severity=issue.severity,
        affects=issue.affects,
        cited=marks(issue.file.page.section("What happens")),
        checked=issue.checked,
    )


def _by_road(issue: IssuePage, inside: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Evidence of the road together with the release, or with the circumstances that it takes.

    Where the product prints a line, or the range is open to one side, the release says little by itself.
    """
    road = {road_of(issue): "true"}
    exact = inside and all(one.introduced and one.fixed for one in issue.affects)
    if issue.signs or exact or (inside and not issue.needs):
        if inside:
            yield "strong" if exact and not issue.signs else "weak", {"all": [road, inside]}
    elif issue.needs or issue.symptom not in ROADS:  # of a product all releases of which have it
        used = {"any": [{f"{one.product}.in_use": {"known": "true"}} for one in issue.affects]}
        yield "strong", {"all": [road, inside or used, *issue.needs]}


def road_of(issue: IssuePage) -> str:
    """The fact of the road by which one comes to this issue."""
    return road_fact(issue.symptom) if issue.symptom in ROADS else issue.symptom


def in_range(affects: tuple[Affected, ...]) -> dict[str, Any]:
    """The condition that an affected release is in use, as it would stand in a head; empty without any bound."""
    ranges = [{f"{one.product}.in_use": wanted} for one in affects if (wanted := bounds(one))]
    if len(ranges) < len(affects) or not ranges:
        return {}  # of one product every release is affected
    return ranges[0] if len(ranges) == 1 else {"any": ranges}


def _excludes(issue: IssuePage, inside: dict[str, Any], type_of: TypeOf) -> Iterator[dict[str, Any]]:
    if inside:
        yield {"not": inside}
    try:
        vendors = type_of("gpu.vendor").values
    except FactError:
        return
    if others := [name for name in vendors if name not in (*issue.vendors, "none")]:
        yield {"gpu.vendor": others}


def issue_remedy(issue: IssuePage, product_of: ProductOf, type_of: TypeOf) -> Remedy:
    """What to do: move to the release with the fix, or work around it. Raises KnowledgeError."""
    head = issue.file.head()
    section = issue.file.page.section("What to do")
    fixes = list(dict.fromkeys((one.product, one.fixed) for one in issue.affects if one.fixed))
    product = product_of(issue.product)
    if fixes:
        releases = " or ".join(f"{product_of(name).title} {fixed}" for name, fixed in fixes)
        title = f"Move to {releases} or later"
        after = [{"not": in_range(issue.affects)}] if in_range(issue.affects) else [{issue.fact: "false"}]
    else:
        title, after = f"Work around this issue of {product.title}", [{issue.fact: "false"}]
    variables = ", ".join(name for name, _ in issue.sets)
    undo = "Install the release that was there before." if fixes else "Take back what the steps changed."
    return Remedy(
        id=fix_id(issue.id),
        title=title,
        kind="fix" if fixes else "workaround",
        risk="another release may change more than this" if fixes else "none stated",
        needs=("install", "restart-job") if fixes else ("restart-job",),
        sets=issue.sets,
        after=tuple(head.parse(raw, type_of, ("affects",)) for raw in after),
        sources=issue.sources,
        steps=variants(section) if section else {},
        verify=product.find[:1] if fixes else (Step("Run the job again: the fault does not come back."),),
        undo=(Step(f"{undo} Unset {variables}." if variables else undo),),
        path=issue.file.entry,
    )

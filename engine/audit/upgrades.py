"""The smallest upgrade of a product that clears the most of its known issues."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ..facts import VersionRange, version_of
from ..knowledge.affected import bounds
from ..model import Incident, Product

if TYPE_CHECKING:
    from ..facts.plainversion import AnyVersion


class Upgrade(NamedTuple):
    """A release to move to: how many of the findings it clears, which stay, and which it brings."""

    product: str
    title: str
    installed: str
    to: str
    clears: tuple[str, ...]
    leaves: tuple[str, ...]
    brings: tuple[str, ...]
    command: str

    def to_dict(self) -> dict[str, object]:
        """As it stands in the JSON."""
        found = self._asdict()
        return {**found, **{key: list(found[key]) for key in ("clears", "leaves", "brings")}}


def upgrade_of(
    product: Product,
    installed: AnyVersion,
    hits: list[Incident],
    open_: list[Incident],
    issues: list[Incident],
) -> Upgrade | None:
    """The release after the installed one that leaves the fewest issues; of equals the first."""
    if not hits:
        return None
    present = {issue.id for issue in hits}
    beside = {issue.id for issue in open_}
    best: tuple[int, AnyVersion] | None = None
    chosen: tuple[str, list[str], list[str]] | None = None
    later = {version_of(release.version): release.version for release in product.releases}
    for version, name in sorted(later.items()):
        if version <= installed or version.is_prerelease:
            continue
        there = [issue.id for issue in issues if _has(issue, product, version)]
        leaves = [name_ for name_ in there if name_ in present]
        brings = [n for n in there if n not in present and n not in beside and _unconditional(n, issues)]
        rank = (len(leaves) + len(brings), version)
        if best is None or rank < best:
            best, chosen = rank, (name, leaves, brings)
    if chosen is None or len(chosen[1]) == len(present) or best is None or best[0] >= len(present):
        return None
    name, leaves, brings = chosen
    return Upgrade(
        product.id,
        product.title,
        str(installed),
        name,
        tuple(sorted(present - {*leaves})),
        tuple(leaves),
        tuple(brings),
        product.upgrade.replace("{version}", name),
    )


def _has(issue: Incident, product: Product, version: AnyVersion) -> bool:
    own = [bounds(one) for one in issue.affects if one.product == product.id]
    return any(text and VersionRange(text).holds(version) is True for text in own)


def _unconditional(name: str, issues: list[Incident]) -> bool:
    return any(issue.id == name and not issue.requires for issue in issues)

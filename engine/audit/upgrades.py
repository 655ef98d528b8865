"""The smallest upgrade of a product that clears the most of its known issues."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ..facts import VersionRange, version_of
from ..knowledge.affected import bounds
from ..model import Incident, Product
from ..tuples import NamedTuple

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
    works: Callable[[str], bool],
) -> Upgrade | None:
    """The release after the installed one that leaves the fewest issues; of equals the first.

    ``works`` tells whether a release can work at all with what else is there.
    """
    present = {issue.id for issue in hits}
    beside = {issue.id for issue in open_}
    found = []
    later = {version_of(release.version): release.version for release in product.releases} if hits else {}
    affected = {issue.id: _ranges(issue, product) for issue in issues} if later else {}
    for version, name in later.items():
        if version <= installed or version.is_prerelease:
            continue
        there = [name_ for name_, ranges in affected.items() if any(r.holds(version) is True for r in ranges)]
        leaves = [name_ for name_ in there if name_ in present]
        brings = [n for n in there if n not in present and n not in beside and _unconditional(n, issues)]
        if len(leaves) + len(brings) < len(present):
            found.append((len(leaves) + len(brings), version, name, leaves, brings))
    for _, _, name, leaves, brings in sorted(found):
        if works(name):
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
    return None


def _ranges(issue: Incident, product: Product) -> list[VersionRange]:
    """The releases of a product that have an issue, read once for all releases that are tried."""
    own = [bounds(one) for one in issue.affects if one.product == product.id]
    return [VersionRange(text) for text in own if text]


def _unconditional(name: str, issues: list[Incident]) -> bool:
    return any(issue.id == name and not issue.requires for issue in issues)

"""What belongs to a known issue: the releases that have it, and the names of what the loader makes of it."""

from __future__ import annotations

from ..facts import version_of
from ..model import Affected, Product


def sign_fact(issue: str) -> str:
    """The fact that says that a sign of the issue was seen."""
    return f"issue.{issue}"


def fix_id(issue: str) -> str:
    """The remedy that is made of a known issue."""
    return f"fix-{issue}"


def bounds(one: Affected) -> str:
    """The range of releases, such as ``>=2.22.3,<2.23.4``; empty without any bound."""
    parts = [f">={one.introduced}" if one.introduced else "", f"<{one.fixed}" if one.fixed else ""]
    return ",".join(filter(None, parts))


def span(affected: Affected, product: Product | None) -> str:
    """The releases in words: ``NCCL 2.22.3 to 2.23.3; fixed in 2.23.4``."""
    title = product.title if product else affected.product
    listed = [release.version for release in product.releases] if product else []
    if not affected.fixed:
        return f"{title} {affected.introduced} and later" if affected.introduced else f"{title}, all releases"
    if not affected.introduced:
        return f"{title} before {affected.fixed}; fixed in {affected.fixed}"
    last = last_before(affected.fixed, listed)
    until = f" to {last}" if last and last != affected.introduced else "" if last else f" to {affected.fixed}"
    return f"{title} {affected.introduced}{until}; fixed in {affected.fixed}"


def last_before(version: str, listed: list[str]) -> str:
    """The last of the listed releases before a version, or empty."""
    end = version_of(version)
    earlier = [(one, text) for text in listed if (one := version_of(text)) < end]
    return max(earlier, default=(end, ""))[1]

"""Versions in PEP 440 order, the vendors' spellings, and ranges answered in three values.

A version that somebody cut short (``7.2``) stands for every release that begins so. Whether it is
``<7.2.1`` is then not known, and the answer is ``None`` rather than a guess.
"""

from __future__ import annotations

import operator
import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from ..patterns import lazy_pattern
from ..vendors import VENDORS
from .plainversion import version_of

if TYPE_CHECKING:
    from .plainversion import AnyVersion

_PEP440 = lazy_pattern(
    r"(?:v|build |b(?=\d{3,6}\Z))?(\d+(?:\.\d+)*)"  # release
    r"((?:[-_.]?(?:alpha|beta|preview|pre|rc|a|b|c)(?![a-z])[-_.]?\d*)?"
    r"(?:[-_.]?(?:post|rev|r)(?![a-z])[-_.]?\d*)?(?:[-_.]?dev(?![a-z])[-_.]?\d*)?)",
    re.IGNORECASE | re.ASCII,
)
_CONSTRAINT = lazy_pattern(r"\s*(>=|<=|==|!=|>|<)\s*([^\s,]+)\s*$")
_OPERATORS = {
    ">=": operator.ge,
    "<=": operator.le,
    ">": operator.gt,
    "<": operator.lt,
    "==": operator.eq,
    "!=": operator.ne,
}
_LONGEST = 200
_FIRST_BUILD = 1000
_NUMBERINGS = [numbering for vendor in VENDORS for numbering in vendor.numberings]
_BUILDS = frozenset(product for vendor in VENDORS for product in vendor.builds)


class VersionError(ValueError):
    """The text is not a version, or not a range."""


@lru_cache(maxsize=4096)
def parse_version(text: str, fact: str = "") -> AnyVersion:
    """Read a version as it is printed by the product that ``fact`` names.

    Understands ``6.3.42133-1b9c17779`` (ROCm 6.3, HIP build), ``2.7.0a0+git6c0e746``,
    ``550.54.15``, ``570.124.06-p2p``, ``v0.8.4``, llama.cpp's ``b8487``, NCCL's ``22005``, CUDA's ``12060`` and
    ``2.22.3-HEAD:271856d``. Raises VersionError when no version can be read.
    """
    found = _PEP440.match(text.strip().rstrip("+")) if len(text) <= _LONGEST else None
    if not found:
        raise VersionError(f"{text[:_LONGEST]!r} is not a version")
    release, suffix = found.groups()
    product = fact.rpartition(".")[0]
    if "." not in release:
        release = _from_integer(release, product)
    elif product in _BUILDS:
        parts = release.split(".")
        if len(parts) >= 3 and int(parts[2]) >= _FIRST_BUILD:
            release = ".".join(parts[:2])
        elif len(parts) == 4 and parts[3] == "0":
            release = ".".join(parts[:3])  # 6.4.0.0-47-73dae9c, the long form of librccl
    try:
        return version_of(release + suffix)
    except ValueError:
        return version_of(release)


def _from_integer(digits: str, product: str) -> str:
    """The release that an integer stands for, where the product has such."""
    number = int(digits)
    for made in _NUMBERINGS:
        if product == made.product and number >= made.least:
            patch = f".{number % made.minor}" if made.patch else ""
            return f"{number // made.major}.{number % made.major // made.minor}{patch}"
    return digits


def compatible(first: AnyVersion, second: AnyVersion) -> bool:
    """Whether one may be the other cut short: ``545`` and ``545.29.06`` are, 545 and 550 are not."""
    short, long = sorted((first, second), key=lambda v: len(v.release))
    if short == long or _padded(short, len(long.release)) == long.release:
        return True
    return long.release[: len(short.release)] == short.release


def _padded(version: AnyVersion, length: int) -> tuple[int, ...]:
    return version.release + (0,) * (length - len(version.release))


class VersionRange:
    """A conjunction of constraints such as ``>=2.10,<2.45`` or ``==545.*``."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._parts: list[tuple[str, AnyVersion, bool]] = []
        for part in text.split(","):
            found = _CONSTRAINT.match(part)
            if not found:
                raise VersionError(f"{part.strip()!r} is not a version constraint such as >=2.10")
            sign, bound = found.groups()
            wildcard = bound.endswith(".*")
            if wildcard and sign not in ("==", "!="):
                raise VersionError(f"{part.strip()!r}: .* goes with == and != only")
            try:
                self._parts.append((sign, version_of(bound.removesuffix(".*")), wildcard))
            except ValueError:
                raise VersionError(f"{part.strip()!r} is not a version constraint such as >=2.10") from None

    def holds(self, version: AnyVersion) -> bool | None:
        """True, False, or None where ``version`` is too short to tell."""
        answer: bool | None = True
        for sign, bound, wildcard in self._parts:
            one = _compare(sign, version, bound, wildcard)
            if one is False:
                return False
            if one is None:
                answer = None
        return answer

    def holds_number(self, number: int) -> bool:
        """Whether a whole number, negative ones included, satisfies every part."""
        return all(_outcome(sign, number, bound.release[0]) for sign, bound, _ in self._parts)

    def is_empty(self) -> bool:
        """Whether no version at all can satisfy it, as in ``>=3,<2`` (for the linter)."""
        lows = [(v, op) for op, v, _ in self._parts if op in (">=", ">", "==")]
        highs = [
            (v, op) for op, v, wildcard in self._parts if op in ("<=", "<") or (op == "==" and not wildcard)
        ]
        for low, low_op in lows:
            for high, high_op in highs:
                if low > high or (low == high and (low_op == ">" or high_op == "<")):
                    return True
        return False


def _compare(sign: str, version: AnyVersion, bound: AnyVersion, wildcard: bool) -> bool | None:
    if wildcard:
        width = len(bound.release)
        if len(version.release) < width and version.release == bound.release[: len(version.release)]:
            return None
        same = _padded(version, width)[:width] == bound.release
        return same if sign == "==" else not same
    cut_short = (
        len(version.release) < len(bound.release)
        and bound.release[: len(version.release)] == version.release
        and not (version.is_prerelease or version.is_postrelease)
    )
    if cut_short:
        return _compare_short(sign, bound.release[len(version.release) :])
    # The local part (+cu128, +git...) never decides: a range speaks of releases.
    plain = version_of(version.public) if version.local else version
    return _outcome(sign, plain, bound)


def _outcome(sign: str, value: Any, bound: Any) -> bool:
    return bool(_OPERATORS[sign](value, bound))


def _compare_short(sign: str, rest: tuple[int, ...]) -> bool | None:
    """Compare a version that was cut short with a bound that goes on with ``rest``."""
    if any(rest):
        return None
    return {">=": True, "<": False, "==": True, "!=": False}.get(sign)

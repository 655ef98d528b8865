"""Versions as products release them, compared without the library that reads all others.

``packaging`` takes longer to load than all comparisons of a run. Development versions, local parts and other spellings
are read by it.
"""

from __future__ import annotations

from functools import lru_cache, total_ordering
from typing import TYPE_CHECKING

from ..patterns import lazy_pattern

if TYPE_CHECKING:
    from packaging.version import Version

_PLAIN = lazy_pattern(r"([0-9]{1,18}(?:\.[0-9]{1,18})*)(?:(a|b|rc)([0-9]{1,18}))?(?:\.post([0-9]{1,18}))?\Z")
_FINAL = "~"
"""Sorts behind every kind of pre-release."""


@total_ordering
class PlainVersion:
    """A release such as ``2.27.3``, ``0.9.0rc1`` or ``0.5.2.post1``. ``2.0`` equals ``2``."""

    local = None

    def __init__(self, release: str, kind: str | None, number: str | None, post: str | None) -> None:
        self.release = tuple(map(int, release.split(".")))
        self.is_prerelease, self.is_postrelease = kind is not None, post is not None
        end = len(self.release)
        while end and not self.release[end - 1]:
            end -= 1
        self._key = (
            self.release[:end],
            (kind or _FINAL, int(number or 0)),
            -1 if post is None else int(post),
        )

    def __str__(self) -> str:
        _, (kind, number), post = self._key
        before = f"{kind}{number}" if self.is_prerelease else ""
        return ".".join(map(str, self.release)) + before + (f".post{post}" if self.is_postrelease else "")

    def __repr__(self) -> str:
        return f"<PlainVersion {self}>"

    @property
    def public(self) -> str:
        """The version without its local part."""
        return str(self)

    def __hash__(self) -> int:
        return hash(self._key)

    def __eq__(self, other: object) -> bool:
        # What is left to packaging has a part that no version here has.
        return isinstance(other, PlainVersion) and self._key == other._key

    def __lt__(self, other: AnyVersion) -> bool:
        return self._key < other._key if isinstance(other, PlainVersion) else self._whole() < other

    def __gt__(self, other: AnyVersion) -> bool:
        return self._key > other._key if isinstance(other, PlainVersion) else self._whole() > other

    def _whole(self) -> Version:
        from packaging.version import Version

        return Version(str(self))


if TYPE_CHECKING:
    AnyVersion = PlainVersion | Version


@lru_cache(maxsize=4096)
def version_of(text: str) -> AnyVersion:
    """The version that a text is in PEP 440. Raises ValueError if it is none."""
    found = _PLAIN.match(text)
    if found:
        return PlainVersion(*found.groups())
    from packaging.version import Version

    version = Version(text)
    found = _PLAIN.match(str(version))  # 1.0-alpha.1 is 1.0a1
    return PlainVersion(*found.groups()) if found else version

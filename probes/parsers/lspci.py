"""``lspci -vvv``: whether ACS redirects peer traffic on a PCI bridge.

``ACSCtl`` lines that belong to a bridge count; a line whose device is not shown (the output of grep) is taken
for a bridge's, as the documentation of NCCL tells people to search in that way. GPUs and NICs have such
lines, too: theirs say nothing. ``SrcValid+`` alone does not redirect.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...engine.patterns import lazy_pattern
from .base import Found, Lines

_ACS = lazy_pattern(r"ACSCtl:.*?ReqRedir([+-]).*?CmpltRedir([+-])")
_DEVICE = lazy_pattern(r"^(?:[0-9a-f]{4}:)?[0-9a-f]{2}:[0-9a-f]{2}\.[0-7] (.*)")


def parse(lines: Lines, at: int) -> Iterator[Found]:
    """``pcie.acs_redirect`` from one line; true outweighs false in the session, since it stands first."""
    found = _ACS.search(lines[at])
    if not found:
        return
    device = next((m for line in reversed(lines[:at]) if (m := _DEVICE.match(line))), None)
    if device and "bridge" not in device[1].lower():
        return
    yield Found("pcie.acs_redirect", "+" in found.groups(), at)

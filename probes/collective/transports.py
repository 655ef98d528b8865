"""Which transports NCCL or RCCL really used, from their own logs: a setting can be ignored."""

from __future__ import annotations

import re
from collections.abc import Iterable

from .variants import Variant

_VIA = re.compile(r"\bvia (P2P|SHM|NET|COLLNET)((?:/[A-Za-z0-9_]+)?)")
_NETWORK = re.compile(r"\bUsing network (\w+)")
_NVLS = re.compile(r"\bNVLS (?:comm|multicast|Create|group)|\bConnected NVLS tree|\[NVLS\]|\bvia NVLS")
DUPLICATE = re.compile(
    r"Duplicate GPU detected|Multiple ranks detected using the same GPU|ranks are using the same GPU",
    re.IGNORECASE,
)
"""NCCL's refusal of two ranks on one GPU: a limit of the test, no fault of the machine."""


def transports(texts: Iterable[str]) -> tuple[str, ...]:
    """For example ``("P2P/CUMEM", "SHM/direct")``, sorted; empty if no log says so."""
    found = set()
    for text in texts:
        found |= {kind + more for kind, more in _VIA.findall(text)}
        if _NVLS.search(text):
            found.add("NVLS")
    return tuple(sorted(found))


def disobeyed(variant: Variant, used: Iterable[str]) -> tuple[str, ...]:
    """Transports that the variant switches off and that were used all the same."""
    return tuple(sorted(t for t in used for off in variant.off if t == off or t.startswith(off + "/")))

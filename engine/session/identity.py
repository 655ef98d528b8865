"""Which machine a session speaks of, and whether another one is the same: without telling anybody which it is.

Of ids that are unique in the world only a digest is kept. The boot id is the same in every container of a machine,
host names and machine ids are not; clones share machine ids, but no GPU.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..tuples import NamedTuple

SAME, OTHER, UNKNOWN = "same", "other", "unknown"
_DIGITS = 16


class Identity(NamedTuple):
    """A machine: its host name, and digests of its machine id, its boot id and the UUIDs of its GPUs."""

    host: str = ""
    machine: str = ""
    boot: str = ""
    gpus: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """As it stands in files."""
        return {"host": self.host, "machine": self.machine, "boot": self.boot, "gpus": list(self.gpus)}


def identity_of(host: str, machine_id: str, boot_id: str, gpus: Iterable[str]) -> Identity:
    """An identity from the ids as they are read."""
    return Identity(
        host, hidden(machine_id), hidden(boot_id), tuple(sorted({hidden(uuid) for uuid in gpus if uuid}))
    )


def hidden(text: str) -> str:
    """A digest of an id, from which the id cannot be told; nothing of nothing."""
    import hashlib  # brings OpenSSL, which a session of a file does without

    words = "".join(text.split()).lower()
    return hashlib.sha256(f"gpudoctor identity {words}".encode()).hexdigest()[:_DIGITS] if words else ""


def read_identity(data: Any) -> Identity | None:
    """An identity from a file; None if it is none."""
    if not isinstance(data, dict):
        return None
    host, machine, boot = (data.get(key) for key in ("host", "machine", "boot"))
    gpus = data.get("gpus") or []
    if not isinstance(gpus, list) or not all(
        isinstance(one, str) for one in [*(text for text in (host, machine, boot) if text), *gpus]
    ):
        return None
    found = Identity(
        (host or "")[:253],
        (machine or "")[:253],
        (boot or "")[:253],
        tuple(sorted(uuid[:64] for uuid in gpus)),
    )
    return found if any(found) else None


def compare(before: Identity | None, now: Identity | None) -> tuple[str, str]:
    """Whether two identities are of one machine, and the sentence that says so."""
    if before is None or now is None:
        return UNKNOWN, "which machine it was is not known"
    if before.boot and before.boot == now.boot:
        return SAME, "the same machine, not restarted since"
    if before.gpus and now.gpus:
        if set(before.gpus) & set(now.gpus):
            return SAME, "the same GPUs"
        return OTHER, f"other GPUs than before{_names(before, now)}"
    if before.machine and now.machine:
        if before.machine == now.machine:
            return SAME, "the same machine id"
        return OTHER, f"another machine id than before{_names(before, now)}"
    if before.host and now.host and before.host != now.host:
        return OTHER, f"another host than before{_names(before, now)}"
    return UNKNOWN, "nothing tells whether it is the same machine"


def _names(before: Identity, now: Identity) -> str:
    return f" ({before.host}, now {now.host})" if before.host and now.host and before.host != now.host else ""

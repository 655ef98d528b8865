"""What of a value is compared between nodes."""

from __future__ import annotations

from ..model import FactSpec
from ..patterns import lazy_pattern
from .values import Value
from .versions import VersionError, parse_version

_OF_THE_NODE = (
    "root=",
    "BOOT_IMAGE=",
    "initrd=",
    "ip=",
    "BOOTIF=",
    "resume=",
    "nfsroot=",
    "rd.",
    "systemd.machine_id=",
)
"""Options of a kernel command line that name the node's own disks and addresses."""

_UUID = lazy_pattern(r"(?:GPU-|MIG-)[0-9a-fA-F-]{8,64}(?:/\d{1,3}/\d{1,3})?")
"""A card by its own number, as container runtimes name it."""
_PLACE = lazy_pattern(
    r"(?:\.|_)(?:RANK(?:_LOCAL)?|(?:HOST|NODE|POD)_?(?:IP|ID|NAME|UID)|HOSTNAME|(?:JOB|WORKER|SESSION)_(?:ID|DIR|NAME)|PID)\Z"
)
"""Ends of variables that tell where a process stands, not how it is set up."""


FREELY = -1
"""Healthy nodes differ in it as they like."""


def variation(spec: FactSpec) -> int:
    """How far healthy nodes differ in a fact: not at all (0), by so much, or freely."""
    if spec.varies == 0 and spec.name.startswith("env.") and _PLACE.search(spec.name):
        return FREELY
    return spec.varies


def comparable(spec: FactSpec, value: Value) -> Value:
    """What is compared of a value: two spellings of a version are one, a disk's name is not the node's fault."""
    if spec.type == "version":
        text = str(value)
        if text.isdecimal():
            try:
                return str(parse_version(text, spec.name))
            except VersionError:
                return text
    if spec.name.endswith("_VISIBLE_DEVICES"):
        return _UUID.sub("UUID", str(value))
    if spec.name.startswith("kernel.cmdline"):
        return " ".join(word for word in str(value).split() if not word.startswith(_OF_THE_NODE))
    return value

"""PCIe access control: whether a bridge above a GPU redirects peer traffic to the root complex.

Only root reads more than 64 bytes of a configuration space. What cannot be read is not known, never off.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator

from .finding import Finding, Known, Unknown
from .pci import DEVICES, gpus
from .world import Unreadable, World

FACT = "pcie.acs_redirect"
_PLAIN = 256  # bytes of the configuration space without extended capabilities
_ACS, _CONTROL, _MOST = 0x000D, 6, 48
BITS = ("SrcValid", "TransBlk", "ReqRedir", "CmpltRedir", "UpstreamFwd", "EgressCtrl", "DirectTrans")
_REDIRECTS = 0b1100


def control(config: bytes) -> int | None:
    """The ACS control word of a configuration space; None if the device has no ACS.

    Raises ValueError if the extended capabilities are not there to read.
    """
    if len(config) <= _PLAIN:
        raise ValueError("only the first bytes are readable")
    at = _PLAIN
    for _ in range(_MOST):
        if at + _CONTROL + 2 > len(config):
            return None
        (header,) = struct.unpack_from("<I", config, at)
        if header in (0, 0xFFFFFFFF):
            return None
        if header & 0xFFFF == _ACS:
            (word,) = struct.unpack_from("<H", config, at + _CONTROL)
            return int(word)
        at = header >> 20
        if at < _PLAIN:
            return None
    return None


def words(control_word: int) -> str:
    """The bits that are set, by the names of ``lspci``."""
    return " ".join(f"{name}+" for bit, name in enumerate(BITS) if control_word >> bit & 1) or "all off"


def probe(world: World) -> Iterator[Finding]:
    """True if any bridge above a GPU redirects, false if all were read and none does."""
    found = gpus(world)
    bridges = list(dict.fromkeys(address for gpu in found for address in gpu.bridges))
    if not found:
        return
    if not bridges:
        yield Unknown(
            FACT, "no bridge above the GPUs is visible (a virtual machine shows a flat bus)", DEVICES
        )
        return
    refused = ""
    for address in bridges:
        path = f"{DEVICES}/{address}/config"
        try:
            word = control(world.read_bytes(path, 4096))
        except Unreadable as error:
            refused = refused or str(error)
        except ValueError:
            refused = refused or f"{path}: extended capabilities need root"
        else:
            if word is not None and word & _REDIRECTS:
                yield Known(FACT, True, path, f"ACSCtl {words(word)}")
                return
    if refused:
        yield Unknown(FACT, refused, DEVICES)
    else:
        yield Known(FACT, False, DEVICES, f"{len(bridges)} bridges above the GPUs, none redirects")

"""The variants of the test: which variables each sets, which fact its outcome is, what it must switch off."""

from __future__ import annotations

import os
from collections.abc import Mapping

from gpudoctor.engine.tuples import NamedTuple

DEFAULT = "default"
CLEAN = "clean"
OWN_PREFIXES = ("NCCL_", "RCCL_", "CCL_", "GLOO_")
"""Settings that the clean variant removes."""
OURS = ("NCCL_DEBUG", "NCCL_DEBUG_FILE", "RCCL_MSCCL_ENABLE")


class Variant(NamedTuple):
    """One setting of the matrix."""

    name: str
    settings: tuple[tuple[str, str | None], ...] = ()  # None removes
    off: tuple[str, ...] = ()  # transports that must not show in the log when it is obeyed
    vendor: str = ""
    backend: str = "nccl"
    nodes: int = 1  # it says something only over at least so many nodes

    @property
    def fact(self) -> str:
        """The fact that the outcome establishes."""
        if self.backend == "gloo":
            return "collective.gloo" if self.name == DEFAULT else f"collective.gloo_{self.name}"
        return f"collective.{self.name}"

    def words(self) -> str:
        """The settings as a person would type them."""
        if self.name == CLEAN:
            return f"every {', '.join(prefix[:-1] for prefix in OWN_PREFIXES)} setting removed"
        shown = (f"{n} removed" if value is None else f"{n}={value}" for n, value in self.settings)
        return " ".join(shown) or "your own settings"


_P2P, _SHM, _IB = ("NCCL_P2P_DISABLE", "1"), ("NCCL_SHM_DISABLE", "1"), ("NCCL_IB_DISABLE", "1")

NCCL = (
    Variant("p2p_off", (_P2P,), ("P2P",)),
    Variant("net_only", (_P2P, _SHM), ("P2P", "SHM")),
    Variant("shm_off", (_SHM,), ("SHM",)),
    Variant("nvls_off", (("NCCL_NVLS_ENABLE", "0"),), ("NVLS",), "nvidia"),
    Variant(
        "cumem_off", (("NCCL_CUMEM_ENABLE", "0"), ("NCCL_CUMEM_HOST_ENABLE", "0")), ("P2P/CUMEM",), "nvidia"
    ),
    Variant("proto_simple", (("NCCL_PROTO", "Simple"),)),
    Variant("fine_grain", (("HSA_FORCE_FINE_GRAIN_PCIE", "1"),), vendor="amd"),
    Variant("ib_off", (_IB,), ("NET/IB",)),
    Variant("net_ib_off", (_P2P, _SHM, _IB), ("P2P", "SHM", "NET/IB")),
    Variant("loopback", (("NCCL_SOCKET_IFNAME", "lo"),)),
    Variant("dmabuf_off", (("NCCL_DMABUF_ENABLE", "0"),), nodes=2),
    Variant("gdr_off", (("NCCL_NET_GDR_LEVEL", "LOC"),), nodes=2),
    Variant("rail_local", (("NCCL_CROSS_NIC", "0"),), nodes=2),
)
"""In the order in which they are tried: what tells most comes first, since the budget may end them."""

XCCL = (
    Variant("p2p_off", (("CCL_TOPO_P2P_ACCESS", "0"),), backend="xccl"),
    Variant("net_only", (("CCL_TOPO_P2P_ACCESS", "0"), ("CCL_ATL_SHM", "0")), backend="xccl"),
)
"""What oneCCL can be told to leave alone; its log names no transports to check that it obeys."""

GLOO = (Variant("loopback", (("GLOO_SOCKET_IFNAME", "lo"),), backend="gloo"),)


def variants(backend: str, vendor: str, nodes: int = 1) -> tuple[Variant, ...]:
    """The matrix for a backend, a vendor and a number of nodes, without baseline and clean run."""
    if backend == "gloo":
        return GLOO if nodes == 1 else ()
    if backend == "xccl":
        return XCCL
    left_out = ("loopback",) if nodes > 1 else ()
    return tuple(v for v in NCCL if v.vendor in ("", vendor) and v.nodes <= nodes and v.name not in left_out)


def by_fact(fact: str, backend: str = "nccl") -> Variant | None:
    """The variant of this backend that establishes a fact."""
    of_backend = {"gloo": GLOO, "xccl": XCCL}.get(backend, NCCL)
    known = (*(Variant(name, backend=backend) for name in (DEFAULT, CLEAN)), *of_backend)
    return next((variant for variant in known if variant.fact == fact), None)


def own_settings(environment: Mapping[str, str] | None = None) -> dict[str, str]:
    """What the user has set for the communication libraries, in the environment or in NCCL's file."""
    environment = os.environ if environment is None else environment
    found = {n: v for n, v in environment.items() if n.startswith(OWN_PREFIXES) and n not in OURS}
    for path in ("/etc/nccl.conf", os.path.expanduser("~/.nccl.conf")):
        if os.path.isfile(path):
            found.setdefault("NCCL_CONF_FILE", path)
    return found


def settings_of(variant: Variant, environment: Mapping[str, str] | None = None) -> dict[str, str | None]:
    """What is laid over the environment of the ranks; None removes a variable."""
    if variant.name != CLEAN:
        return dict(variant.settings)
    removed: dict[str, str | None] = dict.fromkeys(own_settings(environment))
    if "NCCL_CONF_FILE" in removed:
        removed["NCCL_CONF_FILE"] = os.devnull  # NCCL 2.23 and later
    return removed

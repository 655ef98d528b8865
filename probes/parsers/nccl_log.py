"""NCCL and RCCL at ``NCCL_DEBUG=INFO``: settings in force, network, transports, interfaces, GPUDirect."""

from __future__ import annotations

from collections.abc import Iterator

from ...engine.patterns import lazy_pattern
from .base import Found, Lines

_SET = lazy_pattern(r"NCCL INFO ((?:NCCL|RCCL)_[A-Z0-9_]+) set (?:by environment )?to (\S+)")
_NETWORK = lazy_pattern(r"Using network (\S[\w /.-]*)")
_USING = lazy_pattern(r"NET/IB : Using (?:\[\d+\]|\{\d+\})?(\S+?):\d+/(RoCE|IB)\b")
_BOOTSTRAP = lazy_pattern(r"Bootstrap ?: Using (?:\[\d+\])?([\w.-]+):")
_SOCKET = lazy_pattern(r"NET/Socket : Using \[\d+\]([\w.-]+):")
_BRIDGE = lazy_pattern(r"(?:docker|br-|veth|virbr|cni|flannel|cali)")
_VIA = lazy_pattern(r"via (P2P|SHM|NET)/")
_CALL = lazy_pattern(r"NCCL INFO (\w{3,20}): opCount ([0-9a-f]{1,16}) .{0,120}\bcount (\d{1,15})\b")
_HCAS = lazy_pattern(r"\[\d{1,2}\]([A-Za-z]\w{1,30}):\d{1,2}/(?:RoCE|IB)\b")
_CUDA = lazy_pattern(r"NCCL INFO cudaDriverVersion (\d{1,3})0(\d)0\b")
_GDR = lazy_pattern(r"GPU Direct RDMA (Enabled|Disabled)")


def parse(lines: Lines, at: int) -> Iterator[Found]:
    """What one line of the log says."""
    line = lines[at]
    setting = _SET.search(line)
    if setting:
        yield Found(f"env.{setting[1]}", setting[2].rstrip("."), at)
    network = _NETWORK.search(line)
    if network:
        yield Found("nccl.network", network[1].strip(), at)
    if "NET/FastSocket : Using" in line:
        yield Found("nccl.network", "FastSocket", at)
    using = _USING.search(line)
    if using:
        yield Found("net.fabric", "roce" if using[2] == "RoCE" else "infiniband", at)
        names = sorted(set(_HCAS.findall(line)))
        if names:
            yield Found("rdma.hca_names", ",".join(names), at)
    cuda = _CUDA.search(line)
    if cuda:
        yield Found("cuda.driver_max", f"{cuda[1]}.{cuda[2]}", at)
    for pattern in (_BOOTSTRAP, _SOCKET):
        interface = pattern.search(line)
        if interface:
            yield Found("net.bootstrap_interface", interface[1], at)
            if _BRIDGE.match(interface[1]):
                yield Found("symptom.bootstrap-on-bridge", True, at)
    via = _VIA.search(line)
    if via:
        yield Found(f"nccl.via_{via[1].lower()}", True, at)
    call = _CALL.search(line)
    if call:
        yield Found("nccl.last_call", f"{call[1]} #{int(call[2], 16)}, count {call[3]}", at)
    gdr = _GDR.search(line)
    if gdr:
        yield Found("nccl.gdr", gdr[1] == "Enabled", at)

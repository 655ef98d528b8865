"""From findings of probes to statements: in the vocabulary's types, redacted, one source where several speak."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..engine.errors import EngineError
from ..engine.facts import ERROR_LINE, PROBE, CannotTell, Fact, Origin, Statement, parse_value
from ..engine.facts.secrecy import without_secrets
from ..engine.knowledge import Knowledge
from ..engine.redaction import redact
from ..engine.vendors import VENDORS
from .machine.finding import Finding, Known, Text
from .text import safe

_LONGEST = 300
_LONGEST_VALUE = 4000
_FIRST_OF = {
    "gpu.count": ("pci", "nvml", "nvidia-smi", "amd-smi", "xpu-smi"),
    "gpu.model": ("nvml", "nvidia-smi", "amd-smi", "xpu-smi", "nvidia", "pci"),
    "gpu.nvswitch_class": ("pci",),
    "topology.link": ("nvml", "nvidia-topology", "amdgpu", "amd-topology", "topology", "xpu-topology"),
    "topology.nic_link": ("topology", "nvidia-topology"),
    "driver.version": ("nvml", "nvidia-smi", "nvidia"),
    "iommu.mode": ("iommu", "kernel-log", "journal"),
    "kernel.version": ("host", "kernel-log", "journal"),
    "kernel.cmdline": ("host", "kernel-log", "journal"),
    "service.fabric_manager": ("fabric-manager-version", "fabric-manager"),
    "symptom.amdgpu-module-not-loaded": ("amdgpu",),
    "module.amdgpu_dkms": ("amdgpu",),
}
"""Facts that several probes give: the first that tells counts, the others only where it is silent."""

_NONE_ON_THE_BUS = (("gpu.count", 0), ("gpu.vendor", "none"))
"""What the bus shows where a sandbox or a container hides it; a driver that counts GPUs knows better."""

_OF_VENDOR = {tool: vendor.name for vendor in VENDORS for tool in vendor.tools}
"""Tools whose absence means nothing on a machine of another vendor."""

Said = tuple[str, Finding]
"""The name of a probe and one of its findings."""


def statements(knowledge: Knowledge, said: Iterable[Said]) -> Iterator[Statement]:
    """Facts, then what could not be told; a fact that somebody established is no gap."""
    facts: list[tuple[str, Fact]] = []
    gaps: dict[str, CannotTell] = {}
    texts: list[tuple[str, Text]] = []
    for probe, finding in said:
        if isinstance(finding, Text):
            texts.append((probe, finding))
            continue
        if finding.fact not in knowledge.vocabulary:
            continue
        if isinstance(finding, Known):
            statement = _fact(knowledge, probe, finding)
        else:
            origin = Origin(PROBE, f"{probe}: {_clean(finding.source)}")
            statement = CannotTell(finding.fact, _clean(finding.reason), origin)
        statement = without_secrets(statement)
        if isinstance(statement, Fact):
            facts.append((probe, statement))
        else:
            gaps.setdefault(statement.name, statement)
    facts += _read_texts(knowledge, texts)
    counted = list(dict.fromkeys(_first_told(facts)))
    yield from counted
    established = {fact.name for fact in counted}
    log = next((text.source for probe, text in texts if probe in ("kernel-log", "journal")), "")
    log_was_read = bool(log)
    if log_was_read and "kernel.log_read" in knowledge.vocabulary:
        yield Fact("kernel.log_read", True, Origin(PROBE, f"kernel-log: {log}", "read to its end"))
    vendor = next((fact.value for fact in counted if fact.name == "gpu.vendor"), None)
    for name, gap in gaps.items():
        probe = gap.origin.where.partition(":")[0]
        beside = vendor is not None and _OF_VENDOR.get(probe, vendor) != vendor
        if name not in established and not beside and not (log_was_read and probe == "kernel-log"):
            yield gap


def _fact(knowledge: Knowledge, probe: str, finding: Known) -> Fact | CannotTell:
    origin = Origin(PROBE, f"{probe}: {_clean(finding.source)}", _clean(finding.text))
    value = _clean(finding.value, _LONGEST_VALUE) if isinstance(finding.value, str) else finding.value
    try:
        return Fact(finding.fact, parse_value(knowledge.vocabulary.spec(finding.fact), value), origin)
    except EngineError as error:
        return CannotTell(finding.fact, f"not understood: {error.message}", origin)


def _clean(text: str, longest: int = _LONGEST) -> str:
    return redact(safe(text))[:longest]


def _read_texts(knowledge: Knowledge, texts: list[tuple[str, Text]]) -> Iterator[tuple[str, Fact]]:
    """Output of tools, read as the reader of reports does; their own error lines are not the job's."""
    if not texts:
        return
    from .report import Reader

    reader = Reader(knowledge, words=False)
    for probe, (source, text) in texts:
        for fact in reader.read_all([(source, [redact(text).encode()])]):
            if _counts(probe, fact.name):
                origin = Origin(PROBE, f"{probe}: {fact.origin.where}", _clean(fact.origin.text))
                yield probe, Fact(fact.name, fact.value, origin)


def _counts(probe: str, name: str) -> bool:
    """Whether a fact of a tool's output is one of this machine: only the kernel's error lines are nobody's job."""
    return probe in ("kernel-log", "journal") if name == ERROR_LINE else not name.startswith("log.")


def _first_told(facts: list[tuple[str, Fact]]) -> Iterator[Fact]:
    """All facts, but of those with an order of probes only what the first of them says."""
    if any(probe in _OF_VENDOR and fact.name == "gpu.vendor" for probe, fact in facts):
        facts = [
            (p, fact) for p, fact in facts if p != "pci" or (fact.name, fact.value) not in _NONE_ON_THE_BUS
        ]
    best: dict[str, int] = {}
    for probe, fact in facts:
        ordered = _FIRST_OF.get(fact.name, ())
        if probe in ordered:
            best[fact.name] = min(best.get(fact.name, len(ordered)), ordered.index(probe))
    for probe, fact in facts:
        ordered = _FIRST_OF.get(fact.name, ())
        if fact.name not in best or (probe in ordered and ordered.index(probe) == best[fact.name]):
            yield fact

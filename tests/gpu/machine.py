"""Each live probe against the vendor's own tool: the same GPUs, driver, memory, ECC, clocks, links and topology."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

from gpudoctor.probes.machine import nvml
from gpudoctor.probes.tools import nvml_command

from . import children, vendor
from .checks import Check, Fail, Skip, same
from .kit import Kit, document, facts

ROUND = 10.0
"""Seconds that a round of all probes may take at most, by its own promise."""
SETTINGS = (
    "persistence_mode,compute_mode,mig.mode.current,ecc.mode.current,power.limit,"
    "clocks.applications.graphics,clocks.applications.memory"
)
"""What of a GPU somebody could set; the kit reads it before and after."""


class Machine:
    """What the vendor's tools say, each asked once, and what gpudoctor says."""

    def __init__(self, kit: Kit) -> None:
        self.kit = kit

    @cached_property
    def query(self) -> vendor.Query:
        end = self.kit.tool("nvidia-smi-q", "nvidia-smi", "-q", seconds=30)
        found = vendor.nvidia_query(end.stdout)
        if not end.ok or not found.cards:
            raise Fail(f"nvidia-smi -q: {end.why()}")
        return found

    @cached_property
    def amd(self) -> list[dict[str, Any]]:
        end = self.kit.tool("amd-smi-static", "amd-smi", "static", "--asic", "--vram", "--json", seconds=30)
        if not end.ok:
            raise Skip(f"amd-smi: {end.why()}")
        return vendor.amd_cards(end.stdout)

    @cached_property
    def round(self) -> dict[str, Any]:
        """Everything that gpudoctor finds out by itself, once the driver and the caches are warm."""
        return document(self.probe("probe-again"))

    @cached_property
    def first_round(self) -> dict[str, Any]:
        """The same the first time, with the time that it took."""
        return document(self.probe("probe"))

    def probe(self, name: str) -> children.End:
        return self.kit.gpudoctor(name, "probe", "--format", "json", *self.of_python, seconds=ROUND + 15)

    @property
    def of_python(self) -> list[str]:
        one = self.kit.found.interpreter
        return ["--python", one.path] if one else []

    @cached_property
    def facts(self) -> dict[str, list[Any]]:
        return facts(self.round)

    def fact(self, name: str) -> Any:
        """What the probes say; Fail where they contradict each other."""
        values = self.facts.get(name, [None])
        if len(values) > 1:
            raise Fail(f"{name}: the probes contradict each other: {', '.join(map(str, values))}")
        return values[0]

    @cached_property
    def cards(self) -> list[dict[str, Any]]:
        """What the child that asks NVML says of each GPU, line by line as gpudoctor gets it."""
        end = children.run(nvml_command(), 20, self.kit.environment())
        self.kit.keep("nvml-child", end)
        found: dict[int, dict[str, Any]] = {}
        for line in nvml.parse(end.stdout):
            if "gpu" in line and "call" not in line and "error" not in line:
                found.setdefault(line["gpu"], {}).update(line)
        if not found:
            raise Fail(f"NVML says nothing of any GPU: {end.why()}")
        return [found[gpu] for gpu in sorted(found)]

    def each(self, what: str, ours: str, theirs: list[Any], by: str = "nvidia-smi -q") -> str:
        """One value of every GPU, in NVML's words and in the tool's."""
        said = [card.get(ours) for card in self.cards]
        if all(value is None for value in theirs):
            raise Skip(f"{by} says nothing of it on these GPUs, gpudoctor {said}")
        return same(what, said, theirs, by)


def checks(kit: Kit) -> Iterator[Check]:
    """All checks of this group that make sense on this machine's vendor."""
    machine = Machine(kit)
    yield Check("the knowledge base", 120, lambda: _knowledge(kit))
    yield Check("time of a round", 40, lambda: _time(machine))
    yield Check("no probe failed", 5, lambda: _no_gaps(machine))
    yield Check("GPUs on the PCI bus", 25, lambda: _pci(machine))
    if kit.found.vendor == "nvidia":
        yield from _nvidia(machine)
    elif kit.found.vendor == "amd":
        yield from _amd(machine)
    yield Check("torch sees the same GPUs", 5, lambda: _torch(machine))
    for name, command in _RAW.items():
        if command[0] in kit.found.tools:
            kit.tool(name, *command, seconds=15)


_RAW = {
    "nvidia-smi": ("nvidia-smi",),
    "nvidia-smi-L": ("nvidia-smi", "-L"),
    "nvidia-smi-topo-p2p": ("nvidia-smi", "topo", "-p2p", "r"),
    "nvidia-smi-csv": (
        "nvidia-smi",
        "--query-gpu=index,name,driver_version,memory.total,compute_cap,pcie.link.width.current,pcie.link.width.max,"
        "utilization.gpu,power.draw,power.limit",
        "--format=csv",
    ),
    "rocm-smi": ("rocm-smi",),
    "rocm-smi-json": ("rocm-smi", "--showproductname", "--showdriverversion", "--json"),
    "rocm-smi-topo": ("rocm-smi", "--showtopo"),
    "amd-smi-metric": ("amd-smi", "metric", "--ecc", "--json"),
    "amd-smi-topology": ("amd-smi", "topology", "--json"),
    "dcgmi": ("dcgmi", "discovery", "-l"),
}
"""Asked for their output alone: samples of every shape that this machine has."""


def _knowledge(kit: Kit) -> str:
    """Read once, so that no later check pays for the index, which is built at the first start."""
    end = kit.gpudoctor("kb", "kb", "list", "incidents", seconds=115)
    count = len(end.stdout.splitlines())
    if not end.ok or count < 100:
        raise Fail(f"gpudoctor kb list: {count} lines, {end.why()}")
    return f"{count} incidents in {end.seconds:.1f} s"


def _time(machine: Machine) -> str:
    first, second = float(machine.first_round["seconds"]), float(machine.round["seconds"])
    if max(first, second) > ROUND:
        raise Fail(f"a round took {first:.1f} s and {second:.1f} s: more than {ROUND:.0f} s")
    return f"{first:.2f} s, once more {second:.2f} s"


def _no_gaps(machine: Machine) -> str:
    """No probe hung, failed or was not understood; what is not here at all is no failure."""
    bad = [
        f"{gap['fact']}: {gap['reason']}"
        for gap in machine.round["gaps"]
        if any(
            words in gap["reason"]
            for words in ("was not understood", "the probe", "wrote more", "did not end")
        )
    ]
    hung = machine.facts.get("probe.hung")
    if hung or bad:
        raise Fail("; ".join([*(f"hung: {name}" for name in hung or ()), *bad]))
    return f"{len(machine.round['facts'])} facts, {len(machine.round['gaps'])} that do not apply or cannot be told"


def _pci(machine: Machine) -> str:
    """The probe of /sys against lspci."""
    if "lspci" not in machine.kit.found.tools:
        raise Skip("there is no lspci here")
    there = vendor.lspci(machine.kit.tool("lspci", "lspci", "-Dnn").stdout)
    machine.kit.tool("lspci-vv", "lspci", "-vvv", seconds=15)
    end = machine.kit.gpudoctor("probe-pci", "probe", "--only", "pci", "--format", "json", seconds=20)
    said = facts(document(end))
    mine = there.get(machine.kit.found.vendor, [])
    if not mine:
        raise Skip(
            f"lspci shows no GPU of {machine.kit.found.vendor or 'a known vendor'} (a container or a VM may hide it)"
        )
    same("vendor", said.get("gpu.vendor", [None])[0], machine.kit.found.vendor, "lspci")
    return same("GPUs", said.get("gpu.count", [None])[0], len(mine), "lspci")


def _nvidia(machine: Machine) -> Iterator[Check]:
    cards = lambda: machine.query.cards  # noqa: E731 - asked in the check, not before
    of = machine.each
    yield Check(
        "number of GPUs", 35, lambda: same("GPUs", machine.fact("gpu.count"), len(cards()), "nvidia-smi -q")
    )
    yield Check("driver", 5, lambda: _driver(machine))
    yield Check("model", 30, lambda: _model(machine))
    yield Check(
        "CUDA of the driver",
        5,
        lambda: same(
            "CUDA", machine.fact("cuda.driver_max"), machine.query.head.get("cuda version"), "nvidia-smi -q"
        ),
    )
    yield Check("memory", 5, lambda: _memory(machine))
    yield Check(
        "BAR1",
        5,
        lambda: of("BAR1", "bar_mib", [c.number("BAR1 Memory Usage", "Total") for c in _mib(machine)]),
    )
    yield Check(
        "ECC errors", 5, lambda: of("uncorrectable errors", "uncorrected", [c.uncorrected() for c in cards()])
    )
    yield Check(
        "highest clocks",
        5,
        lambda: of("clocks of SM and memory in MHz", "clocks", [_clocks(c) for c in cards()]),
    )
    yield Check(
        "MIG", 5, lambda: of("MIG", "mig", [_is(c.value("MIG Mode", "Current"), "Enabled") for c in cards()])
    )
    yield Check("compute mode", 5, lambda: _compute_mode(machine))
    yield Check("display", 5, lambda: of("display", "display", [_display(c) for c in cards()]))
    yield Check(
        "remapped rows",
        5,
        lambda: of(
            "pending", "remap_pending", [_is(c.value("Remapped Rows", "Pending"), "Yes") for c in cards()]
        ),
    )
    yield Check("PCIe lanes", 5, lambda: _lanes(machine))
    yield Check("PCI addresses", 5, lambda: _addresses(machine))
    yield Check("NVLink", 25, lambda: _nvlink(machine))
    yield Check("topology", 25, lambda: _topology(machine))


def _driver(machine: Machine) -> str:
    theirs = machine.query.head.get("driver version")
    try:
        kernel = Path("/proc/driver/nvidia/version").read_text()
    except OSError:
        kernel = ""
    if kernel and str(theirs) not in kernel:
        raise Fail(f"nvidia-smi says {theirs}, the kernel module {kernel.splitlines()[0]}")
    return same("driver", machine.fact("driver.version"), theirs, "nvidia-smi -q")


def _model(machine: Machine) -> str:
    theirs = [card.value("Product Name") for card in machine.query.cards]
    same("models", [card.get("name") for card in machine.cards], theirs, "nvidia-smi -q")
    return same("model", machine.fact("gpu.model"), theirs[0], "nvidia-smi -q")


def _mib(machine: Machine) -> tuple[vendor.Card, ...]:
    """The cards of the tool, ours having been given sizes in the tool's unit."""
    for card in machine.cards:
        for ours, name in (("memory_mib", "memory"), ("bar_mib", "bar")):
            card[ours] = None if card.get(name) is None else card[name] >> 20
    return machine.query.cards


def _memory(machine: Machine) -> str:
    theirs = [card.number("FB Memory Usage", "Total") for card in _mib(machine)]
    machine.each("memory in MiB", "memory_mib", theirs)
    least = min(size for size in theirs if size is not None)
    return f"{same('least memory', machine.fact('gpu.memory_mib'), least, 'nvidia-smi -q')} MiB"


def _clocks(card: vendor.Card) -> list[int | None] | None:
    found = [card.number("Max Clocks", "SM"), card.number("Max Clocks", "Memory")]
    return None if found == [None, None] else found


def _is(value: str, yes: str) -> bool | None:
    return value == yes if value else None


def _display(card: vendor.Card) -> int | None:
    value = card.value("Display Active")
    return int(value == "Enabled") if value else None


def _compute_mode(machine: Machine) -> str:
    theirs = {card.value("Compute Mode").lower().replace(" ", "_") for card in machine.query.cards}
    if len(theirs) > 1:
        raise Skip(f"the GPUs differ: {', '.join(sorted(theirs))}")
    return same("compute mode", machine.fact("gpu.compute_mode"), theirs.pop(), "nvidia-smi -q")


def _lanes(machine: Machine) -> str:
    widths = []
    for card in machine.query.cards:
        at = ("PCI", "GPU Link Info", "Link Width")
        now, most = (card.value(*at, name).rstrip("xX") for name in ("Current", "Max"))
        if now.isdecimal() and most.isdecimal():
            widths.append((int(now), int(most)))
    if not widths:
        raise Skip("nvidia-smi -q says nothing of it on these GPUs")
    narrow = any(now < most for now, most in widths)
    said = bool(machine.fact("pcie.link_narrow"))
    if said != narrow:
        raise Fail(f"narrow link: gpudoctor says {said}, nvidia-smi -q has lanes {widths}")
    return f"{'narrow' if narrow else 'full'}: {', '.join(f'{now} of {most}' for now, most in widths)}"


def _addresses(machine: Machine) -> str:
    theirs = [vendor.bus(card.bus) for card in machine.query.cards]
    ours = [vendor.bus(str(card.get("bus") or "")) for card in machine.cards]
    return same("addresses", ", ".join(ours), ", ".join(theirs), "nvidia-smi -q")


def _nvlink(machine: Machine) -> str:
    end = machine.kit.tool("nvidia-smi-nvlink", "nvidia-smi", "nvlink", "-s")
    theirs = vendor.nvlinks(end.stdout)
    up = [sum(theirs.get(gpu, [])) for gpu in range(len(machine.query.cards))]
    ours = [sum(map(bool, card.get("links") or ())) for card in machine.cards]
    if not any(up) and not any(ours):
        raise Skip("no NVLink is up on these GPUs")
    same("links that are up", ours, up, "nvidia-smi nvlink -s")
    dead = any(not all(links) for links in theirs.values() if any(links))
    same("a link that is down", machine.fact("gpu.nvlink_inactive"), dead, "nvidia-smi nvlink -s")
    return f"{up} up"


def _topology(machine: Machine) -> str:
    end = machine.kit.tool("nvidia-smi-topo", "nvidia-smi", "topo", "-m")
    found = vendor.links(end.stdout)
    worst = vendor.worst_link(found)
    if not worst:
        raise Skip("one GPU: there is nothing between GPUs")
    return same(
        "worst link", machine.fact("topology.link"), worst, f"nvidia-smi topo -m ({', '.join(found)})"
    )


def _amd(machine: Machine) -> Iterator[Check]:
    yield Check(
        "number of GPUs", 35, lambda: same("GPUs", machine.fact("gpu.count"), len(machine.amd), "amd-smi")
    )
    yield Check("model", 5, lambda: _amd_model(machine))
    yield Check("architecture", 25, lambda: _amd_arch(machine))
    yield Check("driver", 15, lambda: _amd_driver(machine))
    yield Check("memory", 5, lambda: _amd_memory(machine))


def _amd_model(machine: Machine) -> str:
    names = [str(card.get("asic", {}).get("market_name", "")) for card in machine.amd]
    return same("model", machine.fact("gpu.model"), names[0], "amd-smi")


def _amd_arch(machine: Machine) -> str:
    if "rocminfo" not in machine.kit.found.tools:
        raise Skip("there is no rocminfo here")
    found = vendor.rocminfo(machine.kit.tool("rocminfo", "rocminfo").stdout)
    if not found:
        raise Fail("rocminfo shows no GPU agent")
    return same("architecture", machine.fact("gpu.arch"), found[0], "rocminfo")


def _amd_driver(machine: Machine) -> str:
    end = machine.kit.tool("amd-smi-driver", "amd-smi", "static", "--driver", "--json")
    versions = {str(card.get("driver", {}).get("version", "")) for card in vendor.amd_cards(end.stdout)} - {
        "",
        "N/A",
    }
    said = machine.fact("driver.version")
    if not versions or said is None:
        raise Skip(f"amd-smi says {', '.join(versions) or 'nothing'}, gpudoctor {said}: nothing to compare")
    return same("driver", said, versions.pop(), "amd-smi")


def _amd_memory(machine: Machine) -> str:
    sizes = [card.get("vram", {}).get("size", {}) for card in machine.amd]
    values = [size.get("value") if isinstance(size, dict) else None for size in sizes]
    said = machine.fact("gpu.memory_mib")
    if said is None or None in values:
        raise Skip(f"amd-smi says {values}, gpudoctor {said}: nothing to compare")
    return f"{same('least memory', said, min(values), 'amd-smi')} MiB"


def _torch(machine: Machine) -> str:
    one = machine.kit.found.interpreter
    if one is None:
        raise Skip("no interpreter with a torch for GPUs")
    names = [name for name, _ in one.gpus]
    if machine.kit.found.environment.get("CUDA_VISIBLE_DEVICES"):
        raise Skip("CUDA_VISIBLE_DEVICES is set: torch may see fewer")
    same("GPUs", machine.fact("gpu.count"), len(names), "torch")
    gap = next((gap["reason"] for gap in machine.round["gaps"] if gap["fact"] == "torch.version"), "")
    if "it hung" in gap:
        raise Skip(f"{gap} (it has a second): a slow disk or a busy machine")
    versions = {str(said).partition("+")[0] for said in machine.facts.get("torch.version", ())}
    return same("torch", ", ".join(sorted(versions)), one.torch.partition("+")[0], "the interpreter")


def settings(kit: Kit) -> str:
    """What of the GPUs could be set, as it is now; empty where no tool tells."""
    if kit.found.vendor == "nvidia" and "nvidia-smi" in kit.found.tools:
        command = ["nvidia-smi", f"--query-gpu={SETTINGS}", "--format=csv,noheader"]
    elif kit.found.vendor == "amd" and "rocm-smi" in kit.found.tools:
        command = ["rocm-smi", "--showperflevel", "--showmaxpower", "--json"]
    else:
        return ""
    end = children.run(command, 15, kit.environment())
    return end.stdout.strip() if end.ok else ""


def busy(kit: Kit) -> str:
    """Who computes on these GPUs, if anybody does; the kit does not disturb a job."""
    from gpudoctor.probes.collective.busy import busy_gpus

    return "; ".join(busy_gpus(kit.found.vendor)) if kit.found.vendor else ""

"""From the lines of ``nvmlchild`` to findings; a child that was killed half-way tells what it got so far."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from .finding import Finding, Known, Text, Unknown

SOURCE = "NVML"
_MODES = {0: "default", 2: "prohibited", 3: "exclusive_process"}
_ORDER = ("sys", "node", "phb", "pxb", "pix")
NO_LIBRARY, NO_PACKAGE, LOST = 12, -1, 15
FACTS = (
    "gpu.vendor", "gpu.count", "gpu.model", "gpu.arch", "gpu.arch_mixed", "gpu.mig", "gpu.compute_mode",
    "gpu.display_attached", "gpu.ecc_uncorrected", "gpu.row_remap_pending", "gpu.row_remap_failed", "pcie.bar_full",
    "gpu.nvlink_inactive", "driver.version", "cuda.driver_max", "topology.link", "topology.pcie_only",
    "p2p.driver_reports",
)  # fmt: skip


def parse(text: str) -> list[dict[str, Any]]:
    """The lines that are whole."""
    lines = []
    for line in text.split("\n"):
        try:
            found = json.loads(line)
        except ValueError:
            continue
        if isinstance(found, dict):
            lines.append(found)
    return lines


def last_call(text: str) -> str:
    """The call in which the child was when it ended."""
    calls = [line for line in parse(text) if "call" in line]
    if not calls:
        return ""
    last = calls[-1]
    return f"{last['call']} of GPU {last['gpu']}" if "gpu" in last else str(last["call"])


def findings(text: str) -> Iterator[Finding]:
    """What NVML said."""
    lines = parse(text)
    errors = [line for line in lines if "error" in line]
    yield from _errors(errors)
    cards: dict[int, dict[str, Any]] = {}
    for line in lines:
        if "gpu" in line and "call" not in line and "error" not in line:
            cards.setdefault(line["gpu"], {}).update(line)
        if line.get("driver"):
            yield Known("driver.version", line["driver"], SOURCE, "nvmlSystemGetDriverVersion")
        if line.get("cuda"):
            yield Known("cuda.driver_max", line["cuda"], SOURCE, "nvmlSystemGetCudaDriverVersion")
        if line.get("count"):
            yield Known("gpu.count", line["count"], SOURCE, "nvmlDeviceGetCount")
            yield Known("gpu.vendor", "nvidia", SOURCE, "nvmlDeviceGetCount")
    yield from _cards([card for card in cards.values() if card.get("name")])
    yield from _pairs([line for line in lines if "pair" in line])


def _errors(errors: list[dict[str, Any]]) -> Iterator[Finding]:
    for error in errors:
        code, words = error["error"], error.get("text") or error["name"]
        if code == LOST:
            place = f"GPU {error['gpu']}" if "gpu" in error else "a GPU"
            yield Known("symptom.gpu-is-lost", True, SOURCE, f"{error['call']} of {place}: {words}")
        elif code in (NO_LIBRARY, NO_PACKAGE):
            yield Unknown("driver.version", _without(code), SOURCE)
        elif error["call"] == "nvmlInit":
            # In the words of nvidia-smi, which the knowledge base knows.
            yield Text(SOURCE, f"Failed to initialize NVML: {words}")
            yield Unknown("driver.version", f"nvmlInit: {words}", SOURCE)


def _without(code: int) -> str:
    return "absent: no libnvidia-ml.so.1 here" if code == NO_LIBRARY else "nvidia-ml-py is not installed"


def _cards(cards: list[dict[str, Any]]) -> Iterator[Finding]:
    if not cards:
        return
    yield Known("gpu.model", cards[0]["name"], SOURCE, "nvmlDeviceGetName")
    archs = sorted({card["arch"] for card in cards if card.get("arch")})
    if archs:
        yield Known("gpu.arch", next(c["arch"] for c in cards if c.get("arch")), SOURCE, "compute capability")
        yield Known("gpu.arch_mixed", len(archs) > 1, SOURCE, ", ".join(archs))
    for fact, key in (
        ("gpu.mig", "mig"),
        ("gpu.display_attached", "display"),
        ("gpu.row_remap_pending", "remap_pending"),
        ("gpu.row_remap_failed", "remap_failed"),
    ):
        said = {card["gpu"]: bool(card[key]) for card in cards if card.get(key) is not None}
        if said:
            yes = [str(gpu) for gpu, value in said.items() if value]
            yield Known(fact, bool(yes), SOURCE, f"GPU {', '.join(yes)}" if yes else "no GPU")
    modes = {_MODES[card["compute_mode"]] for card in cards if card.get("compute_mode") in _MODES}
    if modes:
        mode = max(modes - {"default"}, default="default")
        yield Known("gpu.compute_mode", mode, SOURCE, "nvmlDeviceGetComputeMode")
    counts = [card["uncorrected"] for card in cards if card.get("uncorrected") is not None]
    if counts:
        yield Known("gpu.ecc_uncorrected", sum(counts), SOURCE, "since the driver was loaded")
    sizes = [(card["bar"], card["memory"]) for card in cards if card.get("bar") and card.get("memory")]
    if sizes:
        text = f"BAR1 {sizes[0][0] >> 20} MiB, memory {sizes[0][1] >> 20} MiB"
        yield Known("pcie.bar_full", all(bar >= memory for bar, memory in sizes), SOURCE, text)
    up = [card for card in cards if any(card.get("links") or ())]
    if up:
        dead = [str(card["gpu"]) for card in up if not all(card["links"])]
        yield Known(
            "gpu.nvlink_inactive",
            bool(dead),
            SOURCE,
            f"GPU {', '.join(dead)}" if dead else "all links are up",
        )


def _pairs(pairs: list[dict[str, Any]]) -> Iterator[Finding]:
    if not pairs:
        return
    plain = [pair for pair in pairs if not pair.get("nvlink")]
    if not plain:
        yield Known("topology.link", "nvlink", SOURCE, f"{len(pairs)} pairs, all with NVLink")
    else:
        known = [pair for pair in plain if pair.get("ancestor")]
        if known:
            worst = min(known, key=lambda pair: _ORDER.index(pair["ancestor"]))
            text = f"GPU {worst['pair'][0]} and {worst['pair'][1]}"
            yield Known("topology.link", worst["ancestor"], SOURCE, text)
    reads = [pair for pair in pairs if pair.get("read") is not None]
    if reads:
        refused = [pair["pair"] for pair in reads if not pair["read"]]
        text = (
            f"not between GPU {refused[0][0]} and {refused[0][1]}" if refused else f"all {len(reads)} pairs"
        )
        yield Known("p2p.driver_reports", not refused, SOURCE, text)

"""What the vendors' own tools say, read by the kit itself: not with gpudoctor's parsers, which are on trial."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

_GPU = re.compile(r"^GPU ([0-9A-Fa-f:.]{12,16})\s*$")
_LSPCI = re.compile(
    r"^([0-9a-f:.]{7,16}) [^\[]*\[(03(?:00|02|80)|1200)\]: .*?\[(10de|1002|8086):([0-9a-f]{4})\]",
    re.IGNORECASE,
)
_VENDORS = {"10de": "nvidia", "1002": "amd", "8086": "intel"}
_WORST = ("SYS", "NODE", "PHB", "PXB", "PIX")


class Card(NamedTuple):
    """One GPU as ``nvidia-smi -q`` describes it: the headings above a value and its name, in lower case."""

    bus: str
    values: dict[tuple[str, ...], str]

    def value(self, *path: str) -> str:
        """The value below these headings; empty where there is none or it is N/A."""
        said = self.values.get(tuple(part.lower() for part in path), "")
        return (
            ""
            if said
            in (
                "N/A",
                "[N/A]",
                "Not Supported",
                "Unknown Error",
                "Requested functionality has been deprecated",
            )
            else said
        )

    def number(self, *path: str) -> int | None:
        """The number at the beginning of a value."""
        found = re.match(r"(\d+)", self.value(*path))
        return int(found[1]) if found else None

    def uncorrected(self) -> int | None:
        """Uncorrectable errors since the driver was loaded, in the words of all drivers."""
        total = self.number("ECC Errors", "Volatile", "Double Bit", "Total")
        if total is not None:
            return total
        counts = [
            int(value)
            for path, value in self.values.items()
            if path[:2] == ("ecc errors", "volatile") and "uncorrectable" in path[-1] and value.isdecimal()
        ]
        return sum(counts) if counts else None


class Query(NamedTuple):
    """The whole of ``nvidia-smi -q``."""

    head: dict[str, str]
    cards: tuple[Card, ...]


def nvidia_query(text: str) -> Query:
    """By its indentation: four blanks a level."""
    head: dict[str, str] = {}
    cards: list[Card] = []
    path: list[str] = []
    for line in text.splitlines():
        found = _GPU.match(line)
        if found:
            cards.append(Card(found[1], {}))
            path = []
            continue
        name, colon, value = line.partition(" : ")
        name, depth = name.strip().lower(), (len(line) - len(line.lstrip())) // 4
        if not name:
            continue
        if not cards:
            if colon:
                head[name] = value.strip()
            continue
        path = path[: max(depth - 1, 0)]
        if colon:
            cards[-1].values.setdefault((*path, name), value.strip())
        else:
            path.append(line.strip().lower())
    return Query(head, tuple(cards))


def bus(address: str) -> str:
    """A PCI address without what the tools write differently: ``00000000:17:00.0`` as ``17:00.0``."""
    return address.lower().rpartition(":")[0].rpartition(":")[2] + ":" + address.lower().rpartition(":")[2]


def lspci(text: str) -> dict[str, list[str]]:
    """The addresses of display and 3D controllers by vendor, from ``lspci -Dnn``."""
    found: dict[str, list[str]] = {}
    for line in text.splitlines():
        seen = _LSPCI.match(line)
        if seen:
            found.setdefault(_VENDORS[seen[3].lower()], []).append(bus(seen[1]))
    return found


def links(text: str) -> tuple[str, ...]:
    """What stands between two GPUs in ``nvidia-smi topo -m``: NV18, PIX and so on, each once."""
    rows = [line.split() for line in text.splitlines() if re.match(r"^GPU\d+\b", line.strip())]
    count = len(rows)
    return tuple(sorted({cell for row in rows for cell in row[1 : 1 + count] if cell != "X"}))


def worst_link(found: tuple[str, ...]) -> str:
    """As the fact ``topology.link`` has it; empty where there is one GPU."""
    plain = [link for link in _WORST if link in found]
    return plain[0].lower() if plain else "nvlink" if found else ""


def nvlinks(text: str) -> dict[int, list[bool]]:
    """For each GPU its links of ``nvidia-smi nvlink -s``, and whether each is up."""
    found: dict[int, list[bool]] = {}
    at = -1
    for line in text.splitlines():
        gpu = re.match(r"^GPU (\d+):", line)
        link = re.match(r"^\s+Link \d+: (.*)", line)
        if gpu:
            at = int(gpu[1])
        elif link and at >= 0:
            found.setdefault(at, []).append("inactive" not in link[1].lower())
    return found


def amd_cards(text: str) -> list[dict[str, Any]]:
    """The GPUs of ``amd-smi static --json``, in the form of all releases."""
    document, _ = json.JSONDecoder().raw_decode(
        text, min(i for i in (text.find("["), text.find("{")) if i >= 0)
    )
    if isinstance(document, dict):
        document = document.get("gpu_data", [])
    return [card for card in document if isinstance(card, dict)]


def rocminfo(text: str) -> list[str]:
    """The architectures of the GPU agents, in order."""
    return [agent["name"] for agent in _agents(text) if agent.get("device type") == "GPU"]


def _agents(text: str) -> Iterator[dict[str, str]]:
    agent: dict[str, str] = {}
    for line in text.splitlines():
        if re.match(r"^Agent \d+", line):
            if agent:
                yield agent
            agent = {}
        name, colon, value = line.partition(":")
        if colon and line.startswith("  ") and not line.startswith("   "):
            agent.setdefault(name.strip().lower(), value.strip())
    if agent:
        yield agent

"""Intel GPUs: ``xpu-smi discovery`` and ``topology -m``, ``sycl-ls``, ``clinfo``, the report of vLLM."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...engine.patterns import lazy_pattern
from .base import Found, Lines

_NAME = lazy_pattern(r"Device Name: *(Intel\(R\) \S.*?)\s*\|?\s*$")
_NUMBER = lazy_pattern(r"^\|\s*(\d{1,3})\s*\|")
_INTEGRATED = lazy_pattern(r"\b(?:UHD|Iris|HD) |Intel\(R\) (?:Arc\(TM\) )?Graphics(?: \[|$)")
"""Graphics of a processor: a discrete GPU has a letter and a number in its name."""


def parse_discovery(lines: Lines, at: int) -> Iterator[Found]:
    """The table of ``xpu-smi discovery``; called at each name, it answers at the first."""
    if any(_NAME.search(line) for line in lines[:at]):
        return
    yield Found("gpu.vendor", "intel", at)
    yield from _devices(
        [(number, found[1]) for number, line in enumerate(lines) if (found := _NAME.search(line))]
    )


def _devices(named: list[tuple[int, str]]) -> Iterator[Found]:
    discrete = [(number, name) for number, name in named if not _INTEGRATED.search(name)]
    if discrete:
        yield Found("gpu.model", discrete[0][1], discrete[0][0])
        yield Found("gpu.count", len(discrete), discrete[-1][0])
        if len({name for _, name in discrete}) > 1:
            yield Found("gpu.arch_mixed", True, discrete[-1][0])
    if discrete and len(discrete) < len(named):
        inside = next(number for number, name in named if _INTEGRATED.search(name))
        yield Found("igpu.present", True, inside)


_CELL = lazy_pattern(r"(?:S|MDF|XL\d{0,3}|XL\*|PIX|PXB|PHB|NODE|SYS)\Z")
_WORST = ("sys", "node", "phb", "pxb", "pix", "xelink")
_TILE = lazy_pattern(r"GPU (\d{1,3})/(\d)")


def parse_topology(lines: Lines, at: int) -> Iterator[Found]:
    """The matrix of ``xpu-smi topology -m``: rows and columns are tiles, ``GPU 1/0`` is the first of GPU 1."""
    columns = _TILE.findall(lines[at])
    if len(columns) < 2 or lines[at].strip().startswith("|"):
        return
    if at and _TILE.match(lines[at - 1].strip()):
        return  # a row, not the header
    links: dict[str, int] = {}
    for number, line in enumerate(lines[at + 1 :], start=at + 1):
        row = _TILE.match(line.strip())
        if not row:
            break
        cells = line.strip()[row.end() :].split()[: len(columns)]
        if len(cells) != len(columns) or not all(map(_CELL.match, cells)):
            return
        for (gpu, _), cell in zip(columns, cells, strict=True):
            if gpu != row[1]:  # between two tiles of one GPU nothing can be missing
                links.setdefault("xelink" if cell.startswith("XL") else cell.lower(), number)
    yield Found("gpu.vendor", "intel", at)
    yield Found("gpu.count", len({gpu for gpu, _ in columns}), at)
    worst = next((name for name in _WORST if name in links), None)
    if worst:
        yield Found("topology.link", worst, links[worst])


_SYCL = lazy_pattern(
    r"^\[(?:ext_oneapi_)?level_zero:gpu(?::\d+)?\](?:\[level_zero:\d+\])? .*?"
    r"(Intel\(R\) (?!Level|oneAPI)[^,]*?Graphics|Intel\(R\) Data Center GPU \w+ \d+)"
)


def parse_sycl(lines: Lines, at: int) -> Iterator[Found]:
    """``sycl-ls``: GPUs of the Level Zero backend; each stands there for OpenCL, too."""
    if any(_SYCL.match(line) for line in lines[:at]):
        return
    named = [(number, found[1]) for number, line in enumerate(lines) if (found := _SYCL.match(line))]
    if named:
        yield Found("gpu.vendor", "intel", named[0][0])
        yield from _devices(named)


_CLINFO = lazy_pattern(r"^\s+Device Name\s{2,}(Intel\(R\) (?:Arc|Data Center).*?)\s*$")


def parse_clinfo(lines: Lines, at: int) -> Iterator[Found]:
    """``clinfo``: the name of a device."""
    found = _CLINFO.match(lines[at])
    if found:
        yield Found("gpu.vendor", "intel", at)
        yield Found("gpu.model", found[1], at)


_LISTED = lazy_pattern(r"^GPU \d+: (Intel\(R\) \S.*?)\s*$")


def parse_report(lines: Lines, at: int) -> Iterator[Found]:
    """What ``collect_env`` of vLLM says of Intel GPUs."""
    available = re.match(r"Is XPU available\s*: (True|False)", lines[at])
    if available:
        yield Found("torch.gpu_available", available[1] == "True", at)
    if lines[at].startswith("Intel GPU models"):
        named = []
        for number, line in enumerate(lines[at + 1 :], start=at + 1):
            found = _LISTED.match(line)
            if not found:
                break
            named.append((number, found[1]))
        if named:
            yield Found("gpu.vendor", "intel", named[0][0])
            yield from _devices(named)

"""Matrices between GPUs: ``nvidia-smi topo -m|-mp|-p2p``, ``rocm-smi --showtopo``, ``amd-smi topology``, in JSON too.

Output of all driver generations and of people's pasting: tabs or runs of spaces, terminal escapes already
removed, header with or without its leading tab, NICs by number or by name, only some of the rows, comment
marks before each line, or re-typed as a Markdown table.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...engine.patterns import compiled, lazy_pattern
from .base import Found, Lines

_LINK = lazy_pattern(r"(?:X|SYS|NODE|PHB|PXB|PIX|SOC|NV\d{1,3})\Z")
_P2P = lazy_pattern(r"(?:X|OK|CNS|GNS|TNS|NS|DR|U)\Z")
_ROW = lazy_pattern(r"[\s|#>]*GPU(\d+)\b")
_CELLS = lazy_pattern(r"[\s|]+")
_WORST = ("sys", "node", "phb", "pxb", "pix", "nvlink")
_NIC = lazy_pattern(r"NIC\d+|(?:mlx[45]|bnxt_re|rdmap\d+s|irdma|ib|hfi)_?\d*\S*")


def _cells(line: str) -> list[str]:
    return [cell for cell in _CELLS.split(line.strip(" \t#>|")) if cell]


def parse(lines: Lines, at: int) -> Iterator[Found]:
    """Worst link between two GPUs, or what the driver says of peer access; nothing if this is no matrix."""
    header = _cells(lines[at])
    if header[:1] == ["GPU"]:  # a Markdown table has a heading for its first column
        header = header[1:]
    columns = [cell for cell in header if compiled(r"GPU\d+").fullmatch(cell)]
    if not columns or header[0] != columns[0] or "X" in header:
        return
    nics = [place for place, cell in enumerate(header) if _NIC.fullmatch(cell)]
    devices = [header[place] for place in nics if not header[place].startswith("NIC")]
    if devices:  # drivers before 520 or so name the devices themselves
        yield Found("rdma.hca_names", ",".join(sorted(set(devices))), at)
    links: dict[str, int] = {}
    peers: dict[str, int] = {}
    nearest: dict[str, int] = {}
    rows = 0
    for number, line in enumerate(lines[at + 1 :], start=at + 1):
        if "Legend" in line:
            break
        if not _ROW.match(line):
            if rows and not line.strip(" #>|-"):
                break
            continue
        whole = _cells(line)[1:]
        cells = whole[: len(columns)]
        if len(cells) == len(columns) and all(map(_LINK.match, cells)):
            rows += 1
            for cell in cells:
                if cell != "X":
                    links.setdefault("nvlink" if cell.startswith("NV") else cell.lower(), number)
            near = {whole[place].lower().replace("soc", "sys") for place in nics if place < len(whole)}
            best = next((name for name in reversed(_WORST) if name in near), None)
            if best:
                nearest.setdefault(best, number)
        elif len(cells) == len(columns) and all(map(_P2P.match, cells)):
            rows += 1
            for cell in cells:
                if cell != "X":
                    peers.setdefault(cell, number)
    if rows:
        yield Found("gpu.count", len(columns), at)
        yield Found("gpu.vendor", "nvidia", at)
    worst = next((name for name in _WORST if name in links or (name == "sys" and "soc" in links)), None)
    if worst:
        yield Found("topology.link", worst, links.get(worst, links.get("soc", at)))
    farthest = next((name for name in _WORST if name in nearest), None)
    if farthest:
        yield Found("topology.nic_link", farthest, nearest[farthest])
    if peers:
        refused = next((number for cell, number in peers.items() if cell != "OK"), None)
        yield Found("p2p.driver_reports", refused is None, at if refused is None else refused)


_AMD_TITLE = lazy_pattern(
    r"(Link Type between two GPUs|LINK TYPE TABLE|Weight between two GPUs|WEIGHT TABLE|ACCESS TABLE)"
)
_BDF = lazy_pattern(r"[0-9a-fA-F]{4}:[0-9a-fA-F]{2}:[0-9a-fA-F]{2}\.\d")


def parse_amd(lines: Lines, at: int) -> Iterator[Found]:
    """A table of ``rocm-smi --showtopo`` or ``amd-smi topology``."""
    title = _AMD_TITLE.search(lines[at])
    if not title:
        return
    rows: list[tuple[int, list[str]]] = []
    columns = 0
    for number, line in enumerate(lines[at + 1 :], start=at + 1):
        cells = line.split()
        if not cells or line.startswith("==="):
            if rows:
                break
            continue
        if not columns:
            columns = len(cells)
            if not all(compiled(r"GPU\d+").fullmatch(c) or _BDF.fullmatch(c) for c in cells):
                return
        elif len(cells) == columns + 1:
            rows.append((number, cells[1:]))
    if not rows:
        return
    yield Found("gpu.vendor", "amd", at)
    yield Found("gpu.count", columns, at)
    kind = title[1].lower()
    if "type" in kind:
        yield from _amd_links(rows)
    elif "access" in kind:
        refused = next((n for n, cells in rows if "DISABLED" in cells), None)
        yield Found("p2p.driver_reports", refused is None, at if refused is None else refused)
    elif "weight" in kind:
        weights = [int(c) for _, cells in rows for c in cells if c.isdecimal() and c != "0"]
        if weights and max(weights) == 15:  # one XGMI hop; PCIe segments weigh 20 each
            yield Found("topology.link", "xgmi", rows[0][0])


def _amd_links(rows: list[tuple[int, list[str]]]) -> Iterator[Found]:
    for number, cells in rows:
        if "PCIE" in cells:
            yield Found("topology.link", "phb", number)
            return
    if any("XGMI" in cells for _, cells in rows):
        yield Found("topology.link", "xgmi", rows[0][0])


def parse_amd_json(lines: Lines, at: int) -> Iterator[Found]:
    """Topology in the JSON of ``rocm-smi`` and ``amd-smi``."""
    text = "\n".join(lines[at:])
    kinds = set(
        compiled(r'(?:Link type between DRM devices \d+ and \d+|"link_type")"?: "(XGMI|PCIE)"').findall(text)
    )
    if kinds:
        yield Found("gpu.vendor", "amd", at)
        yield Found("topology.link", "phb" if "PCIE" in kinds else "xgmi", at)
    devices = {
        int(n) for pair in compiled(r"between DRM devices (\d+) and (\d+)").findall(text) for n in pair
    }
    if devices:
        yield Found("gpu.count", len(devices), at)

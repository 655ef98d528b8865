"""``nvidia-smi``: the table of all header generations, ``-q``, ``-L`` with MIG, ``--query-gpu`` CSV, ``nvlink -s``."""

from __future__ import annotations

from collections.abc import Iterator

from ...engine.patterns import compiled, lazy_pattern
from .base import Found, Lines

_NAME = lazy_pattern(
    r"^\|\s{1,4}(\d{1,3})\s+(\S.*?)\s+(On|Off|N/A|ERR!)\s*\|"
    r"\s*(?:[0-9A-Fa-f]{4,8}:)?([0-9A-Fa-f]{2}:[0-9A-Fa-f]{2}\.\d)\s+(On|Off)"
)
_USE = lazy_pattern(
    r"^\|\s*\S+\s+\S+\s+(?:P\d+|N/A|ERR!)\s+(?:(\d+)W|N/A|ERR!)\s*/\s*(?:(\d+)W|N/A|ERR!)\s*"
    r"\|\s*(\d+)MiB\s*/\s*(\d+)MiB\s*\|\s*(?:(\d+)%|N/A|ERR!)\s+(\S.*?)\s*\|"
)
_MIG = lazy_pattern(r"\|\s+(Enabled|Disabled)\*?\s+\|\s*$")
_MODES = {"default": "default", "e. process": "exclusive_process", "prohibited": "prohibited"}
_BUSY, _IDLE_POWER, _ALONE, _MUCH, _LITTLE = 95, 0.55, 0.25, 0.5, 0.05

_LISTED = lazy_pattern(r"^\s*GPU (\d+): (.+?) \(UUID: GPU-")
_SLICE = lazy_pattern(r"^\s+MIG \S+\s+Device\s+\d+: \(UUID: MIG-")
_LINK = lazy_pattern(r"^\s*Link \d+: (.*)")


def parse_table(lines: Lines, at: int) -> Iterator[Found]:
    """The summary table: models, MIG and compute mode, and what use, power and memory say."""
    names: list[tuple[int, str]] = []
    uses: list[tuple[int, tuple[int, ...]]] = []
    for number, line in enumerate(lines[at + 1 :], start=at + 1):
        if "Processes:" in line or (names and not line.strip()):
            break
        found = _NAME.match(line)
        if found:
            names.append((number, found[2]))
            if found[5] == "On":
                yield Found("gpu.display_attached", True, number)
        used = _USE.match(line)
        if used:
            uses.append((number, tuple(int(used[i] or 0) for i in range(1, 6))))
            mode = _MODES.get(used[6].lower())
            if mode:
                yield Found("gpu.compute_mode", mode, number)
        mig = _MIG.search(line)
        if mig and names:
            yield Found("gpu.mig", mig[1] == "Enabled", number)
    if names:
        yield Found("gpu.model", names[0][1].rstrip("."), names[0][0])
        yield Found("gpu.count", len(names), names[-1][0])
        yield Found("gpu.vendor", "nvidia", names[0][0])
        if len({name for _, name in names}) > 1:
            yield Found("gpu.arch_mixed", True, names[-1][0])
    if uses:
        yield Found("gpu.memory_mib", min(values[3] for _, values in uses), uses[0][0])
    yield from _reading(uses)


def _reading(uses: list[tuple[int, tuple[int, ...]]]) -> Iterator[Found]:
    """Kernels that wait for a peer show full use at idle power; one full card beside empty ones."""
    for number, (power, cap, _, _, busy) in uses:
        if busy >= _BUSY and power < (_IDLE_POWER if len(uses) > 1 else _ALONE) * cap:
            yield Found("symptom.gpu-util-100-idle", True, number)
            break
    shares = [used / total for _, (_, _, used, total, _) in uses if total]
    if shares and shares[0] > _MUCH and max(shares[1:], default=1) < _LITTLE:
        yield Found("symptom.all-ranks-on-gpu0", True, uses[0][0])


def parse_list(lines: Lines, at: int) -> Iterator[Found]:
    """``nvidia-smi -L``; called for each GPU line, it answers for the first of the list only."""
    if any(_LISTED.match(line) for line in lines[max(0, at - 20) : at]):
        return
    models: list[str] = []
    last = at
    for number, line in enumerate(lines[at:], start=at):
        found = _LISTED.match(line)
        if found:
            models.append(found[2])
            last = number
        elif _SLICE.match(line):
            yield Found("gpu.mig", True, number)
        elif line.strip() and not _LINK.match(line):
            break
    if models:
        yield Found("gpu.model", models[0], at)
        yield Found("gpu.count", len(models), last)
        yield Found("gpu.vendor", "nvidia", at)
        if len(set(models)) > 1:
            yield Found("gpu.arch_mixed", True, last)


def parse_query(lines: Lines, at: int) -> Iterator[Found]:
    """``nvidia-smi -q``, whole or with ``-d``: modes, fabric, ECC and remapped rows."""
    section = ""
    lanes = 0
    worst: dict[str, Found] = {}
    for number, line in enumerate(lines):
        name, colon, value = (part.strip() for part in line.partition(" : "))
        if not colon:
            section = name.lower() or section
            continue
        yield from _field(section, name.lower(), number, value)
        if section == "link width" and value.rstrip("xX").isdecimal():
            now = int(value.rstrip("xX"))
            if name.lower() == "current" and now < lanes:
                yield Found("pcie.link_narrow", True, number)
            lanes = now if name.lower() == "max" else lanes
        for found in _health(section, name.lower(), value.lower(), number):
            if found.name not in worst or int(found.value) > int(worst[found.name].value):
                worst[found.name] = found
    yield from worst.values()


def _health(section: str, name: str, value: str, number: int) -> Iterator[Found]:
    """Errors of memory; of all GPUs the worst counts."""
    if section in ("volatile", "aggregate") and value.isdecimal() and "correctable" in name:
        kind = "uncorrected" if "uncorrectable" in name else "corrected"
        yield Found(f"gpu.ecc_{kind}", int(value), number)
    elif section == "remapped rows" and name == "pending":
        yield Found("gpu.row_remap_pending", value == "yes", number)
    elif section == "remapped rows" and name == "remapping failure occurred":
        yield Found("gpu.row_remap_failed", value == "yes", number)


def _field(section: str, name: str, number: int, shown: str) -> Iterator[Found]:
    value = shown.lower()
    if name == "driver version":
        yield Found("driver.version", value, number)
    elif name == "cuda version":
        yield Found("cuda.driver_max", value, number)
    elif name == "attached gpus" and value.isdecimal():
        yield Found("gpu.count", int(value), number)
    elif name == "product name":
        yield Found("gpu.model", shown, number)
        yield Found("gpu.vendor", "nvidia", number)
    elif section == "mig mode" and name == "current":
        yield Found("gpu.mig", value == "enabled", number)
    elif name == "compute mode" and value.replace(" ", "_") in _MODES.values():
        yield Found("gpu.compute_mode", value.replace(" ", "_"), number)
    elif name == "display active":
        yield Found("gpu.display_attached", value == "enabled", number)
    elif section == "fabric" and name == "state" and value == "in progress":
        yield Found("symptom.fabric-state-in-progress", True, number)
    elif section == "fb memory usage" and name == "total" and value.split(" ")[0].isdecimal():
        yield Found("gpu.memory_mib", int(value.split(" ")[0]), number)


_OF_EACH = ("gpu.mig", "gpu.compute_mode", "gpu.display_attached", "gpu.memory_mib")
"""Facts that GPUs of one machine may differ in."""
_COLUMNS = {
    "name": "gpu.model",
    "driver_version": "driver.version",
    "compute_cap": "gpu.arch",
    "mig.mode.current": "gpu.mig",
    "compute_mode": "gpu.compute_mode",
    "display_active": "gpu.display_attached",
    "memory.total": "gpu.memory_mib",
    "count": "gpu.count",
}


def parse_csv(lines: Lines, at: int) -> Iterator[Found]:
    """``nvidia-smi --query-gpu=... --format=csv``, with its header."""
    header = [cell.strip().split(" ")[0] for cell in lines[at].split(",")]
    if "name" not in header and "index" not in header:
        return
    rows: list[tuple[int, list[str]]] = []
    for number, line in enumerate(lines[at + 1 :], start=at + 1):
        cells = [cell.strip() for cell in line.split(",")]
        if len(cells) != len(header):
            break
        rows.append((number, cells))
    for place, (number, cells) in enumerate(rows):
        for column, fact in _COLUMNS.items():
            if column in header and (place == 0 or fact in _OF_EACH):
                yield from _cell(fact, cells[header.index(column)], number)
    if rows:
        yield Found("gpu.count", len(rows), rows[-1][0])
        yield Found("gpu.vendor", "nvidia", rows[0][0])
    if {"utilization.gpu", "power.draw"} <= set(header):
        yield from _csv_reading(header, rows)
    if {"pcie.link.width.current", "pcie.link.width.max"} <= set(header):
        current, best = header.index("pcie.link.width.current"), header.index("pcie.link.width.max")
        for number, cells in rows:
            if 0 < _number(cells[current]) < _number(cells[best]):
                yield Found("pcie.link_narrow", True, number)
                break


def _cell(fact: str, value: str, number: int) -> Iterator[Found]:
    if fact == "gpu.arch":
        if compiled(r"\d+\.\d").fullmatch(value):
            yield Found(fact, "sm_" + value.replace(".", ""), number)
    elif fact in ("gpu.mig", "gpu.display_attached"):
        if value in ("Enabled", "Disabled"):
            yield Found(fact, value == "Enabled", number)
    elif fact == "gpu.compute_mode":
        if value.lower() in _MODES.values():
            yield Found(fact, value.lower(), number)
    elif fact in ("gpu.memory_mib", "gpu.count"):
        if value.split(" ")[0].isdecimal():
            yield Found(fact, int(value.split(" ")[0]), number)
    elif value and not value.startswith("["):
        yield Found(fact, value, number)


def _csv_reading(header: list[str], rows: list[tuple[int, list[str]]]) -> Iterator[Found]:
    limit = header.index("power.limit") if "power.limit" in header else -1
    for number, cells in rows:
        busy, power = (
            _number(cells[header.index("utilization.gpu")]),
            _number(cells[header.index("power.draw")]),
        )
        cap = _number(cells[limit]) if limit >= 0 else 250.0
        if len(rows) > 1 and busy >= _BUSY and 0 < power < _IDLE_POWER * cap:
            yield Found("symptom.gpu-util-100-idle", True, number)
            return


def _number(text: str) -> float:
    found = compiled(r"\d{1,9}(?:\.\d{1,9})?").match(text)
    return float(found[0]) if found else 0.0


def parse_nvlink(lines: Lines, at: int) -> Iterator[Found]:
    """``nvidia-smi nvlink -s``: links that should be up and are not."""
    states = [
        (number, found[1].strip().lower())
        for number, line in enumerate(lines)
        if (found := _LINK.match(line)) and abs(number - at) < 40
    ]
    inactive = [number for number, state in states if "inactive" in state]
    active = [number for number, state in states if "gb/s" in state]
    if inactive and active:
        yield Found("gpu.nvlink_inactive", True, inactive[0])
    elif active:
        yield Found("gpu.nvlink_inactive", False, active[0])

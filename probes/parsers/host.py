"""The host: kernel command line and log of its IOMMU, limits, ``df``, interfaces, names of system and kernel."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .base import Found, Lines, Parser

_KIB = 1024


def parse_cmdline(lines: Lines, at: int) -> Iterator[Found]:
    """``/proc/cmdline`` or the kernel's own line of it; a line of ``/etc/default/grub`` is only a wish."""
    line = lines[at]
    wish = re.match(r"\s*GRUB_CMDLINE_LINUX(?:_DEFAULT)?=(['\"])(.{1,2000}?)\1", line)
    if wish:
        yield Found("kernel.cmdline_configured", wish[2].strip(), at)
    if "GRUB_CMDLINE" in line:
        return
    found = re.search(r"Command line: (.{1,4000}\broot=.*)$", line) or re.search(
        r"((?:\S{1,80} )?BOOT_IMAGE=\S{1,300} .*|(?:\S{1,80} )?root=\S{1,200} .*)$", line
    )
    if found:
        yield Found("kernel.cmdline", found[1].strip().strip("'\"`"), at)
    image = re.search(r"BOOT_IMAGE=\S{0,200}vmlinuz-(\d+\.\d+\.\d+[\w.+-]{0,80})", line)
    if image:
        yield Found("kernel.version", image[1], at)


def parse_iommu(lines: Lines, at: int) -> Iterator[Found]:
    """What the kernel says of its IOMMU: the default domain, or the group's type."""
    line = lines[at]
    domain = re.search(r"Default domain type: (Translated|Passthrough)", line)
    if domain:
        yield Found("iommu.mode", "translated" if domain[1] == "Translated" else "passthrough", at)
    if "CONFIG_IOMMU_DEFAULT_PASSTHROUGH=y" in line:
        yield Found("iommu.default_passthrough", True, at)


_LIMIT = re.compile(
    r"(?i)(max locked memory|open files)\s{0,40}(?:\(([^)]{0,20}?)(?:, -\w)?\))?\s{1,40}(unlimited|\d{1,20})"
    r"(?:\s{1,40}(?:unlimited|\d{1,20})\s{1,40}(\w+))?"
)
_LIMITS = {"max locked memory": "limit.memlock_bytes", "open files": "limit.nofile"}


def parse_limit(lines: Lines, at: int) -> Iterator[Found]:
    """``ulimit -a`` (KiB) and ``/proc/PID/limits`` (bytes)."""
    found = _LIMIT.search(lines[at])
    fact = _LIMITS.get(found[1].lower()) if found else None
    if not found or not fact:
        return
    if found[3] == "unlimited":
        yield Found(fact, -1, at)
        return
    unit = (found[2] or found[4] or "").lower()
    in_kib = fact.endswith("bytes") and unit.startswith("kb")
    yield Found(fact, int(found[3]) * (_KIB if in_kib else 1), at)


_SIZE = r"(\d{1,15}(?:\.\d{1,9})?[KMGT]?i?)"
_SIZES = re.compile(rf"(?:^|\s){_SIZE}\s+{_SIZE}\s+{_SIZE}\s+\d+%\s+/dev/shm")


def parse_df(lines: Lines, at: int) -> Iterator[Found]:
    """The line of ``df`` for ``/dev/shm``; the header tells the unit."""
    found = _SIZES.search(lines[at])
    if not found:
        return
    header = next((line for line in reversed(lines[:at]) if "Filesystem" in line or "文件系统" in line), "")
    plain = 1 if "1B-blocks" in header else _KIB
    for fact, text in (("shm.size_bytes", found[1]), ("shm.free_bytes", found[3])):
        yield Found(fact, _size(text, plain), at)


def _size(text: str, plain: int) -> int:
    found = re.match(r"([\d.]+)([KMGT]?)", text)
    assert found
    factor = _KIB ** ("KMGT".index(found[2]) + 1) if found[2] else plain
    return int(float(found[1]) * factor)


_INTERFACE = re.compile(r"^\d+: ([\w.@-]+): <([A-Z_,-]*)>.* mtu (\d+)")
_BRIEF = re.compile(r"^([\w.@-]+)\s+(UP|DOWN|UNKNOWN)\s+\S")
_VIRTUAL = ("docker", "br-", "veth", "virbr", "cni", "flannel", "cali", "lo", "tunl", "kube")


def parse_interfaces(lines: Lines, at: int) -> Iterator[Found]:
    """``ip addr`` and ``ip -br addr``: how many interfaces are up beside the loopback."""
    names: list[tuple[int, str]] = []
    for number, line in enumerate(lines):
        long, brief = _INTERFACE.match(line), _BRIEF.match(line)
        if long and "UP" in long[2].split(","):
            names.append((number, long[1]))
        elif brief and brief[2] != "DOWN":
            names.append((number, brief[1]))
    others = [(n, name) for n, name in names if name != "lo"]
    if names:
        yield Found("net.many_interfaces", len(others) > 1, names[-1][0])
    if any(name.startswith(_VIRTUAL[:3]) for _, name in others):
        number = next(n for n, name in others if name.startswith(_VIRTUAL[:3]))
        yield Found("net.container_bridge", True, number)


def parse_cma(lines: Lines, at: int) -> Iterator[Found]:
    """``/proc/meminfo``: more free CMA memory than there is."""
    sizes = {
        found[1]: int(found[2])
        for line in lines
        if (found := re.match(r"\s*(CmaTotal|CmaFree):\s+(\d{1,15}) kB", line))
    }
    if len(sizes) == 2:
        yield Found("kernel.cma_free_above_total", sizes["CmaFree"] > sizes["CmaTotal"], at)


def parse_modules(lines: Lines, at: int) -> Iterator[Found]:
    """``lsmod`` and the module's own lines in the kernel log."""
    if re.search(r"^nvidia_peermem\s+\d+\s+\d+|\bnvidia-peermem nv_\w+", lines[at]):
        yield Found("module.nvidia_peermem", True, at)


def parse_system(lines: Lines, at: int) -> Iterator[Found]:
    """``uname -a``, ``/etc/os-release`` and lines of environment reports."""
    line = lines[at]
    kernel = re.search(
        r"(?:\bLinux version |Linux \S+ |Python platform: Linux-)(\d+\.\d+\.\d+[\w.+-]*)", line
    )
    if kernel:
        yield Found("kernel.version", kernel[1].split("-with")[0], at)
    system = re.search(r'(?:PRETTY_NAME=|^OS: )"?([A-Z][^"(]+)', line)
    if system:
        yield Found("os.id", system[1].strip(), at)


PARSERS = (
    Parser(
        "kernel command line",
        ("BOOT_IMAGE=", " root=", "GRUB_CMDLINE_LINUX"),
        parse_cmdline,
        facts=("kernel.cmdline", "kernel.cmdline_configured"),
    ),
    Parser(
        "kernel IOMMU",
        ("Default domain type:", "CONFIG_IOMMU_DEFAULT_PASSTHROUGH"),
        parse_iommu,
        facts=("iommu.mode", "iommu.default_passthrough"),
    ),
    Parser(
        "limits",
        ("max locked memory", "Max locked memory", "open files", "Max open files"),
        parse_limit,
        facts=tuple(_LIMITS.values()),
    ),
    Parser("df", ("% /dev/shm",), parse_df, before=12, facts=("shm.size_bytes", "shm.free_bytes")),
    Parser(
        "ip addr",
        ("LOOPBACK,UP", "lo               UNKNOWN"),
        parse_interfaces,
        before=6,
        after=120,
        facts=("net.many_interfaces", "net.container_bridge"),
    ),
    Parser("meminfo", ("CmaTotal:",), parse_cma, before=3, after=3, facts=("kernel.cma_free_above_total",)),
    Parser(
        "modules", ("nvidia_peermem ", "nvidia-peermem "), parse_modules, facts=("module.nvidia_peermem",)
    ),
    Parser(
        "system",
        ("Linux version ", "Linux-", "PRETTY_NAME=", "OS: ", " SMP "),
        parse_system,
        facts=("kernel.version", "os.id"),
    ),
)

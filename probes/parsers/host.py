"""The host: kernel command line and log of its IOMMU, modules, CMA memory, names of system and kernel."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .base import Found, Lines


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

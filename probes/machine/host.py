"""The host: kernel, distribution, virtualisation, what the kernel was asked for, its clock."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .finding import Finding, Known, Unknown
from .world import REFUSED, Unreadable, World

_DMI = "/sys/class/dmi/id"
_VM = re.compile(
    r"QEMU|KVM|VMware|VirtualBox|Xen|Bochs|Standard PC|HVM domU|Google Compute Engine|Firecracker|Parallels"
    r"|BHYVE|OpenStack"
)


def hypervisor(world: World) -> str:
    """What shows that the machine is a virtual one; nothing if nothing does."""
    if re.search(r"^flags\s*:.*\bhypervisor\b", world.text("/proc/cpuinfo"), re.MULTILINE):
        return "/proc/cpuinfo: hypervisor flag"
    kind = world.text("/sys/hypervisor/type")
    if kind:
        return f"/sys/hypervisor/type: {kind}"
    for name in ("sys_vendor", "product_name"):
        found = _VM.search(world.text(f"{_DMI}/{name}"))
        if found:
            return f"{_DMI}/{name}: {found[0]}"
    product = world.text(f"{_DMI}/product_name")
    if world.text(f"{_DMI}/sys_vendor") == "Amazon EC2" and "metal" not in product:
        return f"{_DMI}/product_name: {product}"
    # Microsoft makes machines as well; its hypervisor calls them so.
    return f"{_DMI}/product_name: {product}" if product == "Virtual Machine" else ""


def probe(world: World) -> Iterator[Finding]:
    """Kernel, distribution, processor, virtualisation and a few switches of the kernel."""
    release = "/proc/sys/kernel/osrelease"
    yield from _read(world, "kernel.version", release)
    yield from _read(world, "kernel.cmdline", "/proc/cmdline")
    machine = world.system("machine")
    if machine in ("x86_64", "aarch64"):
        yield Known("cpu.arch", machine, "uname", machine)
    name = re.search(r'^PRETTY_NAME="?([^"\n]+)', world.text("/etc/os-release"), re.MULTILINE)
    if name:
        yield Known("os.id", name[1].strip(), "/etc/os-release", name[0])
    shown = hypervisor(world)
    if shown:
        yield Known("virtualization", "vm", *shown.split(": ", 1))
    elif world.text("/proc/cpuinfo"):
        yield Known("virtualization", "none", "/proc/cpuinfo", "no hypervisor flag, no virtual product name")
    yield from _switches(world)
    wish = re.search(
        r"^[ \t]*GRUB_CMDLINE_LINUX(?:_DEFAULT)?=(['\"])(\S.*?)\1",
        world.text("/etc/default/grub"),
        re.MULTILINE,
    )
    if wish:
        yield Known("kernel.cmdline_configured", wish[2], "/etc/default/grub", wish[0].strip())


def _read(world: World, fact: str, path: str) -> Iterator[Finding]:
    try:
        text = world.read(path)
    except Unreadable as error:
        yield Unknown(fact, str(error), path)
    else:
        if text:
            yield Known(fact, text, path, text)


def _switches(world: World) -> Iterator[Finding]:
    path = "/proc/sys/kernel/numa_balancing"
    value = world.text(path)
    if value.isdecimal():
        yield Known("host.numa_balancing", value != "0", path, value)
    elif world.exists("/proc/sys/kernel"):
        yield Known("host.numa_balancing", False, path, "not built into this kernel")
    path = "/proc/sys/kernel/yama/ptrace_scope"
    value = world.text(path)
    if value.isdecimal():
        yield Known("kernel.yama_ptrace_scope", int(value), path, value)
    counts = dict(re.findall(r"^(Cma(?:Total|Free)):\s+(\d+) kB", world.text("/proc/meminfo"), re.MULTILINE))
    if len(counts) == 2:
        wrong = int(counts["CmaFree"]) > int(counts["CmaTotal"])
        text = f"CmaTotal {counts['CmaTotal']} kB, CmaFree {counts['CmaFree']} kB"
        yield Known("kernel.cma_free_above_total", wrong, "/proc/meminfo", text)
    path = "/etc/systemd/logind.conf"
    try:
        said = re.findall(r"^RemoveIPC\s*=\s*(\w+)", world.read(path), re.MULTILINE)
    except Unreadable as error:
        if error.why == REFUSED:
            yield Unknown("logind.remove_ipc", str(error), path)
    else:
        if said:
            yield Known("logind.remove_ipc", said[-1].lower() in ("yes", "true", "1", "on"), path, said[-1])


def probe_clock(world: World) -> Iterator[Finding]:
    """Whether the kernel's clock is kept in step by a time service."""
    fact, source = "host.clock_synchronized", "adjtimex"
    status = world.system("clock_status") if not world.live else _clock_status()
    if status is None:
        yield Unknown(fact, "the kernel was not asked" if world.live else "not in this capture", source)
    else:
        unsynchronised = bool(int(status) & 0x40)  # STA_UNSYNC
        yield Known(fact, not unsynchronised, source, f"status {int(status):#x}")


def _clock_status() -> int | None:
    import ctypes

    class Timex(ctypes.Structure):
        """The first members of the kernel's ``struct timex``; a read-only call (modes 0)."""

        _fields_ = (
            ("modes", ctypes.c_uint),
            ("offset", ctypes.c_long),
            ("freq", ctypes.c_long),
            ("maxerror", ctypes.c_long),
            ("esterror", ctypes.c_long),
            ("status", ctypes.c_int),
            ("rest", ctypes.c_char * 256),
        )

    try:
        value = Timex()
        state = ctypes.CDLL(None).adjtimex(ctypes.byref(value))
    except (OSError, AttributeError):
        return None
    return None if state < 0 else int(value.status)

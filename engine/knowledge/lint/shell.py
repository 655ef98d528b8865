"""What the commands of a remedy do, as far as a linter has to know: which change a machine, which only look."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from ...model import Step
from ...vendors import alternatives

_SEPARATOR = re.compile(r"\|\||&&|;|\n|\|")
_COMMENT = re.compile(r"(?:^|\s)#.*$", re.MULTILINE)
_HERE = re.compile(r"<<-?\s*['\"]?(\w+)['\"]?.*?\n(.*?)\n\s*\1\s*$", re.DOTALL | re.MULTILINE)
_ASSIGNMENT = re.compile(r"(?:export\s+)?[A-Za-z_]\w*=(?:\"[^\"]*\"|'[^']*'|\$\([^)]*\)|\S*)\s*\Z")

DANGEROUS = {
    "a reboot": r"^(?:sudo\s+)?(?:systemctl\s+(?:--\S+\s+)*)?(?:reboot|kexec)\b|\bshutdown\s+-r|scontrol\s+reboot",
    "the removal of a module": r"\brmmod\s|\bmodprobe\s+(?:-\w+\s+)*(?:-r|--remove)\b",
    "setpci": r"\bsetpci\b.*=",
    "a power cycle": r"\bipmitool\b.*\bpower\s+(?:cycle|off|reset|soft)\b",
    "a reset of a GPU or card": alternatives(lambda vendor: vendor.commands.resetting)
    + r"|\bmlxfwreset\b|\btee\s+/sys/bus/pci/\S*/(?:reset|remove)\b|>\s*/sys/bus/pci/\S*/(?:reset|remove)\b",
    "a change of firmware": alternatives(lambda vendor: vendor.commands.flashing)
    + r"|\bflint\b.*\sburn?\b|\bmlxfwmanager\b.*\s-u\b|\bfwupdmgr\s+(?:update|install)\b"
    r"|\bmlxconfig\b.*\bset\b|\bmlxup\b",
}
"""What can cost work, data or the machine: by the words for it, how its command begins."""
_DANGEROUS = {words: re.compile(pattern) for words, pattern in DANGEROUS.items()}

INSTALLING = re.compile(
    rf"\b(?:apt|apt-get|dnf|yum|zypper|tdnf|rpm|dpkg|snap|{alternatives(lambda vendor: vendor.commands.installing)})\b"
    r".*(?:\b(?:install|reinstall|update|upgrade|in)\b|\s-[iU]\b)"
)
_CHANGING = re.compile(
    r"^\s*sudo\s+(?!-u\b|lsof|fuser|lspci|dmesg|journalctl|cat|ls|grep|ipmitool\s+(?:sel|sdr|sensor)|ibdiagnet|ibstat"
    rf"|{alternatives(lambda vendor: vendor.commands.looking_as_root)}"
    r"|dmidecode|ss|py-spy|gdb|strace|ethtool\s+(?:-S\s+)?\w+\s*$|find"
    r"|iptables\s+-(?:L|S)|nft\s+list|ufw\s+status|firewall-cmd\s+--(?:list|get|state)|lsinitramfs|mokutil\s+--(?:sb|list)"
    r"|systemctl\s+(?:status|is-|show|cat|list)|docker\s+(?:info|ps|inspect|version)|crictl|ctr\s+\S+\s+ls|rdma|mlxlink"
    r"|setpci\s+-s\s+\S+\s+[^=]*$|awk|sed\s+-n|head|tail|zgrep|dpkg\s+-l"
    r"|test|stat|id|sysctl\s+(?:-n\s+)?[\w.]+\s*$|apt-cache|sacct|scontrol\s+show|hexdump|true)"
)
_TOUCHING = re.compile(
    r"\b(?:rmmod|insmod)\s|\bmodprobe\s+(?!-n|-c|--show|--dry)\S|\bsystemctl\s+(?:start|stop|restart|enable|disable|mask|unmask|edit|set-default)\b"
    r"|\bkubectl\s+(?:drain|cordon)\b|\bscontrol\s+(?:update|reboot)\b.*(?i:state=|reboot)"
)
_LOOKING = re.compile(
    rf"^\s*(?:sudo\s+)?(?:{alternatives(lambda vendor: vendor.commands.looking)}"
    r"|cat|grep|ls|lsmod|modinfo|uname|lspci|dmesg"
    r"|journalctl|apt-mark\s+showhold|apt-cache|dpkg\s+-l|dpkg-query|rpm\s+-q|docker\s+(?:ps|info|inspect)|head|tail|echo|wc|sort"
    r"|env|printenv|ip\s+(?:a|addr|link|route)\b(?!.*\b(?:set|add|del)\b)|ss|mount\s*$|dkms\s+status|zypper\s+ll|dnf\s+versionlock\s+list"
    r"|systemctl\s+(?:status|is-\w+|show|cat)|kubectl\s+(?:get|describe|logs)|scontrol\s+show|sinfo|mokutil\s+--(?:sb|list)\S*)\b"
)
_WORKLOAD = re.compile(
    r"\b(?:all_reduce|all_gather|alltoallv?|sendrecv|broadcast|reduce_scatter)_perf\b|\bgpudoctor\s+(?:collective|run|try|verify)\b"
    r"|\btorchrun\b|\bmpirun\b|\bmpiexec\b|\bib_(?:write|read|send)_(?:bw|lat)\b"
    rf"|{alternatives(lambda vendor: vendor.commands.working)}"
    r"|\bgpu_burn\b|\bfi_pingpong\b|\bfi_rdm|\bucx_perftest\b"
    r"|\bpython3?\s|\bcurl\s.*(?:/v1|/generate|/health)|\bvllm\s+(?:serve|bench)|\bray\s+(?:job\s+)?submit|\bdeepspeed\s|\baccelerate\s+(?:launch|test)"
    r"|\bllama-(?:cli|bench|server|simple)|\bkubectl\s+(?:run|apply|create|exec)\b|\bsrun\s.*COMMAND|\bdocker\s+run\s.*COMMAND|\bbenchmark_"
    r"|\bsbatch\s|\bmpi_perf|\bosu_|\btrtllm|\bswift\s|\bcrictl\s+run"
)


@lru_cache(maxsize=4096)
def pieces(block: str) -> tuple[str, ...]:
    """The simple commands of a block, without comments, here-documents and assignments."""
    bare = _COMMENT.sub("", _HERE.sub("", block).replace("\\\n", " "))
    found = (piece.strip() for piece in _SEPARATOR.split(bare))
    return tuple(piece for piece in found if piece and not _ASSIGNMENT.match(piece))


def blocks(groups: Iterable[Iterable[Step]]) -> Iterator[str]:
    """Every block of commands of some lists of steps."""
    for steps in groups:
        for step in steps:
            yield from step.commands


@lru_cache(maxsize=4096)
def danger_of(piece: str) -> str:
    """What is dangerous about a command, in words; empty where nothing is."""
    if piece.startswith(("echo", "printf", "grep", "#")):
        return ""
    return next((words for words, pattern in _DANGEROUS.items() if pattern.search(piece)), "")


_HOLDING = re.compile(
    r"\bapt-mark\b|\bversionlock\b|\bzypper\s+(?:al|rl|addlock|removelock)\b|python3-dnf-plugin"
)


@lru_cache(maxsize=4096)
def changes(piece: str) -> bool:
    """Whether a command changes the machine rather than a process of the person who types it."""
    if _HOLDING.search(piece):  # the package manager alone is told something
        return False
    return bool(
        danger_of(piece) or INSTALLING.search(piece) or _TOUCHING.search(piece) or _CHANGING.match(piece)
    )


def looks_only(piece: str) -> bool:
    """Whether a command is known to show something and to change nothing."""
    return bool(_LOOKING.match(piece)) and not re.search(r"(?<!2)>\s*/(?!dev/null)", piece)


def is_workload(block: str) -> bool:
    """Whether a block runs something on GPUs or links, or asks a server for an answer."""
    return bool(_WORKLOAD.search(block))

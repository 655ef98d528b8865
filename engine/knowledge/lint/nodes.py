"""Linter: remedies that touch a node.

What is changed can be taken back, what is dangerous stands alone and is said to be, what a person wrote is kept, and a
workload shows whether it has worked.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...model import Remedy
from ...vendors import VENDORS, alternatives
from .shell import blocks, changes, danger_of, is_workload, looks_only, pieces

_PAIRED = (
    (r"\bapt-mark\s+hold\b", r"\bapt-mark\s+unhold\b", "apt-mark unhold", "both"),
    (
        r"\bversionlock\s+(?:add\s+)?(?!delete|list|clear)['\"\w*]",
        r"\bversionlock\s+(?:delete|clear)\b",
        "versionlock delete",
        "both",
    ),
    (r"\bzypper\s+(?:al|addlock)\b", r"\bzypper\s+(?:rl|removelock)\b", "zypper removelock", "both"),
    (r"\bkubectl\s+(?:drain|cordon)\b", r"\bkubectl\s+uncordon\b", "kubectl uncordon", "both"),
    (
        r"(?i)\bscontrol\s+update\b.*state=(?:drain|down)",
        r"(?i)state=(?:resume|idle|undrain)",
        "scontrol update State=RESUME",
        "both",
    ),
    (
        r"\bsystemctl\s+(?:--now\s+)?enable\b",
        r"\bsystemctl\s+(?:--now\s+)?disable\b",
        "systemctl disable",
        "undo",
    ),
    (
        r"\bsystemctl\s+(?:--now\s+)?disable\b",
        r"\bsystemctl\s+(?:--now\s+)?enable\b",
        "systemctl enable",
        "undo",
    ),
    (r"\bsystemctl\s+mask\b", r"\bsystemctl\s+unmask\b", "systemctl unmask", "undo"),
    (r"\bsystemctl\s+set-default\b", r"\bsystemctl\s+set-default\b", "systemctl set-default", "undo"),
    (r"\bsetpci\b.*=", r"\bsetpci\b.*=|\breboot\b", "setpci with the old word, or a reboot", "undo"),
    (r"\bsysctl\s+-w\b", r"\bsysctl\b", "sysctl with the old value", "undo"),
    (r"\bufw\s+(?:allow|insert)\b", r"\bufw\s+(?:delete|deny)\b", "ufw delete", "undo"),
    (r"\bfirewall-cmd\b.*--add-", r"\bfirewall-cmd\b.*--remove-", "firewall-cmd --remove-...", "undo"),
    (r"\biptables\s+-[AI]\b", r"\biptables\s+-D\b", "iptables -D", "undo"),
    (r"\bip\s+link\s+set\b.*\bmtu\b", r"\bip\s+link\s+set\b", "ip link set with the old value", "undo"),
    *((*one, "undo") for vendor in VENDORS for one in vendor.commands.undone),
    (
        r"\bgrubby\b.*--(?:args|remove-args)",
        r"\bgrubby\b.*--(?:remove-args|args)",
        "grubby with the reverse",
        "undo",
    ),
    (
        r"^\s*(?:sudo\s+)?(?:apt|apt-get|dnf|yum|zypper|tdnf)\s.*\b(?:install|in)\b(?!.*(?:--reinstall|python3-dnf-plugin))",
        r"\b(?:apt|apt-get|dnf|yum|zypper|tdnf)\s.*\b(?:install|remove|purge|downgrade|reinstall|undo|in|rm)\b",
        "the package manager with remove, downgrade or install of the release before",
        "undo",
    ),
)
_PAIRS = [(re.compile(done), re.compile(partner), words, scope) for done, partner, words, scope in _PAIRED]
_STOPPED = re.compile(r"\bsystemctl\s+(?:--\S+\s+)*stop\s+(.+)")
_STARTED = re.compile(
    r"\bsystemctl\s+(?:--\S+\s+)*(?:re)?start\s+(.+)|\bsystemctl\s+(?:--\S+\s+)*enable\s+--now\s+(.+)"
)
_WRITTEN = re.compile(
    r"(?:(?<![2&>-])>|\btee)\s+(?!-a|>)(?:--\s+)?\"?((?:/etc|/usr|/lib|/boot|~|\$HOME)/[^\s\"|;)]+|[\w.-]+\.ya?ml)"
)
_EDITED = re.compile(r"\bsed\s+(?:-\w+\s+)*-i\S*\s.*?((?:/etc|/boot|~|\$HOME)/\S+)")
_OVERRIDE = re.compile(r"\b(?:docker-)?compose\.override\.ya?ml\b")
_PINNED = re.compile(r"\b(?:apt|apt-get)\b.*\binstall\b.*?=(?:\"?\$\{?\w+\}?\"?|\d[\w.]*)-\d+(?:\s|\"|'|$)")
_LOOP = re.compile(r"\s*(?:for|if|while)\s")
_IMAGE = re.compile(r"\bdocker\s+(?:exec|build)\b")
"""What is done inside of an image is taken back with the image."""
_BOOT = re.compile(
    r"/etc/default/grub|\bupdate-grub\b|\bgrub2-mkconfig\b|\bgrubby\b.*args|/etc/kernel/cmdline"
)
_OPTION = re.compile(
    r"\b(?:docker|podman)\s+run\b.*?\s--"
    rf"(?:ipc|shm-size|device(?![= ](?:{alternatives(lambda vendor: vendor.name)}))|ulimit|cap-add|privileged"
    r"|security-opt|group-add)\b"
)


def check(remedy: Remedy) -> Iterator[str]:
    """One remedy."""
    where = remedy.path
    steps = list(blocks(remedy.steps.values()))
    undo = list(blocks([remedy.undo]))
    yield from (f"{where}: {wrong}" for wrong in _dangers(remedy))
    yield from (f"{where}: {wrong}" for wrong in _taken_back(steps, undo, remedy))
    yield from (f"{where}: {wrong}" for wrong in _files(steps, undo))
    yield from (f"{where}: {wrong}" for wrong in _distributions(steps, remedy))
    yield from (f"{where}: {wrong}" for wrong in _engines(remedy))
    own = [group for name, group in remedy.steps.items() if name != "systemd"]  # there the job starts anew
    touches = any(changes(piece) for block in blocks(own) for piece in pieces(block))
    if remedy.kind != "test" and touches and not any(map(is_workload, blocks([remedy.verify]))):
        yield f"{where}: it touches a node, and Verify runs no workload (a collective, a request)"


def _dangers(remedy: Remedy) -> Iterator[str]:
    every = [step for group in (*remedy.steps.values(), remedy.undo, remedy.verify) for step in group]
    for step in every:
        found = [_danger_in(block) for block in step.commands]
        if any(found) and not all(found):
            yield f"{next(filter(None, found))} must stand in a step of its own"
            return
    for block in (block for step in every for block in step.commands):
        commands = pieces(block)
        dangers = [danger_of(piece) for piece in commands]
        named = next(filter(None, dangers), "")
        if named and not remedy.danger:
            yield f'{named} needs a "danger" in the head'
            return
        if named and not dangers[0] and not _LOOP.match(block):
            yield f"{named} must stand in a block of its own, so that nobody pastes it along: {commands[0]}"
            return


def _danger_in(block: str) -> str:
    return next(filter(None, map(danger_of, pieces(block))), "")


def _taken_back(steps: list[str], undo: list[str], remedy: Remedy) -> Iterator[str]:
    done = [p for block in steps if not _IMAGE.search(block) for p in pieces(block)]
    undone = [piece for block in undo for piece in pieces(block)]
    for pattern, partner, words, scope in _PAIRS:
        if any(map(pattern.search, done)):
            places = [*done, *undone] if scope == "both" else undone
            if not any(map(partner.search, places)):
                yield f"what the steps do is not taken back: {words} is missing"
    started = {unit for piece in [*done, *undone] for unit in _units(_STARTED, piece)}
    for unit in sorted({unit for piece in done for unit in _units(_STOPPED, piece)} - started):
        yield f"{unit} is stopped and never started again"
    if undone and all(map(looks_only, undone)) and any(map(changes, done)):
        yield f"its undo only looks: {undone[0]}"


def _units(pattern: re.Pattern[str], piece: str) -> Iterator[str]:
    if found := pattern.search(piece):
        words = next(filter(None, found.groups())).split()
        yield from (word.removesuffix(".service") for word in words if not word.startswith(("-", "2>", ">")))


def _files(steps: list[str], undo: list[str]) -> Iterator[str]:
    """Nothing overwrites what somebody else wrote."""
    saved = ""
    for block in steps:
        if _OVERRIDE.search(block):
            yield "it writes compose.override.yaml, which may be the user's: name the file gpudoctor.compose.yaml"
        text = block.replace("\\\n", " ")
        for line in text.splitlines():
            saved += f"{line}\n" if re.search(r"\bcp\s+(?:-\w+\s+)*-\w*n|\btest\s+!\s+-e\b", line) else ""
            for name in (m[1] for m in _WRITTEN.finditer(line)):
                if "gpudoctor" not in name and name not in saved:
                    yield f"it overwrites {name} without a copy (cp -n) before it; or put gpudoctor into the name"
                if name.startswith("/") and not any(name in block for block in undo):
                    yield f"Undo does not name {name}, which the steps write"
            for name in (m[1] for m in _EDITED.finditer(line)):
                if name not in saved:
                    yield f"it edits {name} without a copy (cp -n) before it"
                if not any(name in block for block in undo):
                    yield f"Undo does not name {name}, which the steps edit"


def _distributions(steps: list[str], remedy: Remedy) -> Iterator[str]:
    text = "\n".join(steps)
    if _PINNED.search(text):
        yield "a package has the version that the distribution writes: take all of it from apt-cache madison"
    if _BOOT.search(text):
        told = text + " ".join(step.text for group in remedy.steps.values() for step in group)
        missing = [w for w, p in _BOOT_WAYS.items() if not re.search(p, told)]
        if missing:
            yield f"boot parameters: {', '.join(missing)} missing"
    if "update-initramfs" in text and "dracut" not in text:
        yield "update-initramfs is of Debian and Ubuntu; dracut is missing"


_BOOT_WAYS = {
    "Debian and Ubuntu (update-grub)": r"\bupdate-grub\b",
    "RHEL (grubby)": r"\bgrubby\b",
    "SLES (grub2-mkconfig)": r"(?s)\bgrub2-mkconfig\b.*SUSE|SUSE.*\bgrub2-mkconfig\b|SLES",
}


def _engines(remedy: Remedy) -> Iterator[str]:
    """An option of docker that is the point of a remedy is told for the other ways to start a container."""
    shown = "\n".join(blocks([remedy.steps.get("docker", ())])).replace("\\\n", " ")
    if _OPTION.search(shown) and not remedy.sets and not remedy.unsets:
        missing = [name for name in ("apptainer", "pyxis") if name not in remedy.steps]
        if missing and any(part in remedy.path for part in ("/container/", "/shm/", "/permissions/")):
            yield f"an option of docker is meant; it has no steps for {' and '.join(missing)}"

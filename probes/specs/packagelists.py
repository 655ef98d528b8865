"""Lists of installed packages: pip list and freeze, requirements, lock files, conda, dpkg -l, rpm -qa."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping

from .launch import Said

_PINNED = re.compile(r"\s*([A-Za-z0-9][\w.-]*)(?:\[[^\]]*\])?\s*(?:===?)\s*v?(\d[\w.+!]*)\s*(?:[;#\\].*)?$")
_REQUIRED = re.compile(
    r"\s*[A-Za-z0-9][\w.-]*(?:\[[^\]]*\])?\s*(?:[<>~!=]=?[^=].*)?(?:[;#].*)?$|\s*[-#].*$|\s*$"
)
_COLUMNS = re.compile(r"\s*([A-Za-z0-9][\w.-]*)\s+v?(\d[\w.+!]*)(?:\s+\S.*)?$")
_DPKG = re.compile(r"[a-z]i\s+([a-z0-9][\w.+-]*)(?::\w+)?\s+(?:\d+:)?(\d[\w.+~-]*)\s")
_RPM = re.compile(
    r"([A-Za-z0-9][\w.+-]*?)-(?:\d+:)?(\d[\w.+~]*)-([\w.+~]+)\.(?:x86_64|aarch64|noarch|i686|ppc64le)$"
)
_LOCKED = re.compile(r'^name = "([^"]+)"\s*\nversion = "([^"]+)"', re.MULTILINE)


def read_packages(text: str, facts: Mapping[str, str]) -> list[Said] | None:
    """The versions that a list states, by the fact of each package; None if this is no such list.

    ``facts``: the fact of a package by its name in lower case.
    """
    found = _of_format(text)
    if found is None:
        return None
    said = []
    for name, version, line in found:
        key = re.sub(r"[-_.]+", "-", name).lower()
        fact = facts.get(name.lower()) or facts.get(key) or facts.get(key.replace("-", "_"))
        if fact:
            said.append(Said(fact, version, line))
        said += _built_for(key, version, line)
    return list({one.name: one for one in reversed(said)}.values())[::-1]


def _built_for(name: str, version: str, line: int) -> Iterator[Said]:
    """What the build of torch (``2.5.1+cu124``) and the names of NVIDIA's wheels say of the GPU."""
    build = re.fullmatch(r"[^+]+\+(cu|rocm)(\d[\d.]*)\w*", version) if name == "torch" else None
    if build and build[1] == "cu" and len(build[2]) >= 3:
        yield Said("torch.build", "cuda", line)
        yield Said("cuda.version", f"{build[2][:-1]}.{build[2][-1]}", line)
    elif build and build[1] == "rocm":
        yield Said("torch.build", "rocm", line)
        yield Said("rocm.version", build[2], line)
    if re.fullmatch(r"nvidia-[a-z-]+-cu\d+", name):
        yield Said("gpu.vendor", "nvidia", line)


def _of_format(text: str) -> list[tuple[str, str, int]] | None:
    stripped = text.lstrip()
    if stripped.startswith("[") and '"version"' in text:
        return _json(text)
    if "[[package]]" in text:
        return [(m[1], m[2], text.count("\n", 0, m.start()) + 1) for m in _LOCKED.finditer(text)]
    lines = [(number, line) for number, line in enumerate(text.splitlines(), start=1) if line.strip()]
    for pattern in (_DPKG, _RPM):
        hits = [(m[1], m[2], number) for number, line in lines if (m := pattern.match(line))]
        if hits:
            return hits
    if re.search(r"^Package\s+Version\b|^# packages in environment|^# Name\s+Version", text, re.MULTILINE):
        return [(m[1], m[2], number) for number, line in lines if (m := _COLUMNS.match(line))]
    pins = [(m[1], m[2], number) for number, line in lines if (m := _PINNED.match(line))]
    if lines and all(_PINNED.match(line) or _REQUIRED.match(line) or " @ " in line for _, line in lines):
        return pins if pins or any(re.search(r"[<>~]=", line) for _, line in lines) else None
    return None


def _json(text: str) -> list[tuple[str, str, int]] | None:
    try:
        listed = json.loads(text)
    except ValueError:
        return None
    return list(_entries(listed))


def _entries(listed: list[object]) -> Iterator[tuple[str, str, int]]:
    for one in listed:
        if isinstance(one, dict) and isinstance(one.get("name"), str) and isinstance(one.get("version"), str):
            yield one["name"], one["version"], 1

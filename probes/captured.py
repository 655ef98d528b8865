"""What a captured tree keeps beside files: answers of commands, and findings. It may come from anybody."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from .childend import ChildEnd
from .machine.world import Unreadable, World
from .round import OUTPUT, Line

COMMANDS, FINDINGS = ".gpudoctor/commands", ".gpudoctor/findings"


def kept_findings(world: World, names: Sequence[str]) -> list[Line]:
    """The findings of these probes, where the tree keeps them in place of files."""
    return [line for name in names if (line := _findings(_json(world, f"/{FINDINGS}/{name}.json"), name))]


def _findings(found: Any, name: str) -> Line | None:
    if (
        not isinstance(found, dict)
        or found.get("probe") != name
        or not isinstance(found.get("findings"), list)
    ):
        return None
    findings = [item for item in found["findings"] if _is_finding(item)]
    state, detail, seconds = found.get("state", ""), found.get("detail", ""), found.get("seconds", 0)
    if not isinstance(seconds, (int, float)):
        return None
    return {
        "probe": name,
        "state": str(state),
        "detail": str(detail),
        "seconds": seconds,
        "findings": findings,
    }


def _is_finding(item: object) -> bool:
    if not isinstance(item, list) or len(item) < 2 or not all(isinstance(part, str) for part in item[:2]):
        return False
    kind, *values = item
    if kind == "known":
        return 3 <= len(values) <= 4 and all(isinstance(value, (str, int)) for value in values)
    wanted = {"unknown": 3, "text": 2, "failed": 1}.get(kind)
    return len(values) == wanted and all(isinstance(value, str) for value in values)


def kept_answer(world: World, name: str) -> ChildEnd | None:
    """What a command said when the tree was made; None if it was not run."""
    found = _json(world, f"/{COMMANDS}/{name}.json")
    if not isinstance(found, dict) or not isinstance(found.get("state"), str):
        return None
    status, seconds, silent = (found.get(key) for key in ("status", "seconds", "silent"))
    return ChildEnd(
        status=status if isinstance(status, int) else None,
        stdout=str(found.get("stdout", "")),
        stderr=str(found.get("stderr", "")),
        seconds=float(seconds) if isinstance(seconds, (int, float)) else 0.0,
        state=found["state"],
        detail=str(found.get("detail", "")),
        silent=float(silent) if isinstance(silent, (int, float)) else 0.0,
    )


def _json(world: World, path: str) -> Any:
    try:
        return json.loads(world.read(path, OUTPUT))
    except (Unreadable, ValueError, RecursionError):
        return None

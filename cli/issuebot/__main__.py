"""Reads the event that GitHub left in a file, and answers."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from typing import Any

from ..errors import OK, USAGE, UsageError
from ..inputs.knowledge import load_knowledge
from .github import Issue
from .reply import WITHDRAWN, answer, text_of

_LARGEST = 30 << 20


def main(environment: Mapping[str, str] = os.environ) -> int:
    """Answer the event; 0 also where there is nothing to say."""
    try:
        return _answered(environment)
    except UsageError as error:
        sys.stderr.write(f"gpudoctor: {error}\n")
        return USAGE


def _answered(environment: Mapping[str, str]) -> int:
    payload = _payload(environment.get("GITHUB_EVENT_PATH", ""))
    text = text_of(payload)
    if text is None:
        return OK
    said = answer(load_knowledge([]), text)
    if environment.get("GPUDOCTOR_DRY_RUN"):
        sys.stdout.write(said or "")
        return OK
    number = payload["issue"].get("number")
    if not isinstance(number, int):
        raise UsageError("the event names no issue")
    issue = Issue(
        environment.get("GITHUB_REPOSITORY", ""),
        number,
        environment.get("GITHUB_TOKEN", "").strip(),  # a line break in it would be quoted in the error
        environment.get("GPUDOCTOR_AUTHOR") or "github-actions[bot]",
        environment.get("GITHUB_API_URL") or "https://api.github.com",
    )
    before = issue.own_comment()
    if before is not None:
        after = said or WITHDRAWN
        if str(before.get("body")).strip() != after.strip():
            issue.edit(before["id"], after)
    elif said:
        issue.say(said)
    return OK


def _payload(path: str) -> dict[str, Any]:
    try:
        with open(path, encoding="utf-8") as file:
            payload = json.loads(file.read(_LARGEST))
    except (OSError, ValueError, RecursionError) as error:
        raise UsageError(f"GITHUB_EVENT_PATH: cannot be read: {error}") from None
    if not isinstance(payload, dict):
        raise UsageError("GITHUB_EVENT_PATH: holds no event")
    return payload


if __name__ == "__main__":
    sys.exit(main())

"""Whether a value of an environment variable lies in its documented range."""

from __future__ import annotations

import re

from ..model import EnvVar
from .versions import VersionError, VersionRange, parse_version


def problem_with(env: EnvVar, value: str) -> str:
    """Why the value is not allowed, or an empty text.

    ``allowed`` holds values, one range such as ``>=0,<=7``, or expressions between slashes. A value with a
    placeholder (``$X``, ``<name>``) is not judged.
    """
    if not env.allowed or "$" in value or "<" in value:
        return ""
    for allowed in env.allowed:
        if allowed.startswith("/") and allowed.endswith("/"):
            if re.fullmatch(allowed[1:-1], value):
                return ""
        elif allowed.startswith((">", "<", "=")):
            try:
                if VersionRange(allowed).holds(parse_version(value)):
                    return ""
            except VersionError:
                continue
        elif value == allowed:
            return ""
    return f"the documented values are {', '.join(env.allowed)}"

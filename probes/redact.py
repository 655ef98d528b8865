"""Secrets never leave the machine: their shapes are blotted out of whatever is shown, saved or captured."""

from __future__ import annotations

import re

HIDDEN = "[hidden]"
_NAMES = (
    r"(?:token|secret|passw(?:or)?d|passphrase|api[_-]?key|access[_-]?key|private[_-]?key"
    r"|credential|authorization)"
)
_SECRET_NAME = re.compile(r"TOKEN|SECRET|PASS|CRED|(?<!_P)KEY|AUTH(?!_MODE)|COOKIE|SESSION", re.IGNORECASE)
_PLAIN_NAMES = ("RAY_AUTH_TOKEN_PATH", "NCCL_IB_PKEY")
_SHAPES = (
    # name=value, name: value, --name value
    re.compile(
        rf"(?i)((?:\b|_|-)[\w.-]{{0,40}}{_NAMES}[\w.-]{{0,40}}['\"]?(?:\s{{0,3}}[=:]\s{{0,3}}|\s{{1,3}}))"
        r"((?:bearer |basic )?['\"]?[^\s'\",;&]{4,})"
    ),
    re.compile(r"(?i)(\bbearer\s{1,3})([\w.~+/=-]{8,})"),
    re.compile(r"([a-z][a-z0-9+.-]{1,20}://)([^\s/@:]{0,200}:[^\s/@]{1,200}|[^\s/@:]{16,200})(?=@)"),
    re.compile(
        r"()\b((?:hf|ghp|gho|ghs|ghu|glpat|github_pat|sk|pk|rk|xox[abpr]|wandb|nvapi|dop_v1|npm|pypi)[-_][A-Za-z0-9_-]{16,})"
    ),
    re.compile(r"()\b((?:AKIA|ASIA)[A-Z0-9]{16})\b"),
    re.compile(r"()\b(eyJ[\w-]{10,}\.[\w-]{10,}(?:\.[\w-]{5,})?)"),
    re.compile(
        r"()(-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[\s\S]{0,8192}?(?:-----END [A-Z ]{0,40}PRIVATE KEY-----|\Z))"
    ),
)


def redact(text: str) -> str:
    """The text without what looks like a secret."""
    for shape in _SHAPES:
        text = shape.sub(lambda found: f"{found[1]}{HIDDEN}", text)
    return text


def is_secret(name: str) -> bool:
    """Whether a variable of this name holds a secret, so that only its being set may be told."""
    return name not in _PLAIN_NAMES and bool(_SECRET_NAME.search(name))

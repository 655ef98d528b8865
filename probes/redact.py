"""Secrets never leave the machine: their shapes are blotted out of whatever is shown, saved or captured."""

from __future__ import annotations

import re

from ..engine.patterns import lazy_pattern

HIDDEN = "[hidden]"
_NAMES = (
    r"(?:token|secret|passw(?:or)?d|passphrase|api[_-]?key|access[_-]?key|private[_-]?key"
    r"|credential|authorization)"
)
_SECRET_NAME = lazy_pattern(r"TOKEN|SECRET|PASS|CRED|(?<!_P)KEY|AUTH(?!_MODE)|COOKIE|SESSION", re.IGNORECASE)
_PLAIN_NAMES = ("RAY_AUTH_TOKEN_PATH", "NCCL_IB_PKEY")
_HINT = lazy_pattern(r"token|secret|passw|passphrase|key|credential|authorization", re.IGNORECASE)
# name=value, name: value, --name value; tried on lines with a hint only, since it is slow. No "max_tokens: 5".
_NAMED = lazy_pattern(
    rf"(?i)((?:{_NAMES}(?![a-z])[\w.-]{{0,40}}['\"]?[ \t]{{0,3}}[=:][ \t]{{0,3}}"
    rf"|(?<![\w.-])--[\w.-]{{0,40}}{_NAMES}(?![a-z])[\w.-]{{0,40}}[ \t]{{1,3}}))"
    r"((?:bearer |basic )?['\"]?)([^\s'\",;&]{4,})"
)
_SHAPES = (
    lazy_pattern(r"(?i)(\bbearer\s{1,3})([\w.~+/=-]{8,})"),
    lazy_pattern(r"(?i)(\bcookie['\"]?:\s{0,3}['\"]?)([^\s'\"]{4,}[^\r\n'\"]*)"),
    lazy_pattern(r"(?i)(\bX-Amz-(?:Signature|Security-Token)=|[?&]sig=)([^\s'\"&]{4,})"),
    lazy_pattern(r"(?i)(passw(?:or)?d\s{1,3}['\"])([^\s'\"]{4,})(?=['\"])"),
    lazy_pattern(r"\b([A-Z][A-Z0-9_]{0,60}(?:_KEY|AUTH|COOKIE|_PASS|_PWD|_CREDS?)=['\"]?)([^\s'\",;&]{4,})"),
    lazy_pattern(r"([A-Za-z][A-Za-z0-9+.-]{1,20}://)([^\s/@:]{0,200}:[^\s/@]{1,200}|[^\s/@:]{16,200})(?=@)"),
    lazy_pattern(
        r"()\b((?:hf|ghp|gho|ghs|ghu|glpat|github_pat|sk|pk|rk|xox[abpr]|wandb|nvapi|dop_v1|npm|pypi)[-_][A-Za-z0-9_-]{16,})"
    ),
    lazy_pattern(r"()\b((?:AKIA|ASIA)[A-Z0-9]{16})\b"),
    lazy_pattern(r"()\b(eyJ[\w-]{10,}\.[\w-]{10,}(?:\.[\w-]{5,})?)"),
    lazy_pattern(
        r"()(-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----(?:[^-]|-(?!----)){0,8192}"
        r"(?:-----END [A-Z ]{0,40}PRIVATE KEY-----)?)"
    ),
)


def redact(text: str) -> str:
    """The text without what looks like a secret."""
    if _HINT.search(text):
        lines = text.split("\n")
        text = "\n".join(_NAMED.sub(_hide_named, line) if _HINT.search(line) else line for line in lines)
    for shape in _SHAPES:
        text = shape.sub(_hide, text)
    return text


def _hide(found: re.Match[str]) -> str:
    return f"{found[1]}{HIDDEN}"


def _hide_named(found: re.Match[str]) -> str:
    name, opening, value = found[1], found[2], found[3]
    if "token" in name.lower() and not opening.strip("'\""):
        # Language models count tokens, and errors speak of them: a secret one is assigned or looks like a key.
        telling = any(c.isdecimal() for c in value) or "=" in name or name.startswith("--")
        if value.isdecimal() or not telling:
            return found[0]
    return f"{name}{opening}{HIDDEN}"


def is_secret(name: str) -> bool:
    """Whether a variable of this name holds a secret, so that only its being set may be told."""
    return name not in _PLAIN_NAMES and bool(_SECRET_NAME.search(name))

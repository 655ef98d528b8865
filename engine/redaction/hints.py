"""What most lines lack: words without which no name of a secret can stand in a text."""

from __future__ import annotations

from ..patterns import lazy_pattern

_HINT = lazy_pattern(
    r"pass|pwd|tok\b|pw\b|_pw|secret|token|key|cred|auth|cookie|session|_pat\b|-pat\b|dsn|jwt|webhook|signature|dockerc"
    r"|connection|account|psk\b|bindpw|otp\b|_xsrf|phpsess|\bsk\b|_sk\b|assertion|verifier|samlresp"
    r"|\bpin\b|[a-z]_pin\b|-pin\b|(?:card|user|so|hsm)pin\b|phrase|mnemonic|bearer"
)
_HINTS = (
    "key", "pass", "tok", "secret", "auth", "session", "connection", "account", "pw", "cred", "cookie", "_pat",
    "-pat", "dsn", "jwt", "webhook", "signature", "dockerc", "psk", "otp", "_xsrf", "phpsess", "sk=",
    "assertion", "verifier", "samlresp", "pin", "phrase", "mnemonic", "bearer",
)  # fmt: skip
"""What ``_HINT`` needs, in lower case: most lines hold none of it, which is seen much faster so."""


def names_one(lowered: str) -> bool:
    """Whether a text in lower case that ``may_hold`` such a name does; looks at the ends of words."""
    return bool(_HINT.search(lowered))


def may_hold(lowered: str) -> bool:
    """Whether a text in lower case may hold the name of a secret, as far as a quick look tells."""
    for text in _HINTS:  # noqa: SIM110 - any() makes a generator, which takes longer
        if text in lowered:
            return True
    return False

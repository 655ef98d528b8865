"""Names under which secrets are kept: variables, options, keys of documents, headers."""

from __future__ import annotations

from functools import lru_cache

from ..patterns import lazy_pattern
from ..vendors import VENDORS

_WORD = lazy_pattern(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_ENDINGS = (
    "password", "passwd", "passphrase", "passcode", "secret", "credential", "credentials", "authorization", "cookie",
    "cookies", "bindpw", "apikey", "accesskey", "secretkey", "privatekey", "accountkey", "authkey", "authtoken",
    "dockerconfigjson", "dockercfg", "creds", "passwort", "sessid", "sessionid", "storepass", "keypass", "authtok",
    "passwords", "passphrases", "passcodes", "rootpw", "adminpw", "userpw", "dbpw", "loginpw", "connstr", "kennwort",
    "wachtwoord",
    "securitykey", "salasana", "adgangskode", "contrasena", "requirepass", "masterauth", "pswd", "passwrd",
)  # fmt: skip
_STRONG = frozenset(
    ("pw", "pwd", "dsn", "jwt", "psk", "secrets", "cred", "webhook", "otp", "totp", "xsrf", "mnemonic")
)
_WEAK = frozenset(("token", "auth", "key", "session", "signature", "bearer"))
_OF_KEYS = frozenset(
    ("api", "access", "account", "private", "secret", "signing", "encryption", "master", "auth", "ssh", "license",
     "service", "storage", "shared", "subscription", "client", "tls", "deploy", "functions", "host", "webhook", "app",
     "application", "personal", "admin", "hmac", "integration", "fernet", "preshared", "registration", "recovery",
     "unseal", "decryption", "wireguard", "agent", "wandb", "certificate", "munge", "unlock", "activation", "product",
     "tenant", "team", "bot", "security", "authentication", "wifi", "vpn",
     "webhooks", "rpc", "shodan", "backup", "vault")
)  # fmt: skip
"""What a key is that opens something; others are keys of a cache or of a mapping."""
_OF_PASSES = frozenset(
    (
        "db",
        "database",
        "user",
        "admin",
        "root",
        "smtp",
        "mail",
        "mysql",
        "pg",
        "redis",
        "http",
        "proxy",
        "login",
        "ssh",
        "storage",
        "become",
        "sudo",
        "bmc",
        "vnc",
        "registry",
    )
)
_PAIRS = frozenset(
    (("client", "assertion"), ("code", "verifier"), ("saml", "response"), ("pass", "phrase"), ("pass", "word"),
     ("access", "signature"), ("seed", "phrase"), ("recovery", "phrase"), ("recovery", "code"), ("recovery", "codes"),
     ("backup", "codes"), ("verification", "code"), ("mfa", "code"), ("pin", "code"), ("pin", "value"))
)  # fmt: skip
"""Two words that name a secret together."""
_OF_TOKENS = frozenset(
    ("pad", "eos", "bos", "unk", "mask", "cls", "sep", "max", "min", "per", "num", "stop", "special", "image",
     "draft",
     "first", "next", "last", "prompt", "completion", "input", "output", "new", "end", "begin", "start", "video",
     "audio",
     "unexpected", "invalid", "missing", "added", "single", "each", "every", "time", "a", "the", "by", "expected", "no")
)  # fmt: skip
"""Before "token" these speak of language."""
_HARMLESS_ENDS = frozenset(
    ("path", "file", "files", "dir", "mode", "sock", "id", "ids", "count", "counts", "len", "length", "limit",
     "limits",
     "size", "num", "type", "name", "names", "ttl", "timeout", "expiry", "expires", "ref", "budget", "usage", "rate",
     "idx", "index", "embedding", "embeddings", "probs", "parallelism", "provider", "method", "error", "exists",
     "enabled",
     "disabled", "required", "address", "addr", "host", "port", "backend", "version", "class", "plugin", "ms",
     "seconds",
     "scheme", "policy", "algorithm", "format", "stdin", "keys")
)  # fmt: skip
_STILL = (("secret", "id"), ("api", "keys"), ("access", "keys"), ("secret", "keys"), ("auth", "keys"))
"""What ends harmlessly and opens something all the same."""
_OF_MANY = ("api", "access", "secret", "auth", "bearer", "refresh", "hf", "hub", "bot", "service")
"""Before "keys" and "tokens": others are of a mapping, and of language."""
_MANY = ("keys", "tokens", "passwords", "secrets", "credentials", "creds", "cookies")
_PLAIN = frozenset(
    (
        "PWD",
        "OLDPWD",
        "RAY_AUTH_TOKEN_PATH",
        "XDG_SESSION_TYPE",
        *(n for vendor in VENDORS for n in vendor.open),
    )
)


def is_secret(name: str) -> bool:
    """Whether a variable, an option or a key of this name holds a secret, so that only its being set may be told."""
    return _kind(name) != ""


def is_weak(name: str) -> bool:
    """Whether a name holds a secret only where its value looks like one: language models have tokens, too."""
    return _kind(name) == "weak"


def is_many(name: str) -> bool:
    """Whether a name of secrets says that there are several of them."""
    return name.lower().endswith(_MANY)


def is_of_one_key(name: str) -> bool:
    """Whether a weak name says whose or what key or token it is, as ``HF_TOKEN`` and ``X-Api-Key`` do."""
    words = [word.lower() for word in _WORD.findall(name)]
    return (
        len(words) > 1
        and any(mark in name for mark in "_-")
        and words[-1] in ("key", "token", "keys")
        and (words[-2] in _OF_KEYS or (name.isupper() and words[-2] not in _OF_TOKENS))
    )


@lru_cache(maxsize=2048)
def _kind(name: str) -> str:
    """``strong``, ``weak``, or nothing."""
    if name in _PLAIN:
        return ""
    # java -DapiKey=...
    words = [word.lower() for word in _WORD.findall(name.removeprefix("-D"))]
    if not words:
        return ""
    if (
        words[-1] in _HARMLESS_ENDS
        and tuple(words[-2:]) not in _STILL
        and words[-3:] != ["root", "token", "id"]
    ):
        return ""
    upper, flag = name.isupper(), name.startswith("-")
    found = ""
    for before, word in zip(("", *words), words, strict=False):
        if word in _STRONG or word.endswith(_ENDINGS):
            return "strong"
        if (upper or flag) and word.endswith("pass") and word not in ("bypass", "compass") and len(name) > 4:
            return "strong"
        if word == "pass" and (before in _OF_PASSES or flag):
            return "strong"
        if (upper and word.endswith("auth")) or (word == "pass" and word is words[-1]):
            found = "weak"
        if (word == "string" and before == "connection") or (before, word) in _PAIRS:
            return "strong"
        if word == "pin" and word is words[-1]:
            return "strong"
        if upper and word in ("ak", "sk"):
            found = "weak"
        if upper and word == "tok" and word is words[-1] and before not in _OF_TOKENS:
            found = "weak"
        if word[-3:] == "key" and word[:-3] in _OF_KEYS:
            found = "weak"
        if word == "pat" and (before or flag):
            found = "weak"
        if word in ("keys", "tokens") and before in _OF_MANY:
            found = "weak"
        if word in _WEAK or word.endswith("token"):
            if word == "key" and not (before in _OF_KEYS or (upper and before)):
                continue
            if word == "signature" and not upper:
                continue
            if word == "token" and before in _OF_TOKENS:
                continue
            found = "weak"
    return found

"""Expressions of the knowledge base for a browser."""

from __future__ import annotations

import re

_LETTERS = r"\u00c0-\u9fff"
_EDGE = rf"(?:(?<=[\w{_LETTERS}])(?![\w{_LETTERS}])|(?<![\w{_LETTERS}])(?=[\w{_LETTERS}]))"
_PIECE = re.compile(r"\[\^?\]?(?:\\.|[^\]\\])*\]|\\.|\((?:\?(?:i?:|<?[=!]|<\w+>))?|.", re.DOTALL)
_ESCAPES = re.compile(r"\\.")
_RANGES = re.compile("[a-zA-Z]-[a-zA-Z]|[a-zA-Z]")


def javascript(pattern: str) -> list[str] | None:
    """Source and flags of an expression; None for none.

    There ``\\w`` and ``\\b`` know only ASCII, which matters beside Chinese words, so both are spelt out; and so are
    both cases of the letters in ``(?i:...)``, which many browsers do not know.
    """
    if not pattern:
        return None
    flags = "i" if pattern.startswith("(?i)") else ""
    made: list[str] = []
    groups = [False]  # whether the letters in each open group count in both cases
    for piece in _PIECE.findall(pattern.removeprefix("(?i)").replace("(?P<", "(?<")):
        if piece.startswith("("):
            groups.append(groups[-1] or piece == "(?i:")
            made.append("(?:" if piece == "(?i:" else piece)
            continue
        if piece == ")" and len(groups) > 1:
            groups.pop()
        made.append(_spelt_out(_both_cases(piece) if groups[-1] else piece))
    return ["".join(made), flags]


def _spelt_out(piece: str) -> str:
    if piece.startswith("["):
        return piece.replace(r"\w", rf"\w{_LETTERS}")
    return {r"\b": _EDGE, r"\w": rf"[\w{_LETTERS}]", r"\W": rf"[^\w{_LETTERS}]"}.get(piece, piece)


def _both_cases(piece: str) -> str:
    if piece.startswith("["):
        others = "".join(_RANGES.findall(_ESCAPES.sub("", piece))).swapcase()
        return f"{piece[:-1]}{others}]"
    return f"[{piece.lower()}{piece.upper()}]" if piece.isascii() and piece.isalpha() else piece

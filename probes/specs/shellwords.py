"""A shell script as commands of words, each word with its line; nothing is run and nothing is looked up."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from gpudoctor.engine.tuples import NamedTuple

_VARIABLE = re.compile(r"\$(?:(\w+)|\{(\w+)(?::?-([^{}$]*))?\})")
_HEREDOC = re.compile(r"(?<!<)<<-?\s*(['\"]?)([A-Za-z_]\w*)\1")
ASSIGNMENT = re.compile(r"([A-Za-z_]\w*)=(.*)", re.DOTALL)
_ENDS = ";&|()\n"


class Word(NamedTuple):
    """One word of a command, without its quotes, and the line on which it begins."""

    text: str
    line: int


Command = list[Word]


def commands(text: str, first_line: int = 1) -> Iterator[Command]:
    """Every command of a script in order; continued lines belong together, heredocs and comments are left out."""
    current: Command = []
    word: list[str] | None = None
    start = line = first_line
    at, end = 0, len(text)
    heredocs: list[str] = []

    def close() -> None:
        nonlocal word
        if word is not None:
            current.append(Word("".join(word), start))
        word = None

    while at < end:
        letter = text[at]
        if letter == "\\" and at + 1 < end:
            if text[at + 1] == "\n":
                close()
                line += 1
            else:
                word, start = (word, start) if word is not None else ([], line)
                word.append(text[at + 1])
            at += 2
            continue
        if letter in "'\"":
            word, start = (word, start) if word is not None else ([], line)
            stop = _end_of_quote(text, at)
            inner = text[at + 1 : stop]
            word.append(inner if letter == "'" else inner.replace("\\\n", " ").replace('\\"', '"'))
            line += inner.count("\n")
            at = stop + 1
            continue
        if letter == "#" and word is None:
            stop = text.find("\n", at)
            at = end if stop < 0 else stop
            continue
        if letter == "<" and (found := _HEREDOC.match(text, at)):
            close()
            heredocs.append(found[2])
            at = found.end()
            continue
        if letter == "$" and text[at + 1 : at + 2] == "(":
            word, start = (word, start) if word is not None else ([], line)
            stop = _end_of_substitution(text, at + 1)
            word.append(text[at:stop])
            line += text.count("\n", at, stop)
            at = stop
            continue
        if letter in _ENDS or letter.isspace():
            close()
            if letter in _ENDS and current:
                yield current
                current = []
            if letter == "\n":
                line += 1
                for mark in heredocs:
                    last = re.compile(rf"^\s*{mark}\s*$", re.MULTILINE).search(text, at + 1)
                    skipped = last.end() if last else end
                    line += text.count("\n", at + 1, skipped)
                    at = skipped - 1
                heredocs = []
            at += 1
            continue
        word, start = (word, start) if word is not None else ([], line)
        word.append(letter)
        at += 1
    close()
    if current:
        yield current


def _end_of_quote(text: str, at: int) -> int:
    quote = text[at]
    place = at + 1
    while place < len(text) and text[place] != quote:
        place += 2 if text[place] == "\\" and quote == '"' else 1
    return min(place, len(text))


def _end_of_substitution(text: str, at: int) -> int:
    depth = 0
    for place in range(at, len(text)):
        depth += {"(": 1, ")": -1}.get(text[place], 0)
        if depth == 0:
            return place + 1
    return len(text)


def expanded(text: str, variables: Mapping[str, str]) -> str:
    """A word with the variables that the script itself sets; others stay as they are."""

    def one(found: re.Match[str]) -> str:
        name = found[1] or found[2]
        return variables.get(name, found[3] if found[3] is not None else found[0])

    return _VARIABLE.sub(one, text) if "$" in text else text

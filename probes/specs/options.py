"""Options of a command line: ``--name value``, ``--name=value``, ``-nvalue``."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from gpudoctor.engine.tuples import NamedTuple

from .shellwords import Word


class Option(NamedTuple):
    """An option with its value, which is empty for a flag."""

    name: str
    value: str
    line: int


def options(words: Sequence[Word], flags: Collection[str], until_program: bool = False) -> Iterator[Option]:
    """The options among ``words``. One of ``flags`` takes no value, every other takes the next word.

    ``until_program``: what is no option ends them, and comes last under an empty name for every word from there on.
    """
    at = 0
    while at < len(words):
        word = words[at]
        at += 1
        if not word.text.startswith("-") or word.text in ("-", "--"):
            if until_program and word.text != "--":
                yield from (Option("", rest.text, rest.line) for rest in words[at - 1 :])
                return
            continue
        name, equals, value = word.text.partition("=")
        if equals:
            yield Option(name, value, word.line)
        elif name in flags or _bundled(name, flags):
            yield Option(name, "", word.line)
        elif not name.startswith("--") and len(name) > 2:
            yield Option(name[:2], name[2:], word.line)
        elif at < len(words):
            yield Option(name, words[at].text, word.line)
            at += 1
        else:
            yield Option(name, "", word.line)


def _bundled(name: str, flags: Collection[str]) -> bool:
    return not name.startswith("--") and len(name) > 2 and all(f"-{letter}" in flags for letter in name[1:])

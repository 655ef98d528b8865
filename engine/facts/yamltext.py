"""YAML as text with places: every scalar stays the text that was written, every key knows its line.

YAML's own types would turn the version ``6.10`` into ``6.1`` and the answer ``no`` into false; here
the vocabulary gives the types.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from ..characters import first_unseen, seen
from ..errors import EngineError
from ..patterns import lazy_pattern

Path = tuple[str | int, ...]
Lines = dict[Path, dict[str | int, int]]
"""Of every map and list, by its path, the line of each of its keys or items."""
_LARGEST = 100_000
_DEEPEST = 40
_FLAT = lazy_pattern(
    r"([A-Za-z][A-Za-z0-9_.-]*): +([\"']?)([A-Za-z0-9][A-Za-z0-9_./+-]*(?: [A-Za-z0-9_./+-]+)*)\2 *\Z"
)
"""A line of a plain map, its value in quotes or not, which says the same to every reader of YAML."""
_TOO_DEEP = "this YAML is nested too deeply"
_TOO_DEEP_FOR_LIBYAML = "exceeded maximum nesting depth"  # the loader's own bound, from PyYAML 6.0.4 on
_BLOCK = lazy_pattern(r"\n[ \t?-]{60}")


class YamlError(EngineError):
    """The text is not YAML, or says the same key twice."""


class Document:
    """Plain dicts, lists and strings in ``data``; the line of any path by ``line``."""

    def __init__(self, data: Any, lines: Lines, where: str, first: int = 1) -> None:
        self.data = data
        self.where = where
        self._lines = lines
        self._first = first

    def line(self, path: Path) -> int:
        """The line (from 1) on which the key or item at ``path``, or its nearest parent, stands."""
        while path:
            *inside, last = path
            path = tuple(inside)
            if last in self._lines.get(path, ()):
                return self._lines[path][last]
        return self._first

    def place(self, *path: str | int) -> str:
        """``file:line`` of ``path``."""
        return f"{self.where}:{self.line(path)}"


def read_yaml(text: str, where: str, first_line: int = 1) -> Document:
    """Parse one YAML document that begins on ``first_line`` of the file ``where``."""
    flat = _flat(text, where, first_line)
    if flat is not None:
        return flat
    import yaml  # takes longer to load than all that a flat file needs

    try:
        loader = _loader()
        _refuse_depth(text, where, first_line, loader)
        node = yaml.compose(text, Loader=loader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        place = f"{where}:{mark.line + first_line if mark else first_line}"
        said = error.problem or error.context
        if said == _TOO_DEEP_FOR_LIBYAML:
            raise YamlError(_TOO_DEEP, place) from None
        raise YamlError(f"this is not YAML: {said}", place) from None
    except yaml.YAMLError as error:
        raise YamlError(f"this is not YAML: {str(error).splitlines()[0]}", where) from None
    lines: Lines = {}
    # Without an anchor there are no aliases, and no more values than characters.
    if node is not None and ("&" in text or len(text) > _LARGEST) and _size(node, {}) > _LARGEST:
        raise YamlError("this YAML is too large once its aliases are written out", where)
    odd = "\\" in text or first_unseen(text) is not None  # an escape may stand for any character
    if node is None:
        return Document(None, lines, where)
    first = node.start_mark.line + first_line
    return Document(_plain(node, (), lines, where, first_line, odd), lines, where, first)


@lru_cache(maxsize=1)
def _loader() -> Any:
    """A loader that looks for no kind of value behind the words: all are read as text."""
    import yaml

    base: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)

    class Words(base):  # type: ignore[misc]
        def resolve(self, *_: object) -> str:
            return ""

        def descend_resolver(self, *_: object) -> None:
            """Nothing: it keeps for ``resolve`` where in the document it is."""

        def ascend_resolver(self) -> None:
            """Nothing, likewise."""

    return Words


def _flat(text: str, where: str, first: int) -> Document | None:
    """A map of plain words to plain words, one on a line, as most facts files are; None for everything else."""
    data: dict[str, str] = {}
    lines: dict[str | int, int] = {}
    for number, line in enumerate(text.split("\n"), first):
        if not line or (line.startswith("#") and line.isascii() and line.isprintable()):
            continue
        found = _FLAT.match(line)
        if not found or found[1] in data or found[3] == "null":
            return None
        lines[found[1]] = number
        data[found[1]] = found[3]
    return Document(data, {(): lines}, where, min(lines.values())) if data else None


def _refuse_depth(text: str, where: str, first_line: int, loader: Any) -> None:
    """Refuse what is nested deeply before it is composed: that goes down a level of the stack for each.

    The same for what holds too many values: they would all be made first.
    """
    deep = text.count("[") + text.count("{") > _DEEPEST or _BLOCK.search(f"\n{text}")
    if not deep and text.count("\n") + text.count(",") < _LARGEST // 2:
        return
    import yaml

    depth = 0
    for number, event in enumerate(yaml.parse(text, Loader=loader)):
        if number > 2 * _LARGEST:
            raise YamlError("this YAML holds too many values", where)
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
            if depth > _DEEPEST:
                line = (event.start_mark.line if event.start_mark else 0) + first_line
                raise YamlError(_TOO_DEEP, f"{where}:{line}")
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1


def _size(node: Any, known: dict[int, int]) -> int:
    """How many values the document has with its aliases written out; a circle counts as endless."""
    if id(node) in known:
        return known[id(node)]
    known[id(node)] = _LARGEST + 1  # until it is known; a circle comes back here
    children = [n for n in node.value if not isinstance(n, tuple)] if isinstance(node.value, list) else []
    if node.id == "mapping":
        children = [part for pair in node.value for part in pair]
    known[id(node)] = min(1 + sum(_size(child, known) for child in children), _LARGEST + 1)
    return known[id(node)]


def _plain(node: Any, path: Path, lines: Lines, where: str, first: int, odd: bool) -> Any:
    if node.id == "scalar":
        null = not node.style and node.value in ("", "~", "null")
        return None if null else seen(node.value) if odd else node.value
    places = lines[path] = {}
    if node.id == "sequence":
        items = []
        for index, item in enumerate(node.value):
            places[index] = item.start_mark.line + first
            items.append(_inside(item, path, index, lines, where, first, odd))
        return items
    result: dict[str, Any] = {}
    for key_node, value_node in node.value:
        line = key_node.start_mark.line + first
        if key_node.id != "scalar":
            raise YamlError("a key must be plain text", f"{where}:{line}")
        key = seen(key_node.value) if odd else key_node.value
        if key in result:
            raise YamlError(f'"{key}" is given twice', f"{where}:{line}")
        places[key] = line
        result[key] = _inside(value_node, path, key, lines, where, first, odd)
    return result


def _inside(node: Any, path: Path, key: str | int, lines: Lines, where: str, first: int, odd: bool) -> Any:
    """A value inside of a map or a list at ``path``."""
    if len(path) >= _DEEPEST:
        raise YamlError(_TOO_DEEP, f"{where}:{node.start_mark.line + first}")
    # Most values are words, of which nobody asks for the path.
    return _plain(node, path if node.id == "scalar" else (*path, key), lines, where, first, odd)

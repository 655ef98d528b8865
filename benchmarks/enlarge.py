"""A knowledge base many times today's: copies whose ids, signs and literals are renamed.

A copy is told by its own signs and joins them with the shared circumstances (vendor, versions, variables), as a new
incident would. What people say in their own words, products, and the families of facts are not copied: nobody can
rename them. A copied fact follows from nothing: its rules would read the shared facts, and ten facts that say the same
would be derived on every machine.

    python benchmarks/enlarge.py FOLDER [TIMES]
"""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parent.parent
BUILT_IN = ROOT / "kb"
TIMES = 10
_COPIED = ("facts", "incidents", "remedies", "known-issues")
_CODE = re.compile(r"\b(s?xid)\.(\d+)")
_LOADER: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
_DUMPER: Any = getattr(yaml, "CSafeDumper", yaml.SafeDumper)


class _Entry:
    """One file of the knowledge base: its place, its parsed head, and its body."""

    def __init__(self, path: Path) -> None:
        self.place = path.relative_to(BUILT_IN)
        _, head, self.body = path.read_text(encoding="utf-8").split("---\n", 2)
        self.head: dict[str, Any] = yaml.load(head, _LOADER)

    @property
    def is_sign(self) -> bool:
        """Whether it is a fact that speaks of trouble, and of its own."""
        name = str(self.head["id"])
        return (
            "<" not in name
            and not name.startswith("road.")
            and (name.startswith("symptom.") or self.head.get("sign") == "true")
        )


def enlarge(folder: Path, times: int = TIMES) -> None:
    """Write the knowledge base and ``times - 1`` copies into a new folder."""
    shutil.copytree(BUILT_IN, folder, ignore=shutil.ignore_patterns("*.jsonl", "*.sqlite"))
    entries = [_Entry(path) for kind in _COPIED for path in _files(kind)]
    signs = {str(e.head["id"]) for e in entries if e.place.parts[0] == "facts" and e.is_sign}
    owned = {str(e.head["id"]) for e in entries if e.place.parts[0] != "facts"}
    for number in range(1, times):
        for entry in entries:
            _copy(entry, folder, number, signs, owned)


def _files(kind: str) -> list[Path]:
    return sorted((BUILT_IN / kind).rglob("*.md"))


def _copy(entry: _Entry, folder: Path, number: int, signs: set[str], owned: set[str]) -> None:
    name = str(entry.head["id"])
    if "<" in name:
        return
    suffix = f"-q{number}" if name in signs or name in owned else f"_q{number}"

    def renamed(text: str) -> str:
        if text in signs or text in owned:
            return f"{text}-q{number}"
        return _CODE.sub(lambda code: f"{code[1]}.{int(code[2]) + 1000 * number}", text)

    head = {**_walk(entry.head, renamed), "id": name + suffix}
    for key in ("aliases", "said", "derived", "one_of"):
        head.pop(key, None)
    for key in ("signatures", "signs"):
        plain = [one for one in head.pop(key, ()) if "literal" in one and "words" not in one]
        if plain:
            head[key] = [_marked(one, f"q{number}") for one in plain]
    text = yaml.dump(head, Dumper=_DUMPER, sort_keys=False, allow_unicode=True, width=10_000)
    place = folder / entry.place.with_name(f"{name}{suffix}.md")
    place.write_text(f"---\n{text}---\n{entry.body}", encoding="utf-8")


def _walk(data: Any, renamed: Callable[[str], str]) -> Any:
    if isinstance(data, dict):
        return {renamed(key): _walk(value, renamed) for key, value in data.items()}
    if isinstance(data, list):
        return [_walk(item, renamed) for item in data]
    return renamed(data)


def _marked(signature: dict[str, Any], mark: str) -> dict[str, Any]:
    """The signature for lines in which its literals begin with a mark."""
    literals = signature["literal"] if isinstance(signature["literal"], list) else [signature["literal"]]

    def line(text: str) -> str:
        for literal in literals:
            text = text.replace(literal, mark + literal)
        return text

    made = {**signature, "literal": [mark + literal for literal in literals]}
    for key in ("matches", "rejects"):
        if key in signature:
            made[key] = [line(text) for text in signature[key]]
    return made


if __name__ == "__main__":
    enlarge(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else TIMES)

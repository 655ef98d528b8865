"""Reference pages made from the program itself: commands, the JSON schema, environment variables, Xids."""

from __future__ import annotations

import argparse
import json
import re
from collections import defaultdict
from functools import lru_cache
from pathlib import Path
from typing import Any

from gpudoctor.engine.tuples import NamedTuple

from ...engine.knowledge.markdown import paragraphs, plain, read_page
from ...engine.model import FactSpec, Incident, Remedy
from ..arguments import build_parser
from ..content.entries import describe
from ..manual import MANUALS
from .catalogue import Catalogue, Use
from .pages import sentences

SCHEMA = Path(__file__).resolve().parents[2] / "engine" / "diagnosis" / "diagnosis.schema.json"
_CODE = re.compile(r"\b(s?xid)s?\b[ :(#]{0,3}(?:\(PCI[^)]{0,40}\): ?)?(\d{1,5})\b", re.IGNORECASE)
_OWN = re.compile(r"(s?xid)\.(\d+)")
_SMALL = 3


class Command(NamedTuple):
    """One command: its words, what it is for, its usage, its arguments with their help."""

    name: str
    help: str
    usage: str
    arguments: tuple[tuple[str, str], ...]


class Mention(NamedTuple):
    """A sentence of an entry that names a code."""

    text: str
    title: str
    address: str


class Code(NamedTuple):
    """An Xid or SXid: what the knowledge base says of it, and the rules that read it."""

    kind: str
    number: int
    title: str
    page: str  # of its own entry, if it has one
    meaning: str
    first: str  # what to do first
    mentions: tuple[Mention, ...]
    uses: tuple[Use, ...]


def commands() -> list[Command]:
    """Every command of the parser; the first is the form without one."""
    return list(_walk(build_parser(), "", ""))


def _walk(parser: argparse.ArgumentParser, name: str, about: str) -> list[Command]:
    arguments, deeper = [], []
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            helps = {choice.dest: choice.help or "" for choice in action._choices_actions}
            for word, sub in action.choices.items():
                deeper += _walk(sub, f"{name} {word}".strip(), helps.get(word, ""))
        elif action.help != argparse.SUPPRESS:
            arguments.append((_named(action), action.help or ""))
    usage = re.sub(r"\s+", " ", parser.format_usage()).removeprefix("usage: ").strip()
    return [Command(name, about or _sentence(name), usage, tuple(arguments)), *deeper]


def _sentence(command: str) -> str:
    return MANUALS[command].sentence if command in MANUALS else ""


def _named(action: argparse.Action) -> str:
    shown = action.metavar or action.dest
    value = "|".join(map(str, action.choices)) if action.choices else str(shown)
    if not action.option_strings:
        return value
    takes = "" if action.nargs == 0 else f" {value if action.choices else str(shown).upper()}"
    return ", ".join(action.option_strings) + takes


def schema_rows() -> list[tuple[str, str, str, bool]]:
    """The schema of the JSON as rows: path, type, description, whether it is always there."""
    return list(_schema_rows(json.loads(SCHEMA.read_text(encoding="utf-8"))))


def _schema_rows(schema: dict[str, Any]) -> list[tuple[str, str, str, bool]]:
    definitions = schema.get("$defs", {})
    rows: list[tuple[str, str, str, bool]] = []

    def visit(part: dict[str, Any], path: str) -> None:
        required = part.get("required", [])
        for key, value in part.get("properties", {}).items():
            name = value.get("$ref", "").rsplit("/", 1)[-1]
            found = {**definitions.get(name, {}), **value}
            here = f"{path}.{key}" if path else key
            rows.append((here, _type_of(found, definitions), found.get("description", ""), key in required))
            visit(found, here)
            items = found.get("items", {})
            visit({**definitions.get(items.get("$ref", "").rsplit("/", 1)[-1], {}), **items}, f"{here}[]")

    visit(schema, "")
    return rows


def _type_of(part: dict[str, Any], definitions: dict[str, Any]) -> str:
    if "const" in part:
        return json.dumps(part["const"])
    if "enum" in part:
        return " or ".join(json.dumps(value) for value in part["enum"])
    kind = part.get("type", "any")
    if kind == "array":
        items = part.get("items", {})
        return f"list of {items['$ref'].rsplit('/', 1)[-1] if '$ref' in items else items.get('type', 'any')}"
    return " or ".join(kind) if isinstance(kind, list) else str(kind)


def variables(catalogue: Catalogue) -> list[tuple[str, list[Any]]]:
    """Environment variables by their first word; those with few relatives stand under ``other``."""
    groups: dict[str, list[Any]] = defaultdict(list)
    for spec in catalogue.facts.values():
        if spec.name.startswith("env.") and "<" not in spec.name:
            groups[spec.name[4:].split("_")[0].upper()].append(spec)
    small = {name for name, found in groups.items() if len(found) < _SMALL}
    other = sorted((spec for name in small for spec in groups[name]), key=lambda spec: spec.name.lower())
    large = sorted((name, found) for name, found in groups.items() if name not in small)
    return [*large, *([("other", other)] if other else [])]


def codes(catalogue: Catalogue) -> list[Code]:
    """Every Xid and SXid of which the knowledge base says something, Xids first."""
    mentions: dict[tuple[str, int], dict[str, Mention]] = defaultdict(dict)
    own: dict[tuple[str, int], FactSpec] = {}
    entries: list[Incident | Remedy | FactSpec] = [
        *catalogue.incidents.values(),
        *catalogue.remedies.values(),
    ]
    for name, spec in catalogue.facts.items():
        named = _OWN.fullmatch(name)
        if named:
            own[named[1], int(named[2])] = spec
        else:
            entries.append(spec)
    for entry in entries:
        for text in _texts(catalogue, entry):
            for kind, number in _CODE.findall(text):
                mention = Mention(text, entry.title, f"{catalogue.folder(entry)}/index.html")
                mentions[kind.lower(), int(number)].setdefault(mention.address, mention)
    read = {(kind, number) for kind, found in catalogue.codes.items() for number in found}
    every = sorted({*mentions, *own, *read}, key=lambda code: (code[0] == "sxid", code[1]))
    return [_code(catalogue, *key, own.get(key), tuple(mentions[key].values())) for key in every]


def _code(
    catalogue: Catalogue, kind: str, number: int, spec: FactSpec | None, mentions: tuple[Mention, ...]
) -> Code:
    named = f"{'SXid' if kind == 'sxid' else 'Xid'} {number}"
    uses = tuple(catalogue.codes[kind].get(number, ()))
    if spec is None:
        return Code(kind, number, named, "", "", "", mentions, uses)
    page = describe(catalogue.knowledge, spec).page
    meaning, first = (" ".join(paragraphs(page.section(title))) for title in ("Meaning", "What to do first"))
    return Code(
        kind, number, spec.title, f"{catalogue.folder(spec)}/index.html", meaning, first, mentions, uses
    )


def _texts(catalogue: Catalogue, entry: Incident | Remedy | FactSpec) -> list[str]:
    with open(catalogue.knowledge.file(entry.path), encoding="utf-8") as file:
        text = file.read()
    if "xid" not in text.lower():
        return []
    page = read_page(text, entry.path)
    said = [part for t in page.tokens if t.type == "inline" for part in _single(plain(t.content))]
    lines = [line for s in getattr(entry, "signatures", ()) for line in s.matches]
    return [*said, *lines, *[f"{source.supports}" for source in entry.sources]]


@lru_cache(maxsize=4096)
def _single(text: str) -> tuple[str, ...]:
    found = []
    while text:
        first = sentences(text, 1)
        found.append(first)
        text = text[len(first) :].strip()
    return tuple(found)

"""ARCHITECTURE.md names the rooms that there are, in the order that the contracts hold them to."""

from __future__ import annotations

import itertools
import re

import pytest

from .conftest import ROOT

tomllib = pytest.importorskip("tomllib", reason="Python 3.10 has none")

TEXT = (ROOT / "ARCHITECTURE.md").read_text()


def rooms_of(folder):
    table = TEXT.partition(f"| `{folder}/` | holds |\n|---|---|\n")[2].partition("\n\n")[0]
    return [re.findall(r"`([\w/.]+)`", row.split("|")[1]) for row in table.splitlines()]


def layers(container):
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    (found,) = (c["layers"] for c in contracts if c.get("containers") == [container])
    return [set(re.split(r"\s*[|:]\s*", layer)) for layer in reversed(found)]


@pytest.mark.parametrize("folder", ["engine", "cli"])
def test_rooms_and_their_order(folder):
    rows = [{room.removesuffix("/") for room in row} for row in rooms_of(folder)]
    order = [room for layer in layers(f"gpudoctor.{folder}") for room in sorted(layer)]
    assert {room for row in rows for room in row} == set(order)
    for before, after in itertools.pairwise(rows):
        assert min(map(order.index, before)) <= min(map(order.index, after)), (before, after)
    there = {
        p.name for p in (ROOT / folder).iterdir() if (p / "__init__.py").is_file() and p.name != "locale"
    }
    there |= {p.stem for p in (ROOT / folder).glob("*.py") if p.stem != "__init__"}
    assert set(order) == there


def test_rooms_of_probes_are_there():
    for row in rooms_of("probes"):
        for name in row:
            assert (ROOT / "probes" / name).exists(), name


def test_it_fits_a_screen_and_a_glossary():
    text, _, glossary = TEXT.partition("## Glossary")
    assert text.count("\n") <= 60
    glossary, _, dependencies = glossary.partition("## Dependencies")
    assert glossary.count("\n") <= 40
    assert dependencies.count("\n") <= 20


def test_every_dependency_has_a_reason():
    rows = TEXT.partition("## Dependencies")[2]
    text = (ROOT / "setup.py").read_text()
    (block,) = re.findall(r"^DEPENDENCIES = \[(.*?)^\]", text, re.MULTILINE | re.DOTALL)
    for name in [*re.findall(r'"([\w-]+)', block), "durable-rules"]:
        assert f"`{name}`" in rows, name

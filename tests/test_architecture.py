"""ARCHITECTURE.md names the rooms that there are, in the order that the contracts hold them to."""

from __future__ import annotations

import ast
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


# In "such as gpu.vendor: amd" a vendor is an example.
VENDOR = re.compile(
    r"(?i)(?<![a-z])(?<!gpu\.vendor: )(?:nvidia|geforce|nvrm|nvml|dcgmi?|cuda|nccl|amd(?!64)|amdgpu|radeon"
    r"|rocm|rccl|hip|gfx\d|intel|xpu|oneccl|xccl)(?![a-z])"
)
SPEAKS_OF_VENDORS = {
    "engine/vendors.py": "the record of each vendor",
    "engine/knowledge/lint/citations.py": "an address of a copy",
}


def decided_by(path):
    """The texts of a module that are no docstrings: those on which something is decided."""
    tree = ast.parse(path.read_text())
    said = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in said:
            yield node


def test_the_engine_knows_vendors_by_their_records_only():
    """Another vendor is one more record, its probes and its knowledge."""
    found = [
        f"{path.relative_to(ROOT)}:{node.lineno}: {VENDOR.search(node.value)[0]}"
        for path in sorted((ROOT / "engine").rglob("*.py"))
        if str(path.relative_to(ROOT)) not in SPEAKS_OF_VENDORS
        for node in decided_by(path)
        if VENDOR.search(node.value)
    ]
    assert found == []

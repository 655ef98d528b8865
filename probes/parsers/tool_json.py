"""What tools write as JSON: ``dcgmi diag -j``, ``amd-smi static|metric --json``, ``rocm-smi --json``.

A diagnostic of DCGM becomes lines as well, one for each test that failed, so that signatures read what it says.
"""

import json
import re
from collections.abc import Iterator
from typing import Any

from gpudoctor.engine.tuples import NamedTuple

from ...engine.patterns import lazy_pattern
from .base import Found

LARGEST = 16 << 20
_HEADS = (b'"DCGM GPU Diagnostic"', b'"DCGM Diagnostic"', b'"gpu_data"', b'"asic"', b'"card0"', b'"ecc"')
_CARD = lazy_pattern(r"card\d{1,3}")
_GFX = lazy_pattern(r"gfx[0-9a-f]{3,5}")
_INTEGRATED = lazy_pattern(r"AMD Radeon(?:\(TM\))? (?:RX )?(?:Vega \d+ )?Graphics|AMD Radeon \d{3}M")

Json = dict[str, Any]


class ToolReport(NamedTuple):
    """What a tool says: facts, and lines to be read as those of a log."""

    facts: list[Found]
    lines: list[str]


def is_tool_json(head: bytes) -> bool:
    """Whether a text may be such a document."""
    return b"{" in head and any(mark in head for mark in _HEADS)


def read_json(data: bytes) -> ToolReport | None:
    """What the document says; None if it is no such document."""
    text = data.decode("utf-8", "replace")
    starts = [at for at in (text.find("{"), text.find("[")) if at >= 0]
    if not starts:
        return None
    try:
        # dcgmi may warn before its document begins, and a shell prompt may follow it.
        document, _ = json.JSONDecoder().raw_decode(text, min(starts))
    except (ValueError, RecursionError):
        return None
    if isinstance(document, dict):
        for name in ("DCGM GPU Diagnostic", "DCGM Diagnostic"):
            if isinstance(document.get(name), dict):
                return _dcgm(document, document[name])
        cards = [card for name, card in document.items() if _CARD.fullmatch(name) and isinstance(card, dict)]
        if cards:
            return ToolReport(list(_rocm_smi(cards)), [])
        document = document.get("gpu_data")
    records = [one for one in document if isinstance(one, dict)] if isinstance(document, list) else []
    records = [one for one in records if isinstance(one.get("gpu"), int) or isinstance(one.get("asic"), dict)]
    found = list(_amd_smi(records))
    return ToolReport(found, []) if found else None


def _dcgm(document: Json, diagnostic: Json) -> ToolReport:
    facts = [Found("gpu.vendor", "nvidia")]
    metadata = document.get("metadata")
    told = {**diagnostic, **(metadata if isinstance(metadata, dict) else {})}
    for fact, names in (
        ("dcgm.version", ("version",)),
        ("driver.version", ("Driver Version Detected", "driver_version")),
    ):
        value = next((told[name] for name in names if isinstance(told.get(name), str)), "")
        if re.fullmatch(r"\d[\w.]{1,30}", value):
            facts.append(Found(fact, value))
    lines: list[str] = []
    for category in _records(diagnostic, "test_categories"):
        for test in _records(category, "tests"):
            for result in _records(test, "results"):
                if str(result.get("status", "")).lower() == "fail":
                    lines += _failure(str(test.get("name", "a test")), result)
    for key in ("runtime_error", "Warning"):
        if isinstance(diagnostic.get(key), str):
            lines.append(f"dcgmi diag failed: {diagnostic[key]}")
    return ToolReport(facts, [" ".join(line.split())[:2000] for line in lines])


def _failure(test: str, result: Json) -> Iterator[str]:
    """A line for each warning of a test that failed, of DCGM 3 (texts) or 4 (records)."""
    gpu = result.get("gpu_ids", result.get("entity_id", ""))
    warnings = result.get("warnings")
    listed = warnings if isinstance(warnings, list) else [warnings]
    said = [one.get("warning") if isinstance(one, dict) else one for one in listed]
    for text in [one for one in said if isinstance(one, str)] or ["no reason given"]:
        yield f"dcgmi diag failed: {test} on GPU {gpu}: {text}"


def _rocm_smi(cards: list[Json]) -> Iterator[Found]:
    yield Found("gpu.vendor", "amd")
    yield Found("gpu.count", len(cards))
    yield from _described(
        cards[0].get("Card Series") or cards[0].get("Card series"), cards[0].get("GFX Version")
    )


def _amd_smi(records: list[Json]) -> Iterator[Found]:
    if not records:
        return
    described = [one["asic"] for one in records if isinstance(one.get("asic"), dict)]
    described = [one for one in described if not _INTEGRATED.fullmatch(str(one.get("market_name", "")))]
    counts = [_uncorrectable(one) for one in records]
    if described:
        yield Found("gpu.vendor", "amd")
        yield Found("gpu.count", len(described))
        yield from _described(described[0].get("market_name"), described[0].get("target_graphics_version"))
    if any(count is not None for count in counts):
        yield Found("gpu.vendor", "amd")
        yield Found("gpu.ecc_uncorrected", max(count for count in counts if count is not None))


def _uncorrectable(record: Json) -> int | None:
    ecc = record.get("ecc")
    count = ecc.get("total_uncorrectable_count") if isinstance(ecc, dict) else None
    return count if isinstance(count, int) and not isinstance(count, bool) else None


def _described(model: object, target: object) -> Iterator[Found]:
    if isinstance(model, str) and re.match(r"AMD|Instinct|Radeon", model):
        yield Found("gpu.model", model[:80])
    if isinstance(target, str) and _GFX.fullmatch(target):
        yield Found("gpu.arch", target)


def _records(document: Json, key: str) -> list[Json]:
    listed = document.get(key)
    return [one for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []

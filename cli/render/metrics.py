"""A diagnosis as metrics of Prometheus, for the textfile collector of the node exporter."""

from __future__ import annotations

import time
from collections.abc import Iterator

from .report.blocks import Json

VERDICTS = ("diagnosed", "narrowed", "insufficient evidence", "no known incident")


def metrics(document: Json, now: float | None = None) -> str:
    """The text format: when it was (``now``, seconds since 1970), verdict, incidents, signs that nothing explains, what
    could not be established.

    A file outlives what wrote it. Whoever reads it tells by the time in it whether it speaks of the present.
    """
    return "".join(f"{line}\n" for line in _lines(document, time.time() if now is None else now))


def _lines(document: Json, now: float) -> Iterator[str]:
    yield from _head(
        "gpudoctor_last_run_timestamp_seconds",
        "When this was concluded; what is older than two rounds is unknown.",
    )
    yield f"gpudoctor_last_run_timestamp_seconds {now:.0f}"
    yield from _head("gpudoctor_verdict", "The verdict of the last run; 1 for the one that holds.")
    for verdict in VERDICTS:
        yield _sample("gpudoctor_verdict", {"verdict": verdict}, int(document["verdict"] == verdict))
    yield from _head(
        "gpudoctor_incident", "Incidents that stand, by how firmly; the value is the score in bits."
    )
    for one in document["incidents"]:
        labels = {"id": one["id"], "standing": one["standing"], "family": one["family"]}
        yield _sample("gpudoctor_incident", labels, one["score"])
    for name, key, meaning in (
        ("gpudoctor_unexplained_signs", "unexplained", "Signs of trouble that no incident explains."),
        ("gpudoctor_gaps", "gaps", "Facts that could not be established."),
    ):
        yield from _head(name, meaning)
        yield _sample(name, {}, len(document[key]))
    kb = {"version": document["kb"]["version"], "digest": document["kb"]["digest"]}
    yield from _head("gpudoctor_knowledge_base_info", "The knowledge base that concluded.")
    yield _sample("gpudoctor_knowledge_base_info", kb, 1)


def _head(name: str, meaning: str) -> Iterator[str]:
    yield f"# HELP {name} {meaning}"
    yield f"# TYPE {name} gauge"


def _sample(name: str, labels: dict[str, str], value: float) -> str:
    pairs = ",".join(f'{key}="{_escaped(word)}"' for key, word in labels.items())
    return f"{name}{{{pairs}}} {value:g}" if pairs else f"{name} {value:g}"


def _escaped(word: str) -> str:
    return word.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")

"""What a test says to people, and what its logs say to the reader of reports."""

from __future__ import annotations

from collections.abc import Iterator

from ...engine.facts import PROBE, Fact, Origin
from ...engine.knowledge import Knowledge
from .conclusions import COPY, describe
from .matrix import PEERS, Tested
from .variants import DEFAULT

_OURS = ("env.", "log.stage", "log.quiet", "collective.")
"""What the test itself sets, or decides better than its logs do."""


def lines(tested: Tested) -> Iterator[tuple[str, str, str]]:
    """For each run its outcome (or ``-``), its name, and one line about it."""
    for run in tested.runs:
        if run.outcome is None:
            yield "-", run.variant.name, run.note
            continue
        value = COPY[run.outcome.value] if run.variant.name == PEERS else run.outcome.value
        yield value, run.variant.name, describe(run)
    if tested.pairs is not None:
        failing, passing = tested.pairs.failing, tested.pairs.passing
        listed = ", ".join(f"{a}-{b}" for a, b in failing)
        untested = f", {tested.pairs.untested} not tested" if tested.pairs.untested else ""
        text = f"{len(failing)} of {len(failing) + len(passing)} pairs fail{': ' + listed if listed else ''}{untested}"
        yield "fail" if failing else "pass", "pairs", text


def log_facts(tested: Tested, knowledge: Knowledge) -> list[Fact]:
    """What the baseline's logs and errors say, as the reader of pasted reports finds it."""
    run = tested.run(DEFAULT)
    if run is None or run.ended is None:
        return []
    texts = [(name, text) for name, text in run.ended.end.logs if text.strip()]
    for rank in run.ended.end.ranks:
        said = [f"{e.get('type')}: {e.get('message', '')}" for e in rank.events if e["stage"] == "error"]
        if said:
            texts.append((f"rank {rank.rank}", "\n".join(said)))
    if not texts:
        return []
    from ..report import Reader

    found = []
    for fact in Reader(knowledge, words=False).read_all((name, [text.encode()]) for name, text in texts):
        if not fact.name.startswith(_OURS):
            origin = Origin(PROBE, f"collective: {DEFAULT}: {fact.origin.where}", fact.origin.text)
            found.append(Fact(fact.name, fact.value, origin))
    return found

"""From what was run to statements: facts with their origin, and what could not be established."""

from __future__ import annotations

from collections.abc import Iterator

from ...engine.facts import PROBE, CannotTell, Fact, Origin, Statement, Value
from ...engine.redaction import is_secret, redact
from ..text import safe
from .matrix import PEERS, PEERS_FACT, Run, Tested
from .outcome import ERROR, HANG, PASS, WRONG, Outcome
from .variants import DEFAULT, own_settings

COPY = {PASS: "ok", WRONG: "corrupt", HANG: "hang", ERROR: "error"}
_ONE_GPU = "one rank alone uses no transport between GPUs: this needs at least two GPUs"


def statements(tested: Tested) -> list[Statement]:
    """Everything that the test established, and what it could not."""
    found: list[Statement] = []
    for run in tested.runs:
        found += _of_run(run)
    base = tested.run(DEFAULT)
    if base is not None:
        found += _of_baseline(base)
    elif tested.plan.setup.world == 1 and tested.plan.on_gpus:
        found.append(CannotTell(f"collective.{DEFAULT}", _ONE_GPU, Origin(PROBE, "collective: plan")))
    found += _of_pairs(tested)
    found += _of_machine(tested)
    found += _of_settings(tested)
    return found


def _of_settings(tested: Tested) -> Iterator[Statement]:
    """The user's settings for the communication libraries, under which the baseline ran."""
    for name, value in sorted(own_settings(tested.plan.setup.environment).items()):
        if name == "NCCL_CONF_FILE":
            yield Fact("nccl.conf_file", True, Origin(PROBE, "collective: environment", safe(value)))
        elif not is_secret(name):
            shown = redact(safe(value))
            yield Fact(f"env.{name}", shown, Origin(PROBE, "collective: environment", f"{name}={shown}"))


def _origin(run: Run) -> Origin:
    return Origin(PROBE, f"collective: {run.variant.name}", describe(run))


def describe(run: Run) -> str:
    """One line: the settings, the outcome, the time, the transports."""
    if run.outcome is None:
        return run.note
    speed = f", {run.outcome.bus_gbs:.3g} GB/s" if run.outcome.bus_gbs else ""
    via = f", via {', '.join(run.used)}" if run.used else ""
    words = run.variant.words() if run.variant.name != PEERS else "copies without collectives"
    return f"{words}: {run.outcome.value} after {run.outcome.seconds:.1f} s{via}{speed}: {run.outcome.text}"


def _of_run(run: Run) -> Iterator[Statement]:
    fact = PEERS_FACT if run.variant.name == PEERS else run.variant.fact
    if run.outcome is None:
        yield CannotTell(fact, run.note, _origin(run))
        return
    value = COPY[run.outcome.value] if run.variant.name == PEERS else run.outcome.value
    yield Fact(fact, value, _origin(run))
    if run.variant.name == PEERS and run.ended is not None:
        said = [e["access"] for r in run.ended.end.ranks for e in r.events if "access" in e]
        if said:
            yield Fact("p2p.driver_reports", all(said), _origin(run))


def _of_baseline(run: Run) -> Iterator[Statement]:
    origin = _origin(run)
    if run.outcome is not None and run.outcome.value != PASS:
        yield from _blame(run.outcome, origin)
    if run.used:
        yield Fact("collective.transport", ", ".join(run.used), origin)
        for kind, fact in (("P2P", "nccl.via_p2p"), ("SHM", "nccl.via_shm"), ("NET", "nccl.via_net")):
            if any(used.startswith(kind) for used in run.used):
                yield Fact(fact, True, origin)


def _blame(outcome: Outcome, origin: Origin) -> Iterator[Statement]:
    if outcome.stage:
        yield Fact("collective.stage", outcome.stage, origin)
    if len(outcome.culprits) == 1:
        yield Fact("collective.rank", outcome.culprits[0], origin)
    if outcome.link is not None:
        yield Fact("collective.link", f"{outcome.link[0]} -> {outcome.link[1]}", origin)


def _of_pairs(tested: Tested) -> Iterator[Statement]:
    pairs = tested.pairs
    if pairs is None:
        return
    listed = ", ".join(f"{a}-{b}" for a, b in pairs.failing)
    text = f"{len(pairs.failing)} of {len(pairs.failing) + len(pairs.passing)} pairs of GPUs fail"
    origin = Origin(PROBE, "collective: pairs", f"{text}{': ' + listed if listed else ''}")
    if pairs.kind():
        yield Fact("collective.pairs", pairs.kind(), origin)
    else:
        why = f"{pairs.untested} pairs were not tested: too little was left of the budget"
        yield CannotTell("collective.pairs", why, origin)
    if listed:
        yield Fact("collective.failing_pairs", listed, origin)


def _of_machine(tested: Tested) -> Iterator[Statement]:
    """What the ranks said of their GPUs and libraries; gloo's speak of no GPU."""
    plan = tested.plan
    origin = Origin(PROBE, "collective: plan", f"{plan.interpreter.path}")
    events = [
        e for run in tested.runs if run.ended is not None for r in run.ended.end.ranks for e in r.events
    ]
    facts: dict[str, Value] = {}
    if plan.on_gpus:
        facts["gpu.vendor"] = plan.vendor
        facts["gpu.visible_count"] = len(plan.interpreter.gpus)
        for event in events:
            if event["stage"] == "device_ready":
                facts.setdefault("gpu.arch", event["arch"])
                facts.setdefault("gpu.model", event["name"])
            if event["stage"] == "pg_ready" and event.get("nccl"):
                facts.setdefault("nccl.version", event["nccl"])
    if plan.interpreter.torch != "?":
        facts["torch.version"] = plan.interpreter.torch
    for name, value in facts.items():
        if value not in ("", None):
            yield Fact(name, value, origin)

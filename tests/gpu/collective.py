"""``gpudoctor collective`` on nccl or rccl: what it concludes, and what the library's own logs say of every run."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cached_property
from typing import Any

from .checks import Check, Fail, Skip
from .children import End
from .kit import Kit, document, facts, named

OFF = {
    "p2p_off": ("P2P",),
    "net_only": ("P2P", "SHM"),
    "shm_off": ("SHM",),
    "nvls_off": ("NVLS",),
    "cumem_off": ("P2P/CUMEM",),
    "ib_off": ("NET/IB",),
    "net_ib_off": ("P2P", "SHM", "NET/IB"),
}
"""What must not be used where a variant is obeyed: the kit's own list, not gpudoctor's."""
_USED = re.compile(r"\bvia ((?:P2P|SHM|NET|COLLNET)(?:/[A-Za-z0-9_]+)?)")
_NVLS = re.compile(r"NVLS (?:comm|multicast|Create|group)|\[NVLS\]|via NVLS|Connected NVLS tree")
_SIZES = 4
"""All-reduces of so many sizes are compared in every run."""
_REFUSED = "symptom.duplicate-gpu"


class Test:
    """The test on this machine, each form of it run once."""

    def __init__(self, kit: Kit) -> None:
        self.kit = kit

    def run(self, name: str, seconds: float, *more: str, pairs: bool = False) -> tuple[End, dict[str, Any]]:
        """One command, with everything that it ran."""
        record = self.kit.scratch / f"{name}.json"
        end = self.kit.gpudoctor(
            name, "collective", "--backend", "nccl", "--python", self.kit.python, "--format", "json", "--probe",
            "--budget", f"{seconds:.0f}", *(("--yes",) if self.kit.may_disturb else ()), *more,
            seconds=seconds + 35,
            options=("--record", str(record), *(("--pairs",) if pairs else ())),
        )  # fmt: skip
        if not record.is_file():
            raise Fail(f"gpudoctor collective made no test: {end.why()}")
        kept: dict[str, Any] = json.loads(record.read_text())
        for one in kept["runs"]:
            for number, (_, text) in enumerate(one["logs"]):
                self.kit.samples.keep(f"nccl/{name}-{one['name']}-{number}.log", text)
            for rank in one["ranks"]:
                if rank["output"].strip():
                    self.kit.samples.keep(f"nccl/{name}-{one['name']}-rank{rank['rank']}.out", rank["output"])
        return end, kept

    @cached_property
    def alone(self) -> tuple[End, dict[str, Any]]:
        return self.run("collective-one-rank", 60, "--ranks", "1")

    @cached_property
    def shared(self) -> tuple[End, dict[str, Any]]:
        ranks = self.kit.found.gpus + 1
        return self.run("collective-two-ranks-on-a-gpu", 60, "--ranks", str(ranks))

    @cached_property
    def all(self) -> tuple[End, dict[str, Any]]:
        return self.run("collective-matrix", 150, "--matrix", pairs=True)


def checks(kit: Kit) -> Iterator[Check]:
    """All checks of this group for as many GPUs as there are."""
    test = Test(kit)
    yield Check("one rank", 95, lambda: _one_rank(test))
    yield Check("copies to the GPU and back", 5, lambda: copies(test.alone[1], "single_rank"))
    yield Check("two ranks on one GPU", 95, lambda: _refused(test))
    if kit.found.gpus < 2:
        for name in ("baseline", "matrix", "pairs", "vLLM's own all-reduce"):
            yield Check(name, 0, lambda: _needs_two())
        return
    yield Check("baseline", 185, lambda: _baseline(test))
    yield Check("data", 5, lambda: data(test.all[1]))
    for name in _variants(kit):
        yield Check(f"variant {name}", 5, lambda name=name: variant(test.all[1], name))  # type: ignore[misc]
    yield Check("copies between GPUs", 5, lambda: _peers(test.all[1]))
    yield Check("pairs", 5, lambda: _pairs(test.all[1], kit.found.gpus))
    yield Check("vLLM's own all-reduce", 5, lambda: _vllm(test.all[1]))


def _needs_two() -> str:
    raise Skip("needs two GPUs")


def _variants(kit: Kit) -> list[str]:
    from gpudoctor.probes.collective.variants import variants

    return [variant.name for variant in variants("nccl", kit.found.vendor)]


def _run(kept: dict[str, Any], name: str) -> dict[str, Any]:
    found = next((run for run in kept["runs"] if run["name"] == name), None)
    if found is None:
        raise Fail(f"{name} was not run: there are {', '.join(run['name'] for run in kept['runs'])}")
    return dict(found)


def _passed(run: dict[str, Any]) -> None:
    if run["outcome"] is None:
        raise Fail(f"{run['name']}: no outcome: {run['note']}")
    if run["outcome"] != "pass":
        raise Fail(f"{run['name']}: {run['outcome']}: {run['text']}")


def _one_rank(test: Test) -> str:
    end, kept = test.alone
    run = _run(kept, "single_rank")
    _passed(run)
    said = facts(document(end))
    if said.get("collective.single_rank") != ["pass"]:
        raise Fail(f"the run passed, and gpudoctor says {said.get('collective.single_rank')}")
    version = said.get("nccl.version", ["?"])
    return f"pass in {run['seconds']:.1f} s, library {', '.join(map(str, version))}"


def copies(kept: dict[str, Any], name: str) -> str:
    """Each rank has copied to its GPU and back, and what came back was compared."""
    run = _run(kept, name)
    for rank in run["ranks"]:
        made = [event for event in rank["events"] if event["stage"] == "check" and event["op"] == "copy"]
        if not made:
            raise Fail(f"rank {rank['rank']} has compared no copy")
        if not all(event["ok"] for event in made):
            raise Fail(f"rank {rank['rank']}: what came back from its GPU is not what was sent")
    return f"exact on {len(run['ranks'])} GPU{'s' if len(run['ranks']) > 1 else ''}"


def _refused(test: Test) -> str:
    end, kept = test.shared
    run = kept["runs"][0]
    if run["outcome"] is not None:
        raise Fail(f"ranks that share a GPU were taken for a result: {run['outcome']}: {run['text']}")
    said = document(end)
    if facts(said).get(_REFUSED) != [True]:
        raise Fail(f"{_REFUSED} was not read from the log; the note: {run['note']}; named: {named(said)[:3]}")
    if "NCCL refuses" not in run["note"]:
        raise Fail(f"the refusal was not seen by the test itself: {run['note']}")
    return f"{_REFUSED}; named first: {(named(said) or ['nothing'])[0]}"


def _baseline(test: Test) -> str:
    end, kept = test.all
    run = _run(kept, "default")
    _passed(run)
    used = used_in(run)
    if not used:
        raise Fail("the library's log names no transport")
    if set(run["used"]) != set(used):
        raise Fail(f"gpudoctor reads {', '.join(run['used'])} from the log that says {', '.join(used)}")
    said = facts(document(end))
    if said.get("collective.default") != ["pass"]:
        raise Fail(f"the run passed, and gpudoctor says {said.get('collective.default')}")
    return f"pass over {', '.join(used)}"


def used_in(run: dict[str, Any]) -> list[str]:
    """The transports that a run's logs name."""
    text = _log(run)
    found = set(_USED.findall(text))
    return sorted(found | ({"NVLS"} if _NVLS.search(text) else set()))


def _log(run: dict[str, Any]) -> str:
    return "\n".join([*(text for _, text in run["logs"]), *(rank["output"] for rank in run["ranks"])])


def data(kept: dict[str, Any]) -> str:
    """Every element of every collective was compared on every rank, and all were right."""
    run = _run(kept, "default")
    world = len(run["ranks"])
    for rank in run["ranks"]:
        made = [event for event in rank["events"] if event["stage"] == "check"]
        wrong = [event for event in made if not event["ok"]]
        if wrong:
            first = wrong[0]
            raise Fail(
                f"rank {rank['rank']}: {first['op']} gave wrong data: "
                f"{first.get('count')} of {first.get('of')} elements"
            )
        counted = {
            op: sum(1 for event in made if event["op"] == op)
            for op in ("all_reduce", "all_gather", "send_recv")
        }
        wanted = {"all_reduce": _SIZES, "all_gather": world, "send_recv": world - 1}
        if counted != wanted:
            raise Fail(
                f"rank {rank['rank']} has compared {counted}, not {wanted}: a pass that proves nothing"
            )
    if run["outcome"] != "pass":
        raise Fail(f"all data are right, and the outcome is {run['outcome']}: {run['text']}")
    return f"every element right on {world} ranks"


def variant(kept: dict[str, Any], name: str) -> str:
    """A variant was obeyed, by the library's own log, and gpudoctor has seen the same."""
    run = _run(kept, name)
    if run["note"].startswith("skipped"):
        raise Skip(run["note"])
    text = _log(run)
    used = used_in(run)
    against = [one for one in used for off in OFF.get(name, ()) if one == off or one.startswith(f"{off}/")]
    if against:
        seen = "and gpudoctor says so" if "was not obeyed" in run["note"] else "and gpudoctor has not seen it"
        raise Fail(f"not obeyed: the library's log still shows {', '.join(against)}, {seen}")
    if run["outcome"] is None:
        raise Fail(f"no outcome although the log shows {', '.join(used) or 'nothing'}: {run['note']}")
    heard = [n for n, value in run["settings"] if f"{n} set by environment to {value}" in text]
    if not used and not heard:
        raise Fail("the library's log names no transport and no setting: nothing shows that it was obeyed")
    _passed(run)
    return f"{run['outcome']} over {', '.join(used) or '?'}{'; heard: ' + ', '.join(heard) if heard else ''}"


def _peers(kept: dict[str, Any]) -> str:
    run = _run(kept, "peers")
    _passed(run)
    made = [event for rank in run["ranks"] for event in rank["events"] if event["stage"] == "check"]
    if not made or not all(event["ok"] for event in made):
        raise Fail("no copy between GPUs was compared" if not made else "a copy between GPUs is not exact")
    return f"{len(made)} copies exact"


def _pairs(kept: dict[str, Any], gpus: int) -> str:
    if gpus < 3:
        raise Skip("needs three GPUs: of two the baseline is the pair")
    pairs = kept["pairs"]
    if pairs is None:
        raise Fail("no pair was tested")
    made = len(pairs["failing"]) + len(pairs["passing"])
    if pairs["untested"] or made != gpus * (gpus - 1) // 2:
        raise Fail(f"{made} of {gpus * (gpus - 1) // 2} pairs were tested")
    if pairs["failing"]:
        raise Fail(f"pairs that fail: {pairs['failing']}")
    return f"{made} pairs pass"


def _vllm(kept: dict[str, Any]) -> str:
    if not kept["vllm"]:
        raise Skip("vLLM is not in the interpreter of the jobs")
    run = _run(kept, "custom_allreduce")
    if run["outcome"] is None:
        raise Skip(run["note"])
    _passed(run)
    return run["text"] or "pass"

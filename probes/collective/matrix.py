"""The whole test: baseline, the matrix of variants, the pairs, within one budget."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import replace

from gpudoctor.engine.tuples import NamedTuple

from .netinterface import interface_towards
from .nursery import Nursery
from .outcome import PASS, Outcome
from .pairs import Pair, Pairs, rounds
from .plan import BASELINE, LEAST, VARIANT, Options, Plan, make_plan
from .runs import STEPS, Ended, Progress, Setup, alone, run_together
from .transports import DUPLICATE, disobeyed, transports
from .variants import CLEAN, DEFAULT, NCCL, Variant, by_fact, own_settings, settings_of, variants

ENDING = 2.0
"""Seconds that a run may take beyond its budget, for stacks and killing."""
VARIANT_STALL = 6.0
PAIR_STEPS = ("device", "init", "all_reduce", "send_recv")
IFNAME = "ifname_set"
PEERS, SINGLE, GRAPH, CUSTOM = "peers", "single_rank", "graph", "custom_allreduce"
EXTRA_STEPS = {
    GRAPH: ("device", "init", "all_reduce", "graph"),
    CUSTOM: ("device", "init", "custom_all_reduce"),
}
PEERS_FACT = "p2p.copy"
Announce = Callable[[str], None]


class Run(NamedTuple):
    """One variant and what it came to: an outcome, or why there is none."""

    variant: Variant
    outcome: Outcome | None
    used: tuple[str, ...] = ()
    note: str = ""
    ended: Ended | None = None

    @property
    def bad(self) -> bool:
        """Whether it was made and failed."""
        return self.outcome is not None and self.outcome.value != PASS


class Tested(NamedTuple):
    """Everything that was run."""

    plan: Plan
    runs: tuple[Run, ...]
    pairs: Pairs | None
    seconds: float

    def run(self, name: str) -> Run | None:
        """The run of a variant, if there was one."""
        return next((run for run in self.runs if run.variant.name == name), None)

    def logs(self) -> list[tuple[str, str]]:
        """What the ranks of the baseline and their libraries printed: name and text."""
        run = self.run(DEFAULT)
        if run is None or run.ended is None:
            return []
        outputs = [(f"rank {r.rank}", r.output) for r in run.ended.end.ranks if r.output.strip()]
        return [*outputs, *run.ended.end.logs]


def test(options: Options, progress: Progress | None = None, announce: Announce | None = None) -> Tested:
    """Run what the options ask for. Raises CollectiveError where no test can be made."""
    began = time.monotonic()
    plan = make_plan(options)
    if announce:
        announce(plan.words(options.budget))
    with Nursery() as nursery:
        series = TestSeries(options, plan, nursery, progress, began + options.budget)
        if options.only:
            series.establish(options.only)
        else:
            series.follow(options.matrix)
        return Tested(plan, tuple(series.runs), series.pairs, time.monotonic() - began)


class TestSeries:
    """One test under way."""

    def __init__(
        self, options: Options, plan: Plan, nursery: Nursery, progress: Progress | None, deadline: float
    ) -> None:
        self.options, self.plan, self.nursery, self.progress = options, plan, nursery, progress
        self.deadline = deadline
        self.runs: list[Run] = []
        self.pairs: Pairs | None = None
        self.quick = min(options.stall, VARIANT_STALL)
        self.several = plan.on_gpus and plan.setup.world > 1

    # The order of things

    def establish(self, facts: tuple[str, ...]) -> None:
        """Only what these facts need."""
        for fact in facts:
            variant = by_fact(fact, self.plan.backend)
            if fact == PEERS_FACT:
                self.peers()
            elif variant is not None:
                self.variant(variant, BASELINE if variant.name == DEFAULT else VARIANT)

    def follow(self, matrix: bool) -> None:
        """The baseline; what isolates the fault after one that failed; everything for ``matrix``."""
        name = DEFAULT if self.plan.setup.world > 1 else SINGLE
        base = self.variant(Variant(name, backend=self.plan.backend), BASELINE)
        if self.plan.setup.world == 1 or self.plan.shared_gpu:
            return
        # Over several nodes all must run the same, and one may have seen nothing wrong.
        if matrix or (base.bad and self.plan.nodes == 1):
            self.matrix(base)
        elif self.several and self.plan.nodes == 1 and self.plan.interpreter.vllm:
            self.extras()

    def matrix(self, base: Run) -> None:
        """The variants, what tells most first; the pairs where the baseline did not name one."""
        todo = list(variants(self.plan.backend, self.plan.vendor, self.plan.nodes))
        if self.plan.nodes > 1 and self.plan.on_gpus:
            todo.insert(2, self.interface_set())
        self.clean(base)
        for variant in todo[:2]:
            self.variant(variant, VARIANT)
        on_one_node = self.several and self.plan.nodes == 1
        named = base.outcome is not None and base.outcome.link is not None
        if on_one_node and base.bad:
            self.single()
            if not named:
                self.each_pair()
        if on_one_node:
            self.peers()
        for variant in todo[2:]:
            self.variant(variant, VARIANT)
        if on_one_node and base.bad and named:
            self.each_pair()
        if on_one_node and not base.bad and self.plan.interpreter.vllm:
            self.extras()

    def interface_set(self) -> Variant:
        """With the interface that reaches the first node."""
        name = interface_towards(self.options.join.rpartition(":")[0].strip("[]"))
        both = ("NCCL_SOCKET_IFNAME", "GLOO_SOCKET_IFNAME")
        return Variant(IFNAME, tuple((variable, name) for variable in both) if name else ())

    # Runs

    def seconds(self, most: float) -> float:
        """The budget of the next run; below LEAST it is not worth starting."""
        return min(most, self.deadline - time.monotonic() - ENDING)

    def variant(self, variant: Variant, most: float) -> Run:
        """Run one variant over all ranks."""
        if variant.name == IFNAME and not variant.settings:
            why = "which interface reaches the first node could not be established"
            return self._keep(Run(variant, None, note=why))
        steps = EXTRA_STEPS.get(variant.name, STEPS)
        stall = self.options.stall if variant.name in (DEFAULT, SINGLE) else self.quick
        setup = replace(self._meeting(variant), steps=steps, stall=stall)
        ended = self._go([setup], variant, most, self._settings(variant))
        if not ended:
            return self._keep(Run(variant, None, note=_no_time(self.options.budget)))
        return self._keep(self._judge(variant, ended[0]))

    def clean(self, base: Run) -> None:
        """Without the user's settings; where there are none it is the baseline."""
        variant = Variant(CLEAN, backend=self.plan.backend)
        if own_settings(self.options.environment):
            self.variant(variant, VARIANT)
        elif base.outcome is not None:
            same = base.outcome._replace(
                text=f"no setting to remove, so as the baseline: {base.outcome.text}"
            )
            self._keep(Run(variant, same, base.used, base.note))

    def single(self) -> None:
        """Each GPU alone, all at once: a collective of one rank."""
        devices = self.plan.setup.devices
        setups = [
            replace(alone(self.plan.setup, [gpu]), steps=STEPS[:4], stall=self.quick) for gpu in devices
        ]
        variant = Variant(SINGLE, backend=self.plan.backend)
        ended = self._go(setups, variant, VARIANT)
        if not ended:
            self._keep(Run(variant, None, note=_no_time(self.options.budget)))
            return
        bad = [(gpu, e) for gpu, e in zip(devices, ended, strict=True) if e.outcome.value != PASS]
        if not bad:
            self._keep(Run(variant, ended[0].outcome._replace(text="every GPU passes alone")))
            return
        gpu, worst = bad[0]
        outcome = worst.outcome._replace(text=f"GPU {gpu} fails alone: {worst.outcome.text}", culprits=())
        self._keep(Run(variant, outcome))

    def each_pair(self) -> None:
        """Every pair alone, disjoint pairs at the same time."""
        devices = self.plan.setup.devices
        if len(devices) < 3:
            return
        failing: list[Pair] = []
        passing: list[Pair] = []
        untested = 0
        for pairs in rounds(devices):
            setups = [
                replace(alone(self.plan.setup, pair), steps=PAIR_STEPS, stall=self.quick) for pair in pairs
            ]
            ended = self._go(
                setups,
                Variant("pairs", backend=self.plan.backend),
                VARIANT,
                self._settings(self._own()),
            )
            if not ended:
                untested += len(pairs)
                continue
            for pair, one in zip(pairs, ended, strict=True):
                (passing if one.outcome.value == PASS else failing).append(pair)
        self.pairs = Pairs(tuple(sorted(failing)), tuple(sorted(passing)), untested)

    def peers(self) -> None:
        """Copies between each two GPUs, in one process without collectives."""
        if len(set(self.plan.setup.devices)) < 2:
            return
        setup = replace(
            alone(self.plan.setup, self.plan.setup.devices), world=1, here_ranks=1, steps=("peers",)
        )
        variant = Variant(PEERS, backend=self.plan.backend)
        ended = self._go([setup], variant, VARIANT, self._settings(self._own()))
        if ended:
            self._keep(Run(variant, ended[0].outcome, ended=ended[0]))
        else:
            self._keep(Run(variant, None, note=_no_time(self.options.budget)))

    def extras(self) -> None:
        """A graph that is replayed, and vLLM's own all-reduce, which shares nothing with NCCL."""
        for name in (GRAPH, CUSTOM):
            run = self.variant(Variant(name, backend=self.plan.backend), VARIANT)
            if run.ended is None:
                continue
            why = [
                e["why"] for rank in run.ended.end.ranks for e in rank.events if e["stage"] == "unavailable"
            ]
            checked = any(e["stage"] == "check" for rank in run.ended.end.ranks for e in rank.events)
            if why and not checked:
                self.runs[-1] = run._replace(outcome=None, note=why[0])

    # Helpers

    def _go(
        self,
        setups: list[Setup],
        variant: Variant,
        most: float,
        settings: Mapping[str, str | None] | None = None,
    ) -> list[Ended]:
        budget = self.seconds(most)
        if budget < min(LEAST, most):
            return []
        return run_together(self.nursery, setups, variant.name, budget, settings, self.progress)

    def _settings(self, variant: Variant) -> dict[str, str | None]:
        return {**settings_of(variant, self.options.environment), **(self.options.settings or {})}

    def _own(self) -> Variant:
        """The user's own settings."""
        return Variant(DEFAULT, backend=self.plan.backend)

    def _meeting(self, variant: Variant) -> Setup:
        """Over several nodes every variant meets at a port of its own, the same on every node."""
        setup = self.plan.setup
        if not self.options.join:
            return setup
        order = [DEFAULT, CLEAN, IFNAME, *(v.name for v in NCCL)]
        place = order.index(variant.name) if variant.name in order else len(order)
        address, _, port = self.options.join.rpartition(":")
        return replace(setup, store=f"tcp://{address}:{int(port) + place}")

    def _judge(self, variant: Variant, ended: Ended) -> Run:
        texts = [text for _, text in ended.end.logs] + [rank.output for rank in ended.end.ranks]
        used = transports(texts)
        if self.plan.shared_gpu:
            refused = any(DUPLICATE.search(text) for text in texts)
            why = "which NCCL refuses" if refused else "which says nothing of the paths between GPUs"
            return Run(
                variant, None, used, f"ranks had to share a GPU, {why}: take as many ranks as GPUs", ended
            )
        against = disobeyed(variant, used)
        if against:
            why = f"{variant.words()} was not obeyed: the log still shows {', '.join(against)}"
            return Run(variant, None, used, why, ended)
        return Run(variant, ended.outcome, used, ended=ended)

    def _keep(self, run: Run) -> Run:
        self.runs.append(run)
        return run


def _no_time(budget: float) -> str:
    return f"skipped: too little was left of the budget of {budget:.0f} s"

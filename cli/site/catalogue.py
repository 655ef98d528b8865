"""The knowledge base seen from the reader's side: what cures what, what reads what, who complains of what."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath

from gpudoctor.engine.tuples import NamedTuple

from ...engine import Knowledge
from ...engine.model import KNOWN_ISSUE, Condition, FactSpec, Incident, Not, Product, Remedy, Test
from ...engine.rules import facts_of
from ..content.addresses import page_folder
from ..content.complaints import COMPLAINTS, ROAD_PAGES
from ..content.entries import WordedRule, rules_of

_NUMBERED = re.compile(r"\b(s?xid)\.(\d+)$")


FRAMEWORKS = {
    "PyTorch": ("torch.", "env.TORCH_", "env.PYTORCH_", "torchrun.", "symptom.ddp-", "symptom.tcpstore-"),
    "vLLM": ("vllm.", "env.VLLM_", "symptom.vllm-", "symptom.shm-broadcast", "symptom.custom-allreduce"),
    "SGLang": ("sglang.", "env.SGLANG_"),
    "Ray": ("ray.", "env.RAY_", "symptom.ray-"),
    "DeepSpeed": ("deepspeed.", "symptom.only-with-zero3"),
    "Accelerate": ("accelerate.", "symptom.accelerate-"),
    "llama.cpp": ("llama_cpp.", "env.GGML_"),
    "NVSHMEM": ("env.NVSHMEM_", "symptom.nvshmem-"),
    "libfabric": ("aws_ofi_nccl.", "env.FI_", "env.OFI_", "symptom.ofi-", "symptom.fi-"),
    "Slurm": ("slurm.", "variant.slurm"),
    "Kubernetes": ("variant.kubernetes",),
}
"""Which facts speak of which framework; also its name in the title of an incident."""


class Use(NamedTuple):
    """A rule of an incident that reads a fact."""

    incident: Incident
    rule: WordedRule


class Catalogue:
    """Everything that the pages link to, computed once from the knowledge base."""

    def __init__(self, knowledge: Knowledge) -> None:
        self.knowledge = knowledge
        self.incidents = {name: knowledge.incident(name) for name in knowledge.fault_ids}
        self.issues = {name: knowledge.incident(name) for name in sorted(knowledge.issue_ids)}
        self.products = {name: knowledge.product(name) for name in knowledge.product_ids}
        remedies = map(knowledge.remedy, knowledge.remedy_ids)
        self.remedies = {found.id: found for found in remedies if found.path.startswith("remedies/")}
        self.facts = {spec.name: spec for spec in knowledge.facts() if spec.path.startswith("facts/")}
        self.rules = {i.id: rules_of(i) for i in self.every()}
        self.cures: dict[str, list[Incident]] = defaultdict(list)
        self.uses: dict[str, list[Use]] = defaultdict(list)
        self.codes: dict[str, dict[int, list[Use]]] = {"xid": defaultdict(list), "sxid": defaultdict(list)}
        self.confused_with: dict[str, list[Incident]] = defaultdict(list)
        self.touched_by = _remedies_by_fact(self.remedies.values())
        for incident in self.every():
            for remedy in incident.remedies:
                self.cures[remedy].append(incident)
            for look in incident.lookalikes:
                self.confused_with[look.id].append(incident)
            self._index_rules(incident)
        self._signs = {i.id: self._signs_of(i) for i in self.every()}
        self._complaints = {i.id: self._complaints_of(i) for i in self.every()}
        self._frameworks = {i.id: self._frameworks_of(i) for i in self.every()}

    def every(self) -> list[Incident]:
        """All incidents and all known issues."""
        return [*self.incidents.values(), *self.issues.values()]

    def signs(self, incident: Incident) -> list[FactSpec]:
        """The symptoms by which an incident shows itself, the strongest first."""
        return self._signs[incident.id]

    def complaints(self, incident: Incident) -> list[str]:
        """The complaints with which somebody with this incident may come."""
        return self._complaints[incident.id]

    def frameworks(self, incident: Incident) -> list[str]:
        """The frameworks that an incident is about."""
        return self._frameworks[incident.id]

    def _index_rules(self, incident: Incident) -> None:
        for rule in self.rules[incident.id]:
            for fact in dict.fromkeys(facts_of(rule.condition)):
                self.uses[self.spec(fact).name].append(Use(incident, rule))
                code = _NUMBERED.search(fact)
                if code:
                    self.codes[code[1]][int(code[2])].append(Use(incident, rule))

    def spec(self, fact: str) -> FactSpec:
        """The vocabulary entry under which a fact is explained. Raises FactError for an unknown one."""
        return self.facts.get(fact) or self.knowledge.vocabulary.spec(fact)

    def folder(self, entry: Incident | Remedy | FactSpec | Product) -> str:
        """The folder of an entry's page, from the root of the site; what was made of a page lies there."""
        if isinstance(entry, Incident):
            return page_folder(entry.kind, entry.id)
        if isinstance(entry, Product):
            return page_folder("product", entry.id)
        place = PurePosixPath(entry.path)
        if place.parts[:1] in (("known-issues",), ("products",)):
            return f"{place.parts[0]}/{place.stem}"
        if isinstance(entry, Remedy):
            return page_folder("remedy", entry.id)
        if not entry.path:
            return f"roads/{ROAD_PAGES[entry.name.removeprefix('road.')]}"
        return page_folder("fact", self._stem(entry))

    def _stem(self, spec: FactSpec) -> str:
        listed = self.facts.get(spec.name) or next(f for f in self.facts.values() if f.path == spec.path)
        return PurePosixPath(listed.path).stem

    def fact_page(self, fact: str) -> str:
        """The page of a fact, from the root of the site."""
        return f"{self.folder(self.spec(fact))}/index.html"

    def _signs_of(self, incident: Incident) -> list[FactSpec]:
        rules = [r for r in self.rules[incident.id] if r.slot in ("confirms", "suggests")]
        order = {"decisive": 0, "": 0, "strong": 1, "weak": 2}
        names = [
            test.fact
            for rule in sorted(rules, key=lambda r: order[r.weight])
            for test in _asserted(rule.condition)
            if test.operator == "in" and test.listed == (True,)
        ]
        return [spec for spec in map(self.spec, dict.fromkeys(names)) if spec.sign]

    def _complaints_of(self, incident: Incident) -> list[str]:
        if incident.kind == KNOWN_ISSUE:
            return [ROAD_PAGES[incident.severity]]
        said = " ".join([incident.title, *(spec.title for spec in self.signs(incident))])
        said += " " + " ".join(self._explained(incident))
        found = [complaint.id for complaint in COMPLAINTS if complaint.words.search(said)]
        return found or ["crashes"]

    def _explained(self, incident: Incident) -> Iterator[str]:
        for name in incident.explains:
            if not self.spec(name).secondary and name in self.facts:
                yield self.facts[name].title

    def _frameworks_of(self, incident: Incident) -> list[str]:
        rules = [r for r in self.rules[incident.id] if r.slot != "excludes"]
        read = {fact for rule in rules for fact in facts_of(rule.condition)}
        return [
            name
            for name, prefixes in FRAMEWORKS.items()
            if any(fact.startswith(prefixes) for fact in read) or name.lower() in incident.title.lower()
        ]

    def incident(self, name: str) -> Incident:
        """An incident or known issue by id."""
        return self.incidents.get(name) or self.issues[name]

    def related(self, incident: Incident, most: int = 6) -> list[Incident]:
        """Incidents that share signs or remedies with this one and are no look-alikes of it."""
        known = {look.id for look in incident.lookalikes} | {incident.id}
        known |= {other.id for other in self.confused_with[incident.id]}
        shared: dict[str, float] = defaultdict(float)
        for spec in self.signs(incident):
            others = {use.incident.id for use in self.uses[spec.name] if use.rule.slot != "excludes"}
            for other in others - known:
                shared[other] += 1 / len(others)
        for remedy in incident.remedies:
            for cured in self.cures[remedy]:
                if cured.id not in known:
                    shared[cured.id] += 0.5 / len(self.cures[remedy])
        best = sorted(shared, key=lambda name: (-shared[name], name))[:most]
        return [self.incident(name) for name in best]


def _asserted(condition: Condition) -> Iterator[Test]:
    """The tests of a condition that stand under no ``not``."""
    if isinstance(condition, Test):
        yield condition
    elif not isinstance(condition, Not):
        for part in condition.parts:
            yield from _asserted(part)


def _remedies_by_fact(remedies: Iterable[Remedy]) -> dict[str, list[Remedy]]:
    """For each fact the remedies that set it, remove it, or ask for it."""
    found: dict[str, list[Remedy]] = defaultdict(list)
    for remedy in remedies:
        read = [fact for c in (*(a.when for a in remedy.applies), *remedy.after) for fact in facts_of(c)]
        written = [f"env.{name}" for name in (*dict(remedy.sets), *remedy.unsets)]
        for fact in dict.fromkeys([*read, *written]):
            found[fact].append(remedy)
    return found

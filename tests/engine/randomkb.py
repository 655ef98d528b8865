"""Random knowledge bases and random conversations, for the differential test of the rule engines."""

from __future__ import annotations

import contextlib
import random

from gpudoctor.engine.errors import KnowledgeError
from gpudoctor.engine.knowledge.relations import refuse_circles, with_relations
from gpudoctor.engine.model import (
    All,
    Derivation,
    Either,
    Evidence,
    FactSpec,
    Incident,
    Not,
    Test,
)

CHOICES = ("a", "b", "c")
VERSIONS = ("1.0", "1.2", "2", "2.0.1", "3.5rc1", "10.0")
RANGES = (">=1.1,<2.5", "<3", ">=2.0.1", "==2.*", "!=1.0", ">3.4")


class RandomKnowledge:
    """Facts and incidents drawn from a seed."""

    def __init__(self, seed: int, large: bool = False) -> None:
        self.random = random.Random(seed)
        self.facts: dict[str, FactSpec] = {}
        for number in range(self.random.randint(4, 14)):
            kind = self.random.choice(("bool", "bool", "choice", "int", "version", "text"))
            values = CHOICES if kind == "choice" else ()
            sign = self.random.random() < 0.5
            name = f"{'symptom' if sign else 'f'}.{number}"
            self.facts[name] = FactSpec(name, kind, name, values, sign=sign)
        self.base = list(self.facts)
        for number in range(self.random.randint(0, 5)):
            self._derive(f"d.{number}", self.random.randint(1, 4))
        self._relate()
        self.incidents = [self._incident(f"i{n}") for n in range(self.random.randint(1, 8))]
        if large:
            self.incidents.append(self._crowd(f"i{len(self.incidents)}"))

    def _crowd(self, name: str) -> Incident:
        """An incident with 256 and more rules that share one condition, and some beside that do not."""
        shared = Test("crowd", "in", (True,))
        self.facts["crowd"] = FactSpec("crowd", "bool", "crowd")
        self.base += ["crowd"] * 3
        leaves = []
        for number in range(32):
            fact = f"n.{number}"
            self.facts[fact] = FactSpec(fact, "int", fact)
            self.base.append(fact)
            leaves += [Test(fact, "range", f">={bound}") for bound in range(1, 11)]
        crowd = [[shared, leaf] for leaf in leaves[: self.random.choice((256, 256, 300))]]
        beside = [self.random.sample(leaves, 2) for _ in range(40)]
        pairs = [
            self.random.sample(pair, 2) for pair in self.random.sample([*crowd, *beside], len(crowd) + 40)
        ]
        return Incident(name, name, "p2p", (), "stated", confirms=tuple(All(tuple(p)) for p in pairs))

    def _relate(self) -> None:
        """Relations between some of the facts, unless they would go in a circle with the rules."""
        bools = [name for name, spec in self.facts.items() if spec.type == "bool"]
        if len(bools) < 2 or self.random.random() < 0.3:
            return
        related = dict(self.facts)
        for _ in range(self.random.randint(1, 3)):
            child, parent = self.random.sample(bools, 2)
            if self.random.random() < 0.5:
                related[child] = related[child]._replace(implies=(parent,))
            else:
                for name in (child, parent):
                    related[name] = related[name]._replace(one_of="set")
        related = with_relations(related, {})
        with contextlib.suppress(KnowledgeError):
            refuse_circles(related)
            self.facts = related

    def type_of(self, name: str) -> FactSpec:
        return self.facts[name]

    def is_sign(self, name: str) -> bool:
        return self.facts[name].sign

    def _derive(self, name: str, count: int) -> None:
        """A derived fact reads facts that are there already, so there are no circles."""
        kind = self.random.choice(("bool", "choice", "int", "version"))
        values = {
            "bool": ("true", "false"),
            "choice": CHOICES,
            "int": ("1", "2", "3"),
            "version": VERSIONS,
        }[kind]
        rules = []
        for _ in range(count):
            rules.append(Derivation(self.random.choice(values), self.condition()))
        texts = [n for n, f in self.facts.items() if f.type == "text"]
        if texts and kind == "int" and self.random.random() < 0.5:
            source = self.random.choice(texts)
            rules.append(Derivation("", Test(source, "known"), source))
        alike = [n for n, f in self.facts.items() if f.type == kind]
        if alike and self.random.random() < 0.7:
            source = self.random.choice(alike)
            known = Test(source, "known")
            when = known if self.random.random() < 0.5 else All((known, self.condition()))
            rules.insert(self.random.randint(0, len(rules)), Derivation("", when, copy_of=source))
        self.facts[name] = FactSpec(
            name,
            kind,
            name,
            CHOICES if kind == "choice" else (),
            derived=tuple(rules),
            sign=self.random.random() < 0.3,
        )

    def _incident(self, name: str) -> Incident:
        some = self.random.randint
        return Incident(
            name,
            name,
            "p2p",
            (),
            "stated",
            requires=tuple(self.condition() for _ in range(some(0, 2))),
            suggests=tuple(
                Evidence(self.random.choice(("weak", "strong", "decisive")), self.condition())
                for _ in range(some(0, 4))
            ),
            confirms=tuple(self.condition() for _ in range(some(0, 2))),
            excludes=tuple(self.condition() for _ in range(some(0, 2))),
        )

    def leaf(self):
        name = self.random.choice(list(self.facts))
        spec = self.facts[name]
        if self.random.random() < 0.1:
            return Test(name, "known")
        if spec.type == "bool":
            return Test(name, "in", (self.random.random() < 0.5,))
        if spec.type == "choice":
            return Test(name, "in", tuple(self.random.sample(CHOICES, self.random.randint(1, 2))))
        if spec.type == "int":
            same = [n for n, f in self.facts.items() if f.type == "int" and n != name]
            if same and self.random.random() < 0.3:
                operator = self.random.choice(("above", "below", "same"))
                return Test(name, operator, self.random.choice(same))
            return Test(name, "range", self.random.choice((">=2", "<3", "==1", ">1,<4")))
        if spec.type == "version":
            return Test(name, "range", self.random.choice(RANGES))
        return self.random.choice(
            (
                Test(name, "contains", ("x", "y")),
                Test(name, "matches", "^x"),
                Test(name, "items", ">=2"),
            )
        )

    def condition(self, depth: int = 3):
        kind = self.random.choice(("is", "is", "all", "any", "not")) if depth else "is"
        if kind == "is":
            return self.leaf()
        if kind == "not":
            return Not(self.condition(depth - 1))
        parts = tuple(self.condition(depth - 1) for _ in range(self.random.randint(2, 3)))
        return All(parts) if kind == "all" else Either(parts)

    def value(self, name: str):
        spec = self.facts[name]
        return self.random.choice(
            {
                "bool": (True, False),
                "choice": CHOICES,
                "int": (0, 1, 2, 3, 5, 10),
                "version": VERSIONS,
                "text": ("x", "y,x", "z", "x,x,z"),
            }[spec.type]
        )

    def conversation(self, steps: int):
        """Pairs of a fact and a value; None takes the fact back. Derived facts are told at times, too."""
        for _ in range(steps):
            name = self.random.choice(self.base if self.random.random() < 0.9 else list(self.facts))
            yield name, None if self.random.random() < 0.25 else self.value(name)

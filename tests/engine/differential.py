"""Does durable-rules, behind its adapter, conclude exactly what the reference matcher concludes?"""

from __future__ import annotations

import argparse
import json
import sys
import time

from gpudoctor.engine.rules.durable import DurableJoin, DurableRulesets
from gpudoctor.engine.rules.layout import Layout, rule_rows
from gpudoctor.engine.rules.program import CONFIRMED, SUGGESTED, compile_program, starts
from gpudoctor.engine.rules.reference import ReferenceMatcher, Ruleset
from gpudoctor.engine.rules.workingmemory import WorkingMemory

if __package__:
    from .randomkb import RandomKnowledge
else:
    from randomkb import RandomKnowledge


def considered(knowledge, conclusions):
    """The conclusions that count: those on incidents that something speaks for."""
    incidents = {i.id: i for i in knowledge.incidents}
    alive = {
        owner
        for kind, owner, index in conclusions
        if kind == CONFIRMED
        or (kind == SUGGESTED and starts(incidents[owner].suggests[index], knowledge.is_sign))
    }
    return {c for c in conclusions if c[1] in alive}


def compare(seed: int, steps: int = 12, large: bool = False, per_token: int | None = None) -> list[str]:
    """Differences found in one random knowledge base and conversation; empty if there are none."""
    knowledge = RandomKnowledge(seed, large)
    program = compile_program(knowledge.facts.values(), knowledge.incidents, knowledge.is_sign)
    rulesets = DurableRulesets(per_token) if per_token else DurableRulesets()
    layout = Layout(json.loads(json.dumps(rule_rows(program))).get)  # as the index keeps it
    memory = WorkingMemory(layout, knowledge.type_of, DurableJoin(rulesets))
    reference = ReferenceMatcher(Ruleset(knowledge.facts.values(), knowledge.incidents, knowledge.type_of))
    differences = []
    told = {}
    for name, value in knowledge.conversation(steps):
        memory.assign(name, value)
        reference.assign(name, value)
        told[name] = value
        one, other = (
            considered(knowledge, memory.conclusions()),
            considered(knowledge, reference.conclusions()),
        )
        if one != other:
            differences.append(f"seed {seed} after {name}={value}: {sorted(one ^ other)}")
        if dict(memory.derived()) != dict(reference.derived()):
            differences.append(
                f"seed {seed} after {name}={value}: derived {memory.derived()} {reference.derived()}"
            )
    # The same facts told at once, in another order, to a new session.
    again = WorkingMemory(layout, knowledge.type_of, DurableJoin(rulesets))
    for name in knowledge.random.sample(sorted(told), len(told)):
        if told[name] is not None:
            again.assign(name, told[name])
    if considered(knowledge, again.conclusions()) != considered(knowledge, reference.conclusions()):
        differences.append(f"seed {seed}: another order concludes otherwise")
    memory.close()
    again.close()
    rulesets.close()
    return differences


def main() -> int:
    """A longer run: ``make fuzz``."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--seed", type=int, default=1_000_000)
    arguments = parser.parse_args()
    deadline = time.monotonic() + arguments.seconds
    seed = arguments.seed
    while time.monotonic() < deadline:
        differences = compare(seed, steps=30, large=seed % 50 == 0)
        if differences:
            print("\n".join(differences))
            return 1
        seed += 1
    print(f"{seed - arguments.seed} knowledge bases, no difference")
    return 0


if __name__ == "__main__":
    sys.exit(main())

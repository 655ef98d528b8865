"""Synthetic knowledge bases of any size: incidents of four to eight conditions over shared facts."""

from __future__ import annotations

import random

from gpudoctor.engine.model import All, Evidence, FactSpec, Incident, Test
from gpudoctor.engine.rules.program import Program, compile_program

FACTS = 60
VALUES = tuple("abcde")


def synthetic(incidents: int, seed: int = 1) -> tuple[dict[str, FactSpec], list[Incident], Program]:
    """Facts, incidents and the program of a knowledge base with ``incidents`` incidents.

    Half of the facts are signs of trouble, whose number grows with the incidents as it does in a real one.
    """
    draw = random.Random(seed)
    facts = {f"f.{n}": FactSpec(f"f.{n}", "choice", "", VALUES, question="?") for n in range(FACTS)}
    signs = max(FACTS, incidents // 2)
    facts |= {
        f"symptom.{n}": FactSpec(f"symptom.{n}", "bool", "", sign=True, question="?") for n in range(signs)
    }
    made = []
    for number in range(incidents):

        def circumstance() -> Test:
            return Test(f"f.{draw.randrange(FACTS)}", "in", tuple(draw.sample(VALUES, 2)))

        def sign() -> Test:
            return Test(f"symptom.{draw.randrange(signs)}", "in", (True,))

        first = sign()
        made.append(
            Incident(
                f"i{number}",
                f"i{number}",
                "p2p",
                (),
                "stated",
                requires=(circumstance(),),
                suggests=(
                    Evidence("strong", first),
                    Evidence("strong", All((sign(), circumstance()))),
                    Evidence("weak", circumstance()),
                ),
                confirms=(All((first, circumstance(), circumstance())),),
                excludes=(All((circumstance(), circumstance())),),
            )
        )
    return facts, made, compile_program(facts.values(), made, lambda name: facts[name].sign)


def answers(facts: dict[str, FactSpec], count: int, seed: int = 2) -> list[tuple[str, object]]:
    """Answers to give one after the other: circumstances and, now and then, a sign that is there."""
    draw = random.Random(seed)
    names = draw.sample(sorted(facts), min(count, len(facts)))
    return [(n, draw.random() < 0.3 if facts[n].type == "bool" else draw.choice(VALUES)) for n in names]

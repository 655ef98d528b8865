"""``make fit``: what each kind of evidence is worth, fitted on labelled cases; writes ``engine/belief/table.py``.

A case counts three times: as it stands, with each sign that its report shows left out by the toss of a coin,
and with all of them left out. Reports of tomorrow show signs that no rule knows, so the fit must not learn to
lean on rules that were written for these very cases. Kinds keep the sign of their meaning; ``best`` is one bit
a bit, which gives all others their unit. Needs torch. The figures are for cases held out, five groups by thread.
"""

from __future__ import annotations

import argparse
import random
from math import log
from pathlib import Path
from typing import Any

import torch
import yaml

from gpudoctor.engine import EngineError, Knowledge, Session
from gpudoctor.engine.belief.evidence import count
from gpudoctor.engine.belief.table import WORTH
from gpudoctor.engine.facts.factsfile import statements_from
from gpudoctor.probes.report import Reader

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = (ROOT.parent / "shared" / "cases", ROOT.parent / "shared" / "cases-2")
TABLE = ROOT / "engine" / "belief" / "table.py"
KINDS = list(WORTH)
AGAINST = {"clashes", "open", "denied", "vendor", "other_road"}
FIXED = {"best": 1.2, "frequency": 1.0}
FREE = {"met"}
LEFT_OUT = (0.0, 0.5, 1.0)
GROUPS = 5
ROUNDS = 500
PENALTY = 0.002

Row = tuple[str, float, list[list[float]], list[float]]
"""The case, the share of signs left out, the counts of each incident, and which of them are right."""


def rows(knowledge: Knowledge, folders: list[Path]) -> list[Row]:
    """Every case in its three forms."""
    reader, chance, found = Reader(knowledge), random.Random(1), []
    for folder in folders:
        for path in sorted(folder.glob("*.yaml")):
            case = yaml.safe_load(path.read_text())
            right = {case["cause"], *case.get("also_acceptable", [])} & set(knowledge.incident_ids)
            if not right:
                continue
            for share in LEFT_OUT:
                session = consult(knowledge, reader, case, share, chance)
                counts, labels = weigh(session, right)
                session.close()
                found.append((path.stem, share, counts, labels))
    return found


def consult(
    knowledge: Knowledge, reader: Reader, case: dict[str, Any], share: float, chance: random.Random
) -> Session:
    """A session of the case, without a share of the signs that its report shows."""
    session = Session(knowledge, "reference")
    for name, value in case["facts"].items():
        try:
            for statement in statements_from({name: str(value)}, "facts", knowledge.vocabulary.spec):
                session.add(statement)
        except EngineError:
            continue  # a value of the thread that the vocabulary does not take
    kept: dict[str, bool] = {}
    for fact in reader.read([case["report"].encode()], "report"):
        spec = knowledge.vocabulary.spec(fact.name)
        if not spec.sign or kept.setdefault(fact.name, chance.random() >= share):
            session.add(fact)
    return session


def weigh(session: Session, right: set[str]) -> tuple[list[list[float]], list[float]]:
    """The counts of every incident, and which are right."""
    near = {one.id: one for one in session.nearest()}
    rarity = session.knowledge.concerns.rarity
    counts, labels = [], []
    for name in session.knowledge.incident_ids:
        counted = count(session.reading(name), session, rarity, near.get(name))
        counts.append([counted[kind] for kind in KINDS])
        labels.append(float(name in right))
    return counts, labels


def fit(found: list[Row]) -> torch.Tensor:
    """The worth of each kind: the most likely one for a choice in proportion to two to the sum of bits."""
    counts = torch.tensor([row[2] for row in found])
    labels = torch.tensor([row[3] for row in found])
    raw = torch.full((len(KINDS),), 0.5, requires_grad=True)
    optimiser = torch.optim.Adam([raw], lr=0.05)
    for _ in range(ROUNDS):
        optimiser.zero_grad()
        worth = bounded(raw)
        chances = torch.log_softmax(counts @ worth * log(2), 1)
        loss = -torch.logsumexp(chances + torch.log(labels + 1e-30), 1).mean() + PENALTY * (worth**2).sum()
        loss.backward()
        optimiser.step()
    return bounded(raw).detach()


def bounded(raw: torch.Tensor) -> torch.Tensor:
    """Each kind with the sign of its meaning; some are not fitted."""
    parts = []
    for place, kind in enumerate(KINDS):
        if kind in FIXED:
            parts.append(torch.tensor(FIXED[kind]))
        elif kind in FREE:
            parts.append(raw[place])
        else:
            parts.append(torch.nn.functional.softplus(3 * raw[place]) / 3 * (-1 if kind in AGAINST else 1))
    return torch.stack(parts)


def figures(worth: torch.Tensor, found: list[Row]) -> list[float]:
    """How often a right incident comes first, among three, among ten."""
    counts, labels = torch.tensor([row[2] for row in found]), torch.tensor([row[3] for row in found])
    order = (counts @ worth).argsort(1, descending=True)
    place = torch.gather(labels, 1, order).argmax(1)
    return [float((place < most).float().mean()) for most in (1, 3, 10)]


def main() -> None:
    """Fit, say how well, write the table."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("folder", nargs="*", type=Path, default=list(FOLDERS))
    options.add_argument("--dry", action="store_true", help="write nothing")
    arguments = options.parse_args()
    found = rows(Knowledge.load(), arguments.folder)
    names = sorted({row[0] for row in found})
    random.Random(0).shuffle(names)
    group = {name: number % GROUPS for number, name in enumerate(names)}
    held: dict[float, list[list[float]]] = {share: [] for share in LEFT_OUT}
    for number in range(GROUPS):
        worth = fit([row for row in found if group[row[0]] != number])
        for share in LEFT_OUT:
            held[share].append(
                figures(worth, [row for row in found if group[row[0]] == number and row[1] == share])
            )
    lines = []
    for share in LEFT_OUT:
        first, third, tenth = (sum(one[place] for one in held[share]) / GROUPS for place in range(3))
        lines.append(
            f"{share:.0%} of the signs left out: first {first:.3f}, among three {third:.3f}, among ten {tenth:.3f}"
        )
    table = dict(zip(KINDS, fit(found).tolist(), strict=True))
    head = TABLE.read_text().partition("WORTH:")[0]
    body = "".join(f'    "{kind}": {table[kind]:.2f},\n' for kind in KINDS)
    said = "".join(
        f'    "{line}",\n' for line in [f"{len(names)} cases, held out in {GROUPS} groups", *lines]
    )
    text = f"{head}WORTH: dict[str, float] = {{\n{body}}}\nFIGURES = (\n{said})\n"
    print(text)
    if not arguments.dry:
        TABLE.write_text(text)


if __name__ == "__main__":
    main()

"""``make fit``: what each kind of evidence is worth, fitted on labelled cases; writes ``engine/belief/table.py``.

A case counts in five forms: with its facts and without, as it stands and with all signs left out that its report
shows; and without facts with each sign left out by the toss of a coin. Reports of tomorrow show signs that no rule
knows, so the fit must not learn to lean on rules that were written for these very cases. For the same reason a case
whose thread a page cites counts less: that page was written from it, and resembles it more than it would another.
Kinds keep the sign of their meaning; ``best`` is one bit a bit, which gives all others their unit. Needs torch.
The figures are for cases held out, in groups by thread; those of threads that no page cites are shown apart.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator
from math import log
from pathlib import Path
from typing import Any, NamedTuple

import torch
import yaml

from gpudoctor.engine import EngineError, Knowledge, Session
from gpudoctor.engine.belief.evidence import count, worth
from gpudoctor.engine.belief.table import WORTH
from gpudoctor.engine.facts import Fact
from gpudoctor.engine.facts.factsfile import statements_from
from gpudoctor.probes.report import Reader

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = (ROOT.parent / "shared" / "cases", ROOT.parent / "shared" / "cases-2")
TABLE = ROOT / "engine" / "belief" / "table.py"
KINDS = list(WORTH)
AGAINST = {"clashes", "open", "denied", "vendor", "other_road", "absent"}
FIXED = {"best": 1.2, "frequency": 1.0, "issue": -1.4}
"""Not fitted: the unit; how often a fault is met, which pages state; and the prior of a known issue. Hardly any of the
cases is one, by the way in which they were collected, so their share would be learnt and not their likelihood."""
FREE = {"met"}
FORMS = ((True, 0.0), (False, 0.0), (False, 0.5), (True, 1.0), (False, 1.0))
"""With the facts or without, and the share of signs left out."""
NEAREST = 200
"""So many incidents of each case are weighed against each other: those that the table of today puts first."""
CITED = 0.3
"""What a case counts whose thread a page cites."""
GROUPS = 5
ROUNDS = 25
PENALTY = 0.002


class Row(NamedTuple):
    """A case in one form: the counts of the incidents that are weighed, and which of them are right."""

    case: str
    form: tuple[bool, float]
    cited: bool
    counts: torch.Tensor
    labels: torch.Tensor


def rows(knowledge: Knowledge, folders: list[Path]) -> list[Row]:
    """Every case in its forms."""
    reader, chance, found = Reader(knowledge), random.Random(1), []
    cited = {_thread(s.url) for name in knowledge.incident_ids for s in knowledge.incident(name).sources}
    for folder in folders:
        for path in sorted(folder.glob("*.yaml")):
            case = yaml.safe_load(path.read_text())
            right = {case["cause"], *case.get("also_acceptable", [])} & set(knowledge.incident_ids)
            if not right:
                continue
            read = list(reader.read([case["report"].encode()], "report"))
            for form in FORMS:
                session = consult(knowledge, read, case, form, chance)
                is_cited = _thread(str(case["source"])) in cited
                found.append(Row(path.stem, form, is_cited, *weigh(session, right)))
                session.close()
    return found


def _thread(url: str) -> str:
    """The address of a thread without the place in it."""
    return url.lower().partition("#")[0].rstrip("/")


def consult(
    knowledge: Knowledge,
    read: list[Fact],
    case: dict[str, Any],
    form: tuple[bool, float],
    chance: random.Random,
) -> Session:
    """A session of the case, without a share of the signs that its report shows."""
    session = Session(knowledge, "reference")
    with_facts, share = form
    for name, value in case["facts"].items() if with_facts else ():
        try:
            for statement in statements_from({name: str(value)}, "facts", knowledge.vocabulary.spec):
                session.add(statement)
        except EngineError:
            continue  # a value of the thread that the vocabulary does not take
    kept: dict[str, bool] = {}
    for fact in read:
        spec = knowledge.vocabulary.spec(fact.name)
        if not spec.sign or kept.setdefault(fact.name, chance.random() >= share):
            session.add(fact)
    return session


def weigh(session: Session, right: set[str]) -> tuple[torch.Tensor, torch.Tensor]:
    """The counts of the likeliest incidents and of the right ones, and which are right."""
    near = {one.id: one for one in session.nearest()}
    seen, rarity = session.seen(), session.knowledge.concerns.rarity
    counted = [
        (name, count(session.traits(name), session, rarity, near.get(name), seen))
        for name in session.knowledge.incident_ids
    ]
    counted.sort(key=lambda one: (one[0] not in right, -worth(one[1]), one[0]))
    counts = torch.tensor([[one[kind] for kind in KINDS] for _, one in counted[:NEAREST]])
    return counts, torch.tensor([float(name in right) for name, _ in counted[:NEAREST]])


def fit(found: list[Row]) -> torch.Tensor:
    """The worth of each kind: the most likely one for a choice in proportion to two to the sum of bits."""
    counts = torch.stack([row.counts for row in found])
    labels = torch.stack([row.labels for row in found])
    weight = torch.tensor([CITED if row.cited else 1.0 for row in found])
    raw = torch.full((len(KINDS),), 0.3, requires_grad=True)
    optimiser = torch.optim.LBFGS(
        [raw], max_iter=ROUNDS, history_size=len(KINDS), line_search_fn="strong_wolfe"
    )

    def loss() -> torch.Tensor:
        optimiser.zero_grad()
        value = bounded(raw)
        chances = torch.log_softmax(counts @ value * log(2), 1)
        right = torch.logsumexp(chances + torch.log(labels + 1e-30), 1)
        total = -(right * weight).sum() / weight.sum() + PENALTY * (value**2).sum()
        total.backward()
        return total

    optimiser.step(loss)
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


def places(worths: torch.Tensor, found: list[Row]) -> list[int]:
    """The place of the right incident in each row, from 0 on."""
    placed = []
    for row in found:
        scores = row.counts @ worths
        best = scores[row.labels > 0].max()
        placed.append(int(((scores >= best) & (row.labels == 0)).sum()))
    return placed


def figures(placed: list[int]) -> str:
    """How often a right incident comes first, among three, among ten."""
    shares = [sum(place < most for place in placed) / max(len(placed), 1) for most in (1, 3, 10)]
    return "{:.3f} {:.3f} {:.3f}".format(*shares)


def lines_of(found: list[Row], placed: dict[int, int]) -> Iterator[str]:
    """The figures by form, of all cases and of those whose thread no page cites."""
    for only_new, what in ((False, "all"), (True, "threads that no page cites")):
        for form in FORMS:
            chosen = [
                placed[i] for i, row in enumerate(found) if row.form == form and not (only_new and row.cited)
            ]
            told = f"{'with' if form[0] else 'without'} facts, {form[1]:.0%} of the signs left out"
            yield f"{what} {len(chosen)}, {told}: {figures(chosen)}"


def main() -> None:
    """Fit, say how well, write the table."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("folder", nargs="*", type=Path, default=list(FOLDERS))
    options.add_argument("--dry", action="store_true", help="write nothing")
    arguments = options.parse_args()
    found = rows(Knowledge.load(), arguments.folder)
    names = sorted({row.case for row in found})
    random.Random(0).shuffle(names)
    group = {name: number % GROUPS for number, name in enumerate(names)}
    placed: dict[int, int] = {}
    for number in range(GROUPS):
        worths = fit([row for row in found if group[row.case] != number])
        held = [place for place, row in enumerate(found) if group[row.case] == number]
        placed.update(zip(held, places(worths, [found[place] for place in held]), strict=True))
    table = dict(zip(KINDS, fit(found).tolist(), strict=True))
    head = TABLE.read_text().partition("WORTH:")[0]
    body = "".join(f'    "{kind}": {table[kind]:.2f},\n' for kind in KINDS)
    told = [
        f"{len(names)} cases, held out in {GROUPS} groups; first, among three, among ten",
        *lines_of(found, placed),
    ]
    said = "".join(f'    "{line}",\n' for line in told)
    text = f"{head}WORTH: dict[str, float] = {{\n{body}}}\nFIGURES = (\n{said})\n"
    print(text)
    if not arguments.dry:
        TABLE.write_text(text)


if __name__ == "__main__":
    main()

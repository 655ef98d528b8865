"""``make fit``: what each kind of evidence is worth, fitted on labelled cases; writes ``engine/belief/table.py``.

A case counts in five forms: with its facts and without, as it stands and with each sign that its report shows left out
by the toss of a coin; and without facts and without any sign. With a sign go the words of the lines that show it.
Reports of tomorrow show signs that no rule knows, in words that no page has, so the fit must lean neither on the rules
that were written for these very cases nor on their wordings. For the same reason a case whose thread a page cites
counts less: that page was written from it, and resembles it more than it would another.
A thread of a natural sample (``benchmarks/threads``), taken as it came and labelled before anybody looked at the pages,
counts more: no rule was written for it.

What is weighed against each other is what a diagnosis lists today, and the figures are places in that list: a right
incident that is not listed has no place. They are for cases held out, in groups by thread; those of threads that no
page cites are shown apart. Kinds keep the sign of their meaning, but for ``FREE``; ``best`` is fixed, which gives all
others their unit.
Needs torch; takes some minutes.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator, Sequence
from math import log
from pathlib import Path
from typing import Any, NamedTuple

import torch
import yaml

from gpudoctor.engine import EngineError, Knowledge, Session
from gpudoctor.engine.belief import EXCLUDED, STANDINGS
from gpudoctor.engine.belief.evidence import count, worth
from gpudoctor.engine.belief.table import WORTH
from gpudoctor.engine.facts import WORDS, Fact
from gpudoctor.engine.facts.factsfile import statements_from
from gpudoctor.probes.report import Reader

ROOT = Path(__file__).resolve().parents[1]
NATURAL = ROOT / "benchmarks" / "threads"
FOLDERS = (ROOT.parent / "shared" / "cases", ROOT.parent / "shared" / "cases-2", NATURAL)
TABLE = ROOT / "engine" / "belief" / "table.py"
KINDS = list(WORTH)
AGAINST = {"clashes", "open", "denied", "vendor", "other_road", "absent"}
FIXED = {"best": 1.2, "more": 1.2, "frequency": 1.0, "vendor": -3.0}
"""Not fitted: the unit; that further evidence counts, which few threads have; how often a fault is met, which pages
state; and GPUs of another maker, whose incidents are not listed in any case."""
FREE = {"met", "issue"}
"""Kinds that may come out with either sign."""
FORMS = ((True, 0.0), (False, 0.0), (True, 0.5), (False, 0.5), (False, 1.0))
"""With the facts or without, and the share of signs left out."""
CITED, SAMPLED = 0.3, 1.2
"""What a case counts whose thread a page cites, and one of a natural sample; others count 1."""
GROUPS = 5
ROUNDS = 40
PENALTY = 0.002
NOWHERE = 999


class Row(NamedTuple):
    """A case in one form: what is listed, and of each its counts, what its exclusions take from its score, the place
    of its standing (0 is the best), and whether it is right."""

    case: str
    form: tuple[bool, float]
    weight: float
    counts: list[list[float]]
    taken: list[float]
    standings: list[int]
    right: list[bool]


def rows(knowledge: Knowledge, folders: Sequence[Path]) -> Iterator[Row]:
    """Every case in its forms."""
    reader, chance = Reader(knowledge), random.Random(1)
    cited = {_thread(s.url) for name in knowledge.incident_ids for s in knowledge.incident(name).sources}
    for path in (path for folder in folders for path in sorted(folder.glob("*.yaml"))):
        case = yaml.safe_load(path.read_text())
        right = {case["cause"], *case.get("also_acceptable", [])} & set(knowledge.incident_ids)
        if not right:
            continue
        weight = SAMPLED if path.parent.resolve() == NATURAL else 1.0
        weight = CITED if _thread(str(case["source"])) in cited else weight
        read = list(reader.read([case["report"].encode()], "report"))
        for form in FORMS:
            session = consult(knowledge, read, case, form, chance)
            yield listed(session, path.stem, form, weight, right)
            session.close()


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
    """A session of the case, without a share of the signs that its report shows and without their words."""
    session = Session(knowledge, "reference")
    with_facts, share = form
    for name, value in case["facts"].items() if with_facts else ():
        try:
            for statement in statements_from({name: str(value)}, "facts", knowledge.vocabulary.spec):
                session.add(statement)
        except EngineError:
            continue  # a value of the thread that the vocabulary does not take
    kept: dict[str, bool] = {}
    gone: set[str] = set()
    for fact in read:
        if fact.name == WORDS:
            continue
        if not knowledge.vocabulary.spec(fact.name).sign or kept.setdefault(
            fact.name, chance.random() >= share
        ):
            session.add(fact)
        else:
            gone.update(fact.origin.text.split())
    for fact in read:
        if fact.name == WORDS:
            left = " ".join(word for word in str(fact.value).split() if word not in gone)
            session.add(fact._replace(value=left))
    return session


def listed(session: Session, case: str, form: tuple[bool, float], weight: float, right: set[str]) -> Row:
    """What a diagnosis lists."""
    near = session.nearest()
    seen, rarity = session.seen(), session.knowledge.concerns.rarity
    row = Row(case, form, weight, [], [], [], [])
    for one in session.standings():
        if one.standing != EXCLUDED:
            counted = count(session.traits(one.id), session, rarity, near.of(one.id), seen)
            row.counts.append([counted[kind] for kind in KINDS])
            row.taken.append(one.score - worth(counted))
            row.standings.append(STANDINGS.index(one.standing))
            row.right.append(one.id in right)
    return row


def fit(found: Sequence[Row]) -> torch.Tensor:
    """The worth of each kind: the most likely one for a choice in proportion to two to the sum of bits."""
    chosen = [row for row in found if any(row.right) and len(row.right) > 1]
    counts = _padded([row.counts for row in chosen], [0.0] * len(KINDS))
    taken = _padded([row.taken for row in chosen], -1e4)
    labels = _padded([[float(right) for right in row.right] for row in chosen], 0.0)
    weight = torch.tensor([row.weight for row in chosen])
    raw = torch.full((len(KINDS),), 0.3, requires_grad=True)
    optimiser = torch.optim.LBFGS([raw], max_iter=ROUNDS, history_size=10, line_search_fn="strong_wolfe")

    def loss() -> torch.Tensor:
        optimiser.zero_grad()
        value = bounded(raw)
        chances = torch.log_softmax((counts @ value + taken) * log(2), 1)
        right = torch.logsumexp(chances + torch.log(labels + 1e-30), 1)
        total = -(right * weight).sum() / weight.sum() + PENALTY * (value**2).sum()
        total.backward()
        return total

    optimiser.step(loss)
    return bounded(raw).detach()


def _padded(lists: Sequence[Sequence[Any]], empty: Any) -> torch.Tensor:
    """Lists of unequal length as one tensor."""
    longest = max(map(len, lists))
    return torch.tensor([[*one, *[empty] * (longest - len(one))] for one in lists])


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


def place(worths: torch.Tensor, row: Row) -> int:
    """The place of the first right incident, from 0 on: by standing, then by score."""
    if not any(row.right):
        return NOWHERE
    scores = (torch.tensor(row.counts) @ worths + torch.tensor(row.taken)).tolist()
    order = sorted(range(len(scores)), key=lambda i: (row.standings[i], -scores[i], row.right[i]))
    return next(at for at, i in enumerate(order) if row.right[i])


def figures(placed: list[int]) -> str:
    """How often a right incident comes first, among three, among ten."""
    shares = [sum(place < most for place in placed) / max(len(placed), 1) for most in (1, 3, 10)]
    return "{:.3f} {:.3f} {:.3f}".format(*shares)


def lines_of(found: list[Row], placed: dict[int, int]) -> Iterator[str]:
    """The figures by form, of all cases, of those whose thread no page cites, and of the natural sample."""
    for least, what in ((0.0, "all"), (1.0, "threads that no page cites"), (SAMPLED, "natural sample")):
        for form in FORMS:
            chosen = [placed[i] for i, row in enumerate(found) if row.form == form and row.weight >= least]
            told = f"{'with' if form[0] else 'without'} facts, {form[1]:.0%} of the signs left out"
            yield f"{what} {len(chosen)}, {told}: {figures(chosen)}"


def main() -> None:
    """Fit, say how well, write the table."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("folder", nargs="*", type=Path, default=list(FOLDERS))
    options.add_argument("--dry", action="store_true", help="write nothing")
    arguments = options.parse_args()
    found = list(rows(Knowledge.load(), arguments.folder))
    names = sorted({row.case for row in found})
    random.Random(0).shuffle(names)
    group = {name: number % GROUPS for number, name in enumerate(names)}
    placed: dict[int, int] = {}
    for number in range(GROUPS):
        worths = fit([row for row in found if group[row.case] != number])
        placed.update((i, place(worths, row)) for i, row in enumerate(found) if group[row.case] == number)
    table = dict(zip(KINDS, fit(found).tolist(), strict=True))
    head = TABLE.read_text().partition("WORTH:")[0]
    body = "".join(f'    "{kind}": {round(table[kind], 2) + 0.0:.2f},\n' for kind in KINDS)
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

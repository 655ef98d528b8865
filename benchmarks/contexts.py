"""``make contexts``: how much each word around a line tells of an error or reports one.

Writes ``engine/language/telling.txt``, a logistic regression over the words around lines that confirm an incident:
contexts of both kinds that were written for the tests, and the surroundings of such lines in natural threads and in
reports, which count as printed. The figures are for contexts held out, one time in five: how many of those that tell
sound like it, how many that report do, both written blind, and how many that people posted. Needs torch.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import torch
import yaml

from gpudoctor.engine.language.telling import FEW, MARK, SHORT, features, fullness, heard, weighed
from gpudoctor.probes.report import Reader
from gpudoctor.probes.scanner import Scanner
from tests.probes import test_stance, test_wrapped

ROOT = Path(__file__).resolve().parents[1]
TABLE = ROOT / "engine" / "language" / "telling.txt"
WRITTEN = ROOT / "tests" / "probes" / "contexts.yaml"
BLIND = ROOT / "tests" / "probes" / "contexts-blind.yaml"
NATURAL = (ROOT / "benchmarks" / "threads", ROOT / "tests" / "reports", ROOT / "tests" / "cases")
_DECAY = 0.05
_LEAST_SEEN, _LEAST_WEIGHT = 3, 15
_MOST_HITS = 6
_FOLDS = 5
_KEPT = 4
"""How often the contexts count that the tests hold against the reader one by one; they are shorter than most."""

Example = tuple[set[str], float]


def around(context: str) -> set[str]:
    """The features of a context with its mark."""
    before, _, after = context.partition("{}")
    above, below = before.split("\n"), after.split("\n")
    return features(*heard(above[:-1], above[-1], below[0], below[1:]))


def written(path: Path) -> list[Example]:
    """The contexts of a file; 1 tells, 0 reports."""
    kinds = yaml.safe_load(path.read_text(encoding="utf-8"))
    told = kinds["told"]
    told = [c for family in told.values() for c in family] if isinstance(told, dict) else told
    return [(around(c), 1.0) for c in told] + [(around(c), 0.0) for c in kinds["printed"]]


def wrapped() -> list[Example]:
    """The contexts that stand in the tests themselves."""
    told = test_wrapped.TOLD
    real = [*test_wrapped.REAL, *test_stance.PRINTED, *test_stance.HEADINGS, *test_stance.SPOKEN]
    return [(around(c), 1.0) for c in told if "{}" in c] + [(around(c), 0.0) for c in real if "{}" in c]


def texts(value: object) -> Iterator[str]:
    """The texts of several lines in a case."""
    if isinstance(value, str) and "\n" in value:
        yield value
    elif isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from texts(part)


def natural() -> Iterator[Example]:
    """What stands around lines with something that is looked for, in texts as people post them, and in logs."""
    search = Reader().search
    for path in sorted(path for folder in NATURAL for path in folder.rglob("*")):
        if path.suffix not in (".log", ".txt", ".yaml", ".md") or path.stat().st_size > 1 << 20:
            continue
        whole = path.read_text(encoding="utf-8", errors="replace")
        for text in texts(yaml.safe_load(whole)) if path.suffix == ".yaml" else [whole]:
            lines = text.split("\n")
            hits = list(Scanner(search).scan(text.encode()))
            for hit in random.Random(path.name).sample(hits, min(_MOST_HITS, len(hits))):
                found = features(*heard(lines[: hit.number - 1], "", "", lines[hit.number :]))
                if found:
                    yield found, 0.0


def fit(examples: Sequence[Example]) -> dict[str, float]:
    """Weights by feature, rounded as the table has them; the constant is that of the empty name."""
    examples = [one for one in examples if one[0]]
    distinct = {id(found): found for found, _ in examples}.values()  # what counts several times was seen once
    seen = Counter(name for found in distinct for name in found)
    first = _fitted(examples, sorted(name for name in seen if seen[name] >= _LEAST_SEEN))
    kept = sorted(name for name, weight in first.items() if name and abs(weight) * 100 >= _LEAST_WEIGHT)
    return {name: round(weight, 2) for name, weight in _fitted(examples, kept).items()}


def _fitted(examples: Sequence[Example], known: Sequence[str]) -> dict[str, float]:
    """The weights of these features, and the constant."""
    names = {name: at for at, name in enumerate(known)}
    rows, columns, values, shares = [], [], [], []
    for row, (found, _) in enumerate(examples):
        held = sorted(names[name] for name in found if name in names)
        rows += [row] * len(held)
        columns += held
        values += [max(len(held), FEW) ** -0.5] * len(held)
        shares.append(fullness(len(held)))
    size = (len(examples), len(names))
    matrix = torch.sparse_coo_tensor(torch.tensor([rows, columns]), torch.tensor(values), size).coalesce()
    goal, share = torch.tensor([kind for _, kind in examples]), torch.tensor(shares)
    weights = torch.zeros(len(names), requires_grad=True)
    constant = torch.zeros(1, requires_grad=True)
    optimizer = torch.optim.LBFGS([weights, constant], max_iter=80, line_search_fn="strong_wolfe")

    def loss() -> torch.Tensor:
        optimizer.zero_grad()
        said = torch.sparse.mm(matrix, weights[:, None])[:, 0] + constant * share - SHORT * (1 - share)
        found = torch.nn.functional.binary_cross_entropy_with_logits(said, goal, reduction="sum")
        found = found + _DECAY * (weights**2).sum()
        found.backward()  # type: ignore[no-untyped-call]
        return found

    optimizer.step(loss)  # type: ignore[no-untyped-call,arg-type]
    return {"": float(constant.detach()), **{name: float(weights[at].detach()) for name, at in names.items()}}


def scorer(weights: dict[str, float]) -> Callable[[set[str]], float]:
    """As ``telling``, of a set of features."""

    def score(found: set[str]) -> float:
        return weighed([weights[name] for name in found if name in weights], weights[""])

    return score


def main() -> None:
    """Print the figures by cross-validation, and write the table."""
    argparse.ArgumentParser(prog="python -m benchmarks.contexts", description=__doc__).parse_args()
    blind, others, posted = written(BLIND), [*written(WRITTEN), *wrapped()] * _KEPT, list(natural())
    random.Random(1).shuffle(blind)
    scores: dict[str, list[float]] = {"tell": [], "report": [], "were posted": []}
    for fold in range(_FOLDS):
        rest = [e for part in (blind, posted) for at, e in enumerate(part) if at % _FOLDS != fold]
        score = scorer(fit(rest + others))
        for found, kind in blind[fold::_FOLDS]:
            scores["tell" if kind else "report"].append(score(found))
        scores["were posted"] += [score(found) for found, _ in posted[fold::_FOLDS]]
    for name, mine in scores.items():
        print(f"{len(mine)} that {name}: {sum(s > MARK for s in mine) / len(mine):.1%} sound like telling")
    table = {name: round(weight * 100) for name, weight in fit([*blind, *others, *posted]).items()}
    lines = [f"{weight} {name}" for name, weight in sorted(table.items()) if not name or weight]
    TABLE.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(
        f"{len(lines)} weights, {TABLE.stat().st_size >> 10} KiB; {len(others) // _KEPT + len(posted)} other contexts"
    )


if __name__ == "__main__":
    main()

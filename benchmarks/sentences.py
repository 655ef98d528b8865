"""How well symptoms are read from single sentences: precision and recall on lines labelled by hand."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from gpudoctor.engine import Knowledge
from gpudoctor.engine.facts import DOUBTED
from gpudoctor.engine.language.prose import sentences
from gpudoctor.engine.language.sentences import readings
from gpudoctor.probes.report import Reader

LABELLED = Path(__file__).resolve().parents[1] / "tests" / "probes" / "sentences.yaml"
HELD_OUT = LABELLED.with_name("sentences-heldout.yaml")
"""Lines for which no wording and no concept was made."""


class Score(NamedTuple):
    """Counts over all lines; ``doubted_right`` are doubts that are so. ``printed``: readings on a program's lines."""

    wanted: int
    right: int
    wrong: int
    doubted_right: int
    doubted_wrong: int
    printed: int

    @property
    def precision(self) -> float:
        """Of what was read surely, so much is said."""
        return self.right / max(self.right + self.wrong, 1)

    @property
    def recall(self) -> float:
        """Of what is said, so much was read surely."""
        return self.right / max(self.wanted, 1)

    def __str__(self) -> str:
        return (
            f"precision {self.precision:.3f}, recall {self.recall:.3f} of {self.wanted}, doubts right "
            f"{self.doubted_right} of {self.doubted_right + self.doubted_wrong}, "
            f"readings on printed lines {self.printed}"
        )


def labelled(path: Path = LABELLED) -> list[dict[str, Any]]:
    """The lines with their labels."""
    found: list[dict[str, Any]] = yaml.safe_load(path.read_text(encoding="utf-8"))
    return found


def by_likeness(knowledge: Knowledge, text: str) -> tuple[set[str], set[str]]:
    """The symptoms that are read from a line by its likeness to wordings, and those that are doubts."""
    wordings = knowledge.wordings
    read = [r for _, one in sentences([text]) for r in readings(one, wordings.find, wordings.tables)]
    sure = {r.fact for r in read if r.is_sure}
    return _symptoms(sure), _symptoms({r.fact for r in read} - sure)


def by_reader(reader: Reader, text: str) -> tuple[set[str], set[str]]:
    """The symptoms that are read from a line in every way, and those that are doubts."""
    read = [fact for fact in reader.read([text.encode()], "") if fact.value is True]
    sure = {fact.name for fact in read if fact.origin.trust != DOUBTED}
    return _symptoms(sure), _symptoms({fact.name for fact in read} - sure)


def _symptoms(names: set[str]) -> set[str]:
    return {name.removeprefix("symptom.") for name in names if name.startswith("symptom.")}


def score(
    knowledge: Knowledge, reader: Reader | None = None, show: bool = False, path: Path = LABELLED
) -> Score:
    """The score of reading by likeness alone, or with a reader of everything that it reads."""
    counts: Counter[str] = Counter()
    for line in labelled(path):
        says, may = set(line.get("says", ())), set(line.get("may", ()))
        text = line["text"]
        sure, doubts = by_reader(reader, text) if reader else by_likeness(knowledge, text)
        if line.get("printed"):
            counts["printed"] += len(sure)
            if show and sure:
                sys.stdout.write(f"   printed, read as {sorted(sure)}: {text}\n")
            continue
        counts["wanted"] += len(says)
        counts["right"] += len(sure & says)
        counts["wrong"] += len(sure - says - may)
        counts["doubted_right"] += len(doubts & (says | may))
        counts["doubted_wrong"] += len(doubts - says - may)
        if show and (sure != says or doubts):
            missed, wrong = sorted(says - sure), sorted(sure - says - may)
            sys.stdout.write(f"   missed {missed}, wrong {wrong}, doubts {sorted(doubts)}: {text}\n")
    return Score(*(counts[name] for name in Score._fields))


def main() -> None:
    """Measure."""
    knowledge, show = Knowledge.load(), "--show" in sys.argv
    sys.stdout.write(f"sentences by likeness: {score(knowledge, None, show)}\n")
    reader = Reader(knowledge)
    sys.stdout.write(f"sentences, everything read: {score(knowledge, reader, show)}\n")
    sys.stdout.write(f"held out, by likeness: {score(knowledge, path=HELD_OUT)}\n")
    sys.stdout.write(f"held out, everything read: {score(knowledge, reader, path=HELD_OUT)}\n")


if __name__ == "__main__":
    main()

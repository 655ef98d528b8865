"""Where the rules use each token, in pieces that are read when they are needed.

A compiled program becomes rows: one for each fact (its tests, and what follows from each alone) and one for each block
of rules. A run looks at the facts that it is told and the blocks that these trigger, whatever the size of the
knowledge base. Rows are plain JSON, so that an index can hold them.
"""

from collections import Counter, defaultdict
from collections.abc import Callable
from typing import Any

from ..model import Test
from ..tuples import NamedTuple
from .conditions import as_json, test_from_json
from .program import Block, Conclusion, Program, Rule

Row = Callable[[str], Any]
"""Reads a row by name; None if there is none."""


class Alone(NamedTuple):
    """A rule that needs nothing but one token; ``conclusion`` is None for a step inside its block."""

    block: int
    position: int
    head: int
    conclusion: Conclusion | None


class Trigger(NamedTuple):
    """A block that is brought in. ``watched``: of each of its joins the rarest token; while none of them is told no
    join can fire, and the block need not go into the join engine. ``steps``: whether one token alone takes steps."""

    block: int
    steps: bool
    watched: tuple[int, ...]


class Uses(NamedTuple):
    """What one token does: the rules that it fires alone, and the blocks that it brings in."""

    alone: tuple[Alone, ...]
    triggered: tuple[Trigger, ...]


class Later(NamedTuple):
    """Rules of one token that need not be looked at before their block is brought in (``steps``), or before something
    speaks for its incident (``beside``): that one of which nothing speaks is of another vendor tells nothing."""

    steps: tuple[tuple[int, Alone], ...]
    beside: tuple[tuple[int, Alone], ...]


class Loaded(NamedTuple):
    """A block with the conclusion of each of its rules, and the tokens of its joins."""

    block: Block
    conclusions: tuple[Conclusion | None, ...]
    tokens: tuple[int, ...]


_NOTHING = Uses((), ())


class Layout:
    """The rows of one program, kept once they were read; shared by its sessions."""

    def __init__(self, row: Row) -> None:
        self._row = row
        self._tests: dict[str, list[tuple[int, Test]]] = {}
        self._used: dict[int, Any] = {}  # rows of uses, most of which nobody asks for
        self._uses: dict[int, Uses] = {}
        self._blocks: dict[int, Loaded] = {}
        self._later: dict[int, Later] = {}

    @classmethod
    def of(cls, program: Program) -> "Layout":
        """A program that is in memory."""
        return cls(rule_rows(program).get)

    def tests(self, fact: str) -> list[tuple[int, Test]]:
        """The tests that read a fact, with their numbers."""
        found = self._tests.get(fact)
        if found is None:
            found = self._tests[fact] = []
            for number, test, holds, fails in self._row(f"tests:{fact}") or ():
                found.append((number, test_from_json(test)))
                self._used[2 * number] = holds
                self._used[2 * number + 1] = fails
        return found

    def uses(self, token: int) -> Uses:
        """What a token does; its fact or its block was read before."""
        found = self._uses.get(token)
        if found is None:
            if token not in self._used:
                return _NOTHING
            found = self._uses[token] = _uses(self._used[token])
        return found

    def later(self, number: int) -> Later:
        """The rules of a block that come later. From then on ``uses`` knows the steps of the block."""
        found = self._later.get(number)
        if found is None:
            used, *rules = self._row(f"later:{number}")
            found = self._later[number] = Later(
                *(tuple((token, _alone([number, *rule])) for token, *rule in some) for some in rules)
            )
            for token, uses in used:
                self._used[token] = uses
        return found

    def block(self, number: int) -> Loaded:
        """A block by number."""
        found = self._blocks.get(number)
        if found is None:
            owner, rules, triggers, conclusions = self._row(f"block:{number}")
            block = Block(owner, tuple(Rule(head, tuple(body)) for head, *body in rules), tuple(triggers))
            tokens = {token for rule in block.rules if len(rule.body) > 1 for token in rule.body}
            said = tuple((c[0], c[1], c[2]) if c else None for c in conclusions)
            found = self._blocks[number] = Loaded(block, said, tuple(sorted(tokens)))
        return found


def _uses(data: Any) -> Uses:
    alone, triggered = data
    if not alone and not triggered:
        return _NOTHING
    return Uses(
        tuple(map(_alone, alone)),
        tuple(Trigger(block, bool(steps), tuple(watched)) for block, steps, *watched in triggered),
    )


def _alone(data: list[Any]) -> Alone:
    block, at, head, said = data
    return Alone(block, at, head, (said[0], said[1], said[2]) if said else None)


def _rarest(block: Block, used: Counter[int]) -> set[int]:
    """Of each join the token that the fewest rules use; a step is as common as what leads to it."""
    leading: dict[int, list[tuple[int, ...]]] = defaultdict(list)
    for rule in block.rules:
        leading[rule.head].append(rule.body)

    def common(token: int) -> int:
        return sum(min(map(common, body)) for body in leading[token]) if token in leading else used[token]

    return {min(r.body, key=lambda t: (common(t), t)) for r in block.rules if len(r.body) > 1}


def rule_rows(program: Program) -> dict[str, Any]:
    """The rows of a program by name."""
    used = Counter(token for block in program.blocks for rule in block.rules for token in rule.body)
    alone: dict[int, list[Any]] = defaultdict(list)
    triggered: dict[int, list[list[int]]] = defaultdict(list)
    steps: dict[int, list[Any]] = defaultdict(list)
    beside: dict[int, list[Any]] = defaultdict(list)
    for number, block in enumerate(program.blocks):
        for position, rule in enumerate(block.rules):
            if len(rule.body) > 1:
                continue
            said, (token,) = program.conclusions[rule.head - program.first_conclusion], rule.body
            if token in block.triggers or token >= program.first_conclusion:
                alone[token].append([number, position, rule.head, said])
            else:
                (beside if said else steps)[number].append([token, position, rule.head, said])
        if number in steps or any(len(rule.body) > 1 for rule in block.rules):
            trigger = [number, int(number in steps), *sorted(_rarest(block, used))]
            for token in block.triggers:
                triggered[token].append(trigger)

    def uses(token: int) -> list[Any]:
        return [alone.get(token, []), triggered.get(token, [])]

    rows: dict[str, Any] = {}
    for number, test in enumerate(program.tests):
        row = [number, as_json(test), uses(2 * number), uses(2 * number + 1)]
        for fact in test.reads:
            rows.setdefault(f"tests:{fact}", []).append(row)
    for number, block in enumerate(program.blocks):
        conclusions = [program.conclusions[rule.head - program.first_conclusion] for rule in block.rules]
        taken = {rule.head for rule, said in zip(block.rules, conclusions, strict=True) if said is None}
        rules = [[rule.head, *rule.body] for rule in block.rules]
        rows[f"block:{number}"] = [block.owner, rules, list(block.triggers), conclusions]
        rows[f"later:{number}"] = [
            [[token, uses(token)] for token in sorted(taken)],
            steps.get(number, []),
            beside.get(number, []),
        ]
    return rows

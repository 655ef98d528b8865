"""durable-rules as a join engine over opaque tokens: the only module that imports it.

Used raw, durable-rules 2.0.28 draws wrong conclusions (types coerced, negation that depends on the order,
more than 255 rules on one condition) and can hang (512 conditions under one node) or crash (a state
deleted in which nothing ever fired). This encoding avoids every one of those: rules are positive joins of
small integers, ``{"g": token // 400, "p": token}`` keeps the nodes narrow, a token with many users is told
in copies, each ruleset stays below 4,096 rules, and each session fires one rule before anything else.

The C extension of the package is called directly: the package's Python layer starts two timer threads and
costs 25 ms to import.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable
from itertools import count
from typing import Any

from .matcher import MatcherError
from .program import Block

PER_TOKEN = 250
"""Rules that may share one condition; from 256 on durable-rules fires the wrong ones."""
_PER_RULESET = 3500
_PER_NODE = 400
_BOOT = "boot"
DISTINCT = 100_000
"""Ids of tokens, from 0, that durable-rules tells apart: it knows facts by a 32-bit hash of their id (FNV-1a)."""

_numbers = count(1)


def _extension() -> Any:
    try:
        import durable_rules_engine  # type: ignore[import-untyped, import-not-found, unused-ignore]
    except ImportError as error:
        raise MatcherError(f"durable-rules cannot be loaded ({error})") from None
    return durable_rules_engine


class _Ruleset:
    """Some rules of a block, compiled; sessions share it."""

    def __init__(self, engine: Any, rules: Iterable[tuple[int, tuple[int, ...]]], per_token: int) -> None:
        self.copies: dict[int, list[int]] = defaultdict(list)
        self.rules: dict[str, int] = {}
        self.sessions = 0
        used: dict[int, int] = defaultdict(int)
        names = count(1)
        bodies: dict[str, list[int]] = {_BOOT: [0]}
        for position, body in rules:
            conditions = []
            for token in body:
                if used[token] % per_token == 0:
                    self.copies[token].append(next(names))
                used[token] += 1
                conditions.append(self.copies[token][-1])
            name = f"r{position}"
            self.rules[name] = position
            bodies[name] = conditions
        most = next(names)
        test = _is_alone if most <= _PER_NODE else _is
        definition = {
            name: {"all": [{f"c{place}": test(token)} for place, token in enumerate(body)]}
            for name, body in bodies.items()
        }
        if most > DISTINCT:
            raise MatcherError(f"a ruleset has {most} tokens, more than durable-rules can tell apart")
        try:
            self.handle = engine.create_ruleset(f"kb{next(_numbers)}", json.dumps(definition))
        except engine.error as error:
            raise MatcherError(f"durable-rules refused a ruleset: {error}") from None


def _is_alone(number: int) -> dict[str, Any]:
    """As most rulesets have so few tokens that they need no groups."""
    return {"p": number}


def _is(number: int) -> dict[str, Any]:
    return {"$and": [{"g": number // _PER_NODE}, {"p": number}]}


class DurableRulesets:
    """The compiled blocks of one program, made when first needed and shared by its sessions."""

    def __init__(self, per_token: int = PER_TOKEN) -> None:
        self.engine = _extension()
        self._per_token = per_token
        self._compiled: dict[int, list[_Ruleset]] = {}

    def block(self, number: int, block: Block) -> list[_Ruleset]:
        """The rulesets of a block: usually one."""
        found = self._compiled.get(number)
        if found is None:
            joins = [(position, rule.body) for position, rule in enumerate(block.rules) if len(rule.body) > 1]
            found = [
                _Ruleset(self.engine, joins[start : start + _PER_RULESET], self._per_token)
                for start in range(0, len(joins), _PER_RULESET)
            ]
            self._compiled[number] = found
        return found

    def close(self) -> None:
        """Free the compiled rules; every session must be closed before."""
        for rulesets in self._compiled.values():
            for ruleset in rulesets:
                self.engine.delete_ruleset(ruleset.handle)
        self._compiled.clear()


class DurableJoin:
    """One session (see ``workingmemory.JoinEngine``). Not for use from several threads at once."""

    name = "durable"

    def __init__(self, rulesets: DurableRulesets) -> None:
        self._rulesets = rulesets
        self._engine = rulesets.engine
        self._session = str(next(_numbers))
        self._loaded: dict[int, list[_Ruleset]] = {}

    def load(self, number: int, block: Block) -> None:
        """See ``JoinEngine.load``."""
        self._loaded[number] = self._rulesets.block(number, block)
        for ruleset in self._loaded[number]:
            self._tell(ruleset, 0)

    def add(self, number: int, token: int) -> list[int]:
        """See ``JoinEngine.add``."""
        fired: list[int] = []
        for ruleset in self._loaded[number]:
            for name in ruleset.copies.get(token, ()):
                fired += self._tell(ruleset, name)
        return fired

    def drop(self, number: int, token: int) -> None:
        """See ``JoinEngine.drop``."""
        for ruleset in self._loaded[number]:
            for name in ruleset.copies.get(token, ()):
                self._engine.retract_fact(ruleset.handle, self._fact(name))

    def _fact(self, name: int) -> str:
        return f'{{"id":"{name}","sid":"{self._session}","g":{name // _PER_NODE},"p":{name}}}'

    def _tell(self, ruleset: _Ruleset, name: int) -> list[int]:
        fired: list[int] = []
        try:
            status, state = self._engine.assert_fact(ruleset.handle, self._fact(name))
            if status != 0:  # 1: no rule uses it; 2: told before
                return fired
            result = self._engine.start_action_for_state(ruleset.handle, state)
            message = result[1] if result else None
            while message:
                fired += [ruleset.rules[rule] for rule in json.loads(message) if rule != _BOOT]
                message = self._engine.complete_and_start_action(ruleset.handle, state)
        except self._engine.error as error:
            raise MatcherError(f"durable-rules failed: {error}") from None
        return fired

    def close(self) -> None:
        """Free the session's state. Deleting a state in which nothing fired would crash: ``boot`` did."""
        for rulesets in self._loaded.values():
            for ruleset in rulesets:
                self._engine.delete_state(ruleset.handle, self._session)
        self._loaded.clear()

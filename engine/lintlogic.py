"""Linter: rules that contradict themselves, can never hold, or cannot tell two incidents apart."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import combinations

from .assignments import problem_with
from .conditions import facts_of, leaves
from .errors import EngineError
from .facttypes import TypeOf
from .model import Cond, EnvVar, FactSpec, Incident, Remedy
from .values import parse_value
from .versions import VersionRange, parse_version


def check_fact(spec: FactSpec, type_of: TypeOf) -> Iterator[str]:
    """A vocabulary entry."""
    if spec.cost not in range(1, 6):
        yield f'{spec.path}: "cost" goes from 1 (a look) to 5 (a reboot)'
    for derivation in spec.derived:
        if not derivation.items_of:
            try:
                parse_value(spec, derivation.value)
            except EngineError as error:
                yield f"{spec.path}: {error.message}"
        yield from _impossible(derivation.when, spec.path)
    if spec.env:
        yield from _check_variable(spec.env, spec.path)


_RELEASE = re.compile(r"[a-z_]+ \d+(?:\.\d+)*")


def _check_variable(env: EnvVar, where: str) -> Iterator[str]:
    """What is documented of an environment variable."""
    for key, release in (("since", env.since), ("until", env.until)):
        if release and not _RELEASE.fullmatch(release):
            yield f'{where}: "{key}" is a product and a release, such as nccl 2.24, not "{release}"'
    if env.alias and not (env.renamed and env.until):
        yield f'{where}: an alias needs "renamed" and "until"'
    for value, _ in env.hurts:
        if problem := problem_with(env, value):
            yield f"{where}: {value} cannot hurt: {problem}"


def check_incident(incident: Incident, type_of: TypeOf) -> Iterator[str]:
    """Slots of one incident."""
    where = incident.path
    if not incident.suggests and not incident.confirms:
        yield f"{where}: nothing suggests or confirms it, so it can never be considered"
    if incident.collective and incident.confirms:
        yield f"{where}: a collective incident must not be confirmed by anything"
    for condition in (
        *incident.requires,
        *incident.confirms,
        *incident.excludes,
        *(e.when for e in incident.suggests),
    ):
        yield from _impossible(condition, where)
    required = {json.dumps(c) for c in incident.requires}
    for condition in incident.excludes:
        if json.dumps(condition) in required:
            yield f"{where}: the same condition is required and excludes"
    for condition in incident.confirms:
        facts = list(facts_of(condition))
        if facts and all(type_of(f).secondary or type_of(f).harmless for f in facts):
            yield f"{where}: a consequence or a harmless warning cannot confirm a cause ({', '.join(facts)})"
    if incident.family != "look-alike":
        for evidence in incident.suggests:
            if (
                any(type_of(f).harmless for f in facts_of(evidence.when))
                and len(set(facts_of(evidence.when))) == 1
            ):
                fact = next(facts_of(evidence.when))
                yield f"{where}: a harmless warning is no evidence by itself ({fact})"
    yield from _against_requirements(incident)


def _against_requirements(incident: Incident) -> Iterator[str]:
    """Evidence that can only hold when a requirement does not."""
    allowed = {
        leaf[1]: set(map(str, leaf[3]))
        for c in incident.requires
        if c[0] == "is"
        for leaf in [c]
        if leaf[2] == "in"
    }
    for condition in (*incident.confirms, *(e.when for e in incident.suggests)):
        for leaf in _conjuncts(condition):
            if leaf[2] == "in" and leaf[1] in allowed and not allowed[leaf[1]] & set(map(str, leaf[3])):
                wanted = "/".join(sorted(allowed[leaf[1]]))
                yield f"{incident.path}: {leaf[1]} is required to be {wanted}, so this can never hold"


def _conjuncts(condition: Cond) -> Iterator[Cond]:
    if condition[0] == "is":
        yield condition
    elif condition[0] == "all":
        for part in condition[1]:
            yield from _conjuncts(part)


def _impossible(condition: Cond, where: str) -> Iterator[str]:
    """Ranges that nothing satisfies, and one fact with two values at once."""
    for leaf in leaves(condition):
        if leaf[2] == "range" and VersionRange(leaf[3]).is_empty():
            yield f"{where}: no version satisfies {leaf[1]} {leaf[3]}"
        if leaf[2] == "matches":
            try:
                re.compile(leaf[3])
            except re.error as error:
                yield f"{where}: {leaf[3]!r} is no expression: {error}"
    values: dict[str, set[str]] = {}
    for leaf in _conjuncts(condition):
        if leaf[2] == "in":
            now = set(map(str, leaf[3]))
            if leaf[1] in values and not values[leaf[1]] & now:
                yield f"{where}: {leaf[1]} cannot have two values at once"
            values[leaf[1]] = now


def check_twins(own: dict[str, Incident], every: dict[str, Incident]) -> Iterator[str]:
    """Incidents with the very same logic: no fact can tell them apart."""
    logic: dict[str, str] = {}
    for name, incident in sorted(every.items()):
        key = json.dumps(
            [
                sorted(map(json.dumps, incident.requires)),
                sorted(map(json.dumps, incident.excludes)),
                sorted(map(json.dumps, incident.confirms)),
                sorted(json.dumps(e.when) for e in incident.suggests),
            ]
        )
        first = logic.setdefault(key, name)
        if first != name and (name in own or first in own):
            yield f"{incident.path}: no fact can tell it apart from {first}"


def check_lookalikes(own: dict[str, Incident], every: dict[str, Incident]) -> Iterator[str]:
    """Look-alikes name each other, and the separating fact stands in the rules of at least one."""
    for incident in own.values():
        named = [lookalike.id for lookalike in incident.lookalikes]
        for twice in sorted({name for name in named if named.count(name) > 1}):
            yield f"{incident.path}: {twice} is named twice as a look-alike"
        for lookalike in incident.lookalikes:
            other = every.get(lookalike.id)
            if other is None:
                continue
            if incident.id not in {x.id for x in other.lookalikes}:
                yield f"{incident.path}: {other.id} does not name it as a look-alike in turn"
            if not lookalike.by:
                yield f"{incident.path}: no fact is named that separates it from {other.id}"
            read = set(_facts(incident)) | set(_facts(other))
            for fact in lookalike.by:
                if fact not in read:
                    yield f"{incident.path}: {fact} (separates it from {other.id}) is in the rules of neither"
    for first, second in combinations(sorted(own), 2):
        one, two = own[first], own[second]
        if second in {x.id for x in one.lookalikes} and _same_tests(one, two):
            yield f"{one.path}: it reads the same facts in the same way as {second}"


def _same_tests(one: Incident, two: Incident) -> bool:
    return {json.dumps(leaf) for c in _conditions(one) for leaf in leaves(c)} == {
        json.dumps(leaf) for c in _conditions(two) for leaf in leaves(c)
    }


def _conditions(incident: Incident) -> list[Cond]:
    return [*incident.requires, *incident.confirms, *incident.excludes, *(e.when for e in incident.suggests)]


def _facts(incident: Incident) -> Iterator[str]:
    for condition in _conditions(incident):
        yield from facts_of(condition)


def check_remedy(remedy: Remedy, type_of: TypeOf) -> Iterator[str]:
    """Completeness of a remedy."""
    where = remedy.path
    for entry in (a.when for a in remedy.applies):
        yield from _impossible(entry, where)
    if not remedy.steps:
        yield f"{where}: it has no steps"
    if not remedy.verify:
        yield f"{where}: it does not say how to verify"
    if not remedy.undo:
        yield f"{where}: it does not say how to undo"
    if not remedy.sources:
        yield f"{where}: it has no source"
    if not remedy.after:
        yield f'{where}: "after" must say what holds when it has worked'


_SHELL_ASSIGNMENT = re.compile(r"(?<![\w.${-])([A-Z][A-Z0-9_]{2,60})=(\"[^\"]*\"|'[^']*'|[^\s;|&)]*)")


def check_settings(remedy: Remedy, type_of: TypeOf) -> Iterator[str]:
    """Every assignment of an environment variable stays inside its documented range."""
    settings = list(remedy.sets)
    steps = [step for group in remedy.steps.values() for step in group]
    for step in (*steps, *remedy.verify, *remedy.undo):
        for command in step.commands:
            settings += [(m[1], m[2].strip("\"'")) for m in _SHELL_ASSIGNMENT.finditer(command)]
    for name, value in settings:
        spec = type_of(f"env.{name}")
        problem = problem_with(spec.env, value) if spec.env else ""
        if problem:
            yield f"{remedy.path}: {name}={value}: {problem}"
    for fact, wanted in remedy.versions:
        if type_of(fact).type == "version":
            for bound in re.findall(r"\d[\w.]*", wanted):
                parse_version(bound.removesuffix(".*"))

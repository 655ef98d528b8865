"""Linter: rules that contradict themselves, can never hold, or cannot tell two incidents apart."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...errors import EngineError
from ...facts import TypeOf, VersionRange, parse_value, parse_version
from ...facts.assignments import problem_with
from ...language.backtracking import problem
from ...language.matching import SENTENCE
from ...model import All, Condition, EnvVar, FactSpec, Incident, Remedy, Test
from ...rules import facts_of, leaves

LONGEST_HEADING = 84
"""Letters of a remedy's title and kind: with "What to do:" before them they fill a line of 100."""


def check_fact(spec: FactSpec, type_of: TypeOf) -> Iterator[str]:
    """A vocabulary entry."""
    if spec.cost not in range(1, 6):
        yield f'{spec.path}: "cost" goes from 1 (a look) to 5 (a reboot)'
    for derivation in spec.derived:
        if not derivation.items_of and not derivation.copy_of:
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
            yield f'{where}: "{key}" is a product and a release, such as torch 2.4, not "{release}"'
    if env.alias and not (env.renamed and env.until):
        yield f'{where}: an alias needs "renamed" and "until"'
    for value, _ in env.hurts:
        if wrong := problem_with(env, value):
            yield f"{where}: {value} cannot hurt: {wrong}"


def check_incident(incident: Incident, type_of: TypeOf) -> Iterator[str]:
    """Slots of one incident."""
    where = incident.path
    if not incident.suggests and not incident.confirms:
        yield f"{where}: nothing suggests or confirms it, so it can never be considered"
    if incident.collective and incident.confirms:
        yield f"{where}: a collective incident must not be confirmed by anything"
    for clause in incident.conditions():
        yield from _impossible(clause.when, where)
    for condition in incident.excludes:
        if condition in incident.requires:
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
                fact = facts_of(evidence.when)[0]
                yield f"{where}: a harmless warning is no evidence by itself ({fact})"
    yield from _against_requirements(incident)


def _against_requirements(incident: Incident) -> Iterator[str]:
    """Evidence that can only hold when a requirement does not."""
    allowed = {
        test.fact: set(test.listed)
        for test in incident.requires
        if isinstance(test, Test) and test.operator == "in"
    }
    for clause in incident.conditions("confirms", "suggests"):
        for test in _conjuncts(clause.when):
            if test.operator == "in" and not allowed.get(test.fact, set(test.listed)) & set(test.listed):
                wanted = "/".join(sorted(map(str, allowed[test.fact])))
                yield f"{incident.path}: {test.fact} is required to be {wanted}, so this can never hold"


def _conjuncts(condition: Condition) -> Iterator[Test]:
    if isinstance(condition, Test):
        yield condition
    elif isinstance(condition, All):
        for part in condition.parts:
            yield from _conjuncts(part)


def _impossible(condition: Condition, where: str) -> Iterator[str]:
    """Ranges that nothing satisfies, and one fact with two values at once."""
    for test in leaves(condition):
        if test.operator == "range" and VersionRange(test.text).is_empty():
            yield f"{where}: no version satisfies {test.fact} {test.text}"
        if test.operator == "matches":
            try:
                re.compile(test.text)
            except re.error as error:
                yield f"{where}: {test.text!r} is no expression: {error}"
            else:
                if wrong := problem(test.text, SENTENCE):  # facts are short
                    yield f"{where}: {test.text!r} {wrong}"
    values: dict[str, set[bool | int | str]] = {}
    for test in _conjuncts(condition):
        if test.operator == "in":
            now = set(test.listed)
            if not values.get(test.fact, now) & now:
                yield f"{where}: {test.fact} cannot have two values at once"
            values[test.fact] = now


def check_twins(own: dict[str, Incident], every: dict[str, Incident]) -> Iterator[str]:
    """Incidents with the very same logic: no fact can tell them apart."""
    logic: dict[frozenset[tuple[str, Condition]], str] = {}
    for name, incident in sorted(every.items()):
        key = frozenset((clause.slot, clause.when) for clause in incident.conditions())
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
        for name in sorted({x.id for x in incident.lookalikes if x.id > incident.id and x.id in own}):
            if _same_tests(incident, own[name]):
                yield f"{incident.path}: it reads the same facts in the same way as {name}"


def _same_tests(one: Incident, two: Incident) -> bool:
    return _tests(one) == _tests(two)


def _tests(incident: Incident) -> set[Test]:
    return {test for clause in incident.conditions() for test in leaves(clause.when)}


def _facts(incident: Incident) -> Iterator[str]:
    for clause in incident.conditions():
        yield from facts_of(clause.when)


def check_remedy(remedy: Remedy, type_of: TypeOf) -> Iterator[str]:
    """Completeness of a remedy."""
    where = remedy.path
    for entry in (a.when for a in remedy.applies):
        yield from _impossible(entry, where)
    if len(remedy.title) + len(remedy.kind) > LONGEST_HEADING:
        yield f"{where}: the title is too long for one line of a report"
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
        wrong = problem_with(spec.env, value) if spec.env else ""
        if wrong:
            yield f"{remedy.path}: {name}={value}: {wrong}"
    for fact, wanted in remedy.versions:
        if type_of(fact).type == "version":
            for bound in re.findall(r"\d[\w.]*", wanted):
                parse_version(bound.removesuffix(".*"))

"""Linter: known issues against the product tables, their signs against each other, and the tables themselves."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator

from ...facts import TypeOf, VersionError, parse_version
from ...language.matching import as_words, read
from ...model import Incident, Product, Remedy, Signature
from ...rules import facts_of
from ..affected import sign_fact
from ..files import LoadedFile
from ..markdown import FOOTNOTE
from . import ledger, logic

_SKELETON = ("the-thread-that-you-read", "One sentence that a person would recognize")


def check_issue(
    issue: Incident, remedy: Remedy, file: LoadedFile, product_of: Callable[[str], Product], type_of: TypeOf
) -> Iterator[str]:
    """One known issue with the remedy that was made from it."""
    where = issue.path
    if not issue.id.startswith(f"{issue.product.replace('_', '-')}-"):
        yield f"{where}: the id must start with the product, {issue.product.replace('_', '-')}-"
    if file.path.parent.name != issue.product:
        yield f"{where}: it belongs into the folder {issue.product}/"
    text = file.path.read_text(encoding="utf-8")
    if any(mark in text for mark in _SKELETON):
        yield f"{where}: this is a skeleton that nobody has filled in"
    if len(issue.title) > 80:
        yield f"{where}: the title has more than 80 characters"
    yield from ledger.check(issue.checked, where)
    for affected in issue.affects:
        product = product_of(affected.product)
        yield from _range(affected.introduced, affected.fixed, product, where)
    section = file.page.section("Affected")
    if section and not any(FOOTNOTE.search(t.content) for t in section.tokens if t.type == "inline"):
        yield f"{where}: the range of releases has no source"
    for number, part in enumerate(file.head().parts("signs"), start=1):
        if part.flag("specific") and not part.texts("matches"):
            yield f"{where}: sign {number} is said to be specific and shows no line that it matches"
    if "signs" not in file.head():
        yield from _reachable(issue, where)
    if not remedy.steps:
        yield f"{where}: What to do has no steps"
    yield from logic.check_settings(remedy, type_of)


def _range(introduced: str, fixed: str, product: Product, where: str) -> Iterator[str]:
    listed = {release.version for release in product.releases}
    for key, version in (("introduced", introduced), ("fixed", fixed)):
        if version and version not in listed:
            yield f"{where}: {key}: {version} is no release in {product.path}"
    if introduced and fixed and not _before(introduced, fixed):
        yield f"{where}: introduced in {introduced}, and fixed no later than that, in {fixed}"


def _before(first: str, second: str) -> bool:
    try:
        return parse_version(first) < parse_version(second)
    except VersionError:
        return False


def _reachable(issue: Incident, where: str) -> Iterator[str]:
    """Without a sign only the release, or its circumstances, and the road or a symptom lead to an issue."""
    if len(issue.suggests) == 1:
        yield f'{where}: nothing leads to it: it needs a sign, a bound of its range, a symptom, or "needs"'


def check_product(product: Product, type_of: TypeOf) -> Iterator[str]:
    """One product table."""
    seen: set[str] = set()
    for release in product.releases:
        if release.version in seen:
            yield f"{product.path}: the release {release.version} stands there twice"
        seen.add(release.version)
        try:
            parse_version(release.version, product.fact)
        except VersionError as error:
            yield f"{product.path}: {error}"
        if release.date and not re.fullmatch(r"\d{4}-\d{2}(-\d{2})?", release.date):
            yield f'{product.path}: {release.version}: "{release.date}" is no date'
    if not product.releases:
        yield f"{product.path}: it names no release"


def check_collisions(issues: dict[str, Incident], type_of: TypeOf) -> Iterator[str]:
    """A sign that is said to be specific and that finds the example line of another issue."""
    signs = {
        name: [s for fact in _sign_facts(issue) for s in type_of(fact).signatures]
        for name, issue in sorted(issues.items())
    }
    owners = [(name, line) for name, found in signs.items() for s in found for line in s.matches]
    lines = Lines([line for _, line in owners])
    for name, issue in sorted(issues.items()):
        specific = type_of(sign_fact(name)).signatures if issue.suggests[0].weight == "decisive" else ()
        for number in sorted({number for s in specific for number in lines.holding(s)}):
            other, line = owners[number]
            if other != name and any(read(s, line) is not None for s in specific):
                yield f"{issue.path}: its sign is said to be specific, and finds a line of {other}: {line!r}"


class Lines:
    """Lines in which many signatures are looked for: a literal is searched in all of them at once."""

    def __init__(self, lines: list[str]) -> None:
        lines = [line.replace("\n", " ") for line in lines]
        self._text, self._lower = "\n".join(lines), "\n".join(map(as_words, lines))
        self._starts = _starts(self._text)
        self._lower_starts = _starts(self._lower)

    def holding(self, signature: Signature) -> Iterator[int]:
        """The numbers of the lines that hold a literal of the signature."""
        text, starts = (self._lower, self._lower_starts) if signature.words else (self._text, self._starts)
        for literal in signature.literals:
            at = text.find(literal)
            while at >= 0:
                number = bisect_right(starts, at) - 1
                yield number
                at = text.find(literal, starts[number + 1]) if number + 1 < len(starts) else -1


def _starts(text: str) -> list[int]:
    return [0, *(at + 1 for at, letter in enumerate(text) if letter == "\n")]


def _sign_facts(issue: Incident) -> Iterator[str]:
    names = dict.fromkeys(fact for e in issue.suggests for fact in facts_of(e.when))
    return (name for name in names if name.startswith(sign_fact(issue.id)))

"""Findings of one text, each fact and value with the first few places where it stands (or with the last)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from functools import partial

from ..engine.errors import EngineError
from ..engine.facts import DOUBTED, ERROR_LINE, PRINTED, READ, REPORT, SAID, Fact, Origin, Value, parse_value
from ..engine.facts.aggregation import badness, folds
from ..engine.facts.trouble import is_trouble
from ..engine.model import FactSpec
from ..engine.patterns import lazy_pattern
from ..engine.redaction import HIDDEN, is_secret, redact
from .contexts import Contexts
from .parsers.environment import WHOLE
from .text import safe
from .timeline import FileTimeline
from .windows import Windows

PER_FACT = 20
"""Places kept for one fact and value in one text."""
MOST_VALUES = 64
"""Different values kept of one fact in one text; those that count more than all before are kept beyond it."""
MOST_ALARMS = 8
"""Lines kept of a text that holds no error line and no sign of trouble, and still looks bad."""
MOST_ERRORS = 40
"""Unexplained error lines kept of one text."""
_MOST_KNOWN = 100_000
STAGE = "log.stage"
_OFTEN, _MOST_REPEATS = 50, 4096
_TEXT = 300
_NEAR = 600
"""Characters of a longer line that are redacted to show its beginning, up to the next blank: no token is cut."""
_LISTED = 64
"""Values that a fact of which all places count is made of, at most."""
_TRUNCATED = "..."
_DIGITS = lazy_pattern(r"\d+|0x[0-9a-f]+")


_SAME_ON_ALL = ("nccl.version", "rccl.version")
"""Releases that must be the same on all ranks."""


class Findings:
    """Takes what signatures and parsers find, and gives it on as facts."""

    def __init__(self, where: str, spec: Callable[[str], FactSpec], timeline: FileTimeline) -> None:
        self._where = where
        self._spec = spec
        self._timeline = timeline
        self._repeats: dict[tuple[str, str], int] = {}
        self._counts: dict[str, dict[Value, int]] = defaultdict(dict)
        self._worst: dict[str, int] = {}
        self._last: dict[str, Callable[[], Fact]] = {}  # made at the end: a line is redacted if it is shown
        self._lists: dict[str, list[str]] = {}
        self._new: list[Fact] = []
        self._explained: set[int] = set()
        self._accounted: set[int] = set()  # of these, the lines in which more than a circumstance was read
        self._errors: list[tuple[int, str, Callable[[], list[str]]]] = []
        self._signs: dict[int, list[FactSpec]] = {}
        self._shapes: set[str] = set()
        self._alarms: dict[str, Fact] = {}
        self._troubled = False
        self._known: set[int] = set()
        self._printed: set[int] = set()
        self._sets: dict[tuple[int, str], str] = {}
        self._kinds: dict[str, FactSpec | None] = {}
        self._shown = ("", "")
        self.only_last = False
        self.contexts = Contexts()
        """What judges the words around a line."""
        self.windows = Windows()
        """How much of the neighbouring lines parsers may look at."""

    def add(
        self,
        name: str,
        value: Value,
        line: int,
        text: str,
        above: Callable[[], list[str]] = list,
        trust: str = "",
    ) -> None:
        """Take a finding. ``above`` gives the lines before it, in which a time may stand."""
        if name in _SAME_ON_ALL:
            self._timeline.version(name, str(value), line, text)
        spec = self._kind(name)
        if spec is None or (self.only_last and spec.keep != "last"):
            return
        if _explains(spec):
            self._explained.add(line)
            self._accounted.add(line)
        if is_trouble(spec, value if isinstance(value, bool) else _typed(spec, value)):
            self._troubled = True
        if spec.sign and trust == PRINTED:
            self._printed.add(line)
        if spec.sign and value is not False:
            self._signs.setdefault(line, []).append(spec)
            self._errors.append((line, text, above))
        if spec.keep == "last":
            if name == STAGE:
                self._timeline.milestone(line)
            self._last[name] = partial(self._fact, name, value, line, text, trust)
            return
        if spec.keep == "all":
            self._collect(name, str(value), line, text)
            return
        self._keep(name, value, line, text, trust)

    def told(self, name: str, value: Value, line: int, text: str) -> None:
        """Take what a person says in words of their own: it explains an error line, it is no event of the log."""
        spec = self._kind(name)
        if spec and self._sets.get((line, spec.one_of), name) != name:
            return  # the whole sentence says another one of facts that exclude each other
        self._explained.add(line)
        if spec is None or _explains(spec):
            self._accounted.add(line)
        self._keep(name, value, line, text, READ)

    def likened(self, name: str, line: int, text: str) -> None:
        """Take what a sentence says by its likeness to a wording."""
        spec = self._kind(name)
        if spec and spec.one_of:
            self._sets[line, spec.one_of] = name
        self.told(name, True, line, text)

    def is_printed(self, line: int) -> bool:
        """Whether a program's sign of trouble was found in a line since the last ``take``."""
        return line in self._printed

    def doubted(self, name: str, line: int, text: str) -> None:
        """Take what a person seems to say: no fact before it is answered."""
        self._new.append(self._fact(name, True, line, text, DOUBTED))

    def is_repeated(self, parser: str, line: str) -> bool:
        """Whether a parser has had this very line so often that once more would tell nothing: a flood."""
        count = self._repeats.get((parser, line), 0)
        if count or len(self._repeats) < _MOST_REPEATS:
            self._repeats[parser, line] = count + 1
        return count >= _OFTEN

    def mentioned(self, name: str, value: Value, line: int, text: str) -> None:
        """Take a circumstance that a person mentions."""
        self._keep(name, value, line, text, SAID)

    def error(self, line: int, text: str, above: Callable[[], list[str]] = list) -> None:
        """Take a line that looks like an error; it counts if nothing explains it."""
        if self.only_last:
            return
        self._errors.append((line, text, above))

    def alarm(self, line: int, text: str) -> None:
        """Take a line that looks bad; it counts if nothing explains it and nothing in the text says more."""
        shape = _shape_of(text)
        if line not in self._known and len(self._alarms) < MOST_ALARMS and shape not in self._alarms:
            self._alarms[shape] = self._unknown(line, text)

    @property
    def is_silent(self) -> bool:
        """Whether nothing in the text was a sign of trouble so far."""
        return not self._troubled

    def joined(self, line: int, text: str) -> None:
        """Take a line in which a rank begins or completes the initialisation of a communicator."""
        if self.only_last:
            return
        self._timeline.joined(line, text)

    @property
    def wants_errors(self) -> bool:
        """Whether more unexplained error lines would be kept."""
        return len(self._shapes) < MOST_ERRORS

    def take(self) -> list[Fact]:
        """The facts found since the last call; error lines that nothing explains are among them."""
        for line, text, above in self._errors:
            signs = self._signs.pop(line, [])
            if signs:
                self._timeline.signs(signs, line, text, above)
            if line in self._explained:
                continue
            self._troubled = True
            shape = _shape_of(text)
            self._timeline.error(line, text, above)
            if shape not in self._shapes and self.wants_errors:
                self._shapes.add(shape)
                self._new.append(self._unknown(line, text))
        if not self._troubled and len(self._known) < _MOST_KNOWN:
            self._known |= self._accounted
        self._errors.clear()
        self._printed.clear()
        self._signs.clear()
        self._explained.clear()
        self._accounted.clear()
        new, self._new = self._new, []
        return new

    def last(self) -> list[Fact]:
        """What is known at the end of the text: the facts of which the last place counts, or all of them, and where
        nothing else in the text is a sign of trouble the lines that look bad."""
        return [*(made() for made in self._last.values()), *self._alarms.values()]

    def _unknown(self, line: int, text: str) -> Fact:
        """An error line that no signature knows; redacted before it is cut, since half a token is known as none."""
        return self._fact(ERROR_LINE, redact(safe(_beginning(text)).strip())[:_TEXT], line, text)

    def _collect(self, name: str, value: str, line: int, text: str) -> None:
        """One more value of a list, whose place is that of the first."""
        values = self._lists.setdefault(name, [])
        if value in values or len(values) == _LISTED:
            return
        values.append(value)
        self._last.setdefault(name, partial(self._listed, name, line, text))

    def _listed(self, name: str, line: int, text: str) -> Fact:
        return self._fact(name, ",".join(self._lists[name]), line, text)

    def _keep(self, name: str, value: Value, line: int, text: str, trust: str = "") -> None:
        counts = self._counts[name]
        if value not in counts:
            spec = self._kind(name)
            weight = _badness(spec, value) if spec else 0
            worse = weight < self._worst.get(name, weight + 1)
            self._worst[name] = min(weight, self._worst.get(name, weight))
            if len(counts) >= MOST_VALUES and not (worse and spec and folds(spec)):
                return
        counts[value] = counts.get(value, 0) + 1
        if counts[value] <= PER_FACT:
            self._new.append(self._fact(name, value, line, text, trust))

    def _fact(self, name: str, value: Value, line: int, text: str, trust: str = "") -> Fact:
        place = f"{self._where}:{line}" if self._where else f"line {line}"
        if text != self._shown[0]:  # a line may give many facts
            shown = redact(safe(_beginning(text)).strip())
            self._shown = text, shown[: _TEXT - 3] + _TRUNCATED if len(shown) > _TEXT else shown
        if isinstance(value, str):
            value = HIDDEN if is_secret(name) else redact(value)
        return Fact(name, value, Origin(REPORT, place, self._shown[1], trust))

    def _kind(self, name: str) -> FactSpec | None:
        if name not in self._kinds:
            try:
                spec = self._spec(name)
            except EngineError:  # a parser speaks of more than this knowledge base knows
                self._kinds[name] = None
            else:
                self._kinds[name] = spec if _counts(spec) else None
        return self._kinds[name]


def _shape_of(text: str) -> str:
    """The beginning of a line, in which numbers do not count."""
    return _DIGITS.sub("0", text[:_NEAR])[:_TEXT]


def _beginning(text: str) -> str:
    """As much of a line as tells how its beginning is shown."""
    if len(text) <= _NEAR:
        return text
    text = text.lstrip()
    end = text.find(" ", _NEAR)
    return text if end < 0 else text[:end]


def _badness(spec: FactSpec, value: Value) -> int:
    try:
        return badness(spec, parse_value(spec, value))
    except EngineError:  # the session refuses it, with the reason
        return 0


def _typed(spec: FactSpec, value: Value) -> Value | None:
    if not spec.trouble:
        return None
    try:
        return parse_value(spec, value)
    except EngineError:  # the session refuses it, with the reason
        return None


def _counts(spec: FactSpec) -> bool:
    """Whether a fact tells something: a variable that has no entry of its own does in some families only."""
    family, _, name = spec.name.partition(".")
    own = spec.path.endswith(f"/{spec.name}.md")
    return family != "env" or own or name.startswith(WHOLE)


def _explains(spec: FactSpec) -> bool:
    return spec.sign or spec.harmless or spec.name.startswith("symptom.")

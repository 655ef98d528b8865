"""What a knowledge base holds, as frozen records: facts, incidents, remedies, sources, steps.

What is done with conditions stands in ``rules.conditions``; texts are Markdown. Named tuples, because each
frozen dataclass would cost every start of the program half a millisecond.
"""

from collections.abc import Iterator, Mapping
from typing import Literal

from . import vendors
from .tuples import NamedTuple

TYPES = ("bool", "int", "version", "choice", "text")
FAMILIES = (
    "p2p",
    "shm",
    "network",
    "driver",
    "container",
    "permissions",
    "visibility",
    "version",
    *(vendor.family for vendor in vendors.VENDORS if vendor.family),
    "framework",
    "rank-divergence",
    "hardware",
    "look-alike",
)
ROADS = ("hang", "crash", "slow", "wrong", "missing")
"""What a person comes with; a symptom that tells nothing of it belongs to ``any``."""
VENDORS = (*(vendor.name for vendor in vendors.VENDORS), "none")
CONFIRMED_STANDING, LIKELY, POSSIBLE, EXCLUDED = "confirmed", "likely", "possible", "ruled out"
STANDINGS = (CONFIRMED_STANDING, LIKELY, POSSIBLE, EXCLUDED)
"""Where an incident may stand, best first."""
GRADES = ("confirmed", "stated", "inferred", "hearsay")
SOURCE_KINDS = ("thread", "docs", "release", "source", "article")
KEEPS = ("first", "last", "any", "worst", "all")
"""Of several places in one source the first counts, the last, one that says so, the worst, or all (as a list)."""
LOWEST, HIGHEST = "lowest", "highest"
"""Which number is the worst."""
REMEDY_KINDS = ("fix", "workaround", "test")
FOLDERS = ("facts", "incidents", "remedies", "known-issues", "products", "pitfalls")
MADE_SIGNS = ("issue.", "road.")
"""How facts begin that are made of known issues and of roads: nobody is offered them as symptoms."""
INCIDENT, KNOWN_ISSUE = "incident", "known-issue"
"""What an ``Incident`` is: a named fault of the surroundings, or a defect of a release."""
RELEASE = "release"
"""The family of every known issue."""
NOTE = "note"
"""The severity of what does no harm by itself, such as a setting that nothing reads."""
SEVERITIES = ("wrong", "crash", "hang", "slow", "missing")
"""What a known issue does, the worst first: wrong results go unnoticed."""
NEEDS = (
    "root",
    "reboot",
    "bare-metal",
    "restart-job",
    "restart-container",
    "new-login",
    "hands-on",
    "administrator",
    "code-change",
    "rebuild",
    "install",
)
VARIANTS = (
    "bare",
    "systemd",
    "docker",
    "compose",
    "apptainer",
    "kubernetes",
    "slurm",
    "pyxis",
    "ray",
)

_COMPARING = ("above", "below", "same")
Argument = tuple[bool | int | str, ...] | str | None


class Test(NamedTuple):
    """A test of one fact. ``rules.predicates`` lists the operators; what each takes:

    ``in``: a tuple of values; ``contains``: a tuple of texts in lower case; ``range`` and ``items``: a range such as
    ``>=2.10,<2.45``; ``matches``: an expression; ``above``, ``below`` and ``same``: the name of another fact;
    ``known``, ``set`` and ``unset``: nothing.
    """

    fact: str
    operator: str
    argument: Argument = None

    @property
    def listed(self) -> tuple[bool | int | str, ...]:
        """The argument of an operator that takes several; nothing for others."""
        return self.argument if isinstance(self.argument, tuple) else ()

    @property
    def text(self) -> str:
        """The argument of an operator that takes a text; nothing for others."""
        return self.argument if isinstance(self.argument, str) else ""

    @property
    def reads(self) -> tuple[str, ...]:
        """The facts that must be known: its own, and the one that it is compared with."""
        return (self.fact, self.text) if self.operator in _COMPARING else (self.fact,)


class All(NamedTuple):
    """Every part must hold. ``kind`` keeps it unequal to ``Either`` of the same parts."""

    parts: "tuple[Condition, ...]"
    kind: Literal["all"] = "all"


class Either(NamedTuple):
    """One of the parts must hold: ``any`` in the files."""

    parts: "tuple[Condition, ...]"
    kind: Literal["any"] = "any"


class Not(NamedTuple):
    """The part must be known not to hold."""

    part: "Condition"
    kind: Literal["not"] = "not"


Condition = Test | All | Either | Not


class Clause(NamedTuple):
    """One condition of an incident and where it stands: its slot, its number there, and its weight if it has one."""

    slot: str
    number: int
    weight: str
    when: Condition


class Signature(NamedTuple):
    """One way in which a fact shows itself in text.

    ``literals``: one of them must stand in the line (found for all signatures in one pass);
    ``pattern``: then this expression must be found; ``unless``: and this must not.
    ``words`` marks a person's wording: lower case, looked for in short texts only.
    ``near`` in their place names one or two phrases (``phrases``) that stand in one sentence, ``unless_near``
    phrases that must not stand in the line.
    ``value``: the fact's value, or a group of the pattern as ``{name}``.
    ``needs`` and ``unless_needs``: what must stand in a line for the pattern or ``unless`` to be found in it
    (``language.required``), worked out when a knowledge base is compiled.
    """

    literals: tuple[str, ...]
    pattern: str = ""
    unless: str = ""
    words: bool = False
    near: tuple[str, ...] = ()
    unless_near: tuple[str, ...] = ()
    value: str = "true"
    matches: tuple[str, ...] = ()
    rejects: tuple[str, ...] = ()
    needs: tuple[tuple[str, ...], ...] = ()
    unless_needs: tuple[tuple[str, ...], ...] = ()


class EnvVar(NamedTuple):
    """What is documented of an environment variable."""

    allowed: tuple[str, ...] = ()  # values, or one range such as >=0,<=7, or one /expression/
    default: str = ""
    since: str = ""  # product and release, such as "vllm 0.9.1"
    until: str = ""  # the first release that does not read it any more
    role: str = ""  # tuning, debug, workaround, path, mask ...
    renamed: str = ""  # the variable that has taken its place
    alias: bool = False  # the old name is still read where the new one is unset
    hurts: tuple[tuple[str, str], ...] = ()  # values known to do harm, and what harm


class Derivation(NamedTuple):
    """A rule that gives a fact its value: a constant, the number of items of another fact, or its value."""

    value: str
    when: Condition
    items_of: str = ""
    copy_of: str = ""
    relation: bool = False  # made from ``implies``, ``one_of`` or ``road`` of a fact, not written as a rule


class Source(NamedTuple):
    """A citation: where it is, what kind it is, when it was written, what it supports."""

    id: str
    url: str
    kind: str
    date: str
    supports: str


class FactSpec(NamedTuple):
    """One entry of the vocabulary (``kb/facts/<name>.md``); ``<...>`` in a name stands for any word."""

    name: str
    type: str
    title: str
    values: tuple[str, ...] = ()
    unit: str = ""
    question: str = ""
    cost: int = 3
    probe: str = ""
    sign: bool = False  # speaks of trouble (a symptom, a failed test), not of circumstances
    secondary: bool = False
    harmless: bool = False
    keep: str = "first"  # one of KEEPS
    worst_first: tuple[
        str, ...
    ] = ()  # with keep "worst": the values in order, or LOWEST or HIGHEST for numbers
    derived: tuple[Derivation, ...] = ()
    signatures: tuple[Signature, ...] = ()
    env: EnvVar | None = None
    sources: tuple[Source, ...] = ()
    path: str = ""
    said: tuple[str, ...] = ()  # how people put it
    road: str = ""  # of a symptom: hang, crash, slow, wrong, missing, or any
    implies: tuple[str, ...] = ()  # facts that are true where this one is
    one_of: str = ""  # a set of facts of which one at most is true
    trouble: tuple[str, ...] = ()  # the values that are signs of trouble (``facts.trouble``)
    meaning: str = ""  # what the fact says of the machine or the job, for reports
    first: str = ""  # and what to do about it first
    varies: int = 0  # between healthy nodes: 0 it is the same on all, -1 freely, else by so much at most


def told_as(spec: FactSpec) -> str:
    """The fact that a person or a probe speaks of where this one only copies others: itself if it does not."""
    copied = [derivation.copy_of for derivation in spec.derived]
    return copied[-1] if copied and all(copied) else spec.name


class Evidence(NamedTuple):
    """One entry of ``suggests``: a weight and the condition that carries it."""

    weight: str
    when: Condition


class Lookalike(NamedTuple):
    """An incident that is easily confused with this one, and the facts that separate the two."""

    id: str
    by: tuple[str, ...]


class Affected(NamedTuple):
    """The releases of a product that have a known issue; an empty bound is not known."""

    product: str
    introduced: str = ""
    fixed: str = ""


class Release(NamedTuple):
    """A release of a product and the day of its tag."""

    version: str
    date: str


class Step(NamedTuple):
    """One numbered step: what to do, and the commands to do it with."""

    text: str
    commands: tuple[str, ...] = ()


class Product(NamedTuple):
    """A program whose known issues are collected (``kb/products/<id>.md``).

    ``shows``: words that show the product beside its names; one that ends in ``_`` begins longer words.
    ``common_word``: its name is a word of every text.

    ``fact`` holds the version that a package states, ``loaded`` that of the library in the process, which counts
    where it is known; both end up in the fact ``in_use``.
    """

    id: str
    title: str
    fact: str
    loaded: str = ""
    packages: tuple[str, ...] = ()
    upgrade: str = ""
    shows: tuple[str, ...] = ()
    common_word: bool = False
    releases: tuple[Release, ...] = ()
    find: tuple[Step, ...] = ()  # how a person finds the version
    sources: tuple[Source, ...] = ()
    path: str = ""

    @property
    def in_use(self) -> str:
        """The fact that holds the version in use, wherever it is known from."""
        return f"{self.id}.in_use"


class Need(NamedTuple):
    """Facts that must be known before a machine of which ``when`` holds may be called clean."""

    when: Condition
    facts: tuple[str, ...]


class Incident(NamedTuple):
    """A named fault with a known cause (``kb/incidents/<id>.md``), or a known issue (``kb/known-issues/<id>.md``).

    The fields from ``product`` on belong to known issues.
    """

    id: str
    title: str
    family: str
    vendors: tuple[str, ...]
    grade: str
    frequency: str = "occasional"
    collective: bool = False  # an umbrella over several causes: never stands as confirmed
    requires: tuple[Condition, ...] = ()
    suggests: tuple[Evidence, ...] = ()
    confirms: tuple[Condition, ...] = ()
    excludes: tuple[Condition, ...] = ()
    explains: tuple[str, ...] = ()
    lookalikes: tuple[Lookalike, ...] = ()
    remedies: tuple[str, ...] = ()
    sources: tuple[Source, ...] = ()
    aliases: tuple[str, ...] = ()
    summary: str = ""
    path: str = ""
    kind: str = INCIDENT
    product: str = ""
    severity: str = ""
    affects: tuple[Affected, ...] = ()
    cited: tuple[str, ...] = ()  # the ids of the sources of the summary
    checked: str = ""  # the day on which somebody who did not write the page read its sources

    def conditions(self, *slots: str) -> Iterator[Clause]:
        """Every condition in the order in which a person checks them: ``requires``, ``confirms``, ``suggests``,
        ``excludes``; or those of the slots that are named."""
        for slot in ("requires", "confirms", "suggests", "excludes"):
            if slots and slot not in slots:
                continue
            if slot == "suggests":
                yield from (Clause(slot, i, e.weight, e.when) for i, e in enumerate(self.suggests))
            else:
                found: tuple[Condition, ...] = getattr(self, slot)
                yield from (Clause(slot, i, "", when) for i, when in enumerate(found))


class Pitfall(NamedTuple):
    """Settings that are bound to go wrong, seen before the job starts (``kb/pitfalls/<subject>/<id>.md``).

    ``at``: the facts at whose place it is reported, the first that is known; ``fix``: what to write instead, by the
    kind of the spec, and for all others under an empty name.
    """

    id: str
    title: str
    subject: str
    severity: str
    when: Condition
    leads_to: str
    at: tuple[str, ...] = ()
    remedies: tuple[str, ...] = ()
    fix: tuple[tuple[str, str], ...] = ()
    sources: tuple[Source, ...] = ()
    summary: str = ""
    path: str = ""


class Applies(NamedTuple):
    """A condition without which a remedy does not apply, and the words that say so."""

    when: Condition
    why: str


class Remedy(NamedTuple):
    """One thing to do (``kb/remedies/<id>.md``), shared by incidents."""

    id: str
    title: str
    kind: str
    risk: str
    cost: str = ""
    needs: tuple[str, ...] = ()
    danger: str = ""
    versions: tuple[tuple[str, str], ...] = ()
    applies: tuple[Applies, ...] = ()
    sets: tuple[tuple[str, str], ...] = ()
    unsets: tuple[str, ...] = ()
    after: tuple[Condition, ...] = ()
    sources: tuple[Source, ...] = ()
    steps: Mapping[str, tuple[Step, ...]] = {}  # never written to
    verify: tuple[Step, ...] = ()
    undo: tuple[Step, ...] = ()
    limits: str = ""
    path: str = ""
    checked: str = ""  # as in an incident

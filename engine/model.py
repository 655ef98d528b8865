"""What a knowledge base holds, as frozen records: facts, incidents, remedies, sources, steps.

Conditions stand here in their canonical form (see ``conditions``); texts are Markdown. Named tuples, because
each frozen dataclass would cost every start of the program half a millisecond.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

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
    "rocm-runtime",
    "framework",
    "rank-divergence",
    "hardware",
    "look-alike",
)
VENDORS = ("nvidia", "amd", "intel", "none")
WEIGHTS = {"weak": 1.0, "strong": 3.0, "decisive": 6.0}
"""Weight of evidence in bits: twice, eight times, sixty-four times as likely with the incident."""
DENIAL = {"weak": 0.0, "strong": 0.25, "decisive": 0.5}
"""Bits taken back by evidence that is known to be absent; less than it would have given, since an incident
rarely shows all of its signs."""
FREQUENCIES = {"common": 1.0, "occasional": 0.0, "rare": -1.0}
"""How often an incident is met, in bits; orders incidents whose evidence is equal."""
GRADES = ("confirmed", "stated", "inferred", "hearsay")
SOURCE_KINDS = ("thread", "docs", "release", "source", "article")
REMEDY_KINDS = ("fix", "workaround", "test")
FOLDERS = ("facts", "incidents", "remedies")
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
VARIANTS = ("bare", "systemd", "docker", "compose", "kubernetes", "slurm", "ray")

Cond = Any
"""A condition in canonical JSON form, as ``conditions.parse`` makes it."""


class Signature(NamedTuple):
    """One way in which a fact shows itself in text.

    ``literals``: one of them must stand in the line (found for all signatures in one pass);
    ``pattern``: then this expression must be found; ``unless``: and this must not.
    ``words`` marks a person's wording: lower case, looked for in short texts only.
    ``value``: the fact's value, or a group of the pattern as ``{name}``.
    """

    literals: tuple[str, ...]
    pattern: str = ""
    unless: str = ""
    words: bool = False
    value: str = "true"
    matches: tuple[str, ...] = ()
    rejects: tuple[str, ...] = ()


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
    """A rule that gives a fact its value: a constant, or the number of items of another fact."""

    value: str
    when: Cond
    items_of: str = ""


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
    keep: str = "first"  # of several places in one text the first counts, the last, or all (as a list)
    derived: tuple[Derivation, ...] = ()
    signatures: tuple[Signature, ...] = ()
    env: EnvVar | None = None
    sources: tuple[Source, ...] = ()
    path: str = ""


class Source(NamedTuple):
    """A citation: where it is, what kind it is, when it was written, what it supports."""

    id: str
    url: str
    kind: str
    date: str
    supports: str


class Evidence(NamedTuple):
    """One entry of ``suggests``: a weight and the condition that carries it."""

    weight: str
    when: Cond


class Lookalike(NamedTuple):
    """An incident that is easily confused with this one, and the facts that separate the two."""

    id: str
    by: tuple[str, ...]


class Incident(NamedTuple):
    """A named fault with a known cause (``kb/incidents/<id>.md``)."""

    id: str
    title: str
    family: str
    vendors: tuple[str, ...]
    grade: str
    frequency: str = "occasional"
    collective: bool = False  # an umbrella over several causes: never stands as confirmed
    requires: tuple[Cond, ...] = ()
    suggests: tuple[Evidence, ...] = ()
    confirms: tuple[Cond, ...] = ()
    excludes: tuple[Cond, ...] = ()
    explains: tuple[str, ...] = ()
    lookalikes: tuple[Lookalike, ...] = ()
    remedies: tuple[str, ...] = ()
    sources: tuple[Source, ...] = ()
    aliases: tuple[str, ...] = ()
    summary: str = ""
    path: str = ""


class Step(NamedTuple):
    """One numbered step: what to do, and the commands to do it with."""

    text: str
    commands: tuple[str, ...] = ()


class Applies(NamedTuple):
    """A condition without which a remedy does not apply, and the words that say so."""

    when: Cond
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
    after: tuple[Cond, ...] = ()
    sources: tuple[Source, ...] = ()
    steps: Mapping[str, tuple[Step, ...]] = {}  # never written to
    verify: tuple[Step, ...] = ()
    undo: tuple[Step, ...] = ()
    limits: str = ""
    path: str = ""

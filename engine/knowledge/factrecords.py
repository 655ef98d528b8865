"""From a page of ``facts/`` to its record."""

from __future__ import annotations

from ..facts import TypeOf
from ..facts.aggregation import problem_of
from ..facts.trouble import problem_of as trouble_problem_of
from ..facts.trouble import trouble_of
from ..language import phrases
from ..model import KEEPS, ROADS, TYPES, Derivation, EnvVar, FactSpec, Signature
from .files import LoadedFile, named_like_file, sources_of
from .head import Head
from .markdown import paragraphs


def fact_from(file: LoadedFile) -> FactSpec:
    """A vocabulary entry, without its derivations: those need the whole vocabulary."""
    head = file.head()
    name = named_like_file(head, "id", file)
    values = head.texts("values")
    kind = head.word("type", TYPES)
    if (kind == "choice") is not bool(values):
        head.fail('"values" goes with the type choice, and only with it')
    spec = FactSpec(
        name=name,
        type=kind,
        title=head.text("title"),
        values=values,
        unit=head.text("unit", ""),
        question=head.text("question", ""),
        cost=head.number("cost", 3),
        probe=head.text("probe", ""),
        sign=head.flag("sign") or name.startswith("symptom."),
        secondary=head.flag("secondary"),
        harmless=head.flag("harmless"),
        keep=head.word("keep", KEEPS, "first"),
        worst_first=head.texts("worst_first"),
        signatures=_signatures(head),
        said=head.texts("said"),
        env=_env(head.part("env")),
        sources=sources_of(head),
        path=file.entry,
        trouble=trouble_of(
            kind,
            head.texts("trouble"),
            head.flag("sign") or name.startswith("symptom."),
            head.flag("harmless"),
        ),
        varies=_varies(head),
        meaning=" ".join(paragraphs(file.page.section("Meaning"))),
        first=" ".join(paragraphs(file.page.section("What to do first"))),
        road=head.word("road", (*ROADS, "any", ""), ""),
        implies=head.texts("implies"),
        one_of=head.text("one_of", ""),
    )
    if wrong := problem_of(spec):
        head.fail(wrong, "worst_first" if spec.worst_first else "keep")
    if wrong := trouble_problem_of(spec):
        head.fail(wrong, "trouble")
    head.raw("derived")
    head.finish()
    return spec


def _varies(head: Head) -> int:
    """``varies: freely``, or a number: the largest difference between healthy nodes."""
    text = head.text("varies", "0")
    if text == "freely":
        return -1
    if not text.isdecimal():
        head.fail('"varies" is freely, or the largest difference between healthy nodes', "varies")
    return int(text)


def with_derivations(spec: FactSpec, file: LoadedFile, type_of: TypeOf) -> FactSpec:
    """The entry with its rules, once every fact name is known."""
    rules = []
    for part in file.head().parts("derived"):
        items_of, copy_of = part.text("items_of", ""), part.text("copy_of", "")
        read = items_of or copy_of
        if items_of and copy_of:
            part.fail('"items_of" and "copy_of" do not go together', "copy_of")
        if copy_of and type_of(copy_of).type != spec.type:
            part.fail(f"{copy_of} is of another type than {spec.name}", "copy_of")
        raw = part.raw("when")
        if read:
            raw = {"all": [{read: {"known": "true"}}, *([raw] if raw else [])]}
        when = part.parse(raw, type_of, ("when",))
        rules.append(Derivation(part.text("value", ""), when, items_of, copy_of))
        part.finish()
    return spec._replace(derived=tuple(rules)) if rules else spec


def _signatures(head: Head) -> tuple[Signature, ...]:
    found = []
    for part in head.parts("signatures"):
        found.append(signature_from(part))
        part.finish()
    return tuple(found)


def signature_from(part: Head) -> Signature:
    """One signature; the caller refuses the keys that are left."""
    signature = Signature(
        literals=part.texts("literal"),
        pattern=part.text("pattern", ""),
        unless=part.text("unless", ""),
        words=part.flag("words") or "near" in part,
        near=part.texts("near"),
        unless_near=part.texts("unless_near"),
        value=part.text("value", "true"),
        matches=part.texts("matches"),
        rejects=part.texts("rejects"),
    )
    if signature.near or signature.unless_near:
        if wrong := phrases.problem(signature):
            part.fail(wrong, "near")
        signature = phrases.expand(signature)
    elif not signature.literals or not all(signature.literals):
        part.fail('a signature needs a "literal" that stands in every line it matches')
    return signature


def _env(part: Head | None) -> EnvVar | None:
    if part is None:
        return None
    env = EnvVar(
        allowed=part.texts("allowed"),
        default=part.text("default", ""),
        since=part.text("since", ""),
        until=part.text("until", ""),
        role=part.text("role", ""),
        renamed=part.text("renamed", ""),
        alias=part.flag("alias"),
        hurts=part.pairs("hurts"),
    )
    part.finish()
    return env

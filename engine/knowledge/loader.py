"""From Markdown files to the model: the heads of ``facts/``, ``incidents/`` and ``remedies/``."""

from __future__ import annotations

import stat
from collections.abc import Iterable
from pathlib import Path

from ..characters import UNSEEN
from ..errors import EngineError, KnowledgeError
from ..facts import TypeOf
from ..facts.aggregation import problem_of
from ..facts.trouble import problem_of as trouble_problem_of
from ..facts.trouble import trouble_of
from ..facts.yamltext import read_yaml
from ..language import phrases
from ..model import (
    FAMILIES,
    FOLDERS,
    FREQUENCIES,
    GRADES,
    KEEPS,
    NEEDS,
    REMEDY_KINDS,
    ROADS,
    SOURCE_KINDS,
    TYPES,
    VARIANTS,
    VENDORS,
    WEIGHTS,
    Applies,
    Derivation,
    EnvVar,
    Evidence,
    FactSpec,
    Incident,
    Lookalike,
    Need,
    Remedy,
    Signature,
    Source,
)
from .head import Head
from .markdown import Page, marks, paragraphs, read_page, steps, variants

LARGEST = 64 << 10
"""Bytes of a page at most, four times the largest one: a Markdown reader takes its time for brackets without end."""


class LoadedFile:
    """One parsed file, kept for the linter: its page beside its record.

    ``entry`` is its place inside the knowledge base, ``incidents/p2p/driver-p2p-bug.md``.
    """

    def __init__(self, path: Path, entry: str, where: str) -> None:
        self.path = path
        self.entry = entry
        self.where = where
        try:
            state = path.stat()
            if not stat.S_ISREG(state.st_mode) or state.st_size > LARGEST:
                raise KnowledgeError(f"this is no page: a regular file of up to {LARGEST >> 10} KiB", where)
            text = path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise KnowledgeError(f"cannot be read: {_reason(error)}", where) from None
        odd = UNSEEN.search(text.replace("\r\n", "\n"))
        if odd:
            line = text.count("\n", 0, odd.start()) + 1
            raise KnowledgeError(f"a character that no text needs: {odd[0]!r}", f"{where}:{line}")
        self.page: Page = read_page(text, where)
        self.document = read_yaml(self.page.head, where, self.page.head_line)

    def head(self) -> Head:
        """A fresh reader of the head."""
        return Head(self.document)


def _reason(error: OSError | UnicodeDecodeError) -> str:
    return (error.strerror or str(error)) if isinstance(error, OSError) else "it is not UTF-8 text"


def knowledge_files(folder: Path) -> dict[str, list[Path]]:
    """The Markdown files of a knowledge base by kind, sorted: in the folder of their kind or one below it.

    Raises KnowledgeError.
    """
    if not folder.is_dir():
        raise KnowledgeError("there is no such folder", str(folder))
    try:
        found = {
            kind: sorted([*(folder / kind).glob("*.md"), *(folder / kind).glob("*/*.md")]) for kind in FOLDERS
        }
    except OSError as error:
        raise KnowledgeError(f"cannot be read: {error.strerror}", str(folder)) from None
    if not any(found.values()):
        raise KnowledgeError(f"this is no knowledge base: it has no {', '.join(FOLDERS)}", str(folder))
    return found


def read_files(folder: Path, kind: str, paths: Iterable[Path]) -> dict[str, LoadedFile]:
    """Parse files of one kind; keys are the names of the files."""
    found: dict[str, LoadedFile] = {}
    for path in paths:
        entry = path.relative_to(folder).as_posix()
        if path.stem in found:
            raise KnowledgeError(f"{found[path.stem].entry} has the same name", f"{folder}/{entry}")
        found[path.stem] = LoadedFile(path, entry, f"{folder}/{entry}")
    return found


def sources_of(head: Head) -> tuple[Source, ...]:
    """The citations of a page."""
    found = []
    for part in head.parts("sources"):
        source = Source(
            id=part.text("id"),
            url=part.text("url"),
            kind=part.word("kind", SOURCE_KINDS),
            date=part.text("date", ""),
            supports=part.text("supports"),
        )
        if not source.url.startswith(("https://", "http://")):
            part.fail("the address of a source begins with https:// or http://", "url")
        part.finish()
        found.append(source)
    return tuple(found)


def named_like_file(head: Head, key: str, file: LoadedFile) -> str:
    """The name of an entry, which must be that of its file."""
    name = head.text(key)
    if name != file.path.stem and "<" not in name:
        head.fail(f'"{key}" must be the name of the file, {file.path.stem}', key)
    return name


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


def incident_from(file: LoadedFile, type_of: TypeOf) -> Incident:
    """A named fault. Raises KnowledgeError."""
    head = file.head()
    evidence = []
    for part in head.parts("suggests"):
        weight, _ = part.single()
        if weight not in WEIGHTS:
            part.fail(f'a weight is one of {", ".join(WEIGHTS)}, not "{weight}"', weight)
        evidence.append(Evidence(weight, part.condition(weight, type_of)))
    lookalikes = []
    for part in head.parts("lookalikes"):
        lookalikes.append(Lookalike(part.text("id"), part.texts("by")))
        part.finish()
    summary = paragraphs(file.page.section("Cause"))
    incident = Incident(
        id=named_like_file(head, "id", file),
        title=head.text("title"),
        family=head.word("family", FAMILIES),
        vendors=head.words("vendors", VENDORS),
        grade=head.word("evidence", GRADES),
        frequency=head.word("frequency", FREQUENCIES, "occasional"),
        collective=head.flag("collective"),
        requires=head.conditions("requires", type_of),
        suggests=tuple(evidence),
        confirms=head.conditions("confirms", type_of),
        excludes=head.conditions("excludes", type_of),
        explains=head.texts("explains"),
        lookalikes=tuple(lookalikes),
        remedies=head.texts("remedies"),
        sources=sources_of(head),
        aliases=head.texts("aliases"),
        summary=summary[0] if summary else "",
        path=file.entry,
        cited=marks(file.page.section("Cause")),
        checked=head.text("checked", ""),
    )
    head.finish()
    return incident


def remedy_from(file: LoadedFile, type_of: TypeOf) -> Remedy:
    """One thing to do. Raises KnowledgeError."""
    head = file.head()
    applies = []
    for part in head.parts("applies"):
        applies.append(Applies(part.condition("when", type_of), part.text("why")))
        part.finish()
    needed = head.part("versions")
    for fact, wanted in head.pairs("versions"):
        assert needed is not None
        applies.append(Applies(needed.condition(fact, type_of, bare=True), f"it needs {fact} {wanted}"))
    page = file.page
    how = page.section("Steps")
    groups = variants(how) if how else {}
    for name in groups:
        if name and name not in VARIANTS:
            head.fail(f'"{name}" is no variant; there are {", ".join(VARIANTS)}')
    verify, undo = page.section("Verify"), page.section("Undo")
    remedy = Remedy(
        id=named_like_file(head, "id", file),
        title=head.text("title"),
        kind=head.word("kind", REMEDY_KINDS),
        risk=head.text("risk"),
        cost=head.text("cost", ""),
        needs=head.words("needs", NEEDS),
        danger=head.text("danger", ""),
        versions=head.pairs("versions"),
        applies=tuple(applies),
        sets=head.pairs("sets"),
        unsets=head.texts("unsets"),
        after=head.conditions("after", type_of),
        sources=sources_of(head),
        steps=groups,
        verify=steps(verify.tokens) if verify else (),
        undo=steps(undo.tokens) if undo else (),
        limits=" ".join(paragraphs(page.section("Limits"))),
        path=file.entry,
        checked=head.text("checked", ""),
    )
    head.finish()
    return remedy


def needs_of(folder: Path, type_of: TypeOf) -> tuple[Need, ...]:
    """What must be known before a machine may be called clean: ``clean`` in the head of README.md.

    Raises KnowledgeError.
    """
    readme = folder / "README.md"
    if not readme.is_file():
        return ()
    found = []
    for part in LoadedFile(readme, readme.name, str(readme)).head().parts("clean"):
        facts = part.texts("needs")
        for name in facts:
            type_of(name)
        found.append(Need(part.condition("when", type_of), facts))
        part.finish()
    return tuple(found)


def kb_version(folder: Path) -> str:
    """The version of a knowledge base, from the head of its README.md, or empty."""
    readme = folder / "README.md"
    if not readme.is_file():
        return ""
    try:
        return LoadedFile(readme, readme.name, str(readme)).head().text("version", "")
    except EngineError:
        return ""

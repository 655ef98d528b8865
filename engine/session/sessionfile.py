"""A session on disk: what was said and by whom, so that it can be resumed, verified or handed on.

YAML for people and for ``git diff``. What followed is written down beside the statements, for the reader; on
loading it is concluded anew, with the knowledge base of the day.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from ..errors import EngineError
from ..facts import ERROR_LINE, CannotTell, Fact, Origin, Statement
from ..facts.statements import PRECEDENCE, TRUSTS
from ..facts.yamltext import Document, read_yaml
from ..knowledge import Knowledge
from ..writing import PRIVATE, WritingError, write_whole
from .identity import read_identity
from .session import Session

SCHEMA = "gpudoctor/session/1"
LARGEST = 16 << 20


class SessionFileError(EngineError):
    """The file is no session, or cannot be read or written."""


class SavedSession:
    """A session read back, with the ``extra`` keys that other parts of the program keep in the file."""

    def __init__(
        self, session: Session, extra: dict[str, Any], before: dict[str, Any], dropped: list[str]
    ) -> None:
        self.session = session
        self.extra = extra
        self.before = before
        """The conclusions as they were saved."""
        self.dropped = dropped
        """Statements that today's vocabulary no longer takes, one sentence each."""


def document_of(session: Session, extra: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """The session as plain data. ``extra`` holds further top-level keys, which loading gives back."""
    diagnosis = session.diagnosis().to_dict()
    return {
        "schema": SCHEMA,
        "knowledge": {"version": session.knowledge.version, "digest": session.knowledge.digest},
        "conclusions": {
            "verdict": diagnosis["verdict"],
            "incidents": [
                {
                    "id": one["id"],
                    "standing": one["standing"],
                    "remedies": [r["id"] for r in one["remedies"] if r["applies"]],
                }
                for one in diagnosis["incidents"]
            ],
        },
        "machine": session.identity.to_dict() if session.identity else None,
        "statements": [_entry(s) for s in session.statements()],
        "error_lines": [{"where": o.where, "text": o.text} for o in session.error_lines()],
        "notes": list(session.notes),
        "partial": session.partial,
        **(extra or {}),
    }


def _entry(statement: Statement) -> dict[str, Any]:
    entry: dict[str, Any] = {"fact": statement.name}
    if isinstance(statement, Fact):
        entry["value"] = statement.value
    else:
        entry["cannot_tell"] = statement.reason
    entry["by"] = statement.origin.kind
    if statement.origin.where:
        entry["where"] = statement.origin.where
    if statement.origin.text:
        entry["text"] = statement.origin.text
    if not statement.origin.is_usual:
        entry["trust"] = statement.origin.trust
    return entry


def refuse_other(path: str | os.PathLike[str]) -> None:
    """Whether a session may be written there: on nothing, on nothing yet, or on a session. Raises SessionFileError."""
    try:
        with open(path, "rb") as file:
            start = file.read(200)
    except OSError:
        return  # writing says what is wrong
    if start.strip() and SCHEMA.encode() not in start:
        raise SessionFileError("there is a file that is no session; it is not overwritten", os.fspath(path))


def save(session: Session, path: str | os.PathLike[str], extra: Mapping[str, Any] | None = None) -> None:
    """Write a session; an older file is replaced whole or not at all. Raises SessionFileError."""
    import yaml

    dumper: Any = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
    text = yaml.dump(
        _encodable(document_of(session, extra)), Dumper=dumper, sort_keys=False, allow_unicode=True, width=110
    )
    try:
        write_whole(path, text, PRIVATE)
    except WritingError as error:
        raise SessionFileError(error.message, error.where) from None


def _encodable(value: Any) -> Any:
    """Data without characters that are none: a place in a file whose name is not UTF-8 may hold some."""
    if isinstance(value, str):
        return value if value.isascii() else value.encode("utf-8", "replace").decode()
    if isinstance(value, dict):
        return {key: _encodable(one) for key, one in value.items()}
    return [_encodable(one) for one in value] if isinstance(value, list) else value


def load(knowledge: Knowledge, path: str | os.PathLike[str], engine: str = "auto") -> SavedSession:
    """Read a session back. Raises SessionFileError or YamlError with the place."""
    where = os.fspath(path)
    try:
        with open(path, "rb") as file:
            data = file.read(LARGEST + 1)
    except OSError as error:
        raise SessionFileError(f"cannot be read: {error.strerror}", where) from None
    if len(data) > LARGEST:
        raise SessionFileError(f"larger than {LARGEST >> 20} MiB: this is no session file", where)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise SessionFileError("this is not UTF-8 text", where) from None
    return read(knowledge, text, where, engine)


def read(knowledge: Knowledge, text: str, where: str, engine: str = "auto") -> SavedSession:
    """As ``load``, from text."""
    document = read_yaml(text, where)
    data = document.data
    if not isinstance(data, dict) or data.get("schema") != SCHEMA:
        raise SessionFileError(f"this is no session of gpudoctor (schema: {SCHEMA})", f"{where}:1")
    statements = [_statement(document, i, entry) for i, entry in enumerate(_listed(document, "statements"))]
    session = Session(knowledge, engine)
    dropped = []
    for index, statement in enumerate(statements):
        try:
            session.add(statement)
        except EngineError as error:
            # Knowledge moves on; a session of last year still tells the rest.
            dropped.append(f"{document.place('statements', index)}: {error.message}")
    for index, entry in enumerate(_listed(document, "error_lines")):
        if not isinstance(entry, dict):
            raise SessionFileError(
                'an error line has "where" and "text"', document.place("error_lines", index)
            )
        origin = Origin("report", str(entry.get("where", "")), str(entry.get("text", "")))
        session.add(Fact(ERROR_LINE, True, origin))
    for note in _listed(document, "notes"):
        session.note(str(note))
    session.identity = read_identity(data.get("machine"))
    session.partial = data.get("partial") == "true"
    extra = {key: value for key, value in data.items() if key not in _OWN_KEYS}
    return SavedSession(session, extra, data.get("conclusions") or {}, dropped)


def _listed(document: Document, key: str) -> list[Any]:
    found = document.data.get(key) or []
    if not isinstance(found, list):
        raise SessionFileError(f"{key} must be a list", document.place(key))
    return found


_OWN_KEYS = ("schema", "knowledge", "conclusions", "machine", "statements", "error_lines", "notes", "partial")


def _statement(document: Document, index: int, entry: Any) -> Statement:
    place = document.place("statements", index)
    if not isinstance(entry, dict) or not entry.get("fact"):
        raise SessionFileError('a statement has a "fact"', place)
    for key in ("fact", "by", "where", "text", "cannot_tell", "trust"):
        if not isinstance(entry.get(key, ""), (str, type(None))):
            raise SessionFileError(f'"{key}" of a statement must be a text', place)
    kind = entry.get("by", "file")
    if kind not in PRECEDENCE:
        raise SessionFileError(f'"by" must be one of {", ".join(PRECEDENCE)}, not "{kind}"', place)
    trust = entry.get("trust") or ""
    if trust and trust not in TRUSTS:
        raise SessionFileError(f'"trust" must be one of {", ".join(TRUSTS)}, not "{trust}"', place)
    origin = Origin(kind, entry.get("where") or "", entry.get("text") or "", trust)
    if "cannot_tell" in entry:
        return CannotTell(entry["fact"], entry["cannot_tell"] or "not stated", origin)
    if entry.get("value") is None:
        raise SessionFileError('a statement has a "value" or "cannot_tell"', place)
    return Fact(entry["fact"], entry["value"], origin)

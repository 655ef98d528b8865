"""``--facts`` with facts of one node or of many: finds the files, reads each, and says what is wrong with them."""

from __future__ import annotations

import os
from functools import cache
from typing import TYPE_CHECKING

from ...engine import EngineError, Session
from ...engine.facts.factsfile import read_any
from ...engine.facts.yamltext import YamlError
from ...probes.text import on_one_line
from ..errors import UsageError
from .texts import named, read_text

if TYPE_CHECKING:
    from ...engine.facts.nodefacts import NodeFacts, NodeFactsReader
    from ...engine.fleet import Fleet, NodeProblem

LARGEST = 4 << 20
_LARGEST_LIST = 4 << 20
_SUFFIXES = (".json", ".yaml", ".yml")


def read_nodes(session: Session, names: list[str], expect: str | None) -> Fleet | None:
    """Add facts of the whole job to the session; the nodes, if there are several or some are missing.

    Facts of nodes that cannot be read are told where other nodes are there, and an error where there are none.
    """
    type_of = session.knowledge.vocabulary.spec

    @cache
    def reader() -> NodeFactsReader:
        from ...engine.facts.nodefacts import NodeFactsReader

        return NodeFactsReader(type_of)

    nodes: list[NodeFacts] = []
    trouble: list[NodeProblem] = []
    failed: list[UsageError] = []
    for name in names:
        for path in [name] if name == "-" else expand(name):
            where = named(path)
            try:
                text = read_text(path, LARGEST)
                found = read_any(text, where, reader, type_of)
            except (UsageError, EngineError) as error:
                if isinstance(error, YamlError):
                    raise UsageError(f"{error}; a log goes behind --report") from None
                if not _may_be_node_facts(path):
                    raise
                failed.append(UsageError(str(error)))
                from ...engine.fleet import BROKEN, NodeProblem

                trouble.append(NodeProblem(BROKEN, _host_of(path), str(error)))
                continue
            nodes += found.nodes
            for statement in found.statements:
                session.add(statement)
    if failed and not nodes:
        raise failed[0]
    wanted = read_expected(expect) if expect is not None else 0
    if len(nodes) == 1 and not trouble and wanted in (0, 1):
        from ...engine.facts.nodefacts import said_by

        for statement in said_by(nodes[0]):
            session.add(statement)
        return None
    if not nodes:
        if expect is not None:
            raise UsageError("--expect goes with captures of nodes: --facts 'nodes/*.json'")
        return None
    from ...engine.fleet import assemble  # what compares nodes

    return assemble(nodes, reader(), type_of, trouble, wanted)


def add_facts(session: Session, names: list[str]) -> None:
    """Add facts of the whole job to the session, where the nodes come from elsewhere. Raises UsageError."""
    if names and read_nodes(session, names, None) is not None:
        raise UsageError(
            f"{', '.join(names)}: facts of several nodes do not go here: give facts of the job or of one node"
        )


def expand(name: str) -> list[str]:
    """The files that a name, a folder or a pattern means, sorted. Raises UsageError."""
    if os.path.isdir(name):
        try:
            with os.scandir(name) as entries:
                found = sorted(e.path for e in entries if e.name.endswith(_SUFFIXES) and e.is_file())
        except OSError as error:
            raise UsageError(f"{on_one_line(name)}: cannot be read: {error.strerror}") from None
        if not found:
            raise UsageError(f"{on_one_line(name)}: the folder holds no facts files ({', '.join(_SUFFIXES)})")
        return found
    if os.path.exists(name) or not any(sign in name for sign in "*?["):
        return [name]
    import glob

    found = sorted(path for path in glob.glob(name, recursive=True) if not os.path.isdir(path))
    if not found:
        raise UsageError(f"{on_one_line(name)}: no file matches")
    return found


def read_expected(text: str) -> int | list[str]:
    """A number of nodes, or names from a host file or a folded list. Raises UsageError."""
    if text.isdecimal():
        return int(text)
    from ...engine.facts.hostlist import HostListError, unfold

    try:
        hosts = unfold(read_text(text, _LARGEST_LIST) if os.path.isfile(text) else text)
    except HostListError as error:
        raise UsageError(f"--expect: {error}") from None
    if not hosts:
        raise UsageError(f"--expect: {text} names no hosts")
    return hosts


def _may_be_node_facts(path: str) -> bool:
    return path.endswith(".json")


def _host_of(path: str) -> str:
    """The node that a file was to hold: files are named after hosts."""
    from ...engine.facts.hostlist import HOST

    stem = os.path.splitext(os.path.basename(path))[0]
    return stem if HOST.match(stem) else ""

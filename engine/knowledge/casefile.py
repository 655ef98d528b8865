"""Case files: for each incident what must lead to it, what must not, and what is too little.

``tests/cases/<incident>.yaml``::

    incident: shm-too-small
    match:                 # the incident must come first, with at least this standing (default: likely)
      - name: docker's default
        standing: confirmed
        facts: {runtime: docker, shm.size_bytes: 64M}
        report: |
          NCCL WARN Error while creating shared memory segment /dev/shm/nccl-Ab12Cd (size 9637888)
    lookalike:             # it must not come first, nor be likely; ``instead`` must come first
      - name: ...
        instead: cumem-host-alloc-fails
        report: ...
    no_log: a hang without a line   # in place of a match with a report of three lines, where no log exists
    thin:                  # too little: it must not be more than possible
      - report: ...
"""

from __future__ import annotations

from typing import Any

from ..errors import KnowledgeError
from ..facts.yamltext import read_yaml
from ..model import CONFIRMED_STANDING, LIKELY, POSSIBLE
from ..tuples import NamedTuple
from .head import Head

KINDS = ("match", "lookalike", "thin")
LOG_LINES = 3
"""A report of so many lines is a log, in which signatures can collide."""


class Case(NamedTuple):
    """One case: a kind, what is given, and what is expected."""

    incident: str
    kind: str
    name: str
    where: str
    facts: dict[str, Any]
    report: str
    standing: str
    instead: str
    no_log: str = ""  # why no case of the incident can start from a log

    @property
    def starts_from_log(self) -> bool:
        """Whether the case leads from the text of a log to its incident."""
        lines = [line for line in self.report.splitlines() if line.strip()]
        return self.kind == "match" and len(lines) >= LOG_LINES


def read_cases(text: str, where: str) -> list[Case]:
    """The cases of one file. Raises KnowledgeError or YamlError with the place."""
    head = Head(read_yaml(text, where))
    incident = head.text("incident")
    no_log = head.text("no_log", "")
    cases = []
    for kind in KINDS:
        for number, part in enumerate(head.parts(kind), start=1):
            facts = part.raw("facts") or {}
            if not isinstance(facts, dict):
                part.fail('"facts" must be a mapping', "facts")
            report = part.raw("report") or ""
            case = Case(
                incident=incident,
                kind=kind,
                name=part.text("name", f"{kind} {number}"),
                where=where,
                facts=facts,
                report=str(report),
                standing=part.word("standing", (CONFIRMED_STANDING, LIKELY, POSSIBLE), LIKELY),
                instead=part.text("instead", ""),
                no_log=no_log,
            )
            part.finish()
            if not case.facts and not case.report:
                raise KnowledgeError(f"{case.name}: a case needs facts or a report", where)
            cases.append(case)
    head.finish()
    return cases

"""What was said of the machine: facts with their origins, typed values, versions, the vocabulary.

Reading and writing them is imported by name: ``factsfile``, ``nodefacts``, ``yamltext``; names of hosts: ``hostlist``.
"""

from .plainversion import version_of
from .statements import (
    ANSWER,
    DOUBTED,
    ELSEWHERE,
    ERROR_LINE,
    FILE,
    MEASURED,
    PRINTED,
    PROBE,
    READ,
    REPORT,
    RULE,
    SAID,
    TRUSTS,
    UNCOUNTED,
    WORDS,
    CannotTell,
    Fact,
    FactStore,
    Origin,
    Settled,
    Statement,
)
from .typeof import TypeOf
from .values import SET, UNSET, Value, magnitude, parse_value, show_value
from .versions import VersionError, VersionRange, compatible, parse_version
from .vocabulary import Vocabulary

__all__ = [
    "ANSWER",
    "DOUBTED",
    "ELSEWHERE",
    "ERROR_LINE",
    "FILE",
    "MEASURED",
    "PRINTED",
    "PROBE",
    "READ",
    "REPORT",
    "RULE",
    "SAID",
    "SET",
    "TRUSTS",
    "UNCOUNTED",
    "UNSET",
    "WORDS",
    "CannotTell",
    "Fact",
    "FactStore",
    "Origin",
    "Settled",
    "Statement",
    "TypeOf",
    "Value",
    "VersionError",
    "VersionRange",
    "Vocabulary",
    "compatible",
    "magnitude",
    "parse_value",
    "parse_version",
    "show_value",
    "version_of",
]

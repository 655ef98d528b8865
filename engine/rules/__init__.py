"""What holds: conditions in three values, the program of rules over tokens, and the engines that run it.

Engines are imported by name, since each costs time: ``workingmemory`` with ``durable``, and ``reference``.
"""

from .conditions import (
    ConditionError,
    Truth,
    as_json,
    evaluate,
    facts_of,
    from_json,
    leaves,
    parse,
    witnesses,
    words,
)
from .matcher import Matcher, MatcherError
from .predicates import OPERATORS, RANGE_START, Predicate, count_holds
from .program import (
    CONFIRMED,
    DENIED,
    MISSING,
    RULED_OUT,
    SUGGESTED,
    VALUE,
    Conclusion,
    Program,
    compile_program,
    denial_of,
    starts,
)

__all__ = [
    "CONFIRMED",
    "DENIED",
    "MISSING",
    "OPERATORS",
    "RANGE_START",
    "RULED_OUT",
    "SUGGESTED",
    "VALUE",
    "Conclusion",
    "ConditionError",
    "Matcher",
    "MatcherError",
    "Predicate",
    "Program",
    "Truth",
    "as_json",
    "compile_program",
    "count_holds",
    "denial_of",
    "evaluate",
    "facts_of",
    "from_json",
    "leaves",
    "parse",
    "starts",
    "witnesses",
    "words",
]

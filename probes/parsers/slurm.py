"""The output of a Slurm job: how it ended, and which tasks failed first."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...engine.patterns import lazy_pattern
from .base import Found, Lines

_ENDED = lazy_pattern(
    r"error: \*\*\* (?:JOB|STEP) \S{1,40} (?:ON|STEPD TERMINATED ON) \S{1,80} (?P<how>[^*]{1,160})"
)
_WAYS = (
    ("TIME LIMIT", "time-limit"),
    ("PREEMPTION", "preemption"),
    ("NODE FAILURE", "node-failure"),
    ("REQUEUE", "requeue"),
    ("TASK FAILURE", "task-failure"),
    ("FAILED", "task-failure"),
    ("SIGNAL", "signal"),
    ("CANCELLED", "cancelled"),
)
_TASKS = lazy_pattern(
    r"srun: error: (?P<host>[\w.\[\],-]{1,80}): tasks? (?P<tasks>\d{1,6}(?:[-,]\d{1,6}){0,40}): (?P<what>.{1,80})"
)
_FOLLOWS = ("Terminated", "Killed")
"""What becomes of the others once the step is ended."""


def parse_end(lines: Lines, at: int) -> Iterator[Found]:
    """What slurmstepd says when it ends a job or a step."""
    found = _ENDED.search(lines[at])
    if not found:
        return
    way = next((name for words, name in _WAYS if words in found["how"].upper()), "")
    if way:
        yield Found("slurm.ended_by", way, at)


def parse_tasks(lines: Lines, at: int) -> Iterator[Found]:
    """What srun says of tasks that ended badly, unless they were ended with the step."""
    if "srun: error: Node failure on " in lines[at]:
        yield Found("slurm.ended_by", "node-failure", at)
        return
    found = _TASKS.search(lines[at])
    if not found:
        return
    what = " ".join(re.sub(r"^Exited with exit code", "exit code", found["what"]).split())
    yield Found("symptom.worker-died", True, at)
    if not what.startswith(_FOLLOWS):
        yield Found("slurm.failed_tasks", f"{found['host']} task {found['tasks']}: {what}", at)

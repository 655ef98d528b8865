"""How a child process ended, and what the kernel says of one that does not end."""

from __future__ import annotations

import contextlib

from gpudoctor.engine.tuples import NamedTuple

DONE, TIMED_OUT, ABANDONED, FLOODED = "done", "timed out", "abandoned", "flooded"
MISSING, REFUSED = "missing", "refused"
_STATES = {"R": "running", "S": "sleeping", "D": "stuck in the kernel", "T": "stopped", "Z": "a zombie"}


class ChildEnd(NamedTuple):
    """How a child ended.

    ``state``: ``done``; ``timed out`` (killed at its limit); ``abandoned`` (killed and still there); ``flooded``
    (killed for writing too much); ``missing`` or ``refused`` (never ran). ``status`` is the exit status, negative for
    a signal, None where there is none. ``detail`` tells what the kernel said of a child that did not end, ``silent``
    for how many seconds it had written nothing.
    """

    status: int | None
    stdout: str
    stderr: str
    seconds: float
    state: str
    detail: str = ""
    silent: float = 0.0

    @property
    def hung(self) -> bool:
        """Whether the child did not end by itself in its time."""
        return self.state in (TIMED_OUT, ABANDONED)

    @property
    def ok(self) -> bool:
        """Whether the child ended by itself with status 0."""
        return self.state == DONE and self.status == 0


def evidence(pid: int) -> str:
    """What the kernel says of a process that does not end: its state, and where in the kernel it waits."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            # The name in brackets may itself hold brackets: the state stands behind the last one.
            state = file.read(4096).rpartition(b")")[2].split()[0].decode()
    except (OSError, IndexError):
        return ""
    where = ""
    with contextlib.suppress(OSError), open(f"/proc/{pid}/wchan", "rb") as file:
        where = file.read(100).decode("ascii", "replace").strip("0 \n")
    said = f"state {state} ({_STATES.get(state, 'of another kind')})"
    return f"{said}, waits in {where}" if where else said

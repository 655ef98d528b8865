"""Facts of every node of a Ray cluster: drives ``driver`` in a child and reads what it tells.

The child runs the interpreter of the job, because Ray wants its own version of Ray and Python. It is given up at
its limit; what came until then counts.
"""

from __future__ import annotations

import base64
import io
import json
import os
import re
import time
import zipfile
from pathlib import Path
from typing import Any

from ...engine.knowledge import Knowledge
from ...engine.redaction import is_secret, redact
from ...engine.vendors import MASKS
from ..boundedchild import Child, absolute, end_all
from ..childend import FLOODED
from ..machine.environment import allowed
from ..text import safe
from .answers import PROPAGATED, ClusterAnswer, Progress, Round
from .node import BOOT

CONNECT_SECONDS = 20.0
"""Ray itself may wait for minutes for a cluster that does not answer."""
ADDRESS = re.compile(r"auto|(?:ray://)?(?:[A-Za-z0-9][A-Za-z0-9._-]{0,252}|\[[0-9a-fA-F:.]{2,45}\]):\d{1,5}")
_FOLDER = Path(__file__).resolve().parent
_SHIPPED = (
    "engine/caching.py",
    "engine/characters.py",
    "engine/patterns.py",
    "engine/redaction/*.py",
    "engine/tuples.py",
    "engine/vendors.py",
    "probes/boundedchild.py",
    "probes/childend.py",
    "probes/janitor.py",
    "probes/lifeline.py",
    "probes/memoryfile.py",
    "probes/text.py",
    "probes/tools.py",
    "probes/round.py",
    "probes/machine/*.py",
    "probes/raycluster/node.py",
)
_OUTPUT = 256 << 20
_MARGIN = 3.0
_PAUSE = 0.05
_MOST_ODD = 1000
"""Lines that the driver did not write, after which whatever prints them is given up."""


class ClusterError(Exception):
    """The cluster cannot be asked; the message is one sentence. ``text``: what Ray said, for the rules."""

    def __init__(self, message: str, text: str = "") -> None:
        super().__init__(message)
        self.text = text


def examine_cluster(
    knowledge: Knowledge,
    *,
    address: str = "auto",
    python: str = "python3",
    timeout: float = 20.0,
    connect: float | None = None,
    progress: Progress | None = None,
) -> ClusterAnswer:
    """Ask every alive node; returns within ``connect`` and ``timeout`` seconds together, and a few more.

    ``connect`` is ``timeout``, but no more than CONNECT_SECONDS.

    ``progress`` hears (answered, asked). Raises ClusterError where there is nobody to ask.
    """
    if not ADDRESS.fullmatch(address):
        raise ClusterError(f'"{safe(address)[:80]}" is no address of a cluster: auto or HOST:PORT')
    began = time.monotonic()
    connect = min(CONNECT_SECONDS, timeout) if connect is None else connect
    here = {name: value for name, value in os.environ.items() if allowed(name) and not is_secret(name)}
    job = {
        "address": address,
        "total": timeout,
        "seconds": max(timeout - 4.0, timeout / 2),
        "archive": base64.b64encode(_archive()).decode(),
        "command": ["-I", "-S", "-B", "-c", BOOT],
        "probes": {"seconds": max(min(timeout - 5.0, 10.0), 1.0)},
        "variables": sorted({*MASKS, *PROPAGATED}),
    }
    child = Child(
        [absolute(python), str(_FOLDER / "driver.py")],
        seconds=connect + timeout + _MARGIN,
        limit_bytes=_OUTPUT,
        stdin=json.dumps(job).encode(),
    )
    round_ = Round(progress or (lambda done, asked: None))
    try:
        _follow(child, round_, began + connect, began + connect + timeout + _MARGIN)
    finally:
        end_all([child])
    assert child.outcome
    if not round_.connected:
        raise _no_connection(child, round_, address, python, connect)
    return round_.answer(knowledge, here, time.monotonic() - began)


def _archive() -> bytes:
    """The probes, for nodes that do not have gpudoctor."""
    packed = io.BytesIO()
    package = _FOLDER.parent.parent
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for pattern in _SHIPPED:
            for path in sorted(package.glob(pattern)):
                archive.write(path, path.relative_to(package))
    return packed.getvalue()


def _follow(child: Child, round_: Round, connected: float, end: float) -> None:
    """Read the lines of the driver as they come, until its end, or until one of the limits."""
    odd = 0
    while True:
        over = child.poll()
        for line in child.lines():
            said = _said(line)
            round_.hear(said)
            odd += bool(line) and not said
            if odd > _MOST_ODD or time.monotonic() > end:
                child.kill(FLOODED)
                return
        if over or time.monotonic() > (end if round_.connected else connected):
            return
        time.sleep(_PAUSE)


def _said(line: str) -> dict[str, Any]:
    """What the driver says in a line; nothing where something else printed it, such as what is no Python."""
    try:
        said = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return said if isinstance(said, dict) else {}


def _no_connection(child: Child, round_: Round, address: str, python: str, connect: float) -> ClusterError:
    outcome = child.outcome
    assert outcome
    if outcome.state in ("missing", "refused"):
        return ClusterError(f"{python}: cannot be run: {outcome.detail}")
    if round_.failed:
        said = redact(safe(round_.failed))
        first = said.strip().splitlines()[0] if said.strip() else "no reason given"
        return ClusterError(
            f"no cluster at {address}: {first[:300]}", f"{said}\n{redact(outcome.stderr[-20_000:])}"
        )
    if outcome.state == FLOODED:
        return ClusterError(f"{python}: what it prints is no answer: is it a Python that has Ray?")
    if outcome.hung:
        text = redact(outcome.stderr[-20_000:])
        return ClusterError(f"no cluster at {address}: Ray did not connect in {connect:g} s", text)
    last = redact(safe(outcome.stderr.strip()))[-300:].splitlines()
    return ClusterError(f"{python}: {last[-1] if last else 'ended without a word'}")

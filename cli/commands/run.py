"""``gpudoctor run``: start the job, pass everything on, and be there when it hangs or fails."""

from __future__ import annotations

import argparse
import gc
import os
import signal
import sys
import time
from collections.abc import Callable

from ...engine import EngineError, Knowledge
from ...engine.redaction import redact
from ...probes.bedside.groups import sentences
from ...probes.bedside.hang import Hang
from ...probes.bedside.look import Look
from ...probes.bedside.watcher import Watcher
from ...probes.files import shown
from ...probes.janitor import Born, descendants, kill_born, kill_group
from ..errors import USAGE, UsageError
from ..inputs.bedside import conclude, keep, keep_machine
from ..inputs.knowledge import load_knowledge
from ..output import render
from ..render.screen import Screen

_NOT_FOUND, _NOT_RUN = 127, 126
_BY_PERSON = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)
_STEP = 0.5
_ORDER = ((signal.SIGTERM, 10.0), (signal.SIGKILL, 5.0))
"""How a job is ended in order: the signal, and the seconds that it is given."""


def run(arguments: argparse.Namespace) -> int:
    """Start the command and stay with it; its exit status."""
    from ...probes.bedside.environment import additions
    from ...probes.bedside.passing import Passing
    from ...probes.lifeline import temporary_folder

    command = arguments.words[1:] if arguments.words[:1] == ["--"] else arguments.words
    if not command:
        raise UsageError("run needs a command: gpudoctor run -- torchrun train.py")
    gc.enable()  # a job may run for weeks
    _fill_standard_streams()
    knowledge = (
        load_knowledge(arguments.kb) if arguments.kb else None
    )  # what is wrong with it is said at once
    with temporary_folder() as folder:
        added = {} if arguments.no_env else additions(os.environ, folder, command[0])
        if added:
            named = " ".join(f"{name}={shown(value)}" for name, value in sorted(added.items()))
            sys.stderr.write(f"gpudoctor: added to the job's environment: {named} (--no-env adds nothing)\n")
            sys.stderr.flush()
        watcher = Watcher(command, arguments.hang_after, folder)
        try:
            passing = Passing(command, {**os.environ, **added}, watcher.hear)
        except OSError as error:
            sys.stderr.write(f"gpudoctor: {shown(command[0])}: {error.strerror or error}\n")
            return _NOT_FOUND if isinstance(error, FileNotFoundError) else _NOT_RUN
        with passing:
            says = _Says(arguments, knowledge, watcher, passing.say)
            watcher.on_hang = says.hangs
            watcher.begin(passing.pid)
            kill_at, order = 0.0, list(_ORDER)
            doomed: Born = {}
            while passing.step(_STEP):
                if says.hung and arguments.kill_on_hang and time.monotonic() >= kill_at and order:
                    number, seconds = order.pop(0)
                    doomed.update(descendants(passing.pid))
                    kill_at = time.monotonic() + seconds
                    passing.send(number)
            if doomed:  # ranks that their launcher has left behind
                kill_group(passing.pid)
                kill_born(doomed)
            status = passing.status or 0
            status = 128 - status if status < 0 else status
            watcher.end()
        by_person = any(number in _BY_PERSON for number in passing.forwarded) or _pressed(status)
        if passing.unwritten:
            _plainly(f"gpudoctor: {passing.unwritten}\n")
        if status == 128 + signal.SIGPIPE and (passing.unread or passing.unwritten):
            by_person = True  # nothing is wrong with the job
        if status and not by_person and not says.hung:
            says.say = _plainly
            says.ended(status)
    if status == 0 and passing.unwritten:
        return USAGE  # a job whose output is lost has not succeeded
    if status == 0 and arguments.history:
        try:
            keep_machine(knowledge or load_knowledge([]), arguments.history, arguments.history_size)
        except UsageError as error:  # the job has ended well, and its status is ours
            _plainly(f"gpudoctor: {error}\n")
    return status


def _fill_standard_streams() -> None:
    """Open those that our caller closed, so that none of our own files takes the number and gets the job's output."""
    for number in (0, 1, 2):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest free number


def _pressed(status: int) -> bool:
    """Whether the job ended by a key of the person."""
    return status - 128 in (signal.SIGINT, signal.SIGQUIT) and os.isatty(0)


def _plainly(text: str) -> None:
    sys.stderr.write(text)
    sys.stderr.flush()


class _Says:
    """Keeps what was found and says it, on standard error: standard output is the job's."""

    def __init__(
        self,
        arguments: argparse.Namespace,
        knowledge: Knowledge | None,
        watcher: Watcher,
        say: Callable[[str], None],
    ) -> None:
        self._arguments = arguments
        self._knowledge = knowledge
        self._watcher = watcher
        self.say = say
        self.hung = False
        """Whether the job hangs, and this was said."""

    def hangs(self, look: Look, hang: Hang) -> None:
        """The job hangs: say where its ranks stand, then what it is."""
        lines = "".join(f"  {sentence}\n" for sentence in sentences(look))
        self.say(f"\ngpudoctor: the job hangs: {shown(hang.why)} for {hang.seconds:.0f} s\n{lines}")
        self._conclude(None)
        self.hung = True

    def ended(self, status: int) -> None:
        """The job failed."""
        job = self._watcher.job(status)
        how = f"by {job.signal}" if job.signal else f"with status {status}"
        self.say(f"\ngpudoctor: the job ended {how} after {job.seconds:.0f} s\n")
        self._conclude(status)

    def _conclude(self, status: int | None) -> None:
        try:
            looks, texts, documents, pid = self._watcher.evidence(alive=status is None)
            job = self._watcher.job(status)
            self._knowledge = self._knowledge or load_knowledge([])
            name = keep(self._knowledge, job, looks, texts, documents, self._arguments.evidence or ".", pid)
            document = conclude(
                self._knowledge, name, self._arguments.engine, self._arguments.history
            ).to_dict()
            found = render(document, self._arguments)
        except (UsageError, EngineError) as error:
            self.say(f"gpudoctor: {error}\n")
            return
        except Exception as error:  # the job goes on, and its status is ours, whatever is wrong with us
            self.say(
                f"gpudoctor: internal error: {redact(f'{type(error).__name__}: {error}')} (this is a bug)\n"
            )
            return
        self.say(found.plain() if isinstance(found, Screen) else found)
        self.say(
            f"gpudoctor: the evidence: {shown(name)} (gpudoctor --from {shown(name)}, here or anywhere)\n"
        )

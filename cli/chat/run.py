"""``gpudoctor`` without arguments: probe, show what was found, talk, and keep what was said."""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol

from ...engine import EngineError, Knowledge, Session
from ...engine.facts import Statement
from ...engine.session.sessionfile import load, refuse_other, save
from ...engine.writing import refuse_unwritable
from ..errors import UsageError
from ..inputs.factsfiles import add_facts
from ..inputs.knowledge import load_knowledge
from ..inputs.machine import add_machine, names_machine
from ..inputs.reports import read_reports, reports_of
from ..inputs.snapshots import add_since
from ..language import Language, preferred
from ..render.screen import paint, terminal_width, wants_color
from .conversation import Conversation
from .ending import kept
from .talk import Tools


def can_talk(arguments: argparse.Namespace) -> bool:
    """Whether there is a person at both ends."""
    return sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty() and not arguments.no_ask


def chat(arguments: argparse.Namespace) -> int:
    """Talk; the exit status is that of the diagnosis at the end."""
    language = Language(arguments.lang or preferred())
    knowledge = load_knowledge(arguments.kb)
    color = wants_color(arguments.color, sys.stdout)
    try:
        if arguments.save:
            refuse_unwritable(arguments.save)  # now, and not after an hour of answers
        session, tried = _opened(knowledge, arguments)
        for name in arguments.facts:
            add_facts(session, [name])
        reports = reports_of(arguments)
        read_reports(session, reports)
        # Facts or logs that were given may be of another machine; what is measured here would mislead.
        here = not (arguments.facts or reports or arguments.resume) or arguments.probe
        if here or names_machine(arguments):
            with contextlib.suppress(KeyboardInterrupt):
                add_machine(session, arguments)
            if here and not arguments.probe and session.value("gpu.count") == 0:
                here = _leave_out_this_machine(session, language)
        if arguments.since:
            add_since(session, arguments.since)
    except EngineError as error:
        raise UsageError(str(error)) from None
    keeper = Keeper(session, arguments.save or arguments.resume or "", language)
    tools = Tools(save=keeper.save_to)
    if here:
        tools = tools._replace(probe=Probing(session, arguments), test=_collective(session, arguments))
    conversation = keeper.chat = Conversation(session, language, tools, lambda: terminal_width(sys.stdout))
    conversation.tried.update(tried)
    with kept(keeper.leave):
        paint(conversation.open(session.notes), sys.stdout, color)
        _terminal(arguments, color).talk(conversation, keeper.leave)
    return session.diagnosis().exit_status


def _opened(knowledge: Knowledge, arguments: argparse.Namespace) -> tuple[Session, dict[str, str]]:
    if not arguments.resume:
        return Session(knowledge, arguments.engine), {}
    saved = load(knowledge, arguments.resume, arguments.engine)
    for dropped in saved.dropped:
        saved.session.note(dropped)
    tried = saved.extra.get("tried")
    return saved.session, {str(k): str(v) for k, v in tried.items()} if isinstance(tried, dict) else {}


def _leave_out_this_machine(session: Session, language: Language) -> bool:
    """A laptop or a login node: what was measured there would rule out what is wrong with the one that has the GPUs."""
    for statement in session.statements():
        session.withdraw(statement)
    session.notes[:] = [
        language.say(
            "There is no GPU in this machine, so its measurements are not used. Tell me about the "
            "machine that runs the job, or start gpudoctor there. To use this machine anyway: "
            "gpudoctor --ask --probe."
        )
    ]
    return False


def _collective(session: Session, arguments: argparse.Namespace) -> Callable[[], Sequence[Statement]]:
    """The collective test on request; loaded then, since few conversations come to it."""

    def tested() -> Sequence[Statement]:
        from ..inputs.collectives import on_request

        return on_request(session.knowledge, arguments.python)()

    return tested


class _Terminal(Protocol):
    def talk(self, chat: Conversation, leave: Callable[[], None]) -> None:
        """Talk until the person leaves."""


def _terminal(arguments: argparse.Namespace, color: bool) -> _Terminal:
    if not arguments.plain and os.environ.get("TERM", "dumb") != "dumb":
        from .terminal import FullTerminal

        return FullTerminal(color)
    from .lines import LineTerminal

    return LineTerminal(color)


class Probing:
    """Live probes on request."""

    def __init__(self, session: Session, arguments: argparse.Namespace) -> None:
        self._session = session
        self._arguments = arguments

    def __call__(self, names: Sequence[str]) -> Sequence[Statement]:
        """What the named probes find, or all of them. Raises UsageError for a name that is none."""
        from ..inputs.machine import examined

        asked = argparse.Namespace(**{**vars(self._arguments), "only": list(names)})
        with examined(self._session.knowledge, asked) as (examination, _):
            return examination.statements


class Keeper:
    """Saves the session where the person says, and, if it says nothing, where it can be found again."""

    def __init__(self, session: Session, path: str, language: Language) -> None:
        self._session = session
        self._path = path
        self._language = language
        self.chat: Conversation | None = None

    def _extra(self) -> dict[str, object]:
        return {"tried": dict(self.chat.tried)} if self.chat is not None and self.chat.tried else {}

    def save_to(self, path: str) -> str:
        """Save, and say so. Raises SessionFileError, also where it is somebody else's file."""
        refuse_other(path)
        save(self._session, path, self._extra())
        self._path = path
        return self._language.say("saved; gpudoctor --resume {file} continues from here", file=path)

    def leave(self) -> None:
        """Save at the end. Without a file only if there is something to lose."""
        answered = any(s.origin.kind == "answer" for s in self._session.statements())
        path = self._path or (str(_last_session()) if answered or self._session.has_read else "")
        if not path:
            return
        try:
            if not self._path:
                Path(path).parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            said = self.save_to(path)
        except (EngineError, OSError) as error:
            _tell(f"gpudoctor: the session could not be saved: {error}")
            return
        _tell(said)


def _tell(text: str) -> None:
    """On the terminal, or on standard error where that is gone; where nobody listens it was done all the same."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):
            stream.write(f"{text}\n")
            stream.flush()
            return


def _last_session() -> Path:
    state = os.environ.get("XDG_STATE_HOME") or os.path.join(os.path.expanduser("~"), ".local", "state")
    return Path(state) / "gpudoctor" / "last-session.yaml"

"""The command ``gpudoctor``: turns arguments into calls, and errors into one sentence and a status."""

from __future__ import annotations

import argparse
import contextlib
import errno
import gc
import io
import os
import signal
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

from .errors import FAILED, OK, USAGE, UsageError
from .version import VERSION

_CUT_OFF = 128 + signal.SIGPIPE
_UNWRITABLE = (errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EFBIG, errno.EAGAIN, errno.EBADF)
"""What standard output answers: a full disk, a limit, a pipe that must not be waited for, one open for reading."""
_NAMES = {
    name: {"captured": "from"}.get(name, name)
    for name in (
        "facts",
        "report",
        "output",
        "save",
        "resume",
        "python",
        "root",
        "captured",
        "kb",
        "spec",
        "config",
    )
}


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command line; the exit status (see ``manual.DIAGNOSING``)."""
    try:
        status = _run(list(sys.argv[1:] if argv is None else argv))
        sys.stdout.flush()  # what cannot be written is said below, and is never a success
        return status
    except UsageError as error:
        _say(str(error))
        return USAGE
    except BrokenPipeError:
        # Whoever read our output has seen enough; nothing more can be written there.
        _drop_output()
        return _CUT_OFF  # never 0: that would say that all is well
    except KeyboardInterrupt:
        _say("interrupted")
        return FAILED
    except OSError as error:
        if error.errno not in _UNWRITABLE or error.filename is not None:
            return _bug(error)
        # Every file that we write has its own sentence; a full disk behind a redirection has this one.
        _say(f"standard output: cannot be written: {os.strerror(error.errno)}")
        _drop_output()
        return USAGE
    except Exception as error:
        return _bug(error)


def _drop_output() -> None:
    """Let what is still in the buffer go nowhere."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _bug(error: Exception) -> int:
    if os.environ.get("GPUDOCTOR_DEBUG"):
        raise error
    _say(f"internal error: {type(error).__name__}: {error} (this is a bug; GPUDOCTOR_DEBUG=1 shows where)")
    return FAILED


def _say(message: str) -> None:
    from ..engine.redaction import redact
    from ..probes.text import safe

    for line in redact(message).splitlines():  # several errors of one file stand on a line each
        sys.stderr.write(f"gpudoctor: {safe(line)}\n")  # it may quote what somebody else wrote


def _run(argv: list[str]) -> int:
    from .arguments import build_parser

    if "_ARGCOMPLETE" in os.environ:
        from .commands.completion import complete

        complete(build_parser())
    parser = build_parser(argv)
    arguments = parser.parse_args(argv)
    _refuse_unused(arguments, argv)
    if arguments.version:
        sys.stdout.write(f"gpudoctor {VERSION}\n")
        return OK
    if arguments.command == "explain":
        from .commands.explain import explain

        return explain(arguments)
    if arguments.command == "search":
        from .commands.search import search

        return search(arguments)
    if arguments.command == "schema":
        from .commands.schema import schema

        return schema(arguments)
    if arguments.command == "completion":
        from .commands.completion import completion

        return completion(arguments)
    if arguments.command == "man":
        from .commands.man import man

        return man(arguments)
    if arguments.command == "audit":
        from .commands.audit import audit

        return audit(arguments)
    if arguments.command == "probe":
        from .commands.probe import probe

        return probe(arguments)
    if arguments.command == "capture":
        from .commands.capture import capture

        return capture(arguments)
    if arguments.command == "run":
        from .commands.run import run

        return run(arguments)
    if arguments.command == "attach":
        from .commands.attach import attach

        return attach(arguments)
    if arguments.command == "diff":
        from .commands.diff import diff

        return diff(arguments)
    if arguments.command == "fleet":
        from .commands.fleet import fleet

        return fleet(arguments)
    if arguments.command == "kb":
        from .commands.kb import kb

        return kb(arguments)
    if arguments.command == "site":
        from .commands.site import site

        return site(arguments)
    if arguments.command == "collective":
        from .commands.collective import collective

        return collective(arguments)
    if arguments.command == "verify":
        from .commands.verify import verify

        return verify(arguments)
    if arguments.command == "try":
        from .commands.attempt import attempt

        return attempt(arguments)
    machine = arguments.probe or arguments.root or arguments.captured or arguments.pid or arguments.python
    given = arguments.facts or arguments.report or machine
    if arguments.ask or arguments.resume or not given:
        from .chat.run import can_talk, chat

        if can_talk(arguments):
            return chat(arguments)
        if arguments.ask:
            raise UsageError("--ask needs a terminal on which to ask")
        # Nobody to talk to: what can be measured or was saved is concluded from.
        arguments.probe = arguments.probe or not (given or arguments.resume)
    from .commands.diagnose import diagnose

    return diagnose(arguments)


def _refuse_unused(arguments: argparse.Namespace, argv: list[str]) -> None:
    """Refuse what would be passed over in silence: options before a command, and empty names.

    The options of a command replace those of the same name that stand before it.
    """
    if arguments.command and argv[0] != arguments.command and not arguments.version:
        raise UsageError(
            f"options go behind the command: gpudoctor {arguments.command} ... {argv[0]} "
            f"(try gpudoctor {arguments.command} --help)"
        )
    for option, name in _NAMES.items():
        given = getattr(arguments, option, None)
        names = given if isinstance(given, list) else [given]
        if any(one == "" or (isinstance(one, list) and "" in one) for one in names):
            raise UsageError(f"--{name} has an empty name")


def _make_writable() -> None:
    """Streams that take whatever is written: one may be closed, or know fewer characters than we write."""
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - it lives as long as the program
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    else:
        with contextlib.suppress(OSError, ValueError):  # no number of a file: a stream of somebody's own
            raw = _Remarks(sys.stderr.fileno(), "w", closefd=False)
            sys.stderr = io.TextIOWrapper(raw, sys.stderr.encoding, "replace", write_through=True)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")


class _Remarks(io.FileIO):
    """Standard error: a remark that nobody can read changes neither the work nor its status."""

    def write(self, data: Any) -> int:
        """Everything, or nothing where it cannot be written."""
        view = memoryview(data)
        with contextlib.suppress(OSError):
            done = 0
            while done < len(view):
                done += super().write(view[done:]) or 0
        return len(view)


def entry() -> NoReturn:
    """The console script: run, and leave at once.

    A probe may have left a child behind that cannot be killed; an interpreter that shuts down in good order
    would wait for it.
    """
    gc.disable()  # short-lived: collecting costs more than it frees
    _make_writable()
    try:
        status = main()
    except SystemExit as end:  # --help
        status = end.code if isinstance(end.code, int) else FAILED
    with contextlib.suppress(OSError):  # dropped, and said, by main
        sys.stdout.flush()
    os._exit(status)


if __name__ == "__main__":
    entry()

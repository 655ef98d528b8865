"""The command ``gpudoctor``: turns arguments into calls, and errors into one sentence and a status."""

from __future__ import annotations

import argparse
import contextlib
import errno
import gc
import importlib
import io
import os
import sys
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

from .errors import FAILED, OK, USAGE, UsageError
from .version import VERSION

_CUT_OFF = 128 + 13
"""As a shell says that a program was ended by SIGPIPE; ``signal`` takes a while to load."""
_UNWRITABLE = (errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EFBIG, errno.EAGAIN, errno.EBADF)
"""What standard output answers: a full disk, a limit, a pipe that must not be waited for, one open for reading."""
_NAMES = {
    name: {"captured": "from"}.get(name, name)
    for name in (
        "facts",
        "report",
        "output",
        "save",
        "since",
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
    return status


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
    if arguments.command:
        return _command(arguments.command)(arguments)
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


def _command(name: str) -> Callable[[argparse.Namespace], int]:
    """The function of a command, in the module of its name: only that one is imported."""
    function = {"try": "attempt"}.get(name, name)
    found: Callable[[argparse.Namespace], int] = getattr(
        importlib.import_module(f".commands.{function}", __package__), function
    )
    return found


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
    remember()
    os._exit(status)


def remember() -> None:
    """Keep what Python made of expressions that were new: the next run starts faster."""
    from ..engine.patterns import learned

    found = learned()
    if found:
        from ..engine.writing import keep

        keep(*found)


if __name__ == "__main__":
    entry()

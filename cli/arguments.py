"""The command line: every command and option, in one place, for the parser and for the documentation."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NoReturn

from .content.addresses import checked
from .errors import UsageError
from .manual import MANUALS


class _Help(argparse.RawDescriptionHelpFormatter):
    """Knows how wide the terminal is without ``shutil``, which argparse would import at every start."""

    def __init__(
        self, prog: str, indent_increment: int = 2, max_help_position: int = 24, width: int | None = None
    ) -> None:
        super().__init__(prog, indent_increment, max_help_position, width or _columns() - 2)


@lru_cache(maxsize=1)
def _columns() -> int:
    said = os.environ.get("COLUMNS", "")
    if said.isdecimal() and int(said):
        return int(said)
    try:
        return os.get_terminal_size(1).columns or 80
    except OSError:
        return 80


class _Parser(argparse.ArgumentParser):
    """A parser whose help has a sentence, examples and the exit status."""

    def __init__(self, *args: Any, **options: Any) -> None:
        manual = MANUALS.get(str(options.get("prog", "")).removeprefix("gpudoctor").strip())
        if manual is not None:
            options.setdefault("description", manual.sentence)
            options.setdefault("epilog", manual.epilog)
            options.setdefault("formatter_class", _Help)
        super().__init__(*args, **options)

    def _print_message(self, message: str, file: Any = None) -> None:
        """Help; argparse passes over what cannot be written."""
        stream = file or sys.stderr
        stream.write(message)
        stream.flush()

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message} (try {self.prog} --help)")

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.dest == "command" and value not in _COMMANDS:
            raise UsageError(
                f'there is no command "{value}"; there are {", ".join(_COMMANDS)}; a log goes behind --report'
            )
        super()._check_value(action, value)


def build_parser(argv: Sequence[str] | None = None) -> argparse.ArgumentParser:
    """The parser of every command; with ``argv``, of the one command that it names, which is quicker."""
    parser = _Parser(prog="gpudoctor")
    parser.add_argument("--version", action="store_true", help="print the version and exit")
    add_diagnosing(parser)
    commands = parser.add_subparsers(
        dest="command", metavar="COMMAND", parser_class=_Parser, prog=parser.prog
    )
    for name, add in _COMMANDS.items():
        if argv is None or name in argv or not {*_COMMANDS, *_HELP}.isdisjoint(argv):
            add(commands)
    return parser


_Commands = argparse._SubParsersAction  # type of what add_subparsers returns; argparse names it only so
_HELP = ("-h", "--help")


def _add_explain(commands: _Commands[_Parser]) -> None:
    explain = commands.add_parser("explain", help="print the page of an incident, remedy, or fact")
    explain.add_argument(
        "id",
        nargs="+",
        help="an id from a diagnosis, an event such as Xid 79, a variable, or an error line",
    )
    add_knowledge(explain)
    add_output(explain)


def _add_search(commands: _Commands[_Parser]) -> None:
    search = commands.add_parser("search", help="search the knowledge base for words or an error message")
    search.add_argument("words", nargs="+", help="words or an error line")
    add_knowledge(search)
    add_output(search)


def _add_audit(commands: _Commands[_Parser]) -> None:
    audit = commands.add_parser(
        "audit",
        help="find problems before the job runs: known issues, settings, mistakes in specs",
    )
    audit.add_argument(
        "spec",
        nargs="*",
        metavar="SPEC",
        help="what starts the job: docker run lines, Compose, Kubernetes, sbatch, a systemd unit, a shell script; or "
        "what is installed: pip list, requirements, a lock file, dpkg -l, rpm -qa (- for standard input)",
    )
    audit.add_argument(
        "--facts", action="extend", nargs="+", default=[], metavar="FILE", help="facts files of the machine"
    )
    audit.add_argument("--probe", action="store_true", help="add the facts of this machine")
    add_machine(audit)
    audit.add_argument(
        "--format", choices=("text", "json", "markdown", "sarif"), default="text", help="default: text"
    )
    audit.add_argument("--output", metavar="FILE", help="write to a file instead of standard output")
    audit.add_argument(
        "--full", action="store_true", help="show every finding, also those that depend on unknown facts"
    )
    audit.add_argument(
        "--fail-on",
        choices=("wrong", "crash", "hang", "slow", "missing", "note"),
        default="note",
        metavar="SEVERITY",
        help="exit 1 only for findings as bad as this or worse: wrong, crash, hang, slow, missing, note (default)",
    )
    audit.add_argument(
        "--config", metavar="FILE", help="accepted findings (default: .gpudoctor.yaml, if it exists)"
    )
    add_knowledge(audit)
    add_output(audit)


def _add_probe(commands: _Commands[_Parser]) -> None:
    probe = commands.add_parser("probe", help="print the facts of this machine as YAML for --facts")
    add_machine(probe)
    probe.add_argument("--deep", action="store_true", help="give slow drivers twenty seconds")
    probe.add_argument(
        "--list", action="store_true", help="list the probes and what each one costs the machine"
    )
    probe.add_argument(
        "--only", action="append", default=[], metavar="PROBE", help="run only this probe; may be repeated"
    )
    probe.add_argument(
        "--skip", action="append", default=[], metavar="PROBE", help="skip this probe; may be repeated"
    )
    probe.add_argument(
        "--timeout", type=_seconds, metavar="S", help="give up after S seconds (10; 22 with --deep)"
    )
    probe.add_argument("--format", choices=("yaml", "json"), default="yaml", help="default: yaml")
    _add_history(probe, "as well")
    probe.add_argument("--output", metavar="FILE", help="write to a file instead of standard output")
    add_knowledge(probe)


def _add_capture(commands: _Commands[_Parser]) -> None:
    capture = commands.add_parser(
        "capture", help="save the evidence of this machine for a diagnosis elsewhere"
    )
    capture.add_argument("archive", metavar="OUT.tar.gz", help="the archive to write (see --from)")
    capture.add_argument("--yes", action="store_true", help="write without asking")
    capture.add_argument("--python", metavar="PATH", help="the Python interpreter of the job")
    capture.add_argument(
        "--pid",
        type=_process,
        metavar="N",
        help="a process of the running job; its environment and limits are used",
    )


def _add_fleet(commands: _Commands[_Parser]) -> None:
    fleet = commands.add_parser("fleet", help="gather the facts of a Ray cluster and diagnose it")
    fleet.add_argument(
        "--address",
        default="auto",
        metavar="auto|HOST:PORT",
        help="the cluster (default: auto, as Ray finds it)",
    )
    fleet.add_argument("--python", metavar="PATH", help="the Python interpreter of the job, with its Ray")
    fleet.add_argument(
        "--timeout",
        type=_seconds,
        default=20.0,
        metavar="SECONDS",
        help="time limit for all nodes together (default: 20)",
    )
    add_given(fleet)
    add_results(fleet)
    fleet.add_argument("--lang", choices=("en", "zh"), help="language (default: that of the locale)")
    add_knowledge(fleet)
    add_output(fleet)


def _add_run(commands: _Commands[_Parser]) -> None:
    run = commands.add_parser(
        "run",
        help="start a job and watch it; diagnose it if it hangs or fails",
    )
    run.add_argument(
        "words", nargs=argparse.REMAINDER, metavar="-- COMMAND", help="the job and its arguments"
    )
    run.add_argument(
        "--hang-after",
        type=_hang_after,
        default=30.0,
        metavar="SECONDS",
        help="report a hang after this time without output or progress (default: 30)",
    )
    run.add_argument("--kill-on-hang", action="store_true", help="if the job hangs, end it cleanly")
    run.add_argument("--no-env", action="store_true", help="add nothing to the job's environment")
    _add_history(run, "when the job has ended well")
    _add_bedside(run)


def _add_attach(commands: _Commands[_Parser]) -> None:
    attach = commands.add_parser("attach", help="show where the ranks of a running job are, and why it hangs")
    attach.add_argument(
        "pids",
        nargs="*",
        type=_process,
        metavar="PID",
        help="a process of the job; its children are included",
    )
    attach.add_argument("--all", action="store_true", help="every job on this machine, each by itself")
    attach.add_argument(
        "--seconds", type=_seconds, default=8.0, metavar="S", help="how long to look at it (default: 8)"
    )
    attach.add_argument(
        "--native", action="store_true", help="include calls inside libraries; pauses the job for seconds"
    )
    _add_bedside(attach)


def _add_diff(commands: _Commands[_Parser]) -> None:
    diff = commands.add_parser(
        "diff",
        help="show what changed between two captures, sessions, or facts files",
    )
    diff.add_argument("before", metavar="BEFORE", help="a capture (.tar.gz), a session or a facts file")
    diff.add_argument("after", metavar="AFTER", help="the same, from another time or another machine")
    diff.add_argument("--full", action="store_true", help="every change")
    diff.add_argument(
        "--format", choices=("text", "json"), default="text", help="how to print (default: text)"
    )
    diff.add_argument("--output", metavar="FILE", help="write to a file instead of standard output")
    add_knowledge(diff)
    add_output(diff)


def _add_history(parser: _Parser, when: str) -> None:
    parser.add_argument(
        "--history", metavar="DIR", help=f"keep a capture of this machine there {when}, for gpudoctor diff"
    )
    parser.add_argument(
        "--history-size",
        type=int,
        default=5,
        metavar="N",
        help="how many captures of a machine are kept (default: 5)",
    )


def _add_bedside(parser: _Parser) -> None:
    parser.add_argument(
        "--evidence",
        metavar="DIR",
        help="where to keep the captures; use a shared folder for several nodes (default: .)",
    )
    add_results(parser)
    parser.add_argument("--lang", choices=("en", "zh"), help="language (default: that of the locale)")
    add_knowledge(parser)
    add_output(parser)


def _hang_after(text: str) -> float:
    return _between(1, 86400, text)


def _seconds(text: str) -> float:
    return _between(0.001, 600, text)


def _between(least: float, most: float, text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = least - 1
    if not least <= value <= most:
        raise argparse.ArgumentTypeError(f"must be between {least:g} and {most:g} seconds, not {text}")
    return value


def _process(text: str) -> int:
    if not text.isdecimal() or not int(text):
        raise argparse.ArgumentTypeError(f"must be the number of a process, not {text}")
    return int(text)


def add_machine(parser: argparse.ArgumentParser) -> None:
    """Options that say which machine, environment and process are asked about."""
    parser.add_argument("--python", metavar="PATH", help="the Python interpreter of the job")
    parser.add_argument(
        "--pid",
        type=_process,
        metavar="N",
        help="a process of the running job; its environment and limits are used",
    )
    place = parser.add_mutually_exclusive_group()
    place.add_argument("--root", metavar="DIR", help="a directory tree that stands for the machine")
    place.add_argument("--from", dest="captured", metavar="TAR", help="an archive of gpudoctor capture")


LISTED = ("incidents", "known-issues", "products", "pitfalls", "remedies", "facts")
"""What ``gpudoctor kb list`` lists."""


def _add_kb(commands: _Commands[_Parser]) -> None:
    kb = commands.add_parser("kb", help="for authors: lint, test, list, links, new")
    tasks = kb.add_subparsers(dest="task", metavar="TASK", required=True, parser_class=_Parser)
    lint = tasks.add_parser("lint", help="check a knowledge base; exit 2 if something is wrong")
    lint.add_argument("folder", nargs="*", help="folders laid over the built-in knowledge base")
    add_knowledge(lint)
    test = tasks.add_parser("test", help="run the case files; exit 2 if a result is not as expected")
    test.add_argument("folder", nargs="*", help="folders laid over the built-in knowledge base")
    add_knowledge(test)
    test.add_argument(
        "--cases", action="append", default=[], metavar="DIR", help="the folder of the case files"
    )
    test.add_argument(
        "--only", action="append", metavar="ID", help="only the cases of this incident; may be repeated"
    )
    listing = tasks.add_parser("list", help="list the entries of the knowledge base")
    listing.add_argument("kind", nargs="?", choices=LISTED, default="incidents")
    listing.add_argument("--gaps", action="store_true", help="list what the knowledge base lacks")
    add_knowledge(listing)
    links = tasks.add_parser("links", help="check whether the cited pages still exist (needs a network)")
    links.add_argument(
        "--timeout",
        type=_seconds,
        default=10.0,
        metavar="SECONDS",
        help="time limit per address (default: 10)",
    )
    add_knowledge(links)
    new = tasks.add_parser("new", help="write the skeleton of a new entry")
    new.add_argument("kind", choices=("incident", "known-issue", "product", "pitfall", "remedy", "fact"))
    new.add_argument("id")
    new.add_argument("--product", help="the product of a known issue (default: taken from its id)")
    new.add_argument(
        "--family",
        default="framework",
        help="the family (folder) of an incident or a remedy (default: framework)",
    )
    new.add_argument("--dir", default="kb", help="the knowledge base to write to (default: kb)")


def _add_site(commands: _Commands[_Parser]) -> None:
    site = commands.add_parser("site", help="write the knowledge base as a static site")
    site.add_argument(
        "dir", metavar="DIR", help="a new or empty folder, or one that this command filled before"
    )
    site.add_argument(
        "--jobs", type=int, default=0, metavar="N", help="processes (default: one for each core)"
    )
    site.add_argument(
        "--engine",
        metavar="PYODIDE",
        help="the npm package pyodide (npm pack pyodide), packed or unpacked: the search page then gives diagnoses",
    )
    add_site_url(site)
    add_knowledge(site)


def add_site_url(parser: argparse._ActionsContainer) -> None:
    """The option that says where the docs site lies."""
    parser.add_argument(
        "--site-url",
        type=checked,
        metavar="URL",
        help="the address of the site, for links to its pages",
    )


def _add_collective(commands: _Commands[_Parser]) -> None:
    collective = commands.add_parser(
        "collective", help="test the GPUs with real collectives and find the broken transport"
    )
    add_collective(collective)
    collective.add_argument(
        "--matrix", action="store_true", help="run all variants, even if the first test passes"
    )
    collective.add_argument(
        "--facts",
        action="append",
        default=[],
        metavar="FILE",
        help="more facts to use; may be repeated",
    )
    collective.add_argument("--probe", action="store_true", help="also use the facts of this machine")
    collective.add_argument("--save", metavar="FILE", help="save the session for gpudoctor verify")
    collective.add_argument(
        "--nodes", metavar="HOSTFILE", help="with --print: the hosts on which the test should run"
    )
    collective.add_argument(
        "--print", dest="lines", action="store_true", help="only print the commands; start nothing"
    )
    collective.add_argument(
        "--join", metavar="ADDRESS:PORT", help="the address of the first node, for a test over several nodes"
    )
    collective.add_argument("--node", type=int, default=0, metavar="I", help="this node's number, from 0")
    collective.add_argument("--node-count", type=int, default=1, metavar="N", help="how many nodes join")
    _add_result(collective, ("text", "json", "markdown", "yaml"))


def _add_verify(commands: _Commands[_Parser]) -> None:
    verify = commands.add_parser("verify", help="measure and test again after a fix")
    verify.add_argument("session", help="a session that --save wrote")
    add_collective(verify)
    _add_result(verify, ("text", "json"))


def _add_try(commands: _Commands[_Parser]) -> None:
    attempt = commands.add_parser("try", help="test whether a remedy would help here; nothing is changed")
    attempt.add_argument("remedy", help="the id of a remedy that sets environment variables")
    attempt.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="a value that only you know; may be repeated",
    )
    add_collective(attempt)
    _add_result(attempt, ("text", "json"))


def _add_result(parser: _Parser, formats: tuple[str, ...]) -> None:
    parser.add_argument("--format", choices=formats, default="text", help="how to print (default: text)")
    parser.add_argument("--output", metavar="FILE", help="write to a file instead of standard output")
    parser.add_argument(
        "--engine",
        choices=("auto", "durable", "reference"),
        default="auto",
        help="the rule engine (default: auto)",
    )
    add_knowledge(parser)
    add_output(parser)


def add_collective(parser: argparse.ArgumentParser) -> None:
    """Options of everything that runs collectives."""
    parser.add_argument(
        "--backend",
        choices=("auto", "nccl", "gloo"),
        default="auto",
        help="nccl: the GPUs (NVIDIA or AMD); gloo: the network without GPUs (default: what is there)",
    )
    parser.add_argument("--ranks", type=int, metavar="N", help="ranks on this node (default: one per GPU)")
    parser.add_argument(
        "--budget", type=_budget, default=120.0, metavar="SECONDS", help="for everything (default: 120)"
    )
    parser.add_argument("--python", metavar="PATH", help="the interpreter in which the job runs")
    parser.add_argument("--yes", action="store_true", help="also on GPUs that somebody's job uses")


def _budget(text: str) -> float:
    return _between(5, 3600, text)


def add_knowledge(parser: argparse.ArgumentParser) -> None:
    """Options that choose the knowledge base."""
    parser.add_argument(
        "--kb",
        action="append",
        default=[],
        metavar="DIR",
        help="lay a folder over the knowledge base; may repeat",
    )


def add_output(parser: argparse.ArgumentParser) -> None:
    """Options of everything that prints."""
    parser.add_argument(
        "--color",
        choices=("auto", "always", "never"),
        default="auto",
        help="colour (default: auto; NO_COLOR counts)",
    )


def add_diagnosing(parser: argparse.ArgumentParser) -> None:
    """Options of every diagnosing form."""
    group = parser.add_argument_group("diagnosing")
    add_given(group)
    group.add_argument("--probe", action="store_true", help="add the facts of this machine")
    group.add_argument(
        "--since",
        metavar="GOOD",
        help="from when it worked: a capture, session or facts file, or the folder of --history; "
        "what changed since then is evidence",
    )
    add_machine(parser)
    add_results(group)
    talk = parser.add_argument_group("conversation (gpudoctor without --facts, --report or --probe)")
    talk.add_argument(
        "--ask", action="store_true", help="go on asking, also after --facts, --report or --probe"
    )
    talk.add_argument("--no-ask", action="store_true", help="never ask: probe this machine and conclude")
    talk.add_argument("--resume", metavar="SESSION", help="go on with a saved session")
    talk.add_argument("--save", metavar="SESSION", help="save the session to a file (YAML)")
    talk.add_argument("--plain", action="store_true", help="line by line: for screen readers and slow links")
    talk.add_argument("--lang", choices=("en", "zh"), help="language (default: that of the locale)")
    add_knowledge(parser)
    add_output(parser)


def add_given(group: argparse._ActionsContainer) -> None:
    """Options that name what to conclude from."""
    group.add_argument(
        "--facts",
        action="extend",
        nargs="+",
        default=[],
        metavar="FILE",
        help="conclude from facts files: YAML, or what gpudoctor probe --format json wrote on each node; "
        "also a folder, a pattern such as 'nodes/*.json', or - for standard input",
    )
    group.add_argument(
        "--expect",
        metavar="N|HOSTS",
        help="how many nodes there should be, or which: a host file or a list such as node[001-016]",
    )
    group.add_argument(
        "--report",
        action="append",
        nargs="+",
        default=[],
        metavar="LOG",
        help="conclude from pasted text, log files or folders (- for standard input)",
    )


def add_results(group: argparse._ActionsContainer) -> None:
    """Options of how to conclude and print."""
    group.add_argument(
        "--format",
        choices=("text", "json", "markdown", "prometheus"),
        default="text",
        help="how to print the diagnosis (default: text); prometheus for a textfile of the node exporter",
    )
    group.add_argument("--output", metavar="FILE", help="write to a file instead of standard output")
    group.add_argument(
        "--full", action="store_true", help="everything, in your pager; without it, what fits one screen"
    )
    group.add_argument(
        "--engine",
        choices=("auto", "durable", "reference"),
        default="auto",
        help="the rule engine (default: auto)",
    )
    add_site_url(group)


def _add_schema(commands: _Commands[_Parser]) -> None:
    schema = commands.add_parser("schema", help="the JSON Schemas of what --format json writes")
    schema.add_argument("name", nargs="?", choices=SCHEMAS, help="which (default: all, by name)")


SCHEMAS = ("diagnosis", "audit")
SHELLS = ("bash", "zsh", "fish")


def _add_completion(commands: _Commands[_Parser]) -> None:
    completion = commands.add_parser("completion", help="completion of commands, options and ids for a shell")
    completion.add_argument("shell", choices=SHELLS)


def _add_man(commands: _Commands[_Parser]) -> None:
    commands.add_parser("man", help="the manual page")


_COMMANDS = {
    "audit": _add_audit,
    "probe": _add_probe,
    "capture": _add_capture,
    "run": _add_run,
    "attach": _add_attach,
    "diff": _add_diff,
    "fleet": _add_fleet,
    "collective": _add_collective,
    "verify": _add_verify,
    "try": _add_try,
    "explain": _add_explain,
    "search": _add_search,
    "kb": _add_kb,
    "site": _add_site,
    "schema": _add_schema,
    "completion": _add_completion,
    "man": _add_man,
}

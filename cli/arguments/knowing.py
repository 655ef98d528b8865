"""Commands that read the knowledge base: explain, search, audit, diff, schema."""

from __future__ import annotations

from .options import add_knowledge, add_language, add_machine, add_output, add_output_file
from .parser import Commands

SCHEMAS = ("diagnosis", "audit", "diff", "facts", "jobs", "try", "verify")


def add_explain(commands: Commands) -> None:
    """``gpudoctor explain``."""
    explain = commands.add_parser("explain", help="print the page of an incident, remedy, or fact")
    explain.add_argument(
        "id",
        nargs="+",
        help="an id from a diagnosis, an event such as Xid 79, a variable, or an error line",
    )
    add_language(explain)
    add_knowledge(explain)
    add_output(explain)


def add_search(commands: Commands) -> None:
    """``gpudoctor search``."""
    search = commands.add_parser("search", help="search the knowledge base for words or an error message")
    search.add_argument("words", nargs="+", help="words or an error line")
    add_language(search)
    add_knowledge(search)
    add_output(search)


def add_audit(commands: Commands) -> None:
    """``gpudoctor audit``."""
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
    add_output_file(audit)
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


def add_diff(commands: Commands) -> None:
    """``gpudoctor diff``."""
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
    add_output_file(diff)
    add_knowledge(diff)
    add_output(diff)


def add_schema(commands: Commands) -> None:
    """``gpudoctor schema``."""
    schema = commands.add_parser("schema", help="the JSON Schemas of what --format json writes")
    schema.add_argument("name", nargs="?", choices=SCHEMAS, help="which (default: all, by name)")

"""Options that several commands share."""

from __future__ import annotations

from .parser import Group
from .values import budget, process, site_address


def add_given(group: Group) -> None:
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


def add_results(group: Group) -> None:
    """Options of how to conclude and print."""
    group.add_argument(
        "--format",
        choices=("text", "json", "markdown", "prometheus"),
        default="text",
        help="how to print the diagnosis (default: text); prometheus for a textfile of the node exporter",
    )
    add_output_file(group)
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


def add_machine(parser: Group) -> None:
    """Options that say which machine, environment and process are asked about."""
    parser.add_argument("--python", metavar="PATH", help="the Python interpreter of the job")
    parser.add_argument(
        "--pid",
        type=process,
        metavar="N",
        help="a process of the running job; its environment and limits are used",
    )
    place = parser.add_mutually_exclusive_group()
    place.add_argument("--root", metavar="DIR", help="a directory tree that stands for the machine")
    place.add_argument("--from", dest="captured", metavar="TAR", help="an archive of gpudoctor capture")


def add_knowledge(parser: Group) -> None:
    """Options that choose the knowledge base."""
    parser.add_argument(
        "--kb",
        action="append",
        default=[],
        metavar="DIR",
        help="lay a folder over the knowledge base; may repeat",
    )


def add_output(parser: Group) -> None:
    """Options of everything that prints."""
    parser.add_argument(
        "--color",
        choices=("auto", "always", "never"),
        default="auto",
        help="colour (default: auto; NO_COLOR counts)",
    )


def add_site_url(parser: Group) -> None:
    """The option that says where the docs site lies."""
    parser.add_argument(
        "--site-url",
        type=site_address,
        metavar="URL",
        help="the address of the site, for links to its pages",
    )


def add_collecting(parser: Group) -> None:
    """Options of everything that runs collectives."""
    parser.add_argument(
        "--backend",
        choices=("auto", "nccl", "gloo"),
        default="auto",
        help="nccl: the GPUs (NVIDIA or AMD); gloo: the network without GPUs (default: what is there)",
    )
    parser.add_argument("--ranks", type=int, metavar="N", help="ranks on this node (default: one per GPU)")
    parser.add_argument(
        "--budget", type=budget, default=120.0, metavar="SECONDS", help="for everything (default: 120)"
    )
    parser.add_argument("--python", metavar="PATH", help="the interpreter in which the job runs")
    parser.add_argument("--yes", action="store_true", help="also on GPUs that somebody's job uses")


def add_diagnosing(parser: Group) -> None:
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
    add_language(talk)
    add_knowledge(parser)
    add_output(parser)


def add_language(parser: Group) -> None:
    """In which language people are spoken to."""
    parser.add_argument("--lang", choices=("en", "zh"), help="language (default: that of the locale)")


def add_output_file(parser: Group) -> None:
    """Where what is printed goes."""
    parser.add_argument("--output", metavar="FILE", help="write to a file instead of standard output")


def add_history(parser: Group, when: str) -> None:
    """Options that keep a capture of each run."""
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


def add_result(parser: Group, formats: tuple[str, ...]) -> None:
    """Options of what a test prints."""
    parser.add_argument("--format", choices=formats, default="text", help="how to print (default: text)")
    add_output_file(parser)
    parser.add_argument(
        "--engine",
        choices=("auto", "durable", "reference"),
        default="auto",
        help="the rule engine (default: auto)",
    )
    add_knowledge(parser)
    add_output(parser)

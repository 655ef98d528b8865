"""Commands that measure: probe, capture, fleet, collective, verify, try."""

from __future__ import annotations

from .options import (
    add_collecting,
    add_given,
    add_history,
    add_knowledge,
    add_language,
    add_machine,
    add_output,
    add_output_file,
    add_result,
    add_results,
)
from .parser import Commands
from .values import process, seconds


def add_probe(commands: Commands) -> None:
    """``gpudoctor probe``."""
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
        "--timeout", type=seconds, metavar="S", help="give up after S seconds (10; 22 with --deep)"
    )
    probe.add_argument("--format", choices=("yaml", "json"), default="yaml", help="default: yaml")
    add_history(probe, "as well")
    add_output_file(probe)
    add_knowledge(probe)


def add_capture(commands: Commands) -> None:
    """``gpudoctor capture``."""
    capture = commands.add_parser(
        "capture", help="save the evidence of this machine for a diagnosis elsewhere"
    )
    capture.add_argument("archive", metavar="OUT.tar.gz", help="the archive to write (see --from)")
    capture.add_argument("--yes", action="store_true", help="write without asking")
    capture.add_argument("--python", metavar="PATH", help="the Python interpreter of the job")
    capture.add_argument(
        "--pid",
        type=process,
        metavar="N",
        help="a process of the running job; its environment and limits are used",
    )


def add_fleet(commands: Commands) -> None:
    """``gpudoctor fleet``."""
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
        type=seconds,
        default=20.0,
        metavar="SECONDS",
        help="time limit for all nodes together (default: 20)",
    )
    add_given(fleet)
    add_results(fleet)
    add_language(fleet)
    add_knowledge(fleet)
    add_output(fleet)


def add_collective(commands: Commands) -> None:
    """``gpudoctor collective``."""
    collective = commands.add_parser(
        "collective", help="test the GPUs with real collectives and find the broken transport"
    )
    add_collecting(collective)
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
    add_result(collective, ("text", "json", "markdown", "yaml"))


def add_verify(commands: Commands) -> None:
    """``gpudoctor verify``."""
    verify = commands.add_parser("verify", help="measure and test again after a fix")
    verify.add_argument("session", help="a session that --save wrote")
    add_collecting(verify)
    add_result(verify, ("text", "json"))


def add_try(commands: Commands) -> None:
    """``gpudoctor try``."""
    attempt = commands.add_parser("try", help="test whether a remedy would help here; nothing is changed")
    attempt.add_argument("remedy", help="the id of a remedy that sets environment variables")
    attempt.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="a value that only you know; may be repeated",
    )
    add_collecting(attempt)
    add_result(attempt, ("text", "json"))

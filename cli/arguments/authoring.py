"""Commands for authors and for installing: kb, site, completion, man."""

from __future__ import annotations

from .options import add_knowledge, add_site_url
from .parser import CommandParser, Commands
from .values import seconds

LISTED = ("incidents", "known-issues", "products", "pitfalls", "remedies", "facts")
"""What ``gpudoctor kb list`` lists."""
SHELLS = ("bash", "zsh", "fish")


def add_kb(commands: Commands) -> None:
    """``gpudoctor kb``."""
    kb = commands.add_parser("kb", help="for authors: lint, test, list, links, new")
    tasks = kb.add_subparsers(dest="task", metavar="TASK", required=True, parser_class=CommandParser)
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
        type=seconds,
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


def add_site(commands: Commands) -> None:
    """``gpudoctor site``."""
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


def add_completion(commands: Commands) -> None:
    """``gpudoctor completion``."""
    completion = commands.add_parser("completion", help="completion of commands, options and ids for a shell")
    completion.add_argument("shell", choices=SHELLS)


def add_man(commands: Commands) -> None:
    """``gpudoctor man``."""
    commands.add_parser("man", help="the manual page")

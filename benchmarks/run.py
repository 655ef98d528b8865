"""``make bench``: prints the tables and keeps them in ``benchmarks/README.md``."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import bedside  # noqa: E402
import biglog  # noqa: E402
import collective  # noqa: E402
import fleet  # noqa: E402
import knowledge  # noqa: E402
import process  # noqa: E402
import questions  # noqa: E402
import site_build  # noqa: E402
import worstline  # noqa: E402

import engine  # noqa: E402


def table(header: list[str], rows: list[list[str]]) -> list[str]:
    """A Markdown table."""
    return ["| " + " | ".join(r) + " |" for r in (header, ["---"] * len(header), *rows)]


def installed(folder: Path) -> Path:
    """An environment with the wheel as users have it; an editable install starts slower."""
    environment = folder / "env"
    subprocess.run([sys.executable, "-m", "venv", str(environment)], check=True)
    pip = [str(environment / "bin" / "pip"), "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, f"{HERE.parent}[site]"], check=True)
    return environment


def main() -> None:
    """Measure everything."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_CACHE_HOME"] = str(Path(folder) / "cache")
        environment = installed(Path(folder))
        processes, costs = process.rows(environment), knowledge.rows(environment)
        with knowledge.enlarged(environment):
            tenfold, more = process.rows(environment), knowledge.rows(environment)
        sites = site_build.rows(environment)
        collectives = collective.rows(environment)
        big = biglog.rows(str(environment / "bin" / "python"))
        nodes = fleet.rows(environment)
        beds = bedside.rows(str(environment / "bin" / "python"))
    lines = [
        "# Benchmarks",
        "",
        "`make bench` measures and writes this file. Times are medians on a shared machine, so read the",
        "ratios, which are taken within one run.",
        "",
        f"Last run: Python {platform.python_version()}, {os.cpu_count()} cores.",
        "",
        "## Whole processes, warm",
        "",
        "CPU time (user and system), which other processes on the machine disturb less than the clock. Tenfold: the",
        "knowledge base of `benchmarks/enlarge.py`, installed with its index like today's.",
        "",
        *table(
            ["command", "ms", "times `python -c pass`", "tenfold, ms", "tenfold, times `python -c pass`"],
            process.beside(processes, tenfold),
        ),
        "",
        "## Today's knowledge and ten times as much",
        "",
        "CPU time; every question is denied after the first, which is answered with a hang.",
        "",
        *table(["", "today", "tenfold"], process.beside(costs, more)),
        "",
        "## The docs site",
        "",
        "`gpudoctor site` of the whole knowledge base, on all cores.",
        "",
        *table(["build", "pages", "s", "s for 350 pages", "times `python -c pass`"], sites),
        "",
        "## The collective test",
        "",
        "The baseline of two gloo ranks, with all of its data checks and the diagnosis, against the import of torch.",
        "",
        *table(["command", "s", "s more than the import", "times the import"], collectives),
        "",
        "## A job under gpudoctor run",
        "",
        "Two processes that compute and wait for each other and use every processor; lines with a time stamp; `seq`.",
        "Throughput: the same job with gpudoctor working and stopped, in turns of a second; the median of the pairs.",
        "gpudoctor's own processor time, with all that it starts, is told by the difference between 20 and 80 seconds.",
        "",
        *table(["what", "without", "with", "difference"], beds),
        "",
        "## Reading a log",
        "",
        "A synthetic log of 1 GiB, 64 ranks at `NCCL_DEBUG=INFO`, in memory; `grep` looks for the same literals.",
        "Best of three. Times grow with the size of a log, memory does not.",
        "",
        *table(["command", "s", "MiB/s", "times `grep`", "peak memory MB"], big),
        "",
        "Hostile lines: everything that is looked for, inside long runs of the characters that expressions repeat.",
        "",
        *table(["lines", "slowest ms", "one in a hundred above ms", "characters"], worstline.rows()),
        "",
        "## Questions",
        "",
        f"{questions.PATIENTS} of the project's own matching cases: one sign is told, the rest known when asked.",
        "",
        *table(
            ["who asks", "questions, mean", "median", "right incident first", "ms per question"],
            questions.rows(),
        ),
        "",
        "After an answer, at a synthetic knowledge base: conclude anew and choose the next question.",
        "",
        *table(["incidents", "first question ms", "later ones ms", "worst ms"], questions.pace()),
        "",
        "## The rule engine",
        "",
        f"Synthetic knowledge bases; a session is {engine.ANSWERS} answers, conclusions read after each.",
        "Rules are brought into durable-rules when something triggers them: the first session compiles",
        "them.",
        "",
        *table(
            [
                "incidents",
                "engine",
                "compile ms",
                "first session ms",
                "session ms",
                "times reference",
                "one answer ms (median)",
                "(worst)",
                "memory MB",
            ],
            engine.rows(),
        ),
        "",
        "## Many nodes",
        "",
        "Captures of made-up nodes, one JSON file each, with five planted faults: another NCCL, another GID",
        "index, ACS, a limit of locked memory, a missing node.",
        "",
        *table(["nodes", "seconds", "memory MB", "planted faults found"], nodes),
    ]
    text = "\n".join(lines) + "\n"
    (HERE / "README.md").write_text(text)
    print(text)


if __name__ == "__main__":
    main()

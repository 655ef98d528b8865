"""What the help of each command says: one sentence, two examples, the exit codes."""

from __future__ import annotations

from typing import NamedTuple

DIAGNOSING = (
    "0 nothing known matches and the evidence sufficed; 1 an incident is confirmed or likely; "
    "2 wrong usage or unreadable input; 3 insufficient evidence; 4 the program failed"
)
_PRINTS = "0 printed; 2 wrong usage or unreadable input; 4 the program failed"


class Manual(NamedTuple):
    """What a command does, how it is called, and what its status means."""

    sentence: str
    examples: tuple[str, ...]
    status: str

    @property
    def epilog(self) -> str:
        """What stands below the options."""
        lines = "\n".join(f"  {example}" for example in self.examples)
        codes = "\n".join(f"  {code}" for code in self.status.split("; "))
        return f"examples:\n{lines}\n\nexit status:\n{codes}"


MANUALS = {
    "": Manual(
        "Finds out why a multi-GPU job hangs, crashes, or computes garbage. It uses facts, logs "
        "that you paste, its own measurements, and your answers. It only reads, and needs no root "
        "access and no network.",
        ("gpudoctor --report serve.log", "gpudoctor --probe --report logs/ --full"),
        DIAGNOSING,
    ),
    "audit": Manual(
        "Finds problems before the job runs: known issues of the installed releases, harmful "
        "settings, and mistakes in the files that start the job.",
        (
            "gpudoctor audit compose.yaml --probe",
            "gpudoctor audit deploy/job.yaml --format sarif --fail-on hang",
        ),
        "0 nothing found and enough known; 1 findings; 2 wrong usage or unreadable input; 3 too little known; "
        "4 the program failed",
    ),
    "probe": Manual(
        "Prints the facts of this machine as YAML that --facts can read.",
        ("gpudoctor probe --output machine.yaml", "gpudoctor probe --pid 4711 --format json"),
        _PRINTS,
    ),
    "capture": Manual(
        "Writes the evidence of this machine, without secrets, to an archive that --from diagnoses on any machine.",
        ("gpudoctor capture evidence.tar.gz", "gpudoctor capture --yes --pid 4711 evidence.tar.gz"),
        "0 written; 2 wrong usage, or refused; 4 the program failed",
    ),
    "run": Manual(
        "Starts a job and watches it. Output, terminal, signals, and exit status are those of the "
        "job. If it hangs or fails, gpudoctor keeps the evidence and diagnoses it.",
        (
            "gpudoctor run -- torchrun --nproc-per-node 8 train.py",
            "gpudoctor run --evidence /shared/evidence --kill-on-hang -- python train.py",
        ),
        "0 the job ended well; 2 wrong usage; 4 the program failed; else that of the job: 126 or 127 where it cannot "
        "be run, 128 and more for a signal",
    ),
    "attach": Manual(
        "Shows where the ranks of a running job are, and what that means. It leaves the job alone.",
        ("gpudoctor attach 4711", "gpudoctor attach --all --evidence /shared/evidence"),
        DIAGNOSING,
    ),
    "diff": Manual(
        "Shows what changed between two captures, sessions, or facts files, and which change is known to do harm.",
        ("gpudoctor diff good.tar.gz bad.tar.gz", "gpudoctor diff before.yaml after.yaml --format json"),
        "0 no change is known to do harm; 1 one is; 2 wrong usage or unreadable input; 4 the program failed",
    ),
    "fleet": Manual(
        "Gathers the facts of every node of a Ray cluster and makes one diagnosis.",
        (
            "gpudoctor fleet --python ~/venv/bin/python",
            "gpudoctor fleet --address 10.0.0.1:6379 --report logs/",
        ),
        DIAGNOSING,
    ),
    "collective": Manual(
        "Runs real collectives in child processes with a time limit, and tells you which transport is broken.",
        ("gpudoctor collective --probe --save session.yaml", "gpudoctor collective --backend gloo --ranks 2"),
        DIAGNOSING,
    ),
    "verify": Manual(
        "Measures and tests again after a fix, and tells you what is cured.",
        ("gpudoctor verify session.yaml", "gpudoctor verify session.yaml --python ~/venv/bin/python"),
        "0 cured; 1 not cured; 2 wrong usage or unreadable input; 3 cannot tell; 4 the program failed",
    ),
    "try": Manual(
        "Tests in child processes whether the variables of a remedy would help here. It changes nothing.",
        ("gpudoctor try nccl-p2p-disable", "gpudoctor try nccl-socket-ifname --set NCCL_SOCKET_IFNAME=eth0"),
        "0 it helps; 1 it does not; 2 wrong usage; 3 cannot tell; 4 the program failed",
    ),
    "explain": Manual(
        "Prints the page of an incident, a known issue, a remedy, a fact, or an error line.",
        ("gpudoctor explain Xid 79", "gpudoctor explain NCCL_P2P_DISABLE"),
        "0 printed; 2 there is no such entry; 4 the program failed",
    ),
    "search": Manual(
        "Searches the knowledge base for words or for an error line.",
        ("gpudoctor search Duplicate GPU detected", "gpudoctor search 'NCCL WARN Cuda failure'"),
        "0 something found; 1 nothing found; 2 wrong usage; 4 the program failed",
    ),
    "kb": Manual(
        "For authors: checks, tests, and lists the entries of a knowledge base, and creates new ones.",
        ("gpudoctor kb lint ~/our-kb", "gpudoctor kb new incident our-switch --dir ~/our-kb"),
        "0 all is well; 2 something is wrong; 4 the program failed",
    ),
    "kb lint": Manual(
        "Checks a knowledge base: every problem is one line with its place.",
        ("gpudoctor kb lint", "gpudoctor kb lint ~/our-kb"),
        "0 no problems; 2 problems, or unreadable input; 4 the program failed",
    ),
    "kb test": Manual(
        "Runs the case files: what must lead to an incident, what must not, what is too little.",
        ("gpudoctor kb test --only shm-too-small", "gpudoctor kb test ~/our-kb"),
        "0 all as expected; 2 one is not, or unreadable input; 4 the program failed",
    ),
    "kb list": Manual(
        "Lists what the knowledge base holds, or what it lacks.",
        ("gpudoctor kb list facts", "gpudoctor kb list --gaps"),
        _PRINTS,
    ),
    "kb links": Manual(
        "Asks the host of each citation whether it is still there; needs a network.",
        ("gpudoctor kb links", "gpudoctor kb links --timeout 30"),
        _PRINTS,
    ),
    "kb new": Manual(
        "Writes the skeleton of a new entry.",
        ("gpudoctor kb new incident my-incident --family network", "gpudoctor kb new fact symptom.my-sign"),
        "0 written; 2 wrong usage, or it is there already; 4 the program failed",
    ),
    "site": Manual(
        "Writes the knowledge base as a static site that opens from a folder or any web server.",
        ("gpudoctor site build/site", "gpudoctor site public --site-url https://example.org/gpudoctor"),
        "0 written; 2 wrong usage or a broken page; 4 the program failed",
    ),
    "schema": Manual(
        "Prints the JSON Schema of the output of --format json. Without a name, it prints all schemas.",
        ("gpudoctor schema diagnosis", "gpudoctor schema"),
        _PRINTS,
    ),
    "completion": Manual(
        "Prints the code that makes a shell complete commands, options, and ids (needs the extra completion).",
        ("gpudoctor completion bash", "gpudoctor completion fish"),
        _PRINTS,
    ),
    "man": Manual(
        "Prints the manual page as troff.",
        ("gpudoctor man | man -l -", "gpudoctor man > gpudoctor.1"),
        _PRINTS,
    ),
}
"""By command; the empty name is gpudoctor itself."""

"""What the mutations start from: for every reader at least one input that it reads."""

from __future__ import annotations

import io
import json
import pickle
import tarfile
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from gpudoctor.engine import Knowledge, Session
from gpudoctor.engine.facts.nodefacts import SCHEMA
from gpudoctor.probes.capture import ArchiveEntry, write
from gpudoctor.probes.parsers import Parser
from gpudoctor.probes.report import Reader

HERE = Path(__file__).resolve().parent.parent
KB = HERE.parent / "kb"


PARTS = (
    "\u25cf nvidia-fabricmanager.service - NVIDIA fabric manager service\n"
    "     Loaded: loaded (/lib/systemd/system/nvidia-fabricmanager.service; enabled)\n"
    "     Active: active (running) since Tue 2026-01-06 10:11:12 UTC; 5min ago\n",
    "+-----------+--------------------------------------+\n"
    "| Device ID | Device Information                   |\n"
    "| 0         | Device Name: Intel(R) Data Center GPU Max 1100  |\n"
    "|           | Vendor Name: Intel(R) Corporation    |\n"
    "| 1         | Device Name: Intel(R) Data Center GPU Max 1100  |\n",
    '{"system": {"(Topology) Link type between DRM devices 0 and 1": "XGMI",\n'
    ' "(Topology) Link type between DRM devices 0 and 2": "PCIE"}}\n',
    "    GPU Recovery Action                   : Reset\n",
    "[./simpleP2P] - Starting...\n> GPU0 -> GPU1 peer access: Yes\nEnabling peer access between GPU0 and GPU1...\n"
    "Verification error @ element 1: val = 0.000000, ref = 4.000000\nTest passed\n",
)
"""Output of tools that the tests put together of pieces."""


@cache
def texts_of_tests() -> tuple[str, ...]:
    """Every text of several lines in the tests of parsers, and the samples of tools."""
    from ..bedside import test_chart
    from ..probes import (
        test_intel,
        test_interfaces,
        test_kernel_log,
        test_listings,
        test_nccl_diag,
        test_parsers,
        test_report,
        test_rows,
        test_shapes,
        test_timeline,
        test_tool_output,
        test_tools,
    )

    modules = (
        test_parsers, test_shapes, test_tool_output, test_kernel_log, test_listings, test_interfaces, test_nccl_diag,
        test_intel, test_report, test_rows, test_timeline, test_tools, test_chart,
    )  # fmt: skip
    found = [*PARTS, *(text for module in modules for text in _strings(vars(module)))]
    # What the tests of one tool write in place, in the call that they try.
    found += [text for module in modules for text in _constants(Path(str(module.__file__)))]
    samples = yaml.safe_load((HERE / "probes" / "tooloutput.yaml").read_text(encoding="utf-8"))
    found += list(_strings(samples))
    return tuple(dict.fromkeys(text for text in found if len(text) > 12))


def _strings(value: Any, depth: int = 0) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict) and depth < 4:
        for name, one in value.items():
            if not str(name).startswith("__"):
                yield from _strings(one, depth + 1)
    elif isinstance(value, (list, tuple)) and depth < 4:
        for one in value:
            yield from _strings(one, depth + 1)


def _constants(path: Path) -> Iterator[str]:
    import ast

    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def of_parser(parser: Parser, most: int = 60) -> list[tuple[list[str], int]]:
    """Windows of lines that call a parser, with the place of the line in each; those that it reads come first."""
    read, other = [], []
    for text in texts_of_tests():
        lines = text.split("\n")
        for at, line in enumerate(lines):
            if any(trigger in line for trigger in parser.triggers):
                above = lines[max(0, at - parser.before) : at]
                window = [*above, line, *lines[at + 1 : at + 1 + parser.after]]
                (read if any(parser.parse(window, len(above))) else other).append((window, len(above)))
    return [*read, *other][:most]


def sentences() -> list[bytes]:
    """What people say."""
    from ..probes import test_sentences, test_stance, test_words

    labelled = yaml.safe_load((HERE / "probes" / "sentences.yaml").read_text(encoding="utf-8"))
    said = [one["text"] for one in labelled]
    said += [text for text, _ in (*test_words.HEARD, *test_words.NOT_HEARD, *test_sentences.READ)]
    said += [str(one) for one in (*test_stance.NOT_HERE, *test_stance.SPOKEN)]
    return [text.encode() for text in said]


def files(*folders: str) -> list[bytes]:
    """The beginnings of the files of these folders."""
    found = [path for folder in folders for path in sorted((HERE / folder).rglob("*")) if path.is_file()]
    return [path.read_bytes()[:6000] for path in found[:150]]


def facts() -> list[bytes]:
    """Facts files."""
    return [
        b"gpu.vendor: amd\ngpu.count: 8\nnccl.version: 2.21.5\nshm.size: {unknown: no access}\n",
        b"nodes:\n  a: {gpu.count: 8, env.NCCL_DEBUG: INFO}\n  b: {gpu.count: 4}\ngpu.vendor: nvidia\n",
        b'{gpu.vendor: "nvidia", symptom.xid-error: yes}\n',
        b"a: &x [1, 2]\nb: *x\n? k\n: v\n",
        *files("reports")[:3],
    ]


def nodes() -> list[bytes]:
    """Node files."""
    origin = [{"kind": "probe", "where": "nvml", "text": "x"}]
    names = [
        ("gpu.count", 8), ("gpu.vendor", "nvidia"), ("nccl.version", "2.21.5"), ("env.NCCL_DEBUG", "INFO"),
    ]  # fmt: skip
    document = {
        "schema": SCHEMA, "host": "node-1", "boot_id": "b", "taken": "2026-01-01T00:00:00Z",
        "facts": [{"name": n, "value": v, "from": origin} for n, v in names],
        "gaps": [{"fact": "shm.size", "reason": "no access"}],
    }  # fmt: skip
    return [json.dumps(document).encode(), json.dumps(document, indent=1).encode()]


def sessions(knowledge: Knowledge, reader: Reader) -> list[bytes]:
    """Saved sessions."""
    from gpudoctor.engine.session.sessionfile import document_of

    found = []
    for text in files("reports")[:2]:
        session = Session(knowledge, "reference")
        for fact in reader.read([text], "x.log"):
            session.add(fact)
        session.tell("gpu.vendor", "nvidia")
        found.append(yaml.safe_dump(document_of(session), sort_keys=False).encode()[:4000])
        session.close()
    return found


def captures(room: Path) -> list[bytes]:
    """Archives: one of our own, one with a chart of a job, and one that points out of itself."""
    from ..bedside.test_chart import HERE as LOOK
    from ..bedside.test_chart import JOB

    system = ArchiveEntry(
        ".gpudoctor/system.json", b'{"links": {}, "folders": [], "refused": [], "machine": "x86_64"}'
    )
    from gpudoctor.probes.bedside.chart import entries

    found = []
    for kept in (
        [system, ArchiveEntry("proc/version", b"Linux version 6.8.0\n")],
        [system, *entries(JOB, [LOOK, LOOK], {"stdout.txt": b"NCCL WARN x\n"}, {})],
    ):
        write(kept, str(room / "seed.tar.gz"))
        found.append((room / "seed.tar.gz").read_bytes())
    plain = io.BytesIO()
    with tarfile.open(fileobj=plain, mode="w") as archive:
        member = tarfile.TarInfo("../x")
        member.size = 1
        archive.addfile(member, io.BytesIO(b"x"))
    return [*found, plain.getvalue()]


def charts() -> list[bytes]:
    """``job.json`` and ``looks.json`` of a bedside, one after the other."""
    from gpudoctor.probes.bedside.chart import entries

    from ..bedside.test_chart import HERE as LOOK
    from ..bedside.test_chart import JOB

    hung = entries(JOB._replace(shm=(1, 2)), [LOOK, LOOK], {}, {})
    ended = entries(JOB._replace(hang="", status=137, oom_kills=2), [LOOK], {}, {})
    return [b"\n\n".join(entry.content for entry in kept) for kept in (hung, ended)]


def documents() -> list[bytes]:
    """What is read whole: dumps of the flight recorder, answers of RAS, JSON of tools."""
    from ..probes import test_tool_output

    entry = {
        "record_id": 1, "pg_id": 0, "process_group": ["0", "default_pg"], "collective_seq_id": 3, "p2p_seq_id": 0,
        "op_id": 3, "profiling_name": "nccl:all_reduce", "input_sizes": [[3, 4]], "input_dtypes": ["Float"],
        "output_sizes": [[3, 4]], "state": "scheduled", "frames": [{"name": "f", "filename": "/w/x.py", "line": 3}],
        "time_created_ns": 1, "is_p2p": False,
    }  # fmt: skip
    dump = {
        "version": "2.4",
        "entries": [entry, {**entry, "collective_seq_id": 4, "state": "completed"}],
        "pg_config": {"0": {"name": "0", "desc": "default_pg", "ranks": "[0, 1]"}},
    }
    told = {
        "nccl_version": "2.27.3",
        "communicators": [
            {"hash": "0x1", "size": 8, "missing_ranks": [{"rank": 3}], "ranks": [{"rank": 0, "status": "x"}]}
        ],
    }
    found: list[Any] = [dump, told, test_tool_output.ASIC, test_tool_output.AMD_ECC, test_tool_output.ROCM]
    found += [value for value in vars(test_tool_output).values() if isinstance(value, (dict, list))]
    written = [json.dumps(value, default=str).encode() for value in found]
    texts = [text.encode() for text in texts_of_tests() if text.lstrip()[:1] in "{[" and len(text) > 60]
    return [*written, *texts, *(pickle.dumps(dump, protocol) for protocol in (2, 4, 5))]


def specs() -> list[bytes]:
    """What starts jobs, and lists of packages."""
    listed = [
        b"torch==2.6.0+cu124\nvllm==0.8.5\nnvidia-nccl-cu12==2.21.5\n",
        b'[{"name": "torch", "version": "2.6.0"}, {"name": "vllm", "version": "0.8.5"}]\n',
        b"ii  libnccl2 2.21.5-1+cuda12.4 amd64 NCCL\nii  cuda-drivers 550.54.15-1 amd64 x\n",
        b"libnccl-2.21.5-1+cuda12.4.x86_64\nkernel-5.14.0-427.el9.x86_64\n",
        b"- name: torch\n  version: 2.6.0\n",
    ]
    return [*files("audit/specs"), *listed]


def pages() -> list[bytes]:
    """Pages of every kind, as an overlay may hold them."""
    kinds = ("facts", "incidents", "remedies", "known-issues", "products", "pitfalls")
    found = {kind: sorted((KB / kind).rglob("*.md")) for kind in kinds}
    chosen = [path for kind, paths in found.items() for path in paths[:: 3 if kind in kinds[3:] else 12]]
    return [f"{path.relative_to(KB).as_posix()}\n".encode() + path.read_bytes() for path in chosen]


def secrets() -> Iterator[bytes]:
    """Lines with secrets of all shapes."""
    from ..trust.secretshapes import SHAPES

    yield b"HF_TOKEN=hf_abcdefghijklmnopqrstuvwxyz password='a b' --api-key=x curl -u me:x https://u:p@h/"
    yield b'{"name":"DB_PASSWORD","value":"x"} -e API_PW=xxxx AccountKey=abcd; \\"password\\": \\"x\\"'
    yield from (str(shape).encode() for shape in _strings(SHAPES))


def events() -> list[bytes]:
    """What GitHub tells of an issue."""
    said = {"title": "hangs at init", "body": "NCCL WARN Call to connect failed\n<!-- x -->\n`nvidia-smi`"}
    return [
        json.dumps({"action": "opened", "issue": {**said, "number": 3}, "sender": {"type": "User"}}).encode()
    ]


def hosts() -> list[bytes]:
    """Lists of hosts, as Slurm folds them and as launchers read them."""
    return [
        b"node[001-004,7]", b"a-[1-3]-b[0-1]", b"gpu1,gpu2,gpu3", b"node1 slots=8\nnode2:4 # x\n\nnode3\n",
        b"rack[1-2]node[01-16]\n",
    ]  # fmt: skip


def suppressions() -> list[bytes]:
    """Files of accepted findings."""
    return [
        b"audit:\n  ignore:\n    - id: nccl-debug-left-on\n      reason: on purpose\n      until: 2030-01-01\n"
        b"      where: '*.yaml'\n"
    ]


def stacks() -> list[bytes]:
    """Answers of py-spy."""
    frame = {"name": "all_reduce", "filename": "/w/torch/distributed.py", "module": None, "line": 12}
    thread = {"thread_name": "MainThread", "os_thread_id": 7, "active": True, "owns_gil": False}
    return [json.dumps([{**thread, "frames": [frame] * 3}]).encode()]


def joined(texts: Iterable[str]) -> list[bytes]:
    """Texts as bytes."""
    return [text.encode() for text in texts]

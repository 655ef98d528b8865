"""Everything that reads what somebody else wrote: calls that take any bytes, and raise nothing but one sentence."""

from __future__ import annotations

import io
import json
import os
import random
import tarfile
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from gpudoctor.engine import EngineError, Knowledge, Session
from gpudoctor.engine.facts.factsfile import read_any
from gpudoctor.engine.facts.nodefacts import SCHEMA, NodeFactsReader
from gpudoctor.engine.knowledge.loader import LoadedFile, fact_from, incident_from, remedy_from
from gpudoctor.engine.redaction import redact
from gpudoctor.engine.session.sessionfile import document_of, read
from gpudoctor.probes.capture import CaptureError, Entry, unpacked, write
from gpudoctor.probes.parsers import PARSERS
from gpudoctor.probes.report import Reader

from ..probes.mutate import corpus as lines_of

HERE = Path(__file__).resolve().parent.parent


class Target(NamedTuple):
    """A reader under attack: what it takes, the seeds, and how many inputs of 100 are for it."""

    name: str
    call: Callable[[bytes], object]
    seeds: list[bytes]
    share: int


def targets(knowledge: Knowledge) -> list[Target]:
    """All readers. ``call`` raises only what is a defect."""
    reader = Reader(knowledge)
    lines = lines_of(knowledge)
    type_of = knowledge.vocabulary.spec
    texts = [b"\n".join(lines[at : at + 12]) for at in range(0, len(lines), 12)]
    room = Path(tempfile.mkdtemp(prefix="gpudoctor-fuzz-"))

    def report(data: bytes) -> object:
        return list(reader.read([data], "x.log"))

    def parsers(data: bytes) -> object:
        pieces = data.decode("utf-8", "replace").split("\n")
        chosen = random.Random(len(data)).sample(PARSERS, 4)
        return [list(parser.parse(pieces, at)) for parser in chosen for at in (0, len(pieces) // 2)]

    def facts(data: bytes) -> object:
        try:
            return read_any(data.decode("utf-8", "replace"), "x.yaml", NodeFactsReader(type_of), type_of)
        except EngineError as error:
            return _one_sentence(error)

    def node(data: bytes) -> object:
        try:
            return NodeFactsReader(type_of).read(data.decode("utf-8", "replace"), "node.json")
        except EngineError as error:
            return _one_sentence(error)

    def session(data: bytes) -> object:
        try:
            found = read(knowledge, data.decode("utf-8", "replace"), "s.yaml", "reference").session
        except EngineError as error:
            return _one_sentence(error)
        try:
            return found.standings()
        finally:
            found.close()

    def capture(data: bytes) -> object:
        (room / "c.tar.gz").write_bytes(data)
        try:
            with unpacked(str(room / "c.tar.gz")):
                return None
        except CaptureError as error:
            return _one_sentence(error)

    def page(data: bytes) -> object:
        path = room / "x.md"
        path.write_bytes(data)
        try:
            file = LoadedFile(path, "facts/x.md", "x.md")
        except EngineError as error:
            return _one_sentence(error)
        for make in (fact_from, lambda f: incident_from(f, type_of), lambda f: remedy_from(f, type_of)):
            try:
                make(file)
            except EngineError as error:
                _one_sentence(error)
        return None

    def hide(data: bytes) -> object:
        text = data.decode("utf-8", "replace")
        hidden = redact(text)
        assert redact(hidden) == hidden, "hiding twice hides more"
        return hidden

    return [
        Target("report", report, texts + _files("reports", "cases"), 40),
        Target("parsers", parsers, texts, 20),
        Target("facts", facts, _facts_seeds(), 8),
        Target("node", node, _node_seeds(), 8),
        Target("session", session, _session_seeds(knowledge, reader), 4),
        Target("capture", capture, _capture_seeds(room), 3),
        Target("page", page, _pages(), 5),
        Target("redact", hide, [*lines, *_secrets()], 12),
    ]


def _one_sentence(error: Exception) -> str:
    """What an error says: one sentence, or one for each thing that is wrong with a file."""
    said = str(error)
    assert said and all(said.split("\n")) and "\x1b" not in said, f"no sentence: {said[:200]!r}"
    assert all(len(line) < 2000 for line in said.split("\n")), f"a sentence of {len(said)} characters"
    assert said.count("\n") < 50, f"{said.count(chr(10)) + 1} sentences"
    return said


def _files(*folders: str) -> list[bytes]:
    found = [path for folder in folders for path in sorted((HERE / folder).rglob("*")) if path.is_file()]
    return [path.read_bytes()[:6000] for path in found[:150]]


def _facts_seeds() -> list[bytes]:
    return [
        b"gpu.vendor: amd\ngpu.count: 8\nnccl.version: 2.21.5\nshm.size: {unknown: no access}\n",
        b"nodes:\n  a: {gpu.count: 8, env.NCCL_DEBUG: INFO}\n  b: {gpu.count: 4}\ngpu.vendor: nvidia\n",
        b'{gpu.vendor: "nvidia", symptom.xid-error: yes}\n',
        b"a: &x [1, 2]\nb: *x\n? k\n: v\n",
        *_files("reports")[:3],
    ]


def _node_seeds() -> list[bytes]:
    origin = [{"kind": "probe", "where": "nvml", "text": "x"}]
    names = [
        ("gpu.count", 8),
        ("gpu.vendor", "nvidia"),
        ("nccl.version", "2.21.5"),
        ("env.NCCL_DEBUG", "INFO"),
    ]
    document = {
        "schema": SCHEMA, "host": "node-1", "boot_id": "b", "taken": "2026-01-01T00:00:00Z",
        "facts": [{"name": n, "value": v, "from": origin} for n, v in names],
        "gaps": [{"fact": "shm.size", "reason": "no access"}],
    }  # fmt: skip
    return [json.dumps(document).encode(), json.dumps(document, indent=1).encode()]


def _session_seeds(knowledge: Knowledge, reader: Reader) -> list[bytes]:
    import yaml

    found = []
    for text in _files("reports")[:2]:
        session = Session(knowledge, "reference")
        for fact in reader.read([text], "x.log"):
            session.add(fact)
        session.tell("gpu.vendor", "nvidia")
        found.append(yaml.safe_dump(document_of(session), sort_keys=False).encode()[:4000])
        session.close()
    return found


def _capture_seeds(room: Path) -> list[bytes]:
    entries = [
        Entry(".gpudoctor/system.json", b'{"links": {}, "folders": [], "refused": [], "machine": "x86_64"}'),
        Entry("proc/version", b"Linux version 6.8.0\n"),
    ]
    write(entries, str(room / "seed.tar.gz"))
    plain = io.BytesIO()
    with tarfile.open(fileobj=plain, mode="w") as archive:
        member = tarfile.TarInfo("../x")
        member.size = 1
        archive.addfile(member, io.BytesIO(b"x"))
    return [(room / "seed.tar.gz").read_bytes(), plain.getvalue()]


def _pages() -> list[bytes]:
    folder = Path(os.fspath(Knowledge.load().file("facts/gpu/gpu.vendor.md"))).parents[2]
    found = [
        path for kind in ("facts", "incidents", "remedies") for path in sorted((folder / kind).rglob("*.md"))
    ]
    return [path.read_bytes() for path in found[::12]]


def _secrets() -> Iterator[bytes]:
    yield b"HF_TOKEN=hf_abcdefghijklmnopqrstuvwxyz password='a b' --api-key=x curl -u me:x https://u:p@h/"
    yield b'{"name":"DB_PASSWORD","value":"x"} -e API_PW=xxxx AccountKey=abcd; \\"password\\": \\"x\\"'

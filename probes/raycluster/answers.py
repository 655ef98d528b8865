"""What the driver told, line by line, in the words of the vocabulary."""

from __future__ import annotations

import base64
import binascii
import json
import re
import zlib
from collections.abc import Callable, Iterator
from typing import Any

from gpudoctor.engine.tuples import NamedTuple

from ...engine.facts import PROBE, Fact, Origin, Statement
from ...engine.knowledge import Knowledge
from ...engine.redaction import is_secret, redact
from ...engine.vendors import MASKS, prefixes
from ..live import ProbeError, read_lines
from ..report import Reader
from ..text import safe

PROPAGATED = ("GLOO_SOCKET_IFNAME", "NCCL_SOCKET_IFNAME")
_OF_THE_JOB = (*prefixes(whole=True), "GLOO_", "VLLM_", "SGLANG_", "UCX_", "FI_", "TORCH_NCCL_")
_ODD = re.compile(r"[^A-Za-z0-9._-]")
_LARGEST_ANSWER = 64 << 20

Progress = Callable[[int, int], None]


class NodeAnswer(NamedTuple):
    """What one node said: its name, its boot, and statements about it."""

    name: str
    boot_id: str
    statements: tuple[Statement, ...]


class ClusterAnswer(NamedTuple):
    """What a cluster said: nodes, (name, reason) of those that are silent, facts of the whole, remarks."""

    nodes: tuple[NodeAnswer, ...]
    silent: tuple[tuple[str, str], ...]
    statements: tuple[Statement, ...]
    notes: tuple[str, ...]
    seconds: float


class Round:
    """What the driver told so far."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self.connected: dict[str, Any] = {}
        self.failed = ""
        self._nodes: dict[str, dict[str, Any]] = {}
        self._heard: dict[str, dict[str, dict[str, Any]]] = {"probes": {}, "actor": {}, "clock": {}}
        self._silent: dict[tuple[str, str], str] = {}
        self._notes: list[str] = []
        self._done = False

    def hear(self, line: dict[str, Any]) -> None:
        """Take one line."""
        event = line.get("event")
        if event == "connected":
            self.connected = line
        elif event == "nodes":
            self._nodes = {node["id"]: node for node in line["nodes"]}
        elif event in self._heard:
            self._heard[event][line["id"]] = line
        elif event == "silent":
            self._silent[line["id"], line["what"]] = redact(safe(line["reason"]))[:300]
        elif event == "note":
            self._notes.append(redact(safe(line["text"])))
        elif event == "failed":
            self.failed = f"{line['kind']}: {line['reason']}"
        elif event == "done":
            self._done = True
        asked = sum(node["alive"] for node in self._nodes.values())
        answered = len(self._heard["probes"]) + sum(what == "probes" for _, what in self._silent)
        self._progress(answered, asked)

    def answer(self, knowledge: Knowledge, here: dict[str, str], seconds: float) -> ClusterAnswer:
        """Everything in the words of the vocabulary."""
        names = self._names()
        nodes, silent = [], []
        raylets: dict[str, dict[str, str] | None] = {}
        for key, node in self._nodes.items():
            name = names[key]
            raylets[name] = self._raylet(key)
            if not node["alive"]:
                if not self._replaced(node):
                    silent.append(
                        (
                            name,
                            f"Ray lists it as dead: {redact(safe(node['why']))[:200] or 'no reason given'}",
                        )
                    )
                continue
            if key not in self._heard["probes"]:
                why = self._silent.get((key, "probes"), "no answer before the whole was given up")
                silent.append((name, why))
                continue
            try:
                nodes.append(self._node(knowledge, key, name))
            except ProbeError as error:
                silent.append((name, str(error)))
            except (KeyError, TypeError, AttributeError) as error:
                silent.append((name, f"its answer is not understood: {type(error).__name__}"))
        told = [*self._whole(knowledge), *_propagation(here, raylets)]
        notes = [*self._notes, *_kept_here(here, nodes)]
        if self.failed:
            notes.append(f"the round ended early: {redact(safe(self.failed))[:300]}")
        return ClusterAnswer(tuple(nodes), tuple(silent), tuple(told), tuple(notes), seconds)

    def _names(self) -> dict[str, str]:
        """A name for each node: its host name, with a part of Ray's id where several nodes share it."""
        hosts = [node["host"] for node in self._nodes.values()]
        found = {}
        for key, node in self._nodes.items():
            host = _ODD.sub("-", node["host"] or node["address"]).strip("-._") or "node"
            found[key] = host if hosts.count(node["host"]) == 1 else f"{host}-{key[:6]}"
        return found

    def _replaced(self, node: dict[str, Any]) -> bool:
        """Whether an alive node stands at the same address: it was only started again."""
        return any(o["alive"] and o["address"] == node["address"] for o in self._nodes.values())

    def _raylet(self, key: str) -> dict[str, str] | None:
        looked = self._heard["actor"].get(key)
        raylet = looked["answer"]["raylet"] if looked else None
        return raylet if isinstance(raylet, dict) else None

    def _node(self, knowledge: Knowledge, key: str, name: str) -> NodeAnswer:
        said = self._heard["probes"][key]["answer"]
        lines = list(_lines(said))
        if not lines:
            raise ProbeError(
                f"the probes said nothing: {redact(safe(said['complaint']))[-200:] or 'no reason given'}"
            )
        statements = read_lines(knowledge, lines)
        statements += self._seen_by_ray(knowledge, key)
        return NodeAnswer(name, f"{said['boot_id']} {key}", tuple(statements))

    def _seen_by_ray(self, knowledge: Knowledge, key: str) -> Iterator[Statement]:
        """The clock, the masks of devices in an actor, the GPUs that Ray counts."""
        timed = self._heard["clock"].get(key)
        if timed:
            travel = timed["received"] - timed["sent"]
            offset = timed["answer"] - (timed["sent"] + timed["received"]) / 2
            if travel < 2.0:
                text = f"asked and answered within {travel * 1000:.0f} ms"
                yield Fact("clock.offset_ms", round(offset * 1000), Origin(PROBE, "Ray actor", text))
        looked = self._heard["actor"].get(key)
        actor = looked["answer"]["actor"] if looked else {}
        for name in MASKS:
            # An empty mask is what older Ray gives to whoever reserves no GPU: it says nothing of the job.
            value = actor.get(name, "")
            if value and f"env.{name}" in knowledge.vocabulary and not is_secret(name):
                origin = Origin(PROBE, "Ray actor", f"{name}={safe(value)[:200]}")
                yield Fact(f"env.{name}", safe(value)[:200], origin)

    def _whole(self, knowledge: Knowledge) -> Iterator[Statement]:
        origin = Origin(PROBE, "Ray", f"Ray {self.connected['ray']}, Python {self.connected['python']}")
        yield Fact("launcher", "ray", origin)
        yield Fact("ray.version", self.connected["ray"], origin)
        gpus = sum(int(node["gpus"]) for node in self._nodes.values() if node["alive"])
        yield Fact("ray.gpu_total", gpus, Origin(PROBE, "Ray", "sum over the nodes that Ray lists as alive"))
        reader = Reader(knowledge, words=False)
        for text in [*self._silent.values(), *(node["why"] for node in self._nodes.values())]:
            found = reader.read([safe(text).encode()], "Ray")
            yield from (fact for fact in found if fact.name.startswith("symptom."))


def _lines(said: dict[str, Any]) -> Iterator[dict[str, Any]]:
    try:
        unpacked = zlib.decompressobj().decompress(base64.b64decode(said["lines"]), _LARGEST_ANSWER)
    except (zlib.error, binascii.Error, TypeError) as error:
        raise ProbeError(f"the answer is damaged: {error}") from None
    for line in unpacked.decode("utf-8", "replace").split("\n"):
        try:
            read = json.loads(line)
        except ValueError:
            continue  # cut off where the child was killed
        if isinstance(read, dict):
            yield read


def _kept_here(here: dict[str, str], nodes: list[NodeAnswer]) -> Iterator[str]:
    """Variables that are set where the job is started and at no raylet: workers do not have them by themselves."""
    at_raylets = {
        statement.name for node in nodes for statement in node.statements if isinstance(statement, Fact)
    }
    names = sorted(n for n in here if n.startswith(_OF_THE_JOB) and f"env.{n}" not in at_raylets)
    if names and nodes:
        more = f" and {len(names) - 12} more" if len(names) > 12 else ""
        yield (
            f"set here and at no raylet: {', '.join(names[:12])}{more}; workers have them only where the job hands "
            "them on (runtime_env, VLLM_RAY_EXTRA_ENV_VARS_TO_COPY)"
        )


def _propagation(here: dict[str, str], raylets: dict[str, dict[str, str] | None]) -> Iterator[Statement]:
    """Whether the network variables of whoever starts the job are also there where the workers start."""
    known = {name: there for name, there in raylets.items() if there is not None}
    for variable in PROPAGATED:
        if not known or variable not in here:
            continue
        without = sorted(name for name, there in known.items() if variable not in there)
        where = f"unset at the raylet on {', '.join(without[:8])}" if without else "set at every raylet"
        origin = Origin(PROBE, "Ray", f"{variable}={safe(here[variable])[:60]} here; {where}")
        if without:
            yield Fact("ray.env_only_at_driver", True, origin)
            return
        if len(known) == len(raylets):
            yield Fact("ray.env_only_at_driver", False, origin)

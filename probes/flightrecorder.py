"""PyTorch flight-recorder dumps: which rank was behind in which collective, and whose dump is missing.

The dumps of NCCL jobs (``TORCH_NCCL_DEBUG_INFO_TEMP_FILE``, one file for each rank) are pickles or JSON. They
come from somewhere else and are untrusted: nothing that a pickle names is ever imported or called, and it is loaded
within bounds of time and memory.
"""

from __future__ import annotations

import io
import json
import pickle
import re
from collections.abc import Iterator
from typing import Any

from gpudoctor.engine.tuples import NamedTuple

from ..engine.patterns import lazy_pattern
from .fork import in_a_fork

LARGEST = 256 << 20
"""Bytes of one dump that are read; a full ring buffer of 20,000 entries with stacks stays far below."""
_RANK = lazy_pattern(r"(\d{1,6})(?:\.(?:json|pkl|pickle))?$")
SECONDS, MEMORY = 20.0, 2 << 30
"""For loading one pickle, in a process of its own: a few bytes of it may ask for any time and memory."""
_SHOWN = 64
_SIZED = ("all_reduce", "allreduce", "_all_gather_base", "_reduce_scatter_base", "broadcast")
_LIBRARY = ("/torch/", "/site-packages/", "<frozen", "/runpy.py", "/threading.py")

DumpFinding = tuple[str, "str | bool", str, str]
"""Name, value, place and text."""


class Call(NamedTuple):
    """The last collective of one rank in one process group."""

    seq: int
    name: str
    state: str
    shape: str
    frame: str


class Dump(NamedTuple):
    """What one rank's dump says: its file, its last call and all recent calls in each process group."""

    rank: int
    where: str
    last: dict[str, Call]
    calls: dict[tuple[str, int], Call]
    groups: dict[str, tuple[int, ...]]
    library: str


class _Forbidden(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        raise pickle.UnpicklingError(f"the dump asks for {module}.{name}")

    def persistent_load(self, pid: Any) -> Any:
        raise pickle.UnpicklingError("the dump refers to something outside")


def is_pickle(head: bytes) -> bool:
    """Whether it is no text that could be read as lines."""
    return head[:1] == b"\x80"


def read_dump(data: bytes, where: str) -> Dump | None:
    """The dump in ``data``, or None if it cannot be read as one."""
    found = _RANK.search(where)
    if not found:
        return None
    if is_pickle(data):
        said = in_a_fork(
            lambda: _essence(_Forbidden(io.BytesIO(data)).load()), SECONDS, MEMORY + 8 * len(data)
        )
    else:
        try:
            said = _essence(json.loads(data))
        except (ValueError, RecursionError):
            return None
    if not isinstance(said, dict):
        return None
    calls = {(group, seq): Call(seq, *rest) for group, seq, *rest in said["calls"]}
    last: dict[str, Call] = {}
    for (group, seq), call in calls.items():
        if group not in last or seq >= last[group].seq:
            last[group] = call
    groups = {name: tuple(ranks) for name, ranks in said["groups"].items()}
    return Dump(int(found[1]), where, last, calls, groups, said["library"])


def _essence(content: Any) -> dict[str, Any] | None:
    """What is needed of a dump, as JSON. Only plain texts and numbers are ever turned into text: lists that hold one
    another many times over are small in a pickle and endless when they are written out."""
    entries = content.get("entries") if isinstance(content, dict) else None
    if not isinstance(entries, list):
        return None
    library = content.get("comm_lib_version") or content.get("nccl_version")
    return {
        "calls": [call for entry in entries if (call := _call(entry))],
        "groups": _groups(content),
        "library": _plain(library, 40),
    }


def _plain(value: Any, longest: int) -> str:
    return str(value)[:longest] if isinstance(value, str | int | float) and not _huge(value) else ""


def _huge(value: Any) -> bool:
    return isinstance(value, int) and value.bit_length() > 64


def _flat(value: Any, depth: int = 2) -> str:
    """A list of numbers and texts, or a list of such lists, within bounds."""
    if depth and isinstance(value, list | tuple):
        return f"[{', '.join(_flat(item, depth - 1) for item in value[:16])}]"
    return _plain(value, 40)


def _call(entry: Any) -> list[Any] | None:
    if not isinstance(entry, dict) or entry.get("is_p2p"):
        return None
    group, seq = entry.get("process_group"), entry.get("collective_seq_id")
    if not isinstance(group, list | tuple) or not group or not isinstance(seq, int) or _huge(seq):
        return None
    name = _plain(entry.get("profiling_name", ""), 60)
    shape = f"{_flat(entry.get('input_sizes'))} {_flat(entry.get('input_dtypes'))}"[:120]
    return [
        _plain(group[0], 60),
        seq,
        name,
        _plain(entry.get("state", ""), 20),
        shape,
        _frame(entry.get("frames")),
    ]


def _frame(frames: Any) -> str:
    """The line of the user's program that made the call."""
    for frame in frames if isinstance(frames, list) else ():
        if isinstance(frame, dict):
            file = _plain(frame.get("filename", ""), 4096)
            if not any(part in file for part in _LIBRARY):
                return f"{file.rpartition('/')[2][:60]}:{_plain(frame.get('line'), 12)}"
    return ""


def _groups(content: dict[str, Any]) -> dict[str, tuple[int, ...]]:
    config = content.get("pg_config")
    groups: dict[str, tuple[int, ...]] = {}
    for name, group in config.items() if isinstance(config, dict) else ():
        ranks = group.get("ranks", "") if isinstance(group, dict) else ""
        text = ranks if isinstance(ranks, str) else _ranks(ranks)
        groups[_plain(name, 60)] = tuple(int(n) for n in re.findall(r"\d{1,6}", text[:200_000]))
    return groups


def _ranks(listed: Any) -> str:
    return " ".join(_plain(rank, 6) for rank in listed) if isinstance(listed, list | tuple) else ""


def compare(dumps: list[Dump]) -> Iterator[DumpFinding]:
    """What the dumps of one job say together."""
    if not dumps:
        return
    by_rank = {dump.rank: dump for dump in dumps}
    everyone = {rank for dump in dumps for ranks in dump.groups.values() for rank in ranks}
    missing = sorted(everyone - set(by_rank))
    first = min(dumps, key=lambda d: d.rank)
    if missing:
        yield "log.missing_dumps", _list(missing), first.where, f"no dump of ranks {_list(missing)}"
    if first.library.startswith("2."):
        yield "nccl.version", first.library, first.where, f"comm_lib_version {first.library}"
    for group in sorted({name for dump in dumps for name in dump.last}):
        members = {rank: dump for rank, dump in by_rank.items() if group in dump.last}
        yield from _behind(group, members)
        yield from _mismatch(group, members)


def _behind(group: str, members: dict[int, Dump]) -> Iterator[DumpFinding]:
    ahead = max(dump.last[group].seq for dump in members.values())
    late = sorted(rank for rank, dump in members.items() if dump.last[group].seq < ahead)
    if not late or len(late) == len(members):
        return
    waiting = next(dump for dump in members.values() if dump.last[group].seq == ahead).last[group]
    slow = members[late[0]].last[group]
    text = (
        f"group {group}: others wait in #{ahead} {waiting.name}{_at(waiting)}; "
        f"rank {late[0]} was last in #{slow.seq} {slow.name}{_at(slow)}"
    )
    yield "log.late_ranks", _list(late), members[late[0]].where, text


def _mismatch(group: str, members: dict[int, Dump]) -> Iterator[DumpFinding]:
    """The first collective in which the ranks do not call the same thing."""
    common = sorted({seq for dump in members.values() for name, seq in dump.calls if name == group})
    for seq in common:
        calls = {rank: dump.calls[group, seq] for rank, dump in members.items() if (group, seq) in dump.calls}
        kinds = {_kind(call): rank for rank, call in sorted(calls.items(), reverse=True)}
        if len(kinds) > 1:
            said = [
                f"rank {rank} {calls[rank].name} {calls[rank].shape}" for rank in sorted(kinds.values())[:2]
            ]
            where = members[min(kinds.values())].where
            yield "symptom.collective-mismatch", True, where, f"group {group} #{seq}: {'; '.join(said)}"
            return


def _kind(call: Call) -> tuple[str, str]:
    sized = call.name.rpartition(":")[2] in _SIZED
    return call.name, call.shape if sized else ""


def _at(call: Call) -> str:
    return f" at {call.frame}" if call.frame else ""


def _list(ranks: list[int]) -> str:
    return ",".join(map(str, ranks[:_SHOWN]))

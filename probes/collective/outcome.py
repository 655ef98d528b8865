"""From what the ranks left to an outcome: pass, hang, error or wrong, and who or what is to blame.

To blame is the rank that is not where the others are. A transport that carries nothing parks all ranks in the
same place: then nobody is named, and the matrix must decide.
"""

from __future__ import annotations

import signal
from collections import Counter

from gpudoctor.engine.tuples import NamedTuple

from .ranks import Event, JobEnd, RankEnd

PASS, HANG, ERROR, WRONG = "pass", "hang", "error", "wrong"

VICTIM = (
    "wait timeout",
    "connection closed by peer",
    "connection reset",
    "read error",
    "timed out",
    "unhandled system error",
    "remote process exited",
    "broken pipe",
    "socket closed",
    "recvvalue failed",
)
"""Messages that only tell of a lost peer; whoever says so is a victim."""

JOINT = (
    "init",
    "all_reduce",
    "bandwidth",
    "all_gather",
    "send_recv",
    "graph",
    "custom_all_reduce",
    "custom_all_reduce_setup",
)
"""Stages in which a rank waits for others; in any other it waits for nobody."""

_SIZES = {1: "4 B", 1024: "4 KB", 262144: "1 MB", 4194304: "16 MB"}
_WORDS = {
    "none": "before it ran its first line",
    "import": "importing torch",
    "device": "taking its GPU",
    "init": "joining the process group",
    "copy": "copying to the GPU and back",
    "between": "between two stages",
    "end": "leaving",
}


class Outcome(NamedTuple):
    """What one run of all ranks came to."""

    value: str  # pass, hang, error, wrong
    stage: str = ""
    culprits: tuple[int, ...] = ()
    link: tuple[int, int] | None = None  # source and destination of a message that hung or came wrong
    source: int | None = None  # the rank whose block was wrong everywhere
    text: str = ""
    seconds: float = 0.0
    bus_gbs: float = 0.0
    abandoned: tuple[int, ...] = ()


def conclude(end: JobEnd) -> Outcome:
    """The outcome of a job."""
    bandwidths = [e["bus_gbs"] for r in end.ranks for e in r.events if e["stage"] == "bandwidth"]
    outcome = _conclude(end)
    return outcome._replace(
        seconds=round(end.seconds, 2),
        bus_gbs=min(bandwidths, default=0.0),
        abandoned=tuple(r.rank for r in end.ranks if r.abandoned),
    )


def _conclude(end: JobEnd) -> Outcome:
    ranks = end.ranks
    if all(rank.code == 0 for rank in ranks):
        return Outcome(PASS, text=f"{len(ranks)} ranks, every element right")
    wrong = [(rank, e) for rank in ranks for e in rank.events if e["stage"] == "check" and not e.get("ok")]
    if wrong:
        return _wrong(wrong)
    culprits, why = _culprits(ranks)
    blamed = [rank for rank in ranks if rank.rank in culprits] or [r for r in ranks if r.code != 0]
    least = min(blamed, key=lambda rank: _progress(rank))
    stage, place = stage_of(least), _place(least)
    link = _link(blamed)
    over = f" over {link[0]} -> {link[1]}" if link else ""
    gone = bool(culprits) and not any(rank.late for rank in blamed)
    if any(rank.late for rank in ranks) and not gone:
        if culprits:
            text = f"{_names(culprits)} hung {place}{over} {_bracket(why)}".strip()
        else:
            text = f"a hang {place}{over}" + (": all ranks wait at the same place" if len(ranks) > 1 else "")
        return Outcome(HANG, stage, culprits, link, None, text)
    if not culprits and _all_timed_out(ranks):
        return Outcome(HANG, stage, (), link, None, f"every rank waited in vain {place}{over}")
    who = _names(culprits or tuple(rank.rank for rank in blamed))
    return Outcome(ERROR, stage, culprits, link, None, f"{who} failed {place}{over} {_bracket(why)}".strip())


def _bracket(why: str) -> str:
    return f"({why})" if why else ""


def _wrong(found: list[tuple[RankEnd, Event]]) -> Outcome:
    """Wrong data: the first stage that shows it, and the source or the link that explains all of it."""
    event = found[0][1]
    links = {(e["src"], e["dst"]) for _, e in found if e["op"] in ("send_recv", "peers")}
    blocks = {(e["src"], e["dst"]) for _, e in found if e["op"] == "all_gather" and e["src"] != e["dst"]}
    own = {e["src"] for _, e in found if e["op"] == "all_gather" and e["src"] == e["dst"]}
    pairs = links or blocks
    sources = {source for source, _ in blocks} | own
    link = next(iter(pairs)) if len(pairs) == 1 else None
    source = next(iter(sources)) if len(sources) == 1 and not links else None
    seen = {r.rank for r, _ in found}
    copies = tuple(sorted({r.rank for r, e in found if e["op"] == "copy"}))
    if copies:
        culprits: tuple[int, ...] = copies
        where = f"{_names(copies)} got wrong data back from its own GPU"
    elif source is not None:
        culprits, where = (source,), f"the block of rank {source} arrived wrong"
    elif link:
        culprits, where = link, f"the link {link[0]} -> {link[1]} carried wrong data"
    elif links:
        culprits, where = (), f"{len(links)} links carried wrong data: {_pairs(links)}"
    else:
        culprits = tuple(sorted(seen)) if len(seen) == 1 else ()
        where = f"{_names(tuple(sorted(seen)))} got wrong data"
    text = (
        f"{where}: {event['op']}, {event['count']} of {event['of']} elements, the first at {event['first']}: "
        f"wanted {event['want']:.0f}, got {event['got']:.0f}"
    )
    if event.get("zeros") == event["count"]:
        text += " (all of them zero: writes were lost)"
    return Outcome(WRONG, str(event["op"]), culprits, link, source, text)


def _pairs(links: set[tuple[int, int]]) -> str:
    return ", ".join(f"{a} -> {b}" for a, b in sorted(links)[:8])


def _culprits(ranks: tuple[RankEnd, ...]) -> tuple[tuple[int, ...], str]:
    """The ranks to blame and by what sign; the first sign that names somebody counts."""
    late = [rank for rank in ranks if rank.late]
    killed = [rank for rank in ranks if rank.code is not None and rank.code < 0]
    if killed:
        return _those(killed), f"ended by {signal_name(-(killed[0].code or 0))}"
    odd = [rank for rank in late if rank.state and rank.state in "TtDZ"]
    if odd:
        wait = f" in {odd[0].wchan}" if odd[0].state == "D" and odd[0].wchan else ""
        return _those(odd), f"{_STATES[odd[0].state]}{wait}"
    own = [rank for rank in ranks if _failed_by_itself(rank)]
    if own:
        return _those(own), _own_words(own[0])
    alone = [rank for rank in late if _op(rank) not in JOINT]
    if alone and len(alone) < len(ranks):
        return _those(alone), "it waits for no other rank"
    if len(ranks) > 2:
        for key in (_position, lambda rank: rank.frame):
            odd = _unique(late, key)
            if odd:
                return _those(odd), f"the others are elsewhere; it is at {odd[0].frame or _op(odd[0])}"
    outside = [rank for rank in late if rank.frame and not _in_torch(rank.frame)]
    if outside and len(outside) < len(ranks):
        return _those(outside), f"it is at {outside[0].frame}"
    return (), ""


_STATES = {
    "T": "stopped by a signal",
    "t": "stopped by a tracer",
    "D": "stuck in the kernel",
    "Z": "a zombie",
}


def _those(ranks: list[RankEnd]) -> tuple[int, ...]:
    return tuple(rank.rank for rank in ranks)


def _unique(ranks: list[RankEnd], key: object) -> list[RankEnd]:
    assert callable(key)
    counts = Counter(key(rank) for rank in ranks)
    odd = [rank for rank in ranks if counts[key(rank)] == 1 and key(rank)]
    return odd if len(odd) == 1 else []


def _position(rank: RankEnd) -> str:
    last = rank.last
    return " ".join(str(last.get(key, "")) for key in ("stage", "op", "n", "src", "dst", "turn", "replay"))


def _in_torch(frame: str) -> bool:
    return "/torch/" in frame or "/rank.py:" in frame


def _failed_by_itself(rank: RankEnd) -> bool:
    if rank.late or rank.code in (0, None) or (rank.code or 0) < 0:
        return False
    error = _error(rank)
    if error is None:
        return True  # it left without a word
    return not any(words in str(error.get("message", "")).lower() for words in VICTIM)


def _error(rank: RankEnd) -> Event | None:
    return next((e for e in reversed(rank.events) if e["stage"] == "error"), None)


def _own_words(rank: RankEnd) -> str:
    error = _error(rank)
    if error is None:
        lines = [line for line in rank.output.splitlines() if line.strip()]
        tail = f": {lines[-1].strip()[:200]}" if lines else ""
        return f"left with status {rank.code}{tail}"
    message = " ".join(str(error.get("message", "")).split())
    return f"{error.get('type')}: {message[:300]}"


def _all_timed_out(ranks: tuple[RankEnd, ...]) -> bool:
    errors = [_error(rank) for rank in ranks]
    return all(e is not None and "time" in str(e.get("message", "")).lower() for e in errors)


def _before_error(rank: RankEnd) -> Event:
    return next((e for e in reversed(rank.events) if e["stage"] != "error"), {"stage": "none"})


def _op(rank: RankEnd) -> str:
    last = _before_error(rank)
    if last["stage"] == "enter":
        return str(last.get("op"))
    if last["stage"] == "none":
        return "none"
    return "import" if last["stage"] == "start" else "end" if last["stage"] == "done" else "between"


def stage_of(rank: RankEnd) -> str:
    """The stage that a rank was in at the last, as the fact ``collective.stage`` names it."""
    op = _op(rank)
    if op == "none":
        return "start"
    if op == "between":
        return str(_before_error(rank).get("op") or "init")
    return op


def _place(rank: RankEnd) -> str:
    op = _op(rank)
    if op in _WORDS:
        return _WORDS[op]
    count = _before_error(rank).get("n", 0)
    return f"in {op}" + (f" of {_SIZES.get(count, f'{count} elements')}" if op == "all_reduce" else "")


def _progress(rank: RankEnd) -> int:
    return sum(1 for event in rank.events if event["stage"] != "error")


def _link(ranks: list[RankEnd]) -> tuple[int, int] | None:
    last = _before_error(min(ranks, key=_progress))
    if last.get("op") in ("send_recv", "peers"):
        return int(last["src"]), int(last["dst"])
    return None


def _names(ranks: tuple[int, ...]) -> str:
    return f"rank {ranks[0]}" if len(ranks) == 1 else f"ranks {', '.join(map(str, ranks))}"


def signal_name(number: int) -> str:
    """``SIGKILL`` for 9."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"

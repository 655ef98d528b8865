"""What the places of the ranks say together, as facts: who is elsewhere, in which branch, out of which loop."""

from __future__ import annotations

from collections.abc import Iterator

from ..machine.finding import Known
from .groups import ranges, sentences
from .look import Look, Member, OwnFrame
from .places import (
    ANSWER,
    BACKWARD,
    BARRIER,
    COLLECTIVE,
    DEVICE,
    FILE_LOCK,
    LOADER,
    LOCK,
    OWN,
    RENDEZVOUS,
    SHUTDOWN,
    STORE,
    WAITS,
    WORKER,
)
from .stir import POLLS, SPINS

_WAIT = {
    COLLECTIVE: "collective", BACKWARD: "collective", BARRIER: "barrier", RENDEZVOUS: "rendezvous", DEVICE: "device",
    LOADER: "loader", LOCK: "lock", FILE_LOCK: "lock", SHUTDOWN: "shutdown", ANSWER: "answer",
    STORE: "rendezvous",
}  # fmt: skip
_MEETS = (COLLECTIVE, BARRIER, RENDEZVOUS, STORE, ANSWER)
_WEIGHT_SYNC = "weight_sync"


def findings(look: Look, where: str) -> Iterator[Known]:
    """The facts of one look; ``where`` names it."""
    ranks = look.ranks
    said = sentences(look)
    if not ranks:
        return
    text = "; ".join(said)
    if not look.problem:
        yield Known("stack.groups", text, where, text)
    yield from _states(look, where)
    if look.problem:
        return
    waiting = [member for member in ranks if member.place.doing in _WAIT and not member.moved]
    if waiting:
        kinds = [_WAIT[member.place.doing] for member in waiting]
        usual = max(sorted(set(kinds)), key=kinds.count)
        yield Known("stack.waits_in", usual, where, text)
    yield from _different(look, waiting, where, text)
    yield from _in_one_place(look, where)
    yield from _helpers(look, where)
    if any(gauge.spins for gauge in look.gauges):
        words = ", ".join(gauge.words for gauge in look.gauges if gauge.spins)
        yield Known("symptom.gpu-util-100-idle", True, where, words)


def _states(look: Look, where: str) -> Iterator[Known]:
    stopped = [m for m in look.members if m.state in "Tt"]
    if stopped:
        names = ", ".join(m.name for m in stopped[:8])
        yield Known(
            "stack.stopped",
            names,
            where,
            f"{names}: state {stopped[0].state}, stopped by a signal or a debugger",
        )
    stuck = [m for m in look.members if m.state == "D" and not m.moved]
    if stuck:
        names = ", ".join(m.name for m in stuck[:8])
        yield Known(
            "stack.in_kernel", names, where, f"{names}: state D, waits in {stuck[0].wchan or 'the kernel'}"
        )
    if look.gone:
        names = ", ".join(look.gone[:8])
        yield Known("stack.gone", names, where, f"{names} ended while others went on")
    unseen = look.world - len(look.ranks) - len(look.gone)
    if look.world > 0:
        text = f"the variables say {look.world} ranks, {len(look.ranks) + len(look.gone)} were seen on {look.host}"
        yield Known("stack.unseen", max(unseen, 0), where, text)


def _different(look: Look, waiting: list[Member], where: str, text: str) -> Iterator[Known]:
    ranks = look.ranks
    if len(ranks) < 2:
        return
    places = {(m.place.doing, m.place.call, m.place.file, m.place.line) for m in ranks}
    if len(places) == 1 and ranks[0].place.doing in (COLLECTIVE, BARRIER) and not look.gone:
        yield Known("stack.same_place", True, where, text)
        return
    if len(places) > 1:
        yield Known("stack.same_place", False, where, text)
    busy = [m for m in ranks if (m.moved or m.stir) and m.place.doing not in _WAIT]
    for_them = [m for m in waiting if m.place.doing in WAITS]
    if busy and len(for_them) + len(busy) == len(ranks) and for_them:
        numbers = [m.rank for m in busy]
        who = ranges([n for n in numbers if n is not None]) or ", ".join(m.name for m in busy[:8])
        yield Known("stack.busy", who, where, text)
        yield from _sections(busy, where)
    yield from _sections([m for m in ranks if m.place.doing in (COLLECTIVE, BARRIER)], where)
    odd = {
        part
        for m in waiting
        for part in [_divided(m, other) for other in ranks if other is not m and not other.moved]
    }
    for kind, line in sorted(pair for pair in odd if pair):
        yield Known(f"stack.{kind}", True, where, line)


def _in_one_place(look: Look, where: str) -> Iterator[Known]:
    """Ranks that have not come further although they run, wake up, or hold the interpreter's lock."""
    own = [m for m in look.ranks if not m.moved and m.place.doing == OWN]
    for stir, fact in ((SPINS, "stack.spins"), (POLLS, "stack.polls")):
        for member in [m for m in own if m.stir == stir][:1]:
            at = f"{member.name} at {member.place.where}" if member.place.where else member.name
            yield Known(fact, at, where, f"{member.name} {stir} {member.place.words} and comes no further")
    for member in [m for m in look.ranks if m.lock and not m.moved][:1]:
        words = (
            f"{member.name}: the interpreter's lock is held at {member.held_at or 'one place'} all the while"
        )
        yield Known("stack.gil", member.lock, where, words)
    for member in look.ranks:
        if not member.moved and member.place.section == _WEIGHT_SYNC and member.place.doing in _MEETS:
            yield Known("stack.weight_sync", True, where, f"{member.name} stands {member.place.words}")
            break
    for member in [m for m in look.ranks if m.place.doing == STORE and not m.moved][:1]:
        yield Known("stack.store_wait", True, where, f"{member.name} stands {member.place.words}")
    if all(m.place.doing == RENDEZVOUS and m.rank is None and not m.place.file for m in look.ranks):
        words = f"{look.ranks[0].name} has started no rank: it waits for other nodes"
        yield Known("stack.launcher_waits", True, where, words)


def _sections(members: list[Member], where: str) -> Iterator[Known]:
    section = next((m.place.section for m in members if m.place.section not in ("", _WEIGHT_SYNC)), "")
    if section:
        yield Known("stack.section", section, where, members[0].place.words)


def _divided(one: Member, other: Member) -> tuple[str, str] | None:
    """What divides a waiting rank from another one: where both ran the same function, and no longer the same lines."""
    for mine, theirs in zip(one.path, other.path, strict=False):
        if (mine.file, mine.function) != (theirs.file, theirs.function):
            return None
        if mine.line != theirs.line:
            return _between(one, mine, other, theirs)
    return None


def _between(one: Member, mine: OwnFrame, other: Member, theirs: OwnFrame) -> tuple[str, str] | None:
    file = mine.file.rpartition("/")[2]
    for first, last, over, exhausted in mine.loops:
        left = (first, last, over, exhausted) not in theirs.loops and theirs.line > last
        if left and one.place.doing in WAITS:
            words = f"{other.name} is at {file}:{theirs.line}, past the loop over {over} (line {first})"
            words += f" in which {one.name} waits"
            return ("left_loop" if exhausted else "left_loop_early"), words
    for line, side, condition, of_rank in mine.branches:
        if (line, side, condition, of_rank) in theirs.branches or one.place.doing not in WAITS:
            continue
        if one.place.doing == STORE:
            return None  # nobody else has to come there: it waits for what another rank writes
        if of_rank:
            return (
                "rank_branch",
                f"{one.name} waits at {file}:{mine.line}, under 'if {condition}' (line {line}, {side})",
            )
        return "branch", f"{one.name} took '{side}' of 'if {condition}' ({file}:{line}), {other.name} did not"
    return None


def _helpers(look: Look, where: str) -> Iterator[Known]:
    loading = [m for m in look.ranks if m.place.doing == LOADER and not m.moved]
    # A worker that waits to be told what to load is in no line of the person's own.
    stuck = [
        m for m in look.members if m.is_worker and m.place.doing in (WORKER, OWN) and not m.moved and m.path
    ]
    if loading and stuck:
        at = f" at {stuck[0].place.where}" if stuck[0].place.where else ""
        words = f"{loading[0].name} waits for its data loader; {stuck[0].name} stands still{at}"
        yield Known("stack.loader_stuck", True, where, words)
    for doing, fact in ((LOCK, "stack.jit_lock"), (FILE_LOCK, "stack.file_lock")):
        held = [m for m in look.ranks if m.place.doing == doing and not m.moved]
        if held:
            yield Known(fact, True, where, f"{held[0].name} stands {held[0].place.words}")

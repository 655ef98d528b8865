"""Ranks grouped by where they stand, in sentences for people."""

from __future__ import annotations

from collections.abc import Iterable

from ...engine.characters import seen
from .gil import CALL, COLLECTION, THREAD
from .look import Look, Member
from .stir import POLLS, SPINS

_MOST = 8
_STATES = {
    "T": "stopped (state T)",
    "t": "held by a debugger (state t)",
    "D": "stuck in the kernel (state D",
}
_HOLDS = {
    COLLECTION: "; its garbage collection holds the interpreter's lock",
    CALL: "; this call holds the interpreter's lock",
    THREAD: "; another thread holds the interpreter's lock",
}


def sentences(look: Look) -> list[str]:
    """One for each place, the fullest first, then workers that stand and ranks that are gone."""
    groups: dict[str, list[Member]] = {}
    for member in look.ranks:
        groups.setdefault(_stance(member, False), []).append(member)
    found = [
        f"{_who(members)} {_stance(members[0], len(members) > 1)}"
        for members in sorted(groups.values(), key=len, reverse=True)
    ]
    stuck = [member for member in look.members if member.is_worker and not member.moved and member.place.file]
    found += [f"{member.name} stands {member.place.words}" for member in stuck[:_MOST]]
    found += [gauge.words for gauge in look.gauges if gauge.spins][:_MOST]
    if look.gone:
        found.append(f"{', '.join(look.gone[:_MOST])}: gone")
    unseen = look.world - len(look.ranks) - len(look.gone)
    if look.world and unseen > 0:
        found.append(f"{unseen} of {look.world} ranks {'is' if unseen == 1 else 'are'} not here")
    return [seen(sentence) for sentence in found]


def _stance(member: Member, many: bool) -> str:
    is_ = "are" if many else "is"
    if member.state in _STATES:
        where = (
            f", {member.wchan})"
            if member.state == "D" and member.wchan
            else ")"
            if member.state == "D"
            else ""
        )
        at = f" at {member.place.where}" if member.place.where else ""
        return f"{is_} {_STATES[member.state]}{where}{at}"
    if member.problem and not member.place.call:
        wchan = f", waits in {member.wchan}" if member.wchan else ""
        return f"{is_} in state {member.state}{wchan}"
    if not member.moved and member.stir == POLLS and not member.lock:
        return f"{'wake' if many else 'wakes'} up again and again {member.place.words}"
    verb = "work" if member.moved else "spin" if member.stir == SPINS else "stand"
    held = (
        f"{_HOLDS[member.lock]}{f' ({member.held_at})' if member.held_at else ''}"
        if member.lock in _HOLDS
        else ""
    )
    return f"{verb}{'' if many else 's'} {member.place.words}{held}"


def _who(members: list[Member]) -> str:
    if len(members) == 1:
        return members[0].name
    numbers = [member.rank for member in members if member.rank is not None]
    if len(numbers) == len(members):
        return f"ranks {ranges(numbers)}"
    return ", ".join(member.name for member in members[:_MOST])


def ranges(numbers: Iterable[int]) -> str:
    """Numbers in short: 0-3,7."""
    parts: list[list[int]] = []
    for number in sorted(numbers):
        if parts and number == parts[-1][-1] + 1:
            parts[-1].append(number)
        else:
            parts.append([number])
    return ",".join(f"{part[0]}-{part[-1]}" if len(part) > 1 else str(part[0]) for part in parts)

"""The strongest proofs of what leads, each with the line from which it comes."""

from gpudoctor.engine.tuples import NamedTuple

from ....engine.patterns import lazy_pattern
from .blocks import Json, Report

_WEIGHTS = {"decisive": 0, "strong": 1, "weak": 3}
_SLOTS = {"confirms": 0, "requires": 4}
_CIRCUMSTANCES = ("gpu.", "launcher", "runtime", "engine.", "os.", "kernel.", "road.")
"""Facts that say what is there; they prove nothing that goes wrong."""
_NAME = lazy_pattern(r"[a-z_]\w*(?:\.[\w-]+)+")
_DEEPEST = 4


class Proof(NamedTuple):
    """A fact under the standing, and the origin at which a person can look it up."""

    reason: Json
    origin: Json | None

    @property
    def place(self) -> str:
        """Where it stands: a file with a line, or nothing."""
        return str(self.origin["where"]) if self.origin else ""


def strongest(report: Report, most: int) -> list[Proof]:
    """Proofs of different facts from different lines, those that say most first."""
    if report.leading is None:
        return []
    known = {fact["name"]: fact for fact in report.document["facts"]}
    proofs = [Proof(one, _seen(one, known, 0)) for one in report.leading["because"]]
    chosen: list[Proof] = []
    for proof in sorted(proofs, key=_rank):
        told = [(p.reason["fact"], p.place) for p in chosen]
        same = any(fact == proof.reason["fact"] or (place and place == proof.place) for fact, place in told)
        if not same and len(chosen) < most:
            chosen.append(proof)
    return chosen


def _rank(proof: Proof) -> tuple[bool, int, bool]:
    """What proves before what only fits, a line that can be looked up before a conclusion."""
    fact, slot = proof.reason["fact"], proof.reason["slot"]
    rank = _SLOTS.get(slot, _WEIGHTS.get(proof.reason["weight"], 2))
    direct = proof.origin is not None and proof.origin["kind"] != "rule"
    return fact.startswith(_CIRCUMSTANCES), rank, not direct


def _seen(reason: Json, known: dict[str, Json], depth: int) -> Json | None:
    """The first origin of a fact; of a conclusion, that of a fact from which it follows."""
    origins = reason.get("from", [])
    first: Json | None = origins[0] if origins else None
    if first is None or first["kind"] != "rule" or depth == _DEEPEST:
        return first
    for name in _NAME.findall(first["text"]):
        below = known.get(name)
        if below is not None and name != reason.get("fact", reason.get("name")):
            found = _seen(below, known, depth + 1)
            if found is not None and found["kind"] != "rule":
                return found
    return first

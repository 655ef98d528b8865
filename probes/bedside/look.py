"""One look at a job, as it stands in a capture: where each rank is, and whether it has moved since the look before."""

from __future__ import annotations

from typing import Any

from gpudoctor.engine.tuples import NamedTuple

from .gauges import Gauge
from .places import DEVICE, OWN, PATIENT, Place


class OwnFrame(NamedTuple):
    """One call of the person's own program, with the branches and loops around its line."""

    file: str
    function: str
    line: int
    branches: tuple[tuple[int, str, str, bool], ...]
    loops: tuple[tuple[int, int, str, bool], ...]


class Member(NamedTuple):
    """A rank, or a worker of one: where it stands, and ``moved``: whether it has come further since the last look.

    ``stir``: what it does where it has not (``stir.SPINS``, ``POLLS``, or nothing). ``lock``: who has held the
    interpreter's lock all the while (``gil.COLLECTION``, ``CALL``, ``THREAD``, or nothing), ``held_at`` the line.
    """

    pid: int
    rank: int | None
    name: str
    of: int
    state: str
    wchan: str
    place: Place
    path: tuple[OwnFrame, ...]
    moved: bool
    gpu: bool
    problem: str
    stir: str = ""
    lock: str = ""
    held_at: str = ""

    @property
    def is_worker(self) -> bool:
        """Whether it works for a rank and is none itself."""
        return self.of != 0


class Look(NamedTuple):
    """Everything seen at one moment. ``gone``: names of ranks that were there before; ``world``: how many ranks the job
    has by its own account, 0 if nothing says so."""

    at: float
    host: str
    members: tuple[Member, ...]
    gone: tuple[str, ...]
    world: int
    busy: bool
    """Whether another process of the job, such as a compiler, has worked since the look before."""
    gauges: tuple[Gauge, ...] = ()
    """What GPUs say of their use, where a rank may wait for one."""

    @property
    def ranks(self) -> list[Member]:
        """The ranks, in order."""
        return sorted(
            (m for m in self.members if not m.is_worker), key=lambda m: (m.rank is None, m.rank or 0, m.pid)
        )

    @property
    def problem(self) -> str:
        """Why stacks could not be read, where none could."""
        problems = [member.problem for member in self.ranks]
        return problems[0] if problems and all(problems) else ""

    def to_dict(self) -> dict[str, Any]:
        """As it stands in a capture."""
        members = [
            {**m._asdict(), "place": m.place._asdict(), "path": [step._asdict() for step in m.path]}
            for m in self.members
        ]
        return {**self._asdict(), "members": members, "gauges": [gauge._asdict() for gauge in self.gauges]}


def read_look(data: Any) -> Look | None:
    """A look from a capture; None if it is none."""
    try:
        members = []
        for item in data["members"]:
            path = tuple(
                OwnFrame(str(s["file"]), str(s["function"]), int(s["line"]),
                     tuple((int(b[0]), str(b[1]), str(b[2]), bool(b[3])) for b in s["branches"]),
                     tuple((int(b[0]), int(b[1]), str(b[2]), bool(b[3])) for b in s["loops"]))
                for s in item["path"]
            )  # fmt: skip
            at = item["place"]
            doing, call, section, file = (str(at[key]) for key in ("doing", "call", "section", "file"))
            stands = Place(doing, call, section, file, int(at["line"]))
            rank = item["rank"]
            members.append(
                Member(int(item["pid"]), None if rank is None else int(rank), str(item["name"])[:80], int(item["of"]),
                       str(item["state"])[:1], str(item["wchan"])[:80], stands, path, item["moved"] is True,
                       item["gpu"] is True, str(item["problem"])[:400], str(item.get("stir", ""))[:20],
                       str(item.get("lock", ""))[:20], str(item.get("held_at", ""))[:200])
            )  # fmt: skip
        gone = tuple(str(name)[:80] for name in data["gone"])
        return Look(
            float(data["at"]),
            str(data["host"])[:253],
            tuple(members),
            gone,
            int(data["world"]),
            data["busy"] is True,
            tuple(Gauge(str(g["gpu"])[:80], float(g["use"]), float(g["watts"]), float(g["limit"]))
                  for g in data.get("gauges", ())),
        )  # fmt: skip
    except (AttributeError, KeyError, TypeError, ValueError, IndexError, OverflowError):
        return None


def waits(member: Member) -> bool:
    """Whether a rank waits for somebody else, as far as its stack tells."""
    return member.place.doing in PATIENT or (member.gpu and member.place.doing in (DEVICE, OWN))

"""What failed first: the loudest line of a log of many ranks is seldom the first failure.

Failures are ordered by time, over all ranks and texts of one reading. Consequences (watchdog timeouts, "worker
died", broken sockets) are known by their signatures and never count as the first failure.
"""

import re
from collections.abc import Callable, Iterator

from gpudoctor.engine.tuples import NamedTuple

from ..engine.model import FactSpec
from ..engine.patterns import lazy_pattern

_TIMES = (
    lazy_pattern(r"\b\d{4}-(\d\d)-(\d\d)[ T](\d\d):(\d\d):(\d\d(?:[.,]\d{1,9})?)"),
    lazy_pattern(r"\b(?:INFO|WARNING|ERROR|DEBUG|CRITICAL) (\d\d)-(\d\d) (\d\d):(\d\d):(\d\d)"),
    lazy_pattern(r"\[[IWEF](\d{1,2})(\d\d) (\d\d):(\d\d):(\d\d\.\d{1,9})"),
)
_SYSLOG = lazy_pattern(
    r"\b(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) {1,2}(\d{1,2}) (\d\d):(\d\d):(\d\d)\b"
)
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_RANKS = (
    ("ank", lazy_pattern(r"\[(?:PG \S{1,20}(?: \(\S{1,40}\))? )?[Rr]ank ?(\d{1,6})\]")),
    ("rank=", lazy_pattern(r"\brank=(\d{1,6})\b")),
    (" nranks", lazy_pattern(r"\brank (\d{1,6}) nranks\b")),
    ("]<std", lazy_pattern(r"^\[\d+,(\d{1,6})\]<std(?:out|err)>")),
    (": ", lazy_pattern(r"^\s?(\d{1,6}): (?=\S)")),
)
"""A text without which the expression need not be tried."""
_FILE_RANK = lazy_pattern(r"(?:rank|worker|proc)[-_ ]?(\d{1,6})\b|/(\d{1,6})/std(?:err|out)\b", re.IGNORECASE)
_HOSTS = (
    lazy_pattern(r"(?:^|\s|>:?)([A-Za-z][\w.-]*):\d+:\d+ \[\d+\] (?:\S+ )?NCCL "),
    lazy_pattern(r"\bip=([\d.]+)\b"),
)
_INIT = lazy_pattern(
    r"\brank (?P<rank>\d{1,6}) nranks (?P<nranks>\d{1,6}) .{0,200}?(?:commId (?P<id>0x[0-9a-f]{1,16}) )?"
    r"(?:localSize \d+ used \d+ bytes )?- Init (?P<what>START|COMPLETE)"
)
_OWN_ERROR = lazy_pattern(
    r"(?:^|[\s:\]])(?:[A-Z]\w*(?:Error|Exception): |(?:ERROR|FATAL|CRITICAL)\b|NCCL WARN )|Segmentation fault"
)
_FAILURE = lazy_pattern(
    r"[A-Z]\w{0,80}(?:Error|Exception)\b|\b(?:ERROR|FATAL|CRITICAL)\b|NCCL WARN|\bXid\b|(?i:\bdied\b"
    r"|\bfail(?:ed|ure)|\bfault\b|time[d ]{0,2}out)"
)
_FAILING = (
    "error:", "abort", "refused", "invalid", "killed", "denied", "no such", "unsupported", "mismatch", "unreachable",
    "out of memory", "segfault", "duplicate", "not permitted", "core dumped", "no space", "segmentation fault",
)  # fmt: skip
_MAY_FAIL = ("fail", "fault", "error", "exception", "out", "died", "fatal", "critical", "nccl warn", "xid")
"""In lower case: texts that tell of a failure wherever they stand, and of which ``_FAILURE`` needs one."""
_SHUTDOWN = lazy_pattern(r"(?i)\bshutting down\b|\bSIGTERM\b|KeyboardInterrupt|\bexiting\b")
_ENOUGH_STAGES = 2
"""Progress lines without which nothing can be said of where a program stopped."""
_MOST = 4096
_SHOWN = 64

Clock = tuple[int, int, int, int, float]


class Failure(NamedTuple):
    """An error of a rank's own: when, who, and the place and text of the line."""

    clock: Clock | None
    order: int
    rank: int | None
    host: str
    where: str
    text: str


def clock_of(line: str) -> Clock | None:
    """Month, day, hour, minute and seconds of a log line; years and time zones are left out."""
    for pattern in _TIMES:
        found = pattern.search(line)
        if found:
            month, day, hour, minute, second = found.groups()
            return int(month), int(day), int(hour), int(minute), float(second.replace(",", "."))
    found = _SYSLOG.search(line)
    if found:
        month = str(_MONTHS.index(found[1]) + 1)
        return int(month), int(found[2]), int(found[3]), int(found[4]), float(found[5])
    return None


def rank_of(line: str, where: str = "") -> int | None:
    """The rank that a line belongs to, by its prefix or by the name of its file."""
    for text, pattern in _RANKS:
        found = pattern.search(line) if text in line else None
        if found:
            return int(found[1])
    named = _FILE_RANK.search(where)
    return int(named[1] or named[2]) if named else None


def host_of(line: str) -> str:
    """The host that a line names as its own, or empty."""
    for pattern in _HOSTS:
        found = pattern.search(line)
        if found:
            return found[1]
    return ""


def who(line: str, where: str = "") -> str:
    """Whose line it is: a host, a rank, or nobody's."""
    rank = rank_of(line, where)
    return host_of(line) or ("" if rank is None else str(rank))


def _tells_failure(line: str) -> bool:
    """Whether a line speaks of a failure; for most lines it is enough to look for texts."""
    lowered = line.lower()
    for text in _FAILING:  # loops: any() makes a generator
        if text in lowered:
            return True
    for text in _MAY_FAIL:
        if text in lowered:
            return bool(_FAILURE.search(line))
    return False


class FileTimeline:
    """The part of a timeline that one text tells."""

    def __init__(self, timeline: "Timeline", where: str) -> None:
        self._timeline = timeline
        self._where = where
        self._stages = 0
        self._last_stage = 0
        self._last_failure = 0

    def milestone(self, line: int) -> None:
        """A progress line of the program."""
        self._stages += 1
        self._last_stage = max(self._last_stage, line)

    def signs(self, specs: list[FactSpec], line: int, text: str, above: Callable[[], list[str]]) -> None:
        """A line that shows symptoms; ``above`` gives the lines before it."""
        if any(spec.secondary for spec in specs):
            self._timeline.consequence(self._place(line), text)
            return
        if all(spec.harmless for spec in specs) or not _tells_failure(text):
            return
        self._last_failure = max(self._last_failure, line)
        self._timeline.failure(self._place(line), text, above)

    def error(self, line: int, text: str, above: Callable[[], list[str]]) -> None:
        """A line that looks like an error and that nothing explains."""
        if _OWN_ERROR.search(text) and not _SHUTDOWN.search(text):
            self._last_failure = max(self._last_failure, line)
            self._timeline.failure(self._place(line), text, above)

    def joined(self, line: int, text: str) -> None:
        """A line of NCCL's initialisation: a rank began or completed it."""
        self._timeline.joined(self._place(line), text)

    def version(self, fact: str, value: str, line: int, text: str) -> None:
        """The release of a library, as one rank names it."""
        self._timeline.version(fact, value, self._place(line), text)

    @property
    def quiet(self) -> bool | None:
        """Whether the text ends in silence after its last progress line; None without progress lines."""
        if self._stages < _ENOUGH_STAGES:
            return None
        return self._last_failure < self._last_stage

    def _place(self, line: int) -> str:
        return f"{self._where}:{line}" if self._where else f"line {line}"


class Timeline:
    """Failures and progress of one reading, over any number of texts, in bounded memory."""

    def __init__(self) -> None:
        self._failures: dict[tuple[str, int | None], Failure] = {}
        self._consequences: set[int | None] = set()
        self._joins: dict[str, _Communicator] = {}
        self._hosts: dict[str, tuple[str, str]] = {}
        self._host_of_rank: dict[int, str] = {}
        self._count = 0
        self._versions: dict[str, dict[str, dict[str, tuple[str, str]]]] = {}

    def version(self, fact: str, value: str, where: str, text: str) -> None:
        """A line in which somebody names the release of a library that must be the same on all ranks."""
        said = self._versions.setdefault(fact, {})
        name = who(text, where.rpartition(":")[0])
        if name and len(said) < _MOST:
            said.setdefault(name, {}).setdefault(value.partition("+")[0], (where, text))

    def failure(self, where: str, text: str, above: Callable[[], list[str]]) -> None:
        """A line that tells of an error of the rank's own."""
        file = where.rpartition(":")[0]
        rank = rank_of(text, file)
        key = (file, rank)
        if key not in self._failures and len(self._failures) < _MOST:
            self._count += 1
            clock = clock_of(text) or _latest_clock(above())
            self._failures[key] = Failure(clock, self._count, rank, host_of(text), where, text)

    def consequence(self, where: str, text: str) -> None:
        """A line that only follows another rank's failure."""
        if len(self._consequences) < _MOST:
            self._consequences.add(rank_of(text, where.rpartition(":")[0]))

    def joined(self, where: str, text: str) -> None:
        """A line of NCCL's initialisation: a rank began or completed it."""
        host = host_of(text)
        if host and len(self._hosts) < _MOST:
            self._hosts.setdefault(host, (where, text))
        found = _INIT.search(text)
        if not found or len(self._joins) >= _MOST:
            return
        if host:
            self._host_of_rank.setdefault(int(found["rank"]), host)
        key = found["id"] or f"{found['nranks']} ranks"
        communicator = self._joins.setdefault(key, _Communicator(int(found["nranks"])))
        ranks = communicator.completed if found["what"] == "COMPLETE" else communicator.started
        if len(ranks) < _MOST:
            ranks.add(int(found["rank"]))
        communicator.line = (where, text)

    def facts(self) -> Iterator[tuple[str, str | int, str, str]]:
        """Name, value, place and text of what the timeline tells."""
        yield from self._first()
        if self._hosts:
            hosts = sorted(self._hosts)
            yield "log.hosts", ",".join(hosts[:_SHOWN]), *self._hosts[hosts[0]]
        if self._joins:  # communicators of groups are smaller than that of all ranks
            largest = max(self._joins.values(), key=lambda one: one.size)
            yield "parallel.world_size", largest.size, *largest.line
        yield from self._skewed()
        told: set[str] = set()
        for communicator in self._joins.values():
            for name, ranks in (
                ("log.late_ranks", communicator.late()),
                ("log.ranks_without_init", communicator.incomplete()),
            ):
                if ranks and name not in told:
                    told.add(name)
                    yield (name, ",".join(map(str, ranks[:_SHOWN])), *communicator.line)

    def _skewed(self) -> Iterator[tuple[str, str | int, str, str]]:
        """Libraries whose releases differ between ranks; one that names two was started twice and says nothing."""
        for fact, said in self._versions.items():
            if any(len(versions) > 1 for versions in said.values()):
                continue
            ranks: dict[str, list[str]] = {}
            for name, versions in said.items():
                ranks.setdefault(next(iter(versions)), []).append(name)
            if len(ranks) > 1:
                listed = "; ".join(f"{value}: {', '.join(names[:8])}" for value, names in ranks.items())
                where = next(iter(next(iter(said.values())).values()))[0]
                yield f"skew.{fact}", True, where, listed

    def _first(self) -> Iterator[tuple[str, str | int, str, str]]:
        failures = list(self._failures.values())
        several = len({f.rank for f in failures} | self._consequences) > 1
        if not failures or not several:
            return
        timed = [f for f in failures if f.clock is not None]
        first = min(timed or failures, key=lambda f: (f.clock or (0, 0, 0, 0, 0.0), f.order))
        who = f"rank {first.rank}" if first.rank is not None else "a process"
        host = first.host or self._host_of_rank.get(first.rank if first.rank is not None else -1, "")
        where = f" on {host}" if host else ""
        yield "log.first_failure", f"{who}{where}: {first.text.strip()[:200]}", first.where, first.text
        if first.rank is not None:
            yield "log.first_failed_rank", first.rank, first.where, first.text
        if host:
            yield "log.first_failed_host", host, first.where, first.text


class _Communicator:
    """Ranks seen in the initialisation of one communicator."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.started: set[int] = set()
        self.completed: set[int] = set()
        self.line = ("", "")

    def late(self) -> list[int]:
        """Ranks that never began, while others wait for them. A log of one rank says nothing of the others."""
        if len(self.started) < 2 or self.completed:
            return []
        return sorted(set(range(min(self.size, _MOST))) - self.started)

    def incomplete(self) -> list[int]:
        """Ranks that began and did not complete."""
        return sorted(self.started - self.completed) if len(self.started) > 1 else []


def _latest_clock(lines: list[str]) -> Clock | None:
    for line in reversed(lines):
        clock = clock_of(line)
        if clock:
            return clock
    return None

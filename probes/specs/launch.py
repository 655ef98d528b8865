"""What every reader of a spec makes: launches, each one process or container that a spec starts."""

from __future__ import annotations

from gpudoctor.engine.tuples import NamedTuple

DOCKER, COMPOSE, KUBERNETES, SLURM, SYSTEMD, SHELL = (
    "docker",
    "compose",
    "kubernetes",
    "slurm",
    "systemd",
    "shell",
)


class Said(NamedTuple):
    """A fact or a setting, and the line that says it."""

    name: str
    value: str
    line: int


class Launch(NamedTuple):
    """One process or container of a spec: what is known of it before it runs."""

    kind: str
    name: str
    line: int
    settings: tuple[Said, ...]
    facts: tuple[Said, ...]


class Draft:
    """A launch under construction. The first word on a fact counts, the last on a setting."""

    def __init__(self, kind: str, name: str, line: int) -> None:
        self.kind = kind
        self.name = name
        self.line = line
        self._settings: dict[str, Said] = {}
        self._facts: dict[str, Said] = {}
        self.say("spec.kind", kind, line)

    def say(self, fact: str, value: str | int | bool, line: int) -> None:
        """State a fact, unless it was stated already."""
        text = str(value).lower() if isinstance(value, bool) else str(value)
        self._facts.setdefault(fact, Said(fact, text, line))

    def set(self, name: str, value: str, line: int) -> None:
        """State a setting of the environment."""
        self._settings[name] = Said(name, value, line)

    def value(self, fact: str) -> str | None:
        """What was stated of a fact."""
        said = self._facts.get(fact)
        return said.value if said else None

    def setting(self, name: str) -> str | None:
        """The value of a setting."""
        said = self._settings.get(name)
        return said.value if said else None

    def drop(self, fact: str) -> None:
        """Take a fact back."""
        self._facts.pop(fact, None)

    def finished(self) -> Launch:
        """The launch, with what its settings say of RDMA and of the rendezvous."""
        self._network()
        return Launch(
            self.kind, self.name, self.line, tuple(self._settings.values()), tuple(self._facts.values())
        )

    def _network(self) -> None:
        hca = self._settings.get("NCCL_IB_HCA")
        off = self._settings.get("NCCL_IB_DISABLE")
        if hca and not (off and off.value.strip() == "1"):
            self.say("spec.rdma", True, hca.line)
        for name in ("MASTER_ADDR", "MASTER_IP"):
            if name in self._settings:
                self.say("spec.master_addr", self._settings[name].value, self._settings[name].line)


def text_line(text: str, line: int) -> int:
    """Where a text of YAML begins that is stated on ``line``: one of several lines stands below its key."""
    return line + 1 if "\n" in text else line


def whole(text: object) -> int | None:
    """A whole number, or None for a placeholder or anything else."""
    word = text.strip().strip("\"'") if isinstance(text, str) else ""
    return int(word) if word.isdecimal() and len(word) < 10 else None


def size(text: str) -> int | None:
    """Bytes of ``16g``, ``16Gi`` or ``10.24gb``; None for a placeholder."""
    word = text.strip().strip("\"'").lower().removesuffix("b").removesuffix("i")
    scale = {"k": 10, "m": 20, "g": 30, "t": 40}.get(word[-1:], 0)
    number = word[:-1] if scale else word
    try:
        return int(float(number) * (1 << scale)) if number else None
    except (ValueError, OverflowError):
        return None

"""``--nodes``: a host file as launchers read it."""

from __future__ import annotations

import re

from gpudoctor.engine.tuples import NamedTuple

from ...probes.text import on_one_line
from ..errors import UsageError
from .texts import read_text

_LARGEST = 1 << 20
_SHOWN = 80
"""Characters of a word that an error quotes."""
_HOST = re.compile(r"[A-Za-z0-9]([A-Za-z0-9.:_-]{0,252}[A-Za-z0-9])?")


class Host(NamedTuple):
    """One line of a host file."""

    name: str
    slots: int | None = None


def read_host_file(name: str) -> list[Host]:
    """The hosts of a file, or of standard input for ``-``. Raises UsageError."""
    return read_hosts(read_text(name, _LARGEST), name)


def read_hosts(text: str, where: str) -> list[Host]:
    """The hosts of a file: a name or address a line, with ``slots=N`` or ``:N`` if wanted. Raises UsageError."""
    hosts: dict[str, Host] = {}
    for number, line in enumerate(text.splitlines(), 1):
        words = line.partition("#")[0].split()
        if not words:
            continue
        name, slots = words[0], None
        for word in words[1:]:
            found = re.fullmatch(r"(?:slots|max_slots|max-slots)=(\d{1,4})", word)
            if not found:
                raise UsageError(
                    f'{where}:{number}: "{_quoted(word)}" is not understood; a line is HOST [slots=N]'
                )
            slots = slots or int(found[1])
        short = re.fullmatch(r"([^:]+):(\d{1,4})", name)
        if short:
            name, slots = short[1], int(short[2])
        if not _HOST.fullmatch(name):
            raise UsageError(f'{where}:{number}: "{_quoted(name)}" is no host name or address')
        if name in hosts:
            raise UsageError(f"{where}:{number}: {name} stands there twice")
        hosts[name] = Host(name, slots)
    if len(hosts) < 2:
        raise UsageError(f"{where}: one host needs no launcher: gpudoctor collective")
    return list(hosts.values())


def _quoted(text: str) -> str:
    return on_one_line(text)[:_SHOWN]

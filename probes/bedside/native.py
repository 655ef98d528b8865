"""Calls in libraries below the program: what a thread waits for in CUDA, NCCL or the C library, as text."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from ..text import on_one_line
from .stacks import Thread

_SHOWN = 40
_ADDRESS = re.compile(r"0x[0-9a-f]+ \(")
_GLUE = re.compile(
    r"\((?:libc|ld-linux|libpthread|libffi|libpython[\d.]*|_ctypes|python[\d.]*)(?:[.-][\w.+-]*)?\)\Z"
)


def native_text(members: Mapping[str, tuple[Thread, ...]]) -> str:
    """Every thread of every member with its calls, innermost first; empty where nobody asked for them."""
    lines = []
    for name, threads in members.items():
        for thread in threads:
            lines.append(on_one_line(f"{name}, {thread.name or 'a thread without a name'}"))
            lines += [f"  {on_one_line(call)}" for call in thread.native[:_SHOWN]]
    return "".join(f"{line}\n" for line in lines)


def innermost(threads: Sequence[Thread]) -> str:
    """The call that tells most of the main thread: the innermost with a name, best outside of the C library."""
    main = next((thread for thread in threads if thread.name == "MainThread"), threads[-1])
    named = [call for call in main.native if not _ADDRESS.match(call)] or list(main.native)
    return on_one_line(next((call for call in named if not _GLUE.search(call)), named[0]))

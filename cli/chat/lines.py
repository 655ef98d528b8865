"""The conversation line by line: for dumb terminals, screen readers and slow links."""

from __future__ import annotations

import os
import select
import sys
from collections.abc import Callable

from ..render.screen import paint
from .conversation import Conversation
from .understanding import is_report

_PASTE_GAP = 0.03
"""Seconds after which the next line was typed rather than pasted."""


class LineTerminal:
    """Reads lines; lines that arrive together belong together."""

    def __init__(self, color: bool) -> None:
        self._color = color
        self._rest = b""

    def talk(self, chat: Conversation, leave: Callable[[], None]) -> None:
        """Talk until the person leaves."""
        interrupted = False
        while not chat.over:
            sys.stdout.write(f"[{chat.status(2)}]\n> ")
            sys.stdout.flush()
            try:
                texts = self._read()
                if texts is None:
                    break
                interrupted = False
                for text in texts:
                    paint(chat.reply(text), sys.stdout, self._color)
            except KeyboardInterrupt:
                sys.stdout.write("\n")
                if interrupted:
                    break
                interrupted = True
                sys.stdout.write(
                    chat.say("Press Ctrl-C again or type /quit to leave. Your answers are kept.") + "\n"
                )
        leave()

    def _read(self) -> list[str] | None:
        """The replies that came: one line, the lines of a paste as one, or lines typed ahead; None at the end."""
        line = self._line(None)
        if line is None:
            return None
        if line.strip() == "/paste":
            return [self._dotted()]
        lines = [line]
        while (more := self._line(_PASTE_GAP)) is not None:
            lines.append(more)
        text = "\n".join(lines)
        return [text] if is_report(text) else lines

    def _dotted(self) -> str:
        lines = []
        while (line := self._line(None)) is not None and line != ".":
            lines.append(line)
        return "\n".join(lines)

    def _line(self, patience: float | None) -> str | None:
        """The next line; None if none comes within ``patience`` seconds, or ever."""
        while b"\n" not in self._rest:
            if not select.select([sys.stdin], [], [], patience)[0]:
                return None
            data = os.read(sys.stdin.fileno(), 65536)
            if not data:
                rest, self._rest = self._rest, b""
                return rest.decode("utf-8", "replace") if rest else None
            self._rest += data
        line, _, self._rest = self._rest.partition(b"\n")
        return line.decode("utf-8", "replace")

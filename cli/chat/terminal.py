"""The conversation in a terminal: editing, completion, bracketed paste, a line that shows the state."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import Any

from prompt_toolkit import PromptSession
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.formatted_text import FormattedText
from prompt_toolkit.history import InMemoryHistory
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.styles import Style

from ..render.screen import paint
from .commands import COMMANDS
from .conversation import Conversation

_LINES = 3
"""A paste of more lines is shown as one word instead."""
_FACTS = ("/change", "/whatif", "/why", "/explain")
_INCIDENTS = ("/how", "/whynot", "/explain")


class FullTerminal:
    """Talks through prompt-toolkit."""

    def __init__(self, color: bool) -> None:
        self._color = color
        self._pasted: dict[str, str] = {}

    def talk(self, chat: Conversation, leave: Callable[[], None]) -> None:
        """Talk until the person leaves."""
        style = Style.from_dict({"bottom-toolbar": "noreverse bold" if self._color else "noreverse"})
        prompt: PromptSession[str] = PromptSession(
            history=InMemoryHistory(),
            completer=_Words(chat),
            complete_while_typing=False,
            key_bindings=self._keys(chat),
            bottom_toolbar=lambda: FormattedText([("", chat.status())]),
            style=style,
        )
        interrupted = False
        while not chat.over:
            try:
                text = prompt.prompt("> ")
            except KeyboardInterrupt:
                if interrupted:
                    break
                interrupted = True
                print(chat.say("Press Ctrl-C again or type /quit to leave. Your answers are kept."))
                continue
            except EOFError:
                break
            interrupted = False
            try:
                if text.strip() == "/paste":
                    text = self._dotted(prompt)
                paint(chat.reply(self._expanded(text)), sys.stdout, self._color)
            except KeyboardInterrupt:
                print(chat.say("stopped"))
        leave()

    def _dotted(self, prompt: PromptSession[str]) -> str:
        lines = []
        try:
            while (line := prompt.prompt("| ")) != ".":
                lines.append(self._expanded(line))
        except EOFError:
            pass
        return "\n".join(lines)

    def _keys(self, chat: Conversation) -> KeyBindings:
        keys = KeyBindings()

        @keys.add(Keys.BracketedPaste)
        def _paste(event: KeyPressEvent) -> None:
            data = event.data.replace("\r\n", "\n").replace("\r", "\n")
            if data.count("\n") < _LINES:
                event.current_buffer.insert_text(data.rstrip("\n"))
                return
            # A log of a thousand lines in the input line would scroll the question away.
            mark = chat.say(
                "[pasted {count} lines, #{number}]", count=data.count("\n"), number=len(self._pasted) + 1
            )
            self._pasted[mark] = data
            event.current_buffer.insert_text(mark)

        return keys

    def _expanded(self, text: str) -> str:
        for mark, data in self._pasted.items():
            text = text.replace(mark, data)
        return text


class _Words(Completer):
    """Commands, the answers of the open question, names of facts and incidents."""

    def __init__(self, chat: Conversation) -> None:
        self._chat = chat

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterator[Completion]:
        """Completions of the word before the cursor."""
        text = document.text_before_cursor
        word = text.rpartition(" ")[2]
        for candidate, meaning in self._candidates(text):
            if candidate.startswith(word.lower()):
                yield Completion(candidate, -len(word), display_meta=meaning)

    def _candidates(self, text: str) -> Iterator[tuple[str, Any]]:
        command, space, _ = text.partition(" ")
        if not space:
            yield from ((name, self._chat.say(meaning)) for name, meaning in COMMANDS.items())
            yield from ((word, "") for word in self._chat.prompt.completions())
            return
        knowledge = self._chat.session.knowledge
        if command in _FACTS:
            yield from ((name, "") for name in knowledge.vocabulary.names)
        if command in _INCIDENTS:
            yield from ((name, "") for name in knowledge.incident_ids)

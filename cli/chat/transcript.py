"""What was said, as Markdown for an issue tracker, without secrets."""

from __future__ import annotations

from ...engine.redaction import redact

_LONGEST_REPLY = 400


class Transcript:
    """The conversation in order."""

    def __init__(self) -> None:
        self._turns: list[tuple[str, str]] = []

    def add(self, said: str, shown: str) -> None:
        """One reply and what it led to."""
        self._turns.append((said, shown))

    def markdown(self) -> str:
        """The conversation, pasted text cut short."""
        out = ["## Conversation", ""]
        for said, shown in self._turns:
            if said.strip():
                text = redact(said.strip())
                if len(text) > _LONGEST_REPLY or "\n" in text:
                    lines = text.count("\n") + 1
                    text = f"{text.splitlines()[0][:120]} ... ({lines} lines pasted)"
                out += [f"**> {_plain(text)}**", ""]
            if shown.strip():
                fence = "~~~~" if "~~~" in shown else "~~~"
                out += [fence, redact(shown).strip("\n"), fence, ""]
        return "\n".join(out).rstrip() + "\n"


def _plain(text: str) -> str:
    for mark in ("\\", "`", "*", "_", "<", "["):
        text = text.replace(mark, "\\" + mark)
    return text

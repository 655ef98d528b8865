"""What a probe read, so that a tree can be made of it: of processes only what tells nothing of their work."""

from __future__ import annotations

import base64
import re
from typing import Any

_OF_A_PROCESS = re.compile(r"/proc/(?:self|thread-self|\d+)/(?:task/\d+/)?(.+)")
_KEPT_OF_A_PROCESS = ("limits", "cgroup", "mountinfo", "status", "comm")
"""What a record may hold of a process: not its environment, its command line, nor its memory."""


class Record:
    """Everything that a ``World`` was asked for, so that a tree can be made of it."""

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}
        self.links: dict[str, str] = {}
        self.folders: dict[str, None] = {}
        self.refused: dict[str, None] = {}
        self.environ: dict[str, str] = {}

    def keep(self, path: str, content: bytes) -> None:
        """Take the content of a file; of a process only what tells nothing of its work."""
        process = _OF_A_PROCESS.fullmatch(path)
        if not process or process[1] in _KEPT_OF_A_PROCESS or process[1].startswith("net/"):
            self.files[path] = content

    def to_dict(self) -> dict[str, Any]:
        """In JSON."""
        return {
            "files": {path: base64.b64encode(data).decode() for path, data in self.files.items()},
            "links": self.links,
            "folders": list(self.folders),
            "refused": list(self.refused),
            "environ": self.environ,
        }

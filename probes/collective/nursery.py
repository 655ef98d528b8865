"""The place of a test's processes and files, which leaves nothing behind even when we are killed."""

from __future__ import annotations

import secrets
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from importlib import resources
from pathlib import Path
from types import TracebackType
from typing import IO

from ..janitor import MARK, Janitor, kill_group, kill_marked, remove_segments


class Nursery:
    """Starts processes in groups of their own; on leaving, they, their files and their segments are gone.

    A janitor, a process in a session of its own, does the same when this process is killed.
    """

    def __init__(self) -> None:
        self.mark = secrets.token_hex(16)
        self.folder = Path(tempfile.mkdtemp(prefix="gpudoctor-"))
        self._children: list[subprocess.Popen[bytes]] = []
        self._segments: set[str] = set()
        self._jobs = 0
        self._janitor = Janitor(self.mark)
        self._janitor.tell("folder", self.folder)

    def job_folder(self) -> Path:
        """A new folder for one job."""
        self._jobs += 1
        folder = self.folder / f"job{self._jobs}"
        folder.mkdir()
        return folder

    def start(
        self, command: Sequence[str], environment: dict[str, str], output: IO[bytes], folder: Path
    ) -> subprocess.Popen[bytes]:
        """Start a process in a group of its own. Raises OSError."""
        child = subprocess.Popen(
            list(command),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            cwd=folder,
            env={**environment, MARK: self.mark},
            start_new_session=True,
        )
        self._children.append(child)
        self._janitor.tell("group", child.pid)
        return child

    def note_segments(self, names: set[str]) -> None:
        """Remember segments that a process of ours maps."""
        for name in names - self._segments:
            self._segments.add(name)
            self._janitor.tell("segment", name)

    def sweep(self) -> None:
        """Kill what left its group, and remove segments that nobody maps."""
        for child in self._children:
            if child.poll() is not None:
                self._janitor.tell("gone", child.pid)
        self._children = [child for child in self._children if child.poll() is None]
        if not self._children:
            kill_marked(self.mark)
        remove_segments(self._segments)

    def close(self) -> None:
        """Kill everything and remove the folder."""
        for child in self._children:
            kill_group(child.pid)
        kill_marked(self.mark)
        for child in self._children:
            child.poll()
        remove_segments(self._segments)
        shutil.rmtree(self.folder, ignore_errors=True)
        self._janitor.dismiss()

    def __enter__(self) -> Nursery:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def program(name: str) -> bytes:
    """The text of a program of this package that runs in a process of its own."""
    return resources.files(__package__).joinpath(name).read_bytes()


def clean_environment(environment: dict[str, str]) -> dict[str, str]:
    """Without what a launcher told the process that we run in."""
    return {name: value for name, value in environment.items() if name not in LAUNCHER}


LAUNCHER = (
    "RANK",
    "WORLD_SIZE",
    "LOCAL_RANK",
    "MASTER_ADDR",
    "MASTER_PORT",
    "GROUP_RANK",
    "LOCAL_WORLD_SIZE",
    "TORCHELASTIC_RUN_ID",
)

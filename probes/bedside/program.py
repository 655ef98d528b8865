"""What the person's program says around a line: the branches and loops in which it stands, read from its source."""

from __future__ import annotations

import ast
import os
import re
import stat
from functools import cached_property

from gpudoctor.engine.tuples import NamedTuple

_LARGEST = 2 << 20
_RANK = re.compile(
    r"rank|is_(?:main|master|first|last|leader)|main_process|is_world_process_zero|is_global_zero|process_index|node_id|procid",
    re.IGNORECASE,
)
_LONGEST = 120
_WIDEST, _MOST = 400, 64


class Branch(NamedTuple):
    """An ``if`` or ``else`` in which a line stands; ``of_rank`` where its condition asks which rank it is."""

    line: int
    side: str
    condition: str
    of_rank: bool


class Loop(NamedTuple):
    """A loop in which a line stands. ``until_exhausted``: a ``for`` that nothing but the end of its data ends."""

    line: int
    last: int
    over: str
    until_exhausted: bool


class Around(NamedTuple):
    """Function, branches and loops around a line, outermost first."""

    function: tuple[str, int]
    branches: tuple[Branch, ...]
    loops: tuple[Loop, ...]


_NOTHING = Around(("", 0), (), ())


_Identity = tuple[int, int, int, int]


class Sources:
    """Reads the files of processes, each once for as long as it stays the same."""

    def __init__(self) -> None:
        self._read: dict[_Identity, _Source] = {}

    def around(self, pid: int, file: str, line: int) -> Around:
        """What stands around a line; nothing where the file cannot be read or understood."""
        source = self._of(pid, file)
        tree = source.tree if source else None
        try:
            return _around(tree, line) if tree and line else _NOTHING
        except RecursionError:  # a condition of hundreds of parts
            return _NOTHING

    def text(self, pid: int, file: str, line: int) -> str:
        """A line itself; nothing where the file cannot be read."""
        source = self._of(pid, file)
        return source.line(line) if source else ""

    def _of(self, pid: int, file: str) -> _Source | None:
        # The process may live in another mount namespace, and its folder may be another one than ours.
        path = f"/proc/{pid}/root{file}" if file.startswith("/") else f"/proc/{pid}/cwd/{file}"
        try:
            there = os.stat(path)
            # /dev/stdin would be our own, and a pipe may never give anything.
            if not stat.S_ISREG(there.st_mode) or there.st_size > _LARGEST:
                return None
            identity = (there.st_dev, there.st_ino, there.st_mtime_ns, there.st_size)
            if identity not in self._read:
                if len(self._read) >= _MOST:
                    self._read.clear()
                with open(path, "rb") as opened:
                    self._read[identity] = _Source(opened.read(_LARGEST))
            return self._read[identity]
        except OSError:
            return None


class _Source:
    """A file; its tree is made when somebody asks for it."""

    def __init__(self, content: bytes) -> None:
        self._content = content

    @cached_property
    def tree(self) -> ast.Module | None:
        try:
            return ast.parse(self._content)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None

    @cached_property
    def _lines(self) -> list[bytes]:
        return self._content.splitlines()

    def line(self, number: int) -> str:
        return (
            self._lines[number - 1][:_WIDEST].decode("utf-8", "replace")
            if 0 < number <= len(self._lines)
            else ""
        )


def _around(tree: ast.Module, line: int) -> Around:
    function = ("", 0)
    branches: list[Branch] = []
    loops: list[Loop] = []
    body: list[ast.stmt] = tree.body
    while True:
        inner = next((s for s in body if s.lineno <= line <= (s.end_lineno or s.lineno)), None)
        if inner is None:
            break
        if isinstance(inner, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            function = (inner.name, inner.lineno)
            branches, loops = [], []
        if isinstance(inner, ast.If) and line > (inner.test.end_lineno or inner.lineno):
            side = "if" if _holds(inner.body, line) else "else"
            condition = " ".join(ast.unparse(inner.test).split())[:_LONGEST]
            branches.append(Branch(inner.lineno, side, condition, bool(_RANK.search(condition))))
        if isinstance(inner, ast.For | ast.AsyncFor | ast.While) and _holds(inner.body, line):
            over = " ".join(
                ast.unparse(inner.iter if not isinstance(inner, ast.While) else inner.test).split()
            )
            ends = isinstance(inner, ast.While) or any(_leaves(s) for s in inner.body)
            loops.append(Loop(inner.lineno, inner.end_lineno or inner.lineno, over[:_LONGEST], not ends))
        parts = [part for part in _bodies(inner) if _holds(part, line)]
        if not parts:
            break
        body = parts[0]
    return Around(function, tuple(branches), tuple(loops))


def _bodies(node: ast.stmt) -> list[list[ast.stmt]]:
    bodies = [
        value
        for name in ("body", "orelse", "finalbody")
        if isinstance(value := getattr(node, name, None), list)
    ]
    bodies += [handler.body for handler in getattr(node, "handlers", ())]
    return bodies + [case.body for case in getattr(node, "cases", ())]


def _holds(body: list[ast.stmt], line: int) -> bool:
    return bool(body) and body[0].lineno <= line <= (body[-1].end_lineno or body[-1].lineno)


def _leaves(node: ast.stmt) -> bool:
    """Whether a statement inside of a loop may end it early."""
    if isinstance(node, ast.Break | ast.Return):
        return True
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return False
    inner_loop = isinstance(node, ast.For | ast.AsyncFor | ast.While)
    statements = [statement for body in _bodies(node) for statement in body]
    if inner_loop:  # its own breaks end only itself
        return any(isinstance(s, ast.Return) for body in statements for s in ast.walk(body))
    return any(_leaves(statement) for statement in statements)

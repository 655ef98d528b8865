"""Tables of secrets: a cell that names what stands in the next, and a heading that names what stands below."""

from __future__ import annotations

from ..patterns import lazy_pattern
from .names import is_secret, is_weak
from .values import HIDDEN, is_hidden, is_mixed, tells

CELLS = "|\u2502\u2503\u2551\uff5c\u2506\u250a"
RULE = lazy_pattern(r"[\s|+:=\u2500-\u257f-]{2,}\Z")
_CELL = lazy_pattern(r"-{0,2}[A-Za-z_][\w. ()-]{0,60}\Z")
_NAMES = lazy_pattern(r"pass(?:w|p|c|\Z)|secret\Z|token\Z|key\Z|keys\Z|pwd|\bpw\b|pin\Z|credentials?\Z")
_BREAKS = lazy_pattern(r"[\s=,:'\"(]{1,40}")
_GAP = lazy_pattern(r"[ ]{2,}|\t[ \t]{0,40}")
_MARKS = " \t*`'\"_~\r"
_MOST_ROWS, _MOST_COLUMNS, _MOST_CELLS = 2000, 64, 1000


def mark_of(line: str) -> str:
    """The character that separates the cells of a row, if it is one."""
    for mark in CELLS:
        if mark in line:
            return mark
    return ""


def name_in(cell: str) -> str:
    """The name of a secret that a cell or the end of a sentence is; nothing if it is none."""
    cell = cell.strip(_MARKS).rstrip(":= ").strip(_MARKS)
    words = cell.lower().split()
    if (
        not words
        or len(words) > 4
        or not _CELL.match(cell)
        or words[0] == "no"
        or " -" in cell
        or not is_secret(cell)
    ):
        return ""
    return cell if len(words) == 1 or _NAMES.search(words[-1]) else ""


def _last_name_in(cell: str) -> str:
    """The name at the end of a sentence before a cell."""
    name = name_in(_BREAKS.split(cell.strip(_MARKS))[-1])
    return name if name and not is_weak(name) else ""


def without_cells(line: str, mark: str) -> str:
    """A row in which a cell names what stands in the next."""
    cells = line.split(mark)
    if len(cells) > _MOST_CELLS:
        return line
    full = [cell for cell in cells if cell.strip()]
    alone = mark != "|" or (len(full) == 2 and len(full[1].split()) == 1)
    for at in range(len(cells) - 1):
        value = cells[at + 1]
        name = name_in(cells[at]) or (
            _last_name_in(cells[at]) if not at and any(map(str.isdigit, value)) else ""
        )
        if not name or not (alone or 0 < at < len(cells) - 2):
            continue  # the pipe of a shell
        certain = not is_weak(name) and (len(full) == 2 or (len(cells) == 4 and at == 1))
        if certain or any(map(str.isdigit, value)):
            cells[at + 1] = _covered(value, name)
    return mark.join(cells)


def _covered(cell: str, name: str) -> str:
    bare = cell.strip(_MARKS)
    if not tells(bare) or is_hidden(bare) or (is_weak(name) and (bare.isdecimal() or not is_mixed(bare))):
        return cell
    return cell.replace(bare, HIDDEN, 1)


def _split(line: str, mark: str) -> list[str]:
    return line.split(mark) if mark else _GAP.split(line.strip())


def _is_tight(line: str, mark: str) -> bool:
    """Whether cells stand without blanks between them, as programs write rows for programs."""
    return (
        mark == "|" and line.strip() == line.strip(" |") and f" {mark}" not in line and f"{mark} " not in line
    )


def below_heading(lines: list[str], number: int, mark: str) -> int:
    """Hide the column below a name; the number of the line behind the table, or ``number`` where there is none."""
    if mark and not RULE.match(lines[number + 1]) and not _is_tight(lines[number], mark):
        return number  # a table of names and values has no line below its head
    for separator in (mark,) if mark else (",", "\t", ";", ""):
        if separator and separator not in lines[number]:
            continue
        header = _split(lines[number], separator)
        if len(header) > _MOST_COLUMNS:
            continue
        named = [(at, name) for at, cell in enumerate(header) if (name := name_in(cell))]
        if len(header) < 2 or not named or not all(_is_heading(cell) for cell in header):
            continue
        at, rows = number + 1, 0
        while at < len(lines) and at - number < _MOST_ROWS:
            row = lines[at].rstrip("\r")
            if RULE.match(row) and row.strip():
                at += 1
                continue
            cells = _split(row, separator)
            if len(cells) != len(header):
                break
            for column, name in named:
                cells[column] = _covered(cells[column], name)
            if separator:
                lines[at] = separator.join(cells)
            else:
                for column, _ in named:
                    lines[at] = _replaced_word(lines[at], column, cells)
            rows += 1
            at += 1
        if rows:
            return at
    return number


def _is_heading(cell: str) -> bool:
    bare = cell.strip(_MARKS)
    return not bare or (
        bool(_CELL.match(bare)) and not any(map(str.isdigit, bare)) and len(bare.split()) <= 3
    )


def _replaced_word(line: str, column: int, cells: list[str]) -> str:
    if cells[column] != HIDDEN:
        return line
    starts = [0, *(found.end() for found in _GAP.finditer(line.lstrip()))]
    ends = [*(found.start() for found in _GAP.finditer(line.strip())), len(line.strip())]
    margin = len(line) - len(line.lstrip())
    return line[: margin + starts[column]] + HIDDEN + line[margin + ends[column] :]

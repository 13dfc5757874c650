"""How a table of a log is written: separator, head, lines before it, decimal commas.

Tables without a head get their names from the shape of their rows: poses of TUM, KITTI and EuRoC,
tracks of GeoLife. Other columns are ``c1``, ``c2`` ...
"""

from __future__ import annotations

import io
import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from navviz.errors import InputError
from navviz.support.guarded import csv_rows

BLANKS = " "
"""Cells are parted by any number of blanks and tabs."""
_SEPARATORS = (",", ";", "\t", "|")
COMMENTS = ("#", "%", "//")
_LOOKED_AT = 50
"""Rows by which the separator is found."""
_NUMBER = re.compile(r"[+-]?(\d+([.,]\d*)?|[.,]\d+)([eE][+-]?\d+)?|[+-]?(nan|inf)", re.IGNORECASE)
_DATE = re.compile(r"\d{4}[-/]\d\d[-/]\d\d")
_QUATERNION = ("qx", "qy", "qz", "qw")
_TUM = ("timestamp", "tx", "ty", "tz", *_QUATERNION)
_EUROC = ("timestamp", "tx", "ty", "tz", "qw", "qx", "qy", "qz")
_MATRIX = ("r11", "r12", "r13", "tx", "r21", "r22", "r23", "ty", "r31", "r32", "r33", "tz")
_HOMOGENEOUS = ("m41", "m42", "m43", "m44")
_TRACKED = ("frame", "track_id", "x", "y")
"""Of people and cars in a picture's frames, as ETH and UCY have them."""
_TAXIS = ("track_id", "time", "x", "y")
"""Of T-Drive; the numbers say which of the two degrees comes first."""
_GEOLIFE = ("latitude", "longitude", "zero", "altitude_in_feet", "days", "date", "time")
"""The altitude is -777 where nobody measured it: by its name it is no height of the walk."""


@dataclass(frozen=True, slots=True)
class CsvForm:
    """How a table is written."""

    separator: str
    names: tuple[str, ...]
    """Of the columns."""
    skipped: int
    """Lines before the first row: comments and the head."""
    width: int = 0
    """Cells of the first rows; 0 where there is none."""
    has_head: bool = True
    rows: tuple[tuple[str, ...], ...] = ()
    """The first ones."""


def csv_form(head: str, ending: str) -> CsvForm:
    """Return how a table is written, by its first lines.

    `ending`: of the file's name: ``.tsv`` has tabs, whatever its cells hold.
    """
    lines = lines_in(head)
    comments = 0
    while comments < len(lines) and _is_comment(lines[comments]):
        comments += 1
    separator = "\t" if ending == ".tsv" else _separator(lines[comments : comments + _LOOKED_AT])
    above = _above(lines[comments : comments + _LOOKED_AT], separator)
    head_at = comments + above
    lines_of_rows = lines[head_at : head_at + _LOOKED_AT]
    text = "".join(lines_of_rows)
    rows = _rows(text, separator)
    names = rows[0] if rows else []
    width = len(names)
    # `numpy.savetxt` writes the head as a comment: `# episode,x,y`
    commented: list[str] = []
    if comments and not above:
        commented = _first(lines[comments - 1].lstrip("#%/ \t\ufeff"), separator)
    if len(commented) == width > 1 and _has_number(names) and not _has_number(commented):
        return CsvForm(separator, _trimmed(commented), head_at, width, rows=_whole(rows))
    if _is_headless(rows):
        made = _by_shape(rows)
        return CsvForm(separator, made, head_at, width, has_head=False, rows=_whole(rows))
    # a cell of the head in quotes may take several lines
    head_lines = 1
    while head_lines < len(lines_of_rows):
        if _first("".join(lines_of_rows[:head_lines]), separator) == names:
            break
        head_lines += 1
    skipped = head_at + head_lines
    return CsvForm(separator, _trimmed(names), skipped, width, rows=_whole(rows[1:]))


def lines_in(text: str) -> list[str]:
    """Return the lines of a table with their ends: only line breaks end one, no form feed."""
    return io.StringIO(text, newline=None).readlines()


def looks_like_table(head: str) -> bool:
    """Tell whether a text that is not called a table is one: rows alike, with numbers in them."""
    form = csv_form(head, "")
    # the last line may be cut by the end of what is looked at
    rows = [row for row in form.rows if row]
    rows = rows[:-1] if len(rows) > _LEAST_ROWS else rows
    if "\0" in head or form.width < _LEAST_CELLS or len(rows) < _LEAST_ROWS:
        return False
    if any(len(row) != form.width for row in rows):
        return False
    numbers = [sum(map(is_number, row)) for row in rows]
    if form.separator == BLANKS:
        # sentences are parted by blanks, too
        return min(numbers) >= max(_LEAST_CELLS, 0.5 * form.width)
    return min(numbers) >= 1


_LEAST_CELLS, _LEAST_ROWS = 2, 2


def _is_comment(line: str) -> bool:
    return not line.strip() or line.lstrip("\ufeff \t").startswith(COMMENTS)


def _separator(lines: Sequence[str]) -> str:
    """Return what gives most rows as many cells as the first one has; the most cells win."""
    # where none does, the first rows may be lines of another kind; else rows of numbers are parted
    # by blanks
    text = "".join(lines)
    widest, best = 1, ","
    later, best_later = 1, ""
    for separator in _SEPARATORS:
        widths = [len(row) for row in _rows(text, separator) if row]
        if not widths:
            continue
        # the last row may be cut by the end of what is looked at
        usual, count = Counter(widths).most_common(1)[0]
        if usual == widths[0] > widest and count * 2 > len(widths):
            widest, best = usual, separator
        elif usual > later and count * 2 > len(widths):
            later, best_later = usual, separator
    blanks = _blank_width(lines)
    if blanks > max(widest, later):
        return BLANKS
    return best if widest > 1 or not best_later else best_later


def _blank_width(lines: Sequence[str]) -> int:
    """Return how many numbers a row has that is parted by blanks; 0 where rows are no numbers."""
    widths = Counter[int]()
    for line in lines:
        cells = line.split()
        # a line of WKT in a cell has numbers and blanks, too, but a row has no quotes
        if cells and '"' not in line and 2 * sum(map(is_number, cells)) >= len(cells):
            widths[len(cells)] += 1
    if not widths:
        return 0
    usual, count = widths.most_common(1)[0]
    return usual if count * 2 > len([line for line in lines if line.strip()]) else 0


def _above(lines: Sequence[str], separator: str) -> int:
    """Return how many lines of another width stand above the table (GeoLife has six)."""
    widths = [len(_first(line, separator)) for line in lines]
    usual, count = Counter(widths).most_common(1)[0] if widths else (0, 0)
    if not widths or widths[0] == usual or count * 2 <= len(widths) or usual < _LEAST_CELLS:
        return 0
    above = next(k for k, width in enumerate(widths) if width == usual)
    # a cell in quotes may take several lines
    if any(line.count('"') % 2 for line in lines[:above]):
        return 0
    # a head that is wider or narrower than its rows is still the head
    is_first = _has_number(_first(lines[above], separator)) and not _is_head(lines[0], separator)
    return above if above > 1 or is_first else 0


def _is_head(line: str, separator: str) -> bool:
    cells = _first(line, separator)
    return len(cells) > 1 and not _has_number(cells)


def _rows(text: str, separator: str) -> list[list[str]]:
    if separator == BLANKS:
        lines = [line.split() for line in lines_in(text) if not _is_comment(line)]
        return [cells for cells in lines if cells]
    try:
        return list(csv_rows(text, "", separator=separator))
    except InputError:
        return []


def _first(text: str, separator: str) -> list[str]:
    rows = _rows(text, separator)
    return rows[0] if rows else []


def _whole(rows: Sequence[Sequence[str]]) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(row) for row in rows)


def is_number(cell: str) -> bool:
    """Tell whether a cell is a number."""
    return _NUMBER.fullmatch(cell.strip()) is not None


def _has_number(cells: Sequence[str]) -> bool:
    return any(map(is_number, cells))


def _trimmed(names: Sequence[str]) -> tuple[str, ...]:
    return tuple(name.strip() for name in names)


def _is_headless(rows: Sequence[Sequence[str]]) -> bool:
    """Tell whether the first row is one of the others: numbers where they have numbers."""
    first = [is_number(cell) for cell in rows[0]] if rows else []
    # pandas numbers columns that have no names: 0, 1, 2 ...
    filled = [cell.strip() for cell in rows[0] if cell.strip()] if rows else []
    if filled == [str(k) for k in range(len(filled))] and len(rows) > 1:
        return False
    if sum(first) < _LEAST_CELLS or 2 * sum(first) < len(first):
        return False
    following = [row for row in rows[1:6] if len(row) == len(first)]
    return all(list(map(is_number, row)) == first for row in following)


def _by_shape(rows: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """Name the columns of a table without a head by what stands in them."""
    width = len(rows[0])
    rows = [row for row in rows if len(row) == width]
    if width == len(_GEOLIFE) and all(_DATE.fullmatch(row[5].strip()) for row in rows[:5]):
        return _GEOLIFE
    if width == len(_TAXIS) and all(_DATE.match(row[1].strip()) for row in rows[:5]):
        return _TAXIS
    table = [list(map(float, row)) for row in rows if all(map(is_number, row))]
    others = tuple(f"c{k + 1}" for k in range(width))
    if len(table) < len(rows) - 1 or not table:
        return others
    return _names_of_poses(table, others) or others


def _names_of_poses(table: Sequence[Sequence[float]], others: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names of a table of poses; none where it is another one."""
    width = len(others)
    matrices: tuple[tuple[str, ...], ...] = (_MATRIX, _MATRIX + _HOMOGENEOUS)
    for names in matrices:
        # KITTI-360 has the number of the frame before them
        before = ("frame",)[: width - len(names)] if width >= len(names) else ()
        if width == len(before + names) and all(_is_rotation(row[len(before) :]) for row in table):
            return before + names
    if width == len(_TRACKED) and _are_tracks(table):
        return _TRACKED
    if width >= len(_TUM) and _grows(table) and all(_is_unit(row[4:8]) for row in table):
        # EuRoC counts nanoseconds, goes on with speeds, and has w first
        names = _EUROC if width > len(_TUM) or table[0][0] > _NANOSECONDS else _TUM
        return names + others[len(_TUM) :]
    if width == len(_TUM) - 1 and all(_is_unit(row[3:7]) for row in table):
        return _TUM[1:]
    # x may grow evenly, too: only four columns, or seconds since 1970, are surely a time
    is_time = table[0][0] > _SECONDS or (width == len(_TIME_AND_PLACE) and _grows_evenly(table))
    if width in {3, 4} and _grows(table) and is_time:
        return _TIME_AND_PLACE[:width]
    return ()


_TIME_AND_PLACE = ("timestamp", "x", "y", "z")
_SECONDS = 1e8
_NANOSECONDS = 1e17
"""Since 1970; seconds and milliseconds are less."""


def _are_tracks(table: Sequence[Sequence[float]]) -> bool:
    """Tell whether rows begin with two whole numbers that name a row together, not each alone."""
    pairs = {(row[0], row[1]) for row in table}
    whole = all(number.is_integer() for pair in pairs for number in pair)
    alone = [{row[k] for row in table} for k in (0, 1)]
    decimal = any(not row[2].is_integer() for row in table)
    return whole and decimal and len(pairs) == len(table) and 1 < len(alone[1]) < len(table)


def _grows(table: Sequence[Sequence[float]]) -> bool:
    return all(before[0] < after[0] for before, after in pairwise(table))


def _grows_evenly(table: Sequence[Sequence[float]]) -> bool:
    """Tell whether the first column counts evenly, as clocks do."""
    steps = [after[0] - before[0] for before, after in pairwise(table)]
    return len(steps) > 1 and 0 < max(steps) < 2 * min(steps)


def _is_unit(numbers: Sequence[float]) -> bool:
    return abs(math.fsum(each * each for each in numbers) - 1.0) < 0.02


def _is_rotation(row: Sequence[float]) -> bool:
    return all(_is_unit(row[k : k + 3]) for k in (0, 4, 8))

"""Spellings of files: how one content may stand on the disk, by kind of file.

A `Part` is a file's content; a `Style` is one way to write it. `SPELLINGS` names the ways, and
`applies` says which of them a kind of file can have at all.
"""

from __future__ import annotations

import bz2
import codecs
import gzip
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Literal

__all__ = ["SPELLINGS", "Kind", "Part", "Style", "applies", "spelled"]

Kind = Literal["json", "lines", "mixed", "rows", "text", "bytes"]
"""One JSON value; one value a line; text with JSON values in it; comma-separated cells; text;
bytes, which are spelled in one way."""


@dataclass(frozen=True)
class Part:
    """One file of a sample."""

    name: str
    kind: Kind
    content: Any
    """A value; values; texts and (in tuples of one) values; rows of cells; a text."""
    ids: frozenset[str] = frozenset()
    """Keys (or, of rows, columns) whose numbers name something."""


@dataclass(frozen=True)
class Style:
    """One way to write; the default is what Python's `json` and `csv` write."""

    comma: str = ", "
    colon: str = ": "
    indent: str = ""
    order: Literal["as it is", "sorted", "reversed"] = "as it is"
    escape: Literal["", "others", "letters", "slashes"] = ""
    """Which characters of texts are escaped: those that are not ASCII, all, or slashes alone."""
    numbers: Literal["as they are", "floats", "exponents", "integers", "texts"] = "as they are"
    ids: Literal["as they are", "texts", "numbers", "texts of floats", "blanks"] = "as they are"
    listed: Literal["as it is", "lines", "list"] = "as it is"
    cells: Literal["plain", "quoted", "blanks", "quoted after blanks", "floats"] = "plain"
    newline: str = "\n"
    before: str = ""
    between: str = ""
    end: str = "\n"
    encoding: str = "utf-8"
    packed: Literal["", ".gz", ".bz2"] = ""
    stem: str = ""
    """Another name for the file that is opened."""


SPELLINGS: dict[str, Style] = {
    "compact": Style(comma=",", colon=":"),
    "blanks around commas and colons": Style(comma=" , ", colon=" : "),
    "tabs after commas and colons": Style(comma=",\t", colon=":\t"),
    "indented by blanks": Style(comma=",", indent="  "),
    "indented by tabs": Style(comma=",", indent="\t"),
    "keys sorted": Style(order="sorted"),
    "keys reversed": Style(order="reversed"),
    "other letters escaped": Style(escape="others"),
    "all letters escaped": Style(escape="letters"),
    "slashes escaped": Style(escape="slashes"),
    "integers as floats": Style(numbers="floats"),
    "integers with exponents": Style(numbers="exponents"),
    "whole floats as integers": Style(numbers="integers"),
    "ids as texts": Style(ids="texts"),
    "ids as numbers": Style(ids="numbers"),
    "ids as whole floats": Style(ids="numbers", numbers="floats"),
    "ids as texts of whole floats": Style(ids="texts of floats"),
    "ids with blanks around": Style(ids="blanks"),
    "numbers as texts": Style(numbers="texts"),
    "a list as lines": Style(listed="lines"),
    "lines as a list": Style(listed="list"),
    "cells in quotes": Style(cells="quoted"),
    "blanks after commas": Style(cells="blanks"),
    "quotes after blanks": Style(cells="quoted after blanks"),
    "ids of rows as floats": Style(cells="floats"),
    "CRLF": Style(newline="\r\n"),
    "CRLF and indented": Style(newline="\r\n", comma=",", indent="  "),
    "blank lines before": Style(before="\n\n"),
    "blank lines between": Style(between="\n"),
    "no newline at the end": Style(end=""),
    "blank lines at the end": Style(end="\n\n\n"),
    "byte order mark": Style(encoding="utf-8-sig"),
    "UTF-16 of Windows": Style(encoding="utf-16-le"),
    "UTF-16, high byte first": Style(encoding="utf-16-be"),
    "UTF-32 of Windows": Style(encoding="utf-32-le"),
    "UTF-32, high byte first": Style(encoding="utf-32-be"),
    "Latin-1": Style(encoding="latin-1"),
    "gzip": Style(packed=".gz"),
    "bzip2": Style(packed=".bz2"),
    "another name": Style(stem="copy of my file (2)"),
}
"""By the name that a failed test shows."""

_JSON = frozenset({"comma", "colon", "order", "escape", "numbers", "ids"})
_FILE = frozenset({"newline", "end", "encoding", "packed", "stem"})
_CAN: Mapping[Kind, frozenset[str]] = {
    "json": _JSON | _FILE | {"indent", "before", "listed"},
    "lines": _JSON | _FILE | {"between", "before", "listed"},
    "mixed": _JSON | _FILE | {"indent"},
    "rows": _FILE | {"cells", "between"},
    "text": _FILE,
    "bytes": frozenset(),
}
_MARKS = {
    "utf-16-le": codecs.BOM_UTF16_LE,
    "utf-16-be": codecs.BOM_UTF16_BE,
    "utf-32-le": codecs.BOM_UTF32_LE,
    "utf-32-be": codecs.BOM_UTF32_BE,
}
_PLAIN = Style()


def _changed(style: Style) -> frozenset[str]:
    """Name what a style does otherwise than Python."""
    return frozenset(
        f.name for f in fields(Style) if getattr(style, f.name) != getattr(_PLAIN, f.name)
    )


def applies(style: Style, kind: Kind) -> bool:
    """Tell whether all that a style changes is there to change in a kind of file."""
    changed = _changed(style)
    listed = {"lines": "json", "list": "lines"}.get(style.listed, kind)
    return changed <= _CAN[kind] and listed == kind


def spelled(part: Part, style: Style) -> tuple[str, bytes]:
    """Return a file's name and bytes in a style; what the style changes and the kind lacks stays
    plain.
    """
    if part.kind == "bytes":
        return part.name, bytes(part.content)
    text = _text(part, style).replace("\n", style.newline)
    raw = _MARKS.get(style.encoding, b"") + text.encode(style.encoding)
    name = part.name + style.packed
    if style.packed == ".gz":
        return name, gzip.compress(raw)
    return name, bz2.compress(raw) if style.packed else raw


def _text(part: Part, style: Style) -> str:
    if part.kind == "text":
        return str(part.content).removesuffix("\n") + style.end
    if part.kind == "mixed":
        pieces = (_json(p[0], style, part.ids) if isinstance(p, tuple) else p for p in part.content)
        return "".join(pieces).removesuffix("\n") + style.end
    if part.kind == "rows":
        lines = [_row(row, style, part.ids) for row in part.content]
        return f"\n{style.between}".join(lines) + style.end
    as_lines = (part.kind == "lines") != (style.listed != "as it is")
    if as_lines:
        lines = [_json(value, style, part.ids) for value in part.content]
        return style.before + f"\n{style.between}".join(lines) + style.end
    return style.before + _json(part.content, style, part.ids) + style.end


def _row(cells: Sequence[object], style: Style, ids: frozenset[str]) -> str:
    """Return one row; `ids` are the numbers of the columns that hold ids."""
    texts = [str(cell) for cell in cells]
    if style.cells == "floats":
        texts = [f"{t}.0" if str(k) in ids and t.isdigit() else t for k, t in enumerate(texts)]
    if "quoted" in style.cells:
        texts = ['"' + text.replace('"', '""') + '"' for text in texts]
    return (", " if "blanks" in style.cells else ",").join(texts)


def _json(value: Any, style: Style, ids: frozenset[str], depth: int = 0, key: str = "") -> str:
    if isinstance(value, dict):
        items = [_item(name, item, style, ids, depth) for name, item in _ordered(value, style)]
        return _bracketed("{", items, "}", style, depth)
    if isinstance(value, list | tuple):
        items = [_json(item, style, ids, depth + 1, key) for item in value]
        return _bracketed("[", items, "]", style, depth)
    if isinstance(value, str):
        if key in ids and style.ids == "numbers" and value.isdecimal():
            return _number(int(value), style)
        return _quoted(_id(value, style) if key in ids else value, style)
    if isinstance(value, bool) or value is None:
        return json.dumps(value)
    if key in ids and style.ids not in {"as they are", "numbers"}:
        return _quoted(_id(str(value), style), style)
    text = _number(value, style)
    return _quoted(text, style) if style.numbers == "texts" else text


def _id(text: str, style: Style) -> str:
    """Return an id as a table or a hand wrote it."""
    if style.ids == "texts of floats" and text.isdecimal():
        return f"{text}.0"
    return f" {text} " if style.ids == "blanks" else text


def _item(name: str, value: Any, style: Style, ids: frozenset[str], depth: int) -> str:
    return _quoted(name, style) + style.colon + _json(value, style, ids, depth + 1, name)


def _ordered(value: Mapping[str, Any], style: Style) -> Iterator[tuple[str, Any]]:
    if style.order == "sorted":
        yield from sorted(value.items())
    else:
        yield from reversed(value.items()) if style.order == "reversed" else value.items()


def _bracketed(opening: str, items: Sequence[str], closing: str, style: Style, depth: int) -> str:
    if not style.indent or not items:
        return opening + style.comma.join(items) + closing
    inner = "\n" + style.indent * (depth + 1)
    return (
        opening
        + inner
        + f"{style.comma}{inner}".join(items)
        + "\n"
        + style.indent * depth
        + closing
    )


def _number(value: float, style: Style) -> str:
    whole = float(value).is_integer() and abs(value) < 1 << 53
    if whole and style.numbers == "integers":
        return str(int(value))
    if isinstance(value, int) and whole and style.numbers == "floats":
        return f"{value}.0"
    if isinstance(value, int) and whole and style.numbers == "exponents":
        digits = str(value).rstrip("0") or "0"
        return f"{digits}e{len(str(value)) - len(digits)}" if value else "0e0"
    return json.dumps(value)


def _quoted(text: str, style: Style) -> str:
    if style.escape == "letters":
        units = text.encode("utf-16-be")
        return (
            '"'
            + "".join(f"\\u{units[k]:02x}{units[k + 1]:02x}" for k in range(0, len(units), 2))
            + '"'
        )
    plain = json.dumps(text, ensure_ascii=style.escape == "others")
    return plain.replace("/", "\\/") if style.escape == "slashes" else plain

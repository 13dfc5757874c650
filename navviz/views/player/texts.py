"""Texts of a player document: split into parts, and shared by index.

Prompts repeat themselves from step to step. Each is split at its headings and fences; the same part
is stored once. Joined again, the parts are the text to the letter.
"""

from __future__ import annotations

import base64
import gzip
import json
import re
from typing import Literal

from navviz.support.guarded import decode_reply
from navviz.views.player.schema import PackedStrings

PACK_FROM_CHARS = 300_000
"""Above this, the texts of a document are packed (gzip, base64); every browser can unpack them."""

_HEADING = re.compile(
    r"(\[[A-Z][^\]\n]{1,80}\]|#{1,4} [^\n]{1,100}|[A-Z][A-Za-z ()/-]{2,48}:)[ \t]*\n?"
)
_FENCE = re.compile(r"```([A-Za-z0-9_+-]*)[ \t]*\n?")


Kind = Literal["heading", "fence", "json", "code", "text"]


class Strings:
    """A table of texts, each stored once."""

    def __init__(self) -> None:
        self._texts: dict[str, int] = {}

    def add(self, text: str) -> int:
        """Index of a text."""
        return self._texts.setdefault(text, len(self._texts))

    def dump(self, limit_chars: int) -> list[str] | PackedStrings:
        """Return the table: a list, or packed as base64 of the gzipped JSON where it is long.

        Where even the packed table would pass `limit_chars`, the longest texts are cut, and say so.
        """
        texts = list(self._texts)
        if sum(map(len, texts)) <= min(PACK_FROM_CHARS, limit_chars):
            return texts
        longest = max(map(len, texts))
        packed = _pack(texts)
        # Half by half: how well texts pack is only seen by packing them.
        while len(packed) > limit_chars and longest > 500:
            longest //= 2
            packed = _pack([_cut(text, longest) for text in texts])
        return PackedStrings(gzip=packed)


def _pack(texts: list[str]) -> str:
    # half a character in a log must not cost the whole document
    raw = json.dumps(texts, ensure_ascii=False).encode("utf-8", "replace")
    return base64.b64encode(gzip.compress(raw, 6, mtime=0)).decode("ascii")


def _cut(text: str, longest: int) -> str:
    if len(text) <= longest:
        return text
    rest = f"{len(text) - longest:,} more characters are in the trace, too long for this document"
    return f"{text[:longest]}\n… {rest}"


def split_text(text: str) -> list[tuple[Kind, str]]:
    """Split a prompt into ``(kind, text)`` parts whose texts joined are the prompt.

    Kinds are ``heading`` (``[CONSTRAINTS]``, ``## Rules``, ``Planning State:`` on lines of their
    own), ``fence`` (the markers of a code block), ``json``, ``code`` and ``text``.
    """
    parts: list[tuple[Kind, list[str]]] = []
    fenced, fence = False, ""
    for line in text.splitlines(keepends=True):
        marker = _FENCE.fullmatch(line.lstrip(" "))
        # within a fence a marker that names a language is text: only a bare one closes
        if marker and (not fenced or not marker[1]):
            parts.append(("fence", [line]))
            fenced, fence = not fenced, marker[1].lower()
        elif fenced:
            _append(parts, "json" if fence == "json" else "code", line)
        elif _HEADING.fullmatch(line):
            parts.append(("heading", [line]))
        else:
            _append(parts, "json" if _is_json_line(line) else "text", line)
    # last, since only a part with all of its lines can be tried as JSON
    joined = [(kind, "".join(lines)) for kind, lines in parts]
    return [(_kind(kind, part), part) for kind, part in joined]


def _append(parts: list[tuple[Kind, list[str]]], kind: Kind, line: str) -> None:
    if parts and parts[-1][0] == kind:
        parts[-1][1].append(line)
    else:
        parts.append((kind, [line]))


def _is_json_line(line: str) -> bool:
    """Whether a long line is one JSON value: contexts often stand in a prompt without a fence."""
    return len(line) > 120 and line.lstrip()[:1] in "{[" and _is_json(line)


def _kind(kind: Kind, part: str) -> Kind:
    if kind == "code" and _is_json(part):
        return "json"
    if kind == "json" and not _is_json(part):
        return "code"
    return kind


def _is_json(text: str) -> bool:
    try:
        value = decode_reply(text)
    except ValueError:
        return False
    return isinstance(value, dict | list)

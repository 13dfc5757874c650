"""A run's list as bytes for the browser: packed once for all sessions, and again only where a value
of it has changed.
"""

from __future__ import annotations

import hashlib
import json
import struct
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd
import streamlit as st

from navviz.analysis.act_counts import ACT_LABELS
from navviz.analysis.causes.counting import cause_labels
from navviz.runs.episode_list import column_entries, list_columns, thumb_of
from navviz.runs.opened import OpenRun
from navviz.runs.sources import Identity
from navviz.ui.data import finding, marks
from navviz.ui.state import state

_LATER = ("act", "cause", "feature", "disagreement", "words", "like", "likeness")
"""Columns that fill after the run was opened."""
_LEVEL = 3
"""Of compression: 50,000 rows take 0.4 s, and at level 6 a second for a tenth less."""
_GZIP_HEAD = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"
"""Without a time, so that equal rows have equal bytes and are not sent again."""


@dataclass(frozen=True, slots=True)
class PackedList:
    """The rows of a list, and what its columns are."""

    digest: str
    payload: bytes
    """The digest, a line feed, and gzipped JSON."""
    columns: list[dict[str, Any]]


def packed_list(
    run: OpenRun, table: pd.DataFrame, filtered: Iterable[str], *, near: bool
) -> PackedList:
    """Pack the list of a run."""
    also = tuple(sorted({*filtered} & {*table.columns}))
    digest = hashlib.blake2b(digest_size=12)
    for name in _LATER:
        column = table[name]
        # an empty column changes nothing in the list
        if column.notna().any():
            digest.update(f"{name} {column.tolist()}".encode())
    filled = digest.hexdigest()
    return _packed(run.source.identity, run.view.measured, filled, also, near, table, run)


@st.cache_resource(max_entries=6, show_spinner=False)
def _packed(
    identity: Identity,
    measured: int,
    filled: str,
    also: tuple[str, ...],
    near: bool,
    _table: pd.DataFrame,
    _run: OpenRun,
) -> PackedList:
    del identity, measured, filled
    columns = list_columns(_table, also)
    labels = {"act": dict(ACT_LABELS), "cause": cause_labels(columns.get("cause", []))}
    chosen = state.episode_list().choice("feature")
    labels["feature"] = {mark: marks.describe(mark) for mark in chosen}
    labels |= finding.labels(_run, columns.get(finding.LIKE, []))
    entries = []
    for entry in column_entries(columns, labels, near=near):
        entries.append(entry.model_dump(mode="json", exclude_none=True))
    zipped = _zipped(columns)
    digest = hashlib.blake2b(zipped, digest_size=12).hexdigest()
    return PackedList(digest, digest.encode() + b"\n" + zipped, entries)


def _zipped(columns: Mapping[str, list[Any]]) -> bytes:
    """Return columns as one gzipped JSON object; a column that is as it was is not packed again."""
    # while traces are measured few columns change from page to page, and packing takes most
    parts, crc, size = [_GZIP_HEAD], 0, 0
    for name, cells in columns.items():
        sign = "," if size else "{"
        text = json.dumps(cells, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
        written = f"{sign}{json.dumps(name)}:{text}".encode("utf-8", "replace")
        parts.append(_piece(hashlib.blake2b(written, digest_size=16).digest(), written))
        crc, size = zlib.crc32(written, crc), size + len(written)
    end = b"}" if size else b"{}"
    last = zlib.compressobj(_LEVEL, zlib.DEFLATED, -zlib.MAX_WBITS)
    parts.append(last.compress(end) + last.flush())
    # gzip ends with the sum and the length of all, so that a browser checks the joined pieces
    parts.append(struct.pack("<LL", zlib.crc32(end, crc), (size + len(end)) & 0xFFFFFFFF))
    return b"".join(parts)


@st.cache_resource(max_entries=240, show_spinner=False)
def _piece(digest: bytes, _written: bytes) -> bytes:
    del digest
    packing = zlib.compressobj(_LEVEL, zlib.DEFLATED, -zlib.MAX_WBITS)
    # a full flush ends on a whole byte and refers to nothing before, so that pieces can be joined
    return packing.compress(_written) + packing.flush(zlib.Z_FULL_FLUSH)


def thumbs_of(run: OpenRun, table: pd.DataFrame, wanted: object, most: int) -> dict[str, Any]:
    """Return the thumbnails of some rows, by row; the browser says which, so anything may stand
    there. What cannot be drawn is empty: it would be fetched again otherwise.
    """
    drawn: dict[str, Any] = {}
    rows = [row for row in wanted if isinstance(row, int)] if isinstance(wanted, list) else []
    episodes = table["episode"]
    for row in rows[:most]:
        in_table = 0 <= row < len(table)
        key = str(episodes.iloc[row]) if in_table else ""
        drawn[str(row)] = thumb_of(run, key) if key in run.outlines else {"r": [], "a": []}
    return drawn

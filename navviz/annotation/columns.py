"""The table of ratings: what each column holds, its rows, as Parquet, and its data dictionary.

The dictionary is a JSON sidecar in the way of BIDS: a description, levels and units a column.
"""

from __future__ import annotations

import io
import json
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from navviz.annotation.progress import Flag, flagged
from navviz.annotation.queues import QueuePlace
from navviz.annotation.records import Failures, Item, Mentions, Rating, Skills, Task
from navviz.annotation.taxonomy import Taxonomy
from navviz.support.guarded import parse_json, read_text
from navviz.support.installation.files import asset

Places = Mapping[tuple[Task, str, Item], QueuePlace]
"""Where each annotator was given an item, by task, annotator and item."""


@cache
def columns() -> dict[str, dict[str, Any]]:
    """Return what each column of the table holds, in their order."""
    path = asset("annotation_columns.json")
    described: dict[str, dict[str, Any]] = parse_json(read_text(path), path.name)
    return described


_ARROW = {
    "text": pa.string(),
    "count": pa.int64(),
    "number": pa.float64(),
    "truth": pa.bool_(),
    "time": pa.timestamp("us", tz="UTC"),
}


def row_of(rating: Rating, places: Places, flags: Sequence[Flag] = ()) -> dict[str, Any]:
    """Return a rating's cells by column; a missing column is empty."""
    placed = places.get((rating.task, rating.annotator, rating.item), QueuePlace())
    row: dict[str, Any] = {
        **rating.model_dump(exclude={"item", "value"}),
        **rating.item.model_dump(),
        "queue": " | ".join(placed.queues),
        "part": placed.part,
        "edits": rating.revision - 1,
        "flags": flagged(flags).get((rating.annotator, rating.task)),
    }
    value = rating.value
    if value is None:
        return row
    row |= value.model_dump()  # of which the table has the columns that one can read
    if isinstance(value, Failures):
        row["codes"] = " ".join(sorted(value.codes))
    if isinstance(value, Skills):
        row["codes"] = " | ".join(f"{label.step}: {label.skill}" for label in value.labels)
    if isinstance(value, Mentions):
        row["mentions"] = " | ".join(mention.text for mention in value.mentions)
    row["value"] = value.model_dump_json()
    return row


def parquet_of(ratings: Sequence[Rating], places: Places, flags: Sequence[Flag] = ()) -> bytes:
    """Write the table with the types of its columns."""
    types = {name: _ARROW[entry.get("Type", "text")] for name, entry in columns().items()}
    rows = []
    for rating in ratings:
        row = row_of(rating, places, flags)
        rows.append({name: row.get(name) for name in types})
    out = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(rows, schema=pa.schema(types.items())), out)
    return out.getvalue()


def data_dictionary(taxonomy: Taxonomy) -> str:
    """Write what each column of the table holds, with the codes of the taxonomy."""
    described = dict(columns())
    about = f" Codes of {taxonomy.name} version {taxonomy.version}."
    described["codes"] = {
        "Description": described["codes"]["Description"] + about,
        "Levels": {label.code: " › ".join(label.titles) for label in taxonomy.labels()},
    }
    return json.dumps(described, indent=2, ensure_ascii=False) + "\n"

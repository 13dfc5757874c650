"""The table of ratings: what each column holds, its rows, as Parquet, and its data dictionary.

The dictionary is a JSON sidecar in the way of BIDS: a description, levels and units a column.
"""

from __future__ import annotations

import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import pyarrow as pa
import pyarrow.parquet as pq

from navviz.annotation.progress import Flag, flagged
from navviz.annotation.queues import QueuePlace
from navviz.annotation.records import TASKS, Failures, Item, Mentions, Rating, Skills, Task
from navviz.annotation.taxonomy import Taxonomy

Places = Mapping[tuple[Task, str, Item], QueuePlace]
"""Where each annotator was given an item, by task, annotator and item."""


@dataclass(frozen=True, slots=True)
class RatingColumn:
    """What one column holds."""

    says: str
    kind: Literal["text", "count", "number", "truth", "time"] = "text"
    levels: Mapping[str, str] | None = None
    units: str | None = None


_TRUTH = {"True": "yes", "False": "no"}

COLUMNS: Mapping[str, RatingColumn] = {
    "dataset": RatingColumn("Data set of the episode."),
    "episode": RatingColumn("Id of the episode in its data set."),
    "run": RatingColumn("Run whose walk is judged; empty where only the instruction is."),
    "claim": RatingColumn("Name of the cause that is judged; empty for all other tasks."),
    "task": RatingColumn("What was asked.", levels={task: f"the task {task}" for task in TASKS}),
    "annotator": RatingColumn("Pseudonym; @adjudicated is what a researcher settled on."),
    "queue": RatingColumn(
        "Queues that gave the annotator this item, divided by ' | '; empty for a rating that was"
        " imported, settled, or whose queue was deleted."
    ),
    "part": RatingColumn(
        "Part of the queue. Statistics of agreement and tables count main alone.",
        levels={
            "training": "the known answer was shown after the annotator's own",
            "gold": "mixed in unseen, because its answer is known",
            "main": "an item of the study itself",
        },
    ),
    "revision": RatingColumn("Number of the answer that stands, counted from 1.", "count"),
    "edits": RatingColumn("Changes after the first answer, undone ones too.", "count"),
    "created": RatingColumn("When the first answer was saved, ISO 8601, UTC.", "time"),
    "changed": RatingColumn("When the answer that stands was saved, ISO 8601, UTC.", "time"),
    "seconds": RatingColumn(
        "Time at work on the item over all visits, pauses of more than 60 s left out; empty where"
        " nobody measured it.",
        "number",
        units="s",
    ),
    "navigable": RatingColumn(
        "Navigability: whether the instruction leads to its goal.", "truth", _TRUTH
    ),
    "confidence": RatingColumn(
        "Navigability: how sure.", "count", {"1": "a guess", "5": "certain"}, "points from 1 to 5"
    ),
    "answer": RatingColumn(
        "Cause: whether the sentence holds.",
        levels={
            "yes": "true",
            "partly": "the thing is right, a number or word is not",
            "no": "false",
            "cannot tell": "the replay does not show it",
        },
    ),
    "success": RatingColumn("Follow it: whether the walk ended at the goal.", "truth", _TRUTH),
    "distance_m": RatingColumn("Follow it: from the last place to the goal.", "number", units="m"),
    "gave_up": RatingColumn("Follow it: whether the annotator gave up.", "truth", _TRUTH),
    "elapsed_s": RatingColumn("Follow it: duration of the walk.", "number", units="s"),
    "linguistic": RatingColumn("Difficulty of the text.", "count", units="points from 1 to 10"),
    "topological": RatingColumn("Difficulty of the ways.", "count", units="points from 1 to 10"),
    "operational": RatingColumn("Difficulty of the doing.", "count", units="points from 1 to 10"),
    "codes": RatingColumn(
        "Failure: codes of the taxonomy, divided by blanks; empty where nothing failed. Right"
        " skill: 'step: skill', divided by ' | '."
    ),
    "mentions": RatingColumn("Landmark mentions: the marked words, divided by ' | '."),
    "flags": RatingColumn(
        "Reasons to look at this annotator's answers to this task.",
        levels={
            "speed": "too fast to have read",
            "constant": "one answer to everything",
            "gold": "missed known answers",
        },
    ),
    "comment": RatingColumn("What the annotator wrote."),
    "value": RatingColumn("The whole answer as JSON, by which an import reads it back."),
}
"""Every column of the table, in its order."""

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
    schema = pa.schema([(name, _ARROW[column.kind]) for name, column in COLUMNS.items()])
    rows = []
    for rating in ratings:
        row = row_of(rating, places, flags)
        rows.append({name: row.get(name) for name in COLUMNS})
    out = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(rows, schema=schema), out)
    return out.getvalue()


def data_dictionary(taxonomy: Taxonomy) -> str:
    """Write what each column of the table holds, with the codes of the taxonomy."""
    described: dict[str, dict[str, Any]] = {}
    for name, column in COLUMNS.items():
        entry: dict[str, Any] = {"Description": column.says}
        levels = column.levels
        if name == "codes":
            entry["Description"] += f" Codes of {taxonomy.name} version {taxonomy.version}."
            levels = {label.code: " › ".join(label.titles) for label in taxonomy.labels()}
        if levels:
            entry["Levels"] = dict(levels)
        if column.units:
            entry["Units"] = column.units
        described[name] = entry
    return json.dumps(described, indent=2, ensure_ascii=False) + "\n"

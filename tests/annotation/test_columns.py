"""The table of ratings: of which queue and part each one is, its types, and its data dictionary."""

from __future__ import annotations

import csv
import io
import json

import pyarrow.parquet as pq
import pytest

from navviz.annotation.columns import columns, data_dictionary, parquet_of
from navviz.annotation.exchange import export, parse
from navviz.annotation.queues import PARTS
from navviz.annotation.ratings import Mark
from navviz.annotation.records import Difficulty, Item, Navigability, Queue
from navviz.annotation.taxonomy import bundled_taxonomy

ITEMS = tuple(Item(dataset="s", episode=str(i)) for i in range(6))
YES = Navigability(navigable=True, confidence=4)


@pytest.fixture
def study(opened, tmp_path):
    """Two queues: item 0 trains in the first, 1 to 4 are its own, 5 is gold; 1 is gold in the other."""
    store = opened(f"sqlite:///{tmp_path / 'a.sqlite3'}")
    queue = Queue(
        name="first",
        task="navigability",
        items=ITEMS[1:5],
        training=ITEMS[:1],
        gold=ITEMS[5:],
        gold_share=0.2,
        annotators=("fox",),
    )
    store.study().queues.create(queue)
    other = {"name": "other", "items": ITEMS[2:3], "training": (), "gold": ITEMS[1:2]}
    store.study().queues.create(queue.model_copy(update={**other, "gold_share": 0.5}))
    fox = store.sign_in("fox")
    for item in ITEMS:
        fox.save(item, YES, seen=0, mark=Mark(f"mark {item.episode}", seconds=2.5))
    fox.save(ITEMS[2], YES.model_copy(update={"navigable": False}), seen=1)
    # what no queue gave out
    fox.save(ITEMS[0], Difficulty(linguistic=1, topological=2, operational=3), seen=0)
    return store.study()


def test_each_row_names_its_queues_and_its_part(study):
    ratings, places = study.ratings(parts=PARTS), study.queues.placed()
    rows = list(csv.DictReader(io.StringIO(export(ratings, "csv", places=places))))
    told = {}
    for row in rows:
        told[row["task"], row["episode"]] = row["queue"], row["part"], row["edits"], row["seconds"]
    own = "navigability"
    assert told == {
        (own, "0"): ("first", "training", "0", "2.5"),
        (own, "1"): ("first | other", "main", "0", "2.5"),
        (own, "2"): ("first | other", "main", "1", "2.5"),
        (own, "3"): ("first", "main", "0", "2.5"),
        (own, "4"): ("first", "main", "0", "2.5"),
        (own, "5"): ("first", "gold", "0", "2.5"),
        ("difficulty", "0"): ("", "main", "0", ""),
    }
    lines = [json.loads(line) for line in export(ratings, "jsonl", places=places).splitlines()]
    kept = {}
    for line in lines[1:]:
        kept[line["task"], line["item"]["episode"]] = line["queue"], line["part"]
    assert kept == {key: cells[:2] for key, cells in told.items()}


def test_statistics_get_training_and_gold_only_where_they_are_asked_for(study):
    def episodes(**asked):
        return [rating.item.episode for rating in study.ratings("navigability", **asked)]

    assert episodes() == ["1", "2", "3", "4"]
    assert episodes(parts={"main", "gold"}) == ["1", "2", "3", "4", "5"]
    assert episodes(parts={"training"}) == ["0"]


@pytest.mark.parametrize("form", ["csv", "jsonl"])
def test_an_import_leaves_a_training_round_out_and_says_so(study, form):
    text = export(study.ratings(parts=PARTS), form, places=study.queues.placed())
    imported, problems = parse(text, form)
    assert [(one.value.task, one.item.episode) for one in imported] == [
        *(("navigability", str(i)) for i in range(1, 6)),
        ("difficulty", "0"),
    ]
    [problem] = problems.kept
    assert "is a training round" in str(problem)


def test_parquet_holds_the_cells_of_the_csv_in_their_types(study):
    ratings, places = study.ratings(parts=PARTS), study.queues.placed()
    table = pq.read_table(io.BytesIO(parquet_of(ratings, places)))
    rows = list(csv.DictReader(io.StringIO(export(ratings, "csv", places=places))))
    assert table.column_names == list(rows[0])
    types = {name: str(table.schema.field(name).type) for name in ("seconds", "navigable", "edits")}
    assert types == {"seconds": "double", "navigable": "bool", "edits": "int64"}
    assert table.column("created").to_pylist() == [rating.created for rating in ratings]
    for name in set(table.column_names) - {"created", "changed"}:
        cells = ["" if cell is None else str(cell) for cell in table.column(name).to_pylist()]
        assert cells == [row[name] for row in rows], name


def test_the_dictionary_describes_every_column_of_the_table(study):
    described = json.loads(data_dictionary(bundled_taxonomy()))
    header = export(study.ratings(), "csv").partition("\n")[0]
    assert list(described) == header.split(",") == list(columns())
    assert all(entry["Description"] for entry in described.values())
    assert described["seconds"]["Units"] == "s"
    assert set(described["part"]["Levels"]) == PARTS
    codes = [label.code for label in bundled_taxonomy().labels()]
    assert list(described["codes"]["Levels"]) == codes

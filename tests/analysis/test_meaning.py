"""By meaning: the weights by hand, what is alike comes together, and twice gives the same."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from typer.testing import CliRunner

import navviz
from navviz.analysis.alike import cluster_failures
from navviz.analysis.meaning import (
    Meaning,
    TextPassage,
    check_source,
    passages_of,
)
from navviz.cli import application
from navviz.errors import InputError, SettingsError
from tests.paths import SAMPLES

HARBOUR = SAMPLES / "harbour"
BANKS = ("turn left at the bank", "the bank on the left corner", "bank corner, turn left")
PARKS = ("walk along the park trees", "park and trees ahead", "trees of the park, walk ahead")


def _passages(*texts):
    return [TextPassage(str(number), None, text) for number, text in enumerate(texts)]


def test_weights_are_those_of_the_definition():
    meaning = Meaning(_passages("bank bank park", "bank light", "park light tower"))
    # log((1 + 3) / (1 + 2)) + 1 for words of two texts; "tower" stands in one only
    weight = math.log(4 / 3) + 1
    bank, park = (1 + math.log(2)) * weight, weight
    row = meaning._table.toarray()[0]
    by_word = dict(zip(meaning.words, row, strict=True))
    length = math.hypot(bank, park)
    assert by_word == pytest.approx({"bank": bank / length, "park": park / length, "light": 0})


def test_parts_of_ids_and_words_of_nearly_all_texts_are_left_out():
    meaning = Meaning(
        _passages("node 8a42cdef turn", "node 9b42cdef turn", "node light", "node light")
    )
    assert set(meaning.words) == {"turn", "light"}


def test_what_is_alike_is_found_first_and_falls_into_one_cluster():
    meaning = Meaning(_passages(*BANKS, *PARKS))
    nearest = meaning.similar("left at a bank", 3)
    assert {hit.passage.text for hit in nearest} == set(BANKS)
    assert nearest[0].likeness >= nearest[1].likeness >= nearest[2].likeness
    clusters = meaning.clusters(2)
    texts = [{passage.text for passage in cluster.passages} for cluster in clusters]
    assert texts in ([set(BANKS), set(PARKS)], [set(PARKS), set(BANKS)])
    words = {cluster.words[0] for cluster in clusters}
    assert words <= {"bank", "left", "park", "trees"}


def test_twice_gives_the_same_and_a_text_is_nearest_to_itself():
    first, second = Meaning(_passages(*BANKS, *PARKS)), Meaning(_passages(*BANKS, *PARKS))
    assert np.array_equal(first.vectors, second.vectors)
    assert first.clusters(2) == second.clusters(2)
    for text in (*BANKS, *PARKS):
        assert first.similar(text, 1)[0].likeness == pytest.approx(1.0)


def test_nothing_known_finds_nothing_and_nothing_shared_is_refused():
    assert Meaning(_passages(*BANKS)).similar("zebra crossing") == []
    with pytest.raises(InputError, match="no two texts that share a word"):
        Meaning(_passages("one bank", "two parks"))
    with pytest.raises(SettingsError, match="thoughts, replies, instructions"):
        check_source("prompts")


def test_equal_texts_are_one_cluster():
    [cluster] = Meaning(
        _passages(*["turn left", "turn left", "turn left"], "light", "light")
    ).clusters(1)
    assert len(cluster.passages) == 5


def test_failures_of_a_run_are_parted_once_each():
    run = navviz.open_run(HARBOUR / "runs" / "groke-by-hand", graphs=HARBOUR / "osm" / "graph")
    clusters = cluster_failures(run, 2)
    members = [passage.episode for cluster in clusters for passage in cluster.passages]
    ended = {key: row for key, row in run.scores.rows.items() if key not in run.scores.errors}
    failed = [key for key, row in ended.items() if row["SR"] == 0]
    assert sorted(members) == sorted(failed)
    steps = {(passage.episode, passage.step) for one in clusters for passage in one.passages}
    assert any(step is not None for _, step in steps)
    thoughts = passages_of(run, "thoughts")
    assert len(thoughts) == sum(any(call.thoughts for call in step.calls)
                                for key in run.traces for step in run.trace(key).steps)  # fmt: skip


def test_the_commands_name_episode_and_step():
    words = ["--graphs", str(HARBOUR / "osm" / "graph"), "--format", "json"]
    run = str(HARBOUR / "runs" / "groke-by-hand")
    result = CliRunner().invoke(
        application(("diagnose", "why")),
        ["diagnose", "similar", run, "turn left", "--most", "3", *words],
    )
    assert result.exit_code == 0, result.output
    rows = json.loads(result.stdout)
    assert len(rows) == 3
    assert rows[0]["step"] >= 1
    frame = navviz.similar(navviz.open_run(run, graphs=words[1]), "turn left", count=3)
    assert frame["episode"].tolist() == [row["episode"] for row in rows]
    result = CliRunner().invoke(
        application(("diagnose", "why")), ["diagnose", "clusters", run, "--most", "2", *words]
    )
    assert result.exit_code == 0, result.output
    rows = json.loads(result.stdout)
    assert rows[0]["words"]
    assert sum(len(row["episodes"]) for row in rows) == 6

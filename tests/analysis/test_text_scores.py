"""Text metrics beside success: leave one out, n by whole routes, and what is missing is said."""

from __future__ import annotations

import pytest

import navviz
from navviz.analysis.text_scores import text_scores_of
from navviz.errors import InputError
from navviz.metrics.text import text_scores
from tests.paths import SAMPLES

RUN = SAMPLES / "house" / "runs" / "rules-indoors"


def test_an_instruction_is_scored_against_the_others_of_its_route():
    scores = text_scores_of(navviz.open_run(RUN))
    rows = {row.episode: row for row in scores.rows}
    assert len(rows) + scores.alone == 10
    route = [key for key in rows if key.startswith("101_")]
    texts = {key: navviz.open_run(RUN).outline(key).episode.instruction for key in route}
    for key in route:
        others = [texts[other] for other in route if other != key]
        assert rows[key].scores == text_scores(texts[key], others)
        assert rows[key].references == len(others)
    first = scores.correlations[0]
    assert (first.metric, first.episodes, first.low) == ("BLEU", len(rows), None)


def test_a_text_like_itself_scores_full_marks():
    scores = text_scores(
        "Walk past the table and stop.", ["Turn left.", "Walk past the table and stop."]
    )
    assert scores["BLEU"] == pytest.approx(100)
    assert scores["ROUGE-L"] == 1


def test_a_run_without_shared_routes_is_one_sentence():
    with pytest.raises(InputError, match="no route has two instructions"):
        text_scores_of(navviz.open_run(SAMPLES / "harbour" / "runs" / "rules"))


@pytest.mark.data
def test_on_r2r_likeness_says_little_of_arriving(data_dir):
    run = navviz.open_run(
        data_dir / "wild" / "r2r_seq2seq" / "seq2seq_val_seen.json",
        graphs=data_dir / "mp3d_all",
        episodes=data_dir / "r2r" / "R2R_val_seen.json",
    )
    rouge = text_scores_of(run).correlations[-1]
    assert (rouge.metric, rouge.episodes, rouge.routes) == ("ROUGE-L", 1021, 340)
    assert rouge.r == pytest.approx(0.136, abs=0.001)
    assert rouge.low < rouge.r < rouge.high < 0.25

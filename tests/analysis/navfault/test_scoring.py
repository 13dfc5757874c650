"""Scores of hand-made answers, counted by their definition."""

from __future__ import annotations

import json

import pytest

from navviz.analysis.navfault.scoring import (
    ExplainerAnswer,
    Truth,
    read_answers,
    read_truth,
    score_rows,
)
from navviz.errors import InputError

TRUTH = [
    Truth(episode="a", voice="x", kind="misread", steps=(4,), acts=((0, 10),)),
    Truth(episode="b", voice="x", kind="plan-side", steps=(1, 5), acts=((11, 20),)),
    Truth(episode="c", voice="y", kind="service", steps=(2,)),
    Truth(episode="d", voice="y", kind="repeat", steps=(3,), acts=((0, 5), (6, 9))),
    Truth(episode="e", voice="y"),
    Truth(episode="f", voice="y"),
    Truth(episode="g", kind="proven", steps=(2, 6)),
]
ANSWERS = [
    ExplainerAnswer(episode="a", step=5, kind="contradict", act=(9, 12)),
    ExplainerAnswer(episode="b", step=1, kind="plan-side", grade="hint", act=(0, 11)),
    ExplainerAnswer(episode="c", step=2, kind="misread"),
    ExplainerAnswer(episode="d", step=3, kind="repeat", act=(6, 9)),
    ExplainerAnswer(episode="e", kind="early"),
    ExplainerAnswer(episode="f"),
    ExplainerAnswer(episode="g", step=6, kind="early"),
]


@pytest.fixture
def truth():
    return {one.episode: one for one in TRUTH}


@pytest.fixture
def rows(truth):
    answers = {one.episode: one for one in ANSWERS}
    return {(row["by"], row["name"]): row for row in score_rows(truth, answers)}


@pytest.mark.parametrize(
    ("column", "right", "count"),
    [
        # a and d: b's words end where the act begins
        ("act", 2, 3),
        # not a, which is one step off; g's second proven step counts
        ("step_0", 4, 5),
        ("step_1", 5, 5),
        # d alone: a's contradiction counts for misread only of NavViz's own explainer
        ("named_likely", 1, 4),
        ("named_hint", 1, 4),
        ("other_likely", 2, 4),
        ("other_hint", 0, 4),
        ("faultless_likely", 1, 2),
        ("faultless_hint", 0, 2),
    ],
)
def test_shares_over_all(rows, column, right, count):
    row = rows["all", "all"]
    assert (row[column], row[f"{column}_n"]) == (pytest.approx(right / count), count)
    assert row[f"{column}_low"] <= row[column] <= row[f"{column}_high"]


def test_rows_by_voice_and_kind(rows):
    assert rows["voice", "y"]["logs"] == 4
    assert rows["all", "may lead"]["logs"] == 3
    assert rows["kind", "repeat"]["named_likely"] == 1.0
    assert rows["kind", "misread"]["faultless_likely"] is None
    assert ("kind", "early") not in rows


def test_a_log_without_an_answer_counts_as_wrong(truth):
    row = score_rows(truth, {})[0]
    assert (row["step_0"], row["named_likely"], row["other_likely"]) == (0.0, 0.0, 0.0)
    assert row["act_n"] is None


def test_answers_are_read_from_json_lines(truth, tmp_path):
    path = tmp_path / "answers.jsonl"
    lines = [{"episode": "a", "step": 4, "kind": "misread"}, {"episode": "e", "kind": None}]
    path.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    assert read_answers(path, truth) == {
        "a": ExplainerAnswer(episode="a", step=4, kind="misread"),
        "e": ExplainerAnswer(episode="e"),
    }


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ('{"episode": "z", "step": 1, "kind": "early"}', "is no log of this set"),
        ('{"episode": "a"}\n{"episode": "a"}', "is answered twice"),
        ('{"step": 1}', "episode"),
        ('{"episode": "a", "step": "two"}', "step"),
        ('{"episode": "a", "grade": "sure"}', "grade"),
        ('{"episode": "a"', "answers.jsonl:1"),
    ],
)
def test_a_wrong_answer_gets_one_sentence(line, sentence, truth, tmp_path):
    path = tmp_path / "answers.jsonl"
    path.write_text(line, encoding="utf-8")
    with pytest.raises(InputError) as error:
        read_answers(path, truth)
    assert sentence in str(error.value)
    assert "answers.jsonl" in str(error.value)
    assert "\n" not in str(error.value)


def test_truth_is_read_of_a_folder_and_of_a_file(tmp_path):
    line = {"episode": "a", "kind": "early", "steps": [2], "source": "17", "ne_m": 80}
    (tmp_path / "truth.jsonl").write_text(json.dumps(line), encoding="utf-8")
    expected = {"a": Truth(episode="a", kind="early", steps=(2,))}
    assert read_truth(tmp_path) == read_truth(tmp_path / "truth.jsonl") == expected
    with pytest.raises(InputError, match=r"holds no truth\.jsonl"):
        read_truth(tmp_path / "elsewhere")

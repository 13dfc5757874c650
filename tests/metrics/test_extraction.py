"""Precision and recall of landmark extractors, and reading their outputs."""

import json

import pytest

from navviz.annotation.exchange import read_extractions
from navviz.errors import InputError, Problems
from navviz.metrics.extraction import match_names, normal_name, score_extractor


def test_names_are_compared_without_case_articles_and_punctuation():
    assert normal_name("The  Corner-Bakery!") == "corner bakery"
    assert match_names(["the light"], ["Light", "a light"]) == (1, 1, 1)
    assert match_names([], ["the"]) == (0, 0, 0)


def test_exact_and_overlapping_matches_by_hand():
    marked, found = (
        ["Corner Bakery", "traffic light", "park"],
        ["bakery", "light", "bus stop", "park"],
    )
    assert match_names(marked, found) == (1, 4, 3)
    assert match_names(marked, found, "overlap") == (3, 4, 3)
    assert match_names(["bank"], ["bank north", "bank south"], "overlap") == (1, 2, 1)  # one to one
    assert match_names([], [], "overlap") == (0, 0, 0)


def test_scores_over_episodes_by_hand():
    score = score_extractor(
        {"1": ["bank", "park"], "2": ["light"], "3": []},
        {"1": ["bank", "bar"], "3": ["cafe"], "unmarked": ["x"]},
    )
    assert (score.hits, score.extracted, score.marked, score.episodes) == (1, 3, 3, 3)
    assert score.precision == score.recall == score.f1 == pytest.approx(1 / 3)


def test_what_is_not_defined_is_missing():
    empty = score_extractor({}, {})
    assert (empty.precision, empty.recall, empty.f1) == (None, None, None)
    assert score_extractor({"1": ["a bank"]}, {}).recall == 0.0


def test_faults_in_a_file_are_told_and_the_rest_is_read(tmp_path):
    path = tmp_path / "found.json"
    path.write_text(
        json.dumps({"1": [{"name": "bank", "score": 0.9}, {"label": 1}, {"name": "bar"}], "2": "x"})
    )
    problems = Problems()
    assert read_extractions(path.read_text(), path.name, problems) == {
        "1": ("bank", "bar"),
        "2": (),
    }
    assert problems.count == 2
    assert (
        str(problems.kept[0])
        == "found.json, episode 1, field [1]: has no name; the other names are used."
    )
    assert read_extractions(path.read_text(), path.name, score=0.95)["1"] == ("bar",)


@pytest.mark.parametrize("content", ["[]", "{"])
def test_files_that_are_none(content):
    with pytest.raises(InputError, match="choose a file"):
        read_extractions(content, "x.json")


@pytest.mark.data
@pytest.mark.parametrize("name", ["bert", "gliner"])
def test_published_outputs_load_as_extractors(data_dir, name):
    problems = Problems()
    path = data_dir / f"groke/annotations/poi_analysis_{name}.json"
    found = read_extractions(path.read_text(), path.name, problems)
    assert len(found) == 100
    assert not problems.count
    assert score_extractor(found, found).f1 == 1.0

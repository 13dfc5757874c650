"""Difficulty bands, among them the paper's 49 / 38 / 13."""

import json
from collections import Counter

import pytest

from navviz.errors import SettingsError
from navviz.metrics.agreement import band, bands, normalised_means


def test_means_are_normalised_over_the_episodes():
    assert normalised_means({"a": [1, 1, 1], "b": [4, 5, 6], "c": [3, 3, 3]}) == {
        "a": 0.0,
        "b": 1.0,
        "c": 0.5,
    }


def test_nothing_to_normalise_is_missing_not_zero():
    assert normalised_means({"a": [2, 2], "b": [2, 2]}) == {"a": None, "b": None}
    assert normalised_means({"a": [1], "b": [], "c": [2]})["b"] is None
    assert normalised_means({}) == {}
    assert bands({"a": [1], "b": []})["b"] is None


def test_cut_points_belong_to_the_band_above():
    assert [band(x) for x in (0.0, 0.3499, 0.35, 0.6499, 0.65, 1.0)] == [
        "easy", "easy", "medium", "medium", "hard", "hard"
    ]  # fmt: skip
    assert band(0.5, (0.2, 0.4)) == "hard"
    with pytest.raises(SettingsError, match="in order"):
        band(0.5, (0.7, 0.4))


@pytest.mark.data
def test_groke_ratings_give_the_published_bands(data_dir):
    raw = json.loads((data_dir / "groke/annotations/correctness_hardness.json").read_text())
    ratings = {episode: list(entry["complexity"].values()) for episode, entry in raw.items()}
    assert Counter(bands(ratings).values()) == {"easy": 49, "medium": 38, "hard": 13}

"""The Compare page: two runs of an episode, and whole runs below."""

from __future__ import annotations

import pytest

from tests.pages.conftest import OpenPage


def test_whole_runs_are_compared_with_intervals_and_tests(page: OpenPage) -> None:
    at = page("compare", run="harbour/rules", episode="1", other="harbour/rules-local")
    tables = [frame.value for frame in at.dataframe]
    (means,) = [table for table in tables if "SR 95 %" in table]
    assert list(means.index) == ["harbour/rules", "harbour/rules-local"]
    assert any("14 shared episodes; p against harbour/rules" in caption.value for caption in at.caption)
    (outcomes,) = [table for table in tables if "harbour/rules-local" in table and "episode" in table]
    assert len(outcomes) == 14
    at.multiselect(key="compare_more_harbour/rules_harbour/rules-local").set_value(["harbour/random-walker"]).run()
    assert not at.exception
    assert any(
        list(frame.value.index) == ["harbour/rules", "harbour/rules-local", "harbour/random-walker"]
        for frame in at.dataframe
    )


@pytest.mark.parametrize("way", ["harbour/rules succeeds, harbour/rules-local fails", "all fail", "they differ"])
def test_episodes_are_filtered_by_who_succeeds(page: OpenPage, way: str) -> None:
    at = page("compare", run="harbour/rules", episode="1", other="harbour/rules-local")
    at.selectbox(key="compare_harbour/rules_harbour/rules-local_way").set_value(way).run()
    assert not at.exception
    for table in (
        frame.value for frame in at.dataframe if "harbour/rules-local" in frame.value and "episode" in frame.value
    ):
        pairs = set(zip(table["harbour/rules"], table["harbour/rules-local"], strict=True))
        allowed = {"all fail": {("✗", "✗")}, "they differ": {("✓", "✗"), ("✗", "✓")}}
        assert pairs <= allowed.get(way, {("✓", "✗")})

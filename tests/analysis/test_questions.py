"""What ``import navviz`` answers is what commands and pages show."""

from __future__ import annotations

from pathlib import Path

import pytest

import navviz
from navviz.errors import NavVizError
from navviz.runs.run import OpenRun

HARBOUR = navviz.samples_dir() / "harbour" / "runs"


@pytest.fixture(scope="module")
def rules() -> OpenRun:
    return navviz.open_run(HARBOUR / "rules")


def test_a_table_has_every_metric_the_causes_and_the_facts(rules: OpenRun) -> None:
    table = rules.table(all=True)
    assert set(rules.scores.means) <= set(table.columns)
    assert table["SR"].mean() == pytest.approx(rules.scores.means["SR"])
    assert table["SPL"].mean() == pytest.approx(rules.scores.means["SPL"])
    assert {"navigator", "calls", "world", "seconds"} <= set(table.columns)
    failed = table["outcome"] == "failure"
    likely = table[failed]["cause"]
    causes = navviz.why(rules)
    for row in causes[causes["likely"]].itertuples():
        assert likely[row.episode] == row.name
    assert table[failed]["act"].notna().all()
    assert table[~failed]["cause"].isna().all()


def test_a_table_without_causes_leaves_them_missing(rules: OpenRun) -> None:
    assert rules.table(all=True, causes=False)["cause"].isna().all()


def test_ids_may_be_numbers(rules: OpenRun) -> None:
    assert rules.trace(1) == rules.trace("1")
    assert rules.graph(1) is rules.graph("1")
    assert navviz.replay(rules, 2).trace.episode.id == "2"
    assert navviz.why(rules, 2) == navviz.why(rules, "2")
    with pytest.raises(NavVizError, match="episode 99"):
        rules.trace(99)


def test_slices_are_those_of_the_command(rules: OpenRun) -> None:
    table = navviz.slices(rules)
    assert {"feature", "odds_ratio", "low", "high", "p_adjusted", "sentence"} <= set(table.columns)
    other = navviz.open_run(HARBOUR / "random-walker")
    of_two = navviz.slices(rules, other)
    # of one run there is no other to name
    assert "runs" not in table.columns
    assert "runs" in of_two.columns
    assert list(of_two.columns.drop("runs")) == list(table.columns)
    with pytest.raises(NavVizError, match="by episode"):
        navviz.slices(rules, other, by="junction")


def test_scans_name_scanner_episode_and_step(rules: OpenRun) -> None:
    hits = navviz.scan(rules)
    assert list(hits.columns)[:4] == ["scanner", "episode", "step", "sentence"]
    with pytest.raises(NavVizError):
        navviz.scan(rules, ["no-such-scanner"])


def test_figures_and_maps_come_as_objects_to_save(rules: OpenRun, tmp_path: Path) -> None:
    drawn = navviz.figure(rules, 1, "2")
    drawn.savefig(tmp_path / "figure.svg")
    assert (tmp_path / "figure.svg").stat().st_size > 5_000
    navviz.atlas(rules).save(str(tmp_path / "atlas.html"))
    assert "navvizAtlas" in (tmp_path / "atlas.html").read_text(encoding="utf-8")
    with pytest.raises(NavVizError, match="no episode lies in Atlantis"):
        navviz.atlas(rules, "Atlantis")


def test_a_folder_is_accounted_for() -> None:
    assert navviz.check(HARBOUR.parent).lost == 0

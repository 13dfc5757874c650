"""The Compare page: two runs of an episode, and whole runs below."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from navviz.runs.opened import OPEN_VARIABLE
from navviz.ui.compare.page import _overlap
from tests.analysis.test_paired_runs import continuous, discrete, house

OTHERS = "compare_others_harbour/rules"


def texts(at) -> str:
    return "\n".join(
        part.value for kind in ("text", "caption", "markdown") for part in at.get(kind)
    )


def drawn(at) -> str:
    """The sentence and the rows that the page opens with."""
    names = [part.proto for part in at.get("bidi_component")]
    [proto] = [each for each in names if each.component_name == "navviz_run_differences"]
    return str(json.loads(proto.json)["html"])


def player(at) -> dict[str, Any]:
    """The document and the options of the player."""
    [part] = [
        part.proto
        for part in at.get("bidi_component")
        if part.proto.component_name == "navviz_player"
    ]
    message: dict[str, Any] = json.loads(part.bytes.split(b"\n", 1)[1])
    return message


def test_compare_opens_on_the_first_flip_with_the_walk_that_failed_first(page):
    at = page("compare", run="harbour/rules", other="harbour/groke-by-hand")
    html = drawn(at)
    # McNemar's exact p of 4 lost, 0 won refuses nothing, so neither does its interval
    said = "is 40.0 points better than “harbour/groke-by-hand” [-10, 74], n 10, no proven"
    assert said in html
    assert "difference; 4 episodes flip." in html
    assert "40.0 % [12, 74]" in html
    for key in ("3", "7", "8", "13"):
        assert f'data-value="{key}"' in html
    shown = player(at)["document"]
    assert shown["episode"]["id"] == "3"
    assert shown["navigator"] == "groke"
    assert shown["metrics"]["SR"] == 0
    assert shown["compare"]["metrics"]["SR"] == 1
    assert "navigator: rules instead of groke" in html


def test_keys_go_from_flip_to_flip(page):
    at = page("compare", run="harbour/rules", other="harbour/groke-by-hand")
    assert at.button(key="compare_flip_K").disabled
    for key, episode in (("J", "7"), ("J", "8"), ("J", "13"), ("K", "8")):
        at.button(key=f"compare_flip_{key}").click().run()
        assert player(at)["document"]["episode"]["id"] == episode


def test_runs_whole_are_folded_below_and_stand_in_the_address(page):
    at = page("compare", run="harbour/rules", episode="1", other="harbour/rules-local")
    assert not [frame for frame in at.dataframe if "SR 95 %" in frame.value]
    at = page(
        "compare",
        run="harbour/rules",
        episode="1",
        other=["harbour/rules-local", "harbour/random-walker"],
        whole="true",
    )
    names = ["harbour/rules", "harbour/rules-local", "harbour/random-walker"]
    (means,) = [frame.value for frame in at.dataframe if "SR 95 %" in frame.value]
    assert list(means.index) == names
    assert "14 shared episodes; p against harbour/rules" in texts(at)
    (won,) = [frame.value for frame in at.dataframe if "Solved by" in frame.value]
    assert won["Solved by"].tolist() == [
        sum(row[name] == "✓" for name in names) for _, row in won.iterrows()
    ]
    assert len(at.get("plotly_chart")) == 2
    stem = "compare_harbour/rules_harbour/rules-local"
    at.selectbox(key=f"{stem}_baseline").set_value("harbour/rules-local").run()
    assert "p against harbour/rules-local" in texts(at)
    at.selectbox(key=f"{stem}_way").set_value("they differ").run()
    (won,) = [frame.value for frame in at.dataframe if "Solved by" in frame.value]
    assert all(len({row[name] for name in names}) == 2 for _, row in won.iterrows())


def test_figures_and_plans_of_the_episode_stand_below_by_the_names_of_the_runs(page):
    names = ["harbour/groke-by-hand", "harbour/random-walker", "harbour/regex-heuristic"]
    at = page("compare", run=names[0], episode="7", other=names[1:])
    (figures,) = [frame.value for frame in at.dataframe if frame.value.index.name == "figure"]
    assert list(figures.columns) == names
    assert {"outcome", "NE", "SR", "model calls"} <= set(figures.index)
    assert "harbour/random-walker made no plan." in texts(at)
    assert "Before" not in texts(at)  # methods have no before and after
    html = drawn(at)
    assert "3 runs differ on" in html
    assert all(name in html for name in names)


def test_only_runs_that_share_episodes_are_offered(page):
    at = page("compare", run="harbour/rules", episode="1", other="harbour/rules-local")
    offered = at.multiselect(key=OTHERS).options
    assert "harbour/regex-heuristic  (14 shared)" in offered
    assert not [name for name in offered if name.startswith(("house/", "harbour/rules  "))]


def test_previous_and_next_are_those_that_all_walked(page):
    at = page("compare", run="harbour/rules", episode="1", other="harbour/rules-local")
    assert at.button(key="compare_previous").disabled
    at.button(key="compare_next").click().run()
    assert not at.exception
    assert at.query_params["episode"] in ("2", ["2"])
    assert "2 of 14 episodes" in texts(at)


def test_a_walk_of_vlnce_stands_beside_one_of_r2r(page, tmp_path, monkeypatch):
    house(tmp_path)
    discrete(tmp_path)
    continuous(tmp_path)
    monkeypatch.setenv(OPEN_VARIABLE, json.dumps({"data": str(tmp_path)}))
    at = page("compare", run="agent", episode="41_0", other="predictions", whole="true")
    assert "predictions  (2 shared)" in at.multiselect(key="compare_others_agent").options
    shown = texts(at)
    assert "agent beside predictions: 2 episodes paired by path and instruction" in shown
    assert "in _est where they are estimated" in shown
    (figures,) = [frame.value for frame in at.dataframe if frame.value.index.name == "figure"]
    assert figures.loc["SR_est"].tolist() == ["–", "success"]
    assert figures.loc["SR"].tolist() == ["success", "–"]
    (means,) = [frame.value for frame in at.dataframe if "SR_est" in frame.value]
    assert means.loc["predictions", "SR"] == "–"
    assert not at.error


def test_all_compared_runs_stay_in_the_address_which_decides(page):
    first, *others = [
        f"harbour/{name}"
        for name in (
            "rules", "rules-local", "groke-by-hand", "random-walker", "regex-heuristic",
        )
    ]  # fmt: skip
    at = page("compare", run=first, episode="7", other=others)
    assert at.query_params["other"] == others
    at.button(key="compare_next").click().run()
    assert at.query_params["other"] == others
    at.multiselect(key=OTHERS).set_value(["harbour/random-walker"]).run()
    assert at.query_params["other"] in ("harbour/random-walker", ["harbour/random-walker"])
    at.query_params["other"] = ["harbour/regex-heuristic"]  # as the browser's back button does
    at.run()
    assert at.multiselect(key=OTHERS).value == ["harbour/regex-heuristic"]


def test_a_run_that_names_a_folder_above_its_map_may_share_it():
    """``--graphs WORLD`` and the samples' own ``WORLD/osm/graph`` are one map."""
    world = Path("samples") / "harbour"
    assert _overlap([world], [world / "osm" / "graph"])
    assert _overlap([world / "osm" / "graph"], [Path("other"), world])
    assert not _overlap([world / "osm" / "graph"], [world / "osm" / "graph2", Path("harbour")])
    assert not _overlap([], [world])

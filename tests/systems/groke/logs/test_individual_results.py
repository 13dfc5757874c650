"""GROKE's figures for each episode, against ours."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from navviz.errors import InputError
from navviz.formats import open_episodes, open_graph, open_results
from navviz.metrics.score import FigureDifference, compare_figures, score_run
from navviz.systems.groke.logs.individual_results import read_individual_results

PUBLISHED = {
    "12201": (0.0, True, True, 1.0, 1.0),
    "4801": (9.755114563023753, True, True, 0.9764347966376868, 0.9764347966376868),
    "11476": (72.75532686398977, False, False, 0.0, 0.4681335675751977),
    "5285": (9.927640914996607, True, True, 0.972044377707155, 0.972044377707155),
    "4077": (68.97129523287907, False, True, 0.0, 0.4895011030210127),
    "1624": (429.2200158995403, False, False, 0.0, 1.1077063755954145e-06),
    "4130": (112.45466337710383, False, False, 0.0, 0.015761171943851023),
    "2350": (10.1304987398586, True, True, 0.9760452279317654, 0.9760452279317654),
}
"""NE, success, oracle success, SDTW and nDTW of eight episodes, as the file of the published
repository has them.
"""
FIELDS = ("navigation_error", "success", "oracle_success", "sdtw", "ndtw")


def entry(key: str, values: tuple[float, ...]) -> dict[str, object]:
    metrics = dict(zip(FIELDS, values, strict=True))
    missing = {"status": "MISSING", "path_overlap": None, "endpoint_distance": None}
    return {
        "key": key,
        "num_sub_goals": 5,
        "methods": {"json": {"status": "DONE", "nav_metrics": metrics}, "grid": missing},
    }


def write(folder: Path, entries: object) -> Path:
    path = folder / "individual_results.json"
    path.write_text(json.dumps(entries))
    return path


def test_figures_are_read_by_method_and_episode_and_infinite_ones_left_out(tmp_path):
    still = entry("7", (float("inf"), False, False, 0.0, 1.0))
    found = read_individual_results(write(tmp_path, [entry("4801", PUBLISHED["4801"]), still]))
    assert set(found) == {"json"}
    assert found["json"]["4801"]["NE"] == pytest.approx(9.755, abs=1e-3)
    assert found["json"]["7"] == {"SR": 0.0, "OSR": 0.0, "SDTW_groke": 0.0, "nDTW_groke": 1.0}


def test_every_difference_is_told():
    published = {"a": {"NE": 1.0, "SR": 1.0}, "b": {"NE": 2.0}, "c": {"NE": 3.0}}
    count, found = compare_figures(published, {"a": {"NE": 1.0005, "SR": 0.0}, "b": {"NE": None}})
    assert count == 2
    assert found == [FigureDifference("a", "SR", 1.0, 0.0), FigureDifference("b", "NE", 2.0, None)]


def test_a_figure_may_differ_by_the_tolerance_and_no_more():
    published = {"a": {"NE": 1.0}}
    assert compare_figures(published, {"a": {"NE": 1.5}}, tolerance=0.5) == (1, [])
    assert compare_figures(published, {"a": {"NE": 0.5}}, tolerance=0.5) == (1, [])
    assert compare_figures(published, {"a": {"NE": 0.25}}, tolerance=0.5)[1] == [
        FigureDifference("a", "NE", 1.0, 0.25)
    ]
    assert compare_figures(published, {"a": {"NE": 1.0011}})[1] == [
        FigureDifference("a", "NE", 1.0, 1.0011)
    ]
    assert compare_figures(published, {"a": {}})[1] == [FigureDifference("a", "NE", 1.0, None)]


def test_each_episode_keeps_the_figures_of_each_method(tmp_path):
    one, two = entry("1", (1.5, True, False, 0.25, 0.5)), entry("2", (2.5, False, True, 0.0, 0.75))
    nameless = {name: value for name, value in one.items() if name != "key"}
    two["methods"]["textual"] = {"nav_metrics": {"sdtw": 1, "ndtw": "0.5", "success": None}}
    results = read_individual_results(write(tmp_path, [one, nameless, {**two, "key": 2}]))
    assert results == {
        "json": {
            "1": {"NE": 1.5, "SR": 1.0, "OSR": 0.0, "SDTW_groke": 0.25, "nDTW_groke": 0.5},
            "2": {"NE": 2.5, "SR": 0.0, "OSR": 1.0, "SDTW_groke": 0.0, "nDTW_groke": 0.75},
        },
        "textual": {"2": {"SDTW_groke": 1.0, "nDTW_groke": 0.5}},
    }


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("{", r"^x\.json: is no JSON .*; choose individual_results\.json\.$"),
        *((text, r"^x\.json: holds no figures by episode and method; choose individual_results\.json\.$")
          for text in ("{}", "null", "[]", "[1]", '[{"key": "1"}]')),
    ],
)  # fmt: skip
def test_another_file_is_refused(tmp_path, content, says):
    path = tmp_path / "x.json"
    path.write_text(content)
    with pytest.raises(InputError, match=says):
        read_individual_results(path)


@pytest.mark.data
def test_the_published_figures_are_ours_to_the_last_digit(data_dir, tmp_path):
    figures = read_individual_results(
        write(tmp_path, [entry(key, values) for key, values in PUBLISHED.items()])
    )["json"]
    graph = open_graph(data_dir / "map2seq")
    known = open_episodes(data_dir / "map2seq" / "splits" / "test_seen.json").episodes
    (run,) = open_results(
        data_dir / "groke" / "paper_results" / "test_seen_json.json", graph, known
    )
    count, differences = compare_figures(figures, score_run(run, graph).rows, tolerance=1e-6)
    assert count == len(PUBLISHED)
    assert differences == []

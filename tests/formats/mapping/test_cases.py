"""Logs of strangers that were once read wrongly: each gives its right values by the guess alone."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import navviz
from navviz.errors import Problems
from navviz.formats.mapping.engine import read_log
from navviz.formats.mapping.guess import guess
from navviz.formats.mapping.model import save_mapping
from navviz.metrics.free_walks import free_scores

EXACT = 1e-3
"""Lengths are those of a sphere; a tenth of a percent is close enough."""
WALKS: dict[str, tuple[str, dict[str, float]]] = {
    "alfred-trials": ("unity", {"trial_T0": 1.5, "trial_T1": 0.75}),
    "directions-of-routers/google.json": ("latlon", {"0": 683.9}),
    "directions-of-routers/osrm.json": ("lonlat", {"osrm": 683.9}),
    "geojson-without-instruction/isar.geojson": ("lonlat", {"isar": 5318.6}),
    "geojson-without-instruction/short.geojson": ("lonlat", {"short": 519.2}),
    "lerobot-parquet/episode_000000.parquet": ("enu", {"0": 1.9, "1": 1.9, "2": 1.9}),
    "pose-tables/walk.tum": ("enu", {"walk": 1.9}),
    "pose-tables/track.plt": ("latlon", {"track": 301.7}),
    "pose-tables/odom.csv": ("enu", {"odom": 2.124}),
    "trips-of-one-vehicle/positions.csv": (
        "latlon",
        {"1091": 1164.8, "1107": 1164.7, "1095": 1164.6, "1111": 1164.5},
    ),
    "walk-in-a-cell/taxi.csv": (
        "lonlat",
        {"137263685860": 1125.2, "137263685861": 1125.1, "137263685862": 1125.1},
    ),
    "x-z-yaw-steps/traj": ("habitat", {"31": 3.0, "44": 2.0}),
}
ROUTE = "Set out along Alder Row. Turn at the smithy into Birch Row. Turn again into Cedar Row."


@pytest.fixture
def cases(data_dir: Path) -> Path:
    """Return the folder of small logs that were read wrongly."""
    return data_dir / "cases"


@pytest.mark.parametrize("name", WALKS)
def test_a_log_of_strangers_gives_its_walks(name: str, cases: Path, tmp_path: Path) -> None:
    frame, lengths_m = WALKS[name]
    path = tmp_path / Path(name).name
    copy = shutil.copytree if (cases / name).is_dir() else shutil.copyfile
    copy(cases / name, path)
    mapping = guess(path)
    assert mapping.walk.frame == frame
    save_mapping(mapping, path)
    traces = navviz.open_run(path).traces
    measured = {key: free_scores(trace)["TL"] for key, trace in traces.items() if trace.steps}
    assert measured == pytest.approx(lengths_m, rel=EXACT * 2)


def test_figures_of_ids_that_are_lists_are_as_recorded(cases: Path) -> None:
    path = cases / "id-is-a-list/cases.jsonl"
    traces = read_log(guess(path), path, None, None, Problems())
    assert list(traces) == [
        "northtown_block_5_1_0",
        "northtown_block_5_1_2",
        "millford_block_2_4_1",
    ]
    assert not any(trace.steps for trace in traces.values())
    scores = [free_scores(trace) for trace in traces.values()]
    means = {}
    for name in ("SR_rec", "OSR_rec", "NE_rec", "SPL_rec", "TL_rec"):
        means[name] = sum(float(each[name] or 0.0) for each in scores) / 3
    right = {"SR_rec": 1 / 3, "OSR_rec": 2 / 3, "NE_rec": 46.83, "SPL_rec": 0.306, "TL_rec": 209.03}
    assert means == pytest.approx(right, rel=EXACT * 2)


def test_starts_instructions_and_headings_are_right(cases: Path) -> None:
    walks = {}
    for name in ("alfred-trials", "directions-of-routers/google.json", "pose-tables/odom.csv"):
        path = cases / name
        walks[name] = next(iter(read_log(guess(path), path, None, None, Problems()).values()))
    assert walks["alfred-trials"].steps[0].position[:2] == (1.25, -0.75)  # type: ignore[index]
    assert walks["alfred-trials"].episode.instruction == "Bring the mug to the desk."
    assert walks["directions-of-routers/google.json"].episode.instruction == ROUTE
    # 26.6 degrees left of +x, which is east
    assert walks["pose-tables/odom.csv"].steps[0].heading_deg == pytest.approx(90 - 26.56, abs=0.01)


def test_an_empty_line_is_named(cases: Path) -> None:
    path, problems = cases / "walk-in-a-cell/taxi.csv", Problems()
    read_log(guess(path), path, None, None, problems)
    (problem,) = problems.kept
    assert str(problem).startswith("taxi.csv, entry 3, episode 137263685863: has neither a walk")

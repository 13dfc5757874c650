"""Runs and episodes in pairs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import navviz
from navviz.analysis.paired_runs import compare_runs, pair_episodes, paired_with
from navviz.analysis.significance import paired_result
from navviz.formats import open_episodes
from navviz.metrics.walked import with_walks
from navviz.records import Episode
from navviz.records.folding import own_places
from navviz.runs.opened import OpenRun
from navviz.views.player.document import replay_document
from tests.command import invoke
from tests.formats.vlnce import made

A, B = "a" * 32, "b" * 32


def house(folder: Path) -> Path:
    """Write the house of `made`: two viewpoints, 4 m apart along the walk."""
    viewpoints = []
    for name, y_m in ((A, 0.0), (B, 4.0)):
        pose = [1, 0, 0, 0, 0, 1, 0, y_m, 0, 0, 1, 2.0, 0, 0, 0, 1]
        seen = [name != A, name != B]
        viewpoints.append(
            {"image_id": name, "pose": pose, "included": True, "unobstructed": seen, "height": 1.5}
        )
    return made.write(folder / "connectivity" / f"{made.SCAN}_connectivity.json", viewpoints).parent


def discrete(folder: Path) -> Path:
    """Write episodes and results of R2R: three instructions, two of which VLN-CE has."""
    entry = {"scan": made.SCAN, "path": [A, B], "heading": 0.0, "distance": 4.0}
    entries = [
        {**entry, "path_id": 41, "instructions": ["Go ahead,  number 1.", "Another text."]},
        {**entry, "path_id": 42, "instructions": ["go ahead, number 2."]},
    ]
    made.write(folder / "r2r" / "R2R_val_seen.json", entries)
    walks = []
    for name in ("41_0", "41_1", "42_0"):
        walks.append({"instr_id": name, "trajectory": [[A, 0.0, 0.0], [B, 0.0, 0.0]]})
    return made.write(folder / "r2r" / "agent.json", walks)


def continuous(folder: Path) -> tuple[Path, Path]:
    """Write episodes of VLN-CE with a walk and with figures of each; the third has no partner."""
    made.split(folder / "ce", 3)
    figures = {str(k): made.figures(float(k == 1)) for k in range(1, 4)}
    return (
        made.write(folder / "ce" / "predictions.json", made.predictions(3)),
        made.write(folder / "ce" / "stats_ep_ckpt_0_val_seen_r0_w1.json", figures),
    )


@pytest.fixture
def runs(tmp_path: Path) -> tuple[OpenRun, OpenRun, OpenRun]:
    graphs = house(tmp_path)
    first, walks, figures = discrete(tmp_path), *continuous(tmp_path)
    episodes = tmp_path / "ce" / "val_seen.json.gz"
    opened = navviz.open_run(walks, graphs=graphs, episodes=episodes)
    recorded = navviz.open_run(figures, graphs=graphs, episodes=episodes)
    return navviz.open_run(first, graphs=graphs), opened, recorded


def test_the_second_goes_by_the_ids_of_the_first(runs: tuple[OpenRun, OpenRun, OpenRun]) -> None:
    first, second, _ = runs
    paired = paired_with(first, second)
    assert paired.pairs is not None
    assert list(paired.traces) == ["41_0", "42_0"]
    assert paired.trace("42_0").episode.id == "2"
    assert paired.scores.rows["42_0"] == second.scores.rows["2"]
    assert "1 of the first and 1 of the second run have no partner" in paired.pairs.sentence
    assert len(paired.graph("41_0")) > 2, "with the poses of its walk"
    assert paired_with(first, first) is first
    assert paired_with(second, second) is second


def test_whole_runs_keep_estimated_and_recorded_apart(
    runs: tuple[OpenRun, OpenRun, OpenRun],
) -> None:
    compared = compare_runs(dict(zip(("r2r", "walks", "figures"), runs, strict=True)))
    assert compared.episodes == ("41_0", "42_0")
    assert len(compared.notes) == 2
    assert compared.notes[0].startswith("agent beside predictions: 2 episodes paired")
    assert compared.means["SR"] == {"r2r": 1.0, "walks": None, "figures": None}
    assert compared.means["SR_est"] == {"r2r": None, "walks": 1.0, "figures": None}
    assert compared.means["SR_rec"] == {"r2r": None, "walks": None, "figures": 0.5}
    assert set(compared.family) >= {"SR", "SR_rec", "SR_est"}
    # runs of continuous space alone have no SR that could be shown or tested
    free = compare_runs({"walks": runs[1], "again": runs[1]})
    assert "SR_est" in free.family
    assert "SR" not in free.family


def test_both_walks_stand_on_one_floor(runs: tuple[OpenRun, OpenRun, OpenRun]) -> None:
    first, second, _ = runs
    paired = paired_with(first, second)
    (walk,) = own_places([paired.trace("41_0")])
    assert walk.path == ("walk 2: pose 0", "walk 2: pose 2")
    assert walk.episode.reference_path == ("walk 2: reference 1", "walk 2: reference 2")
    graph = with_walks(first.graph("41_0"), [walk])
    assert graph.position("walk 2: pose 2") == (0.0, 2.5, 0.5)
    document = replay_document(first.trace("41_0"), graph, compare=walk)
    assert document["compare"]["steps"]
    assert own_places([first.trace("41_0")]) == [first.trace("41_0")]


def test_two_free_walks_share_no_pose(tmp_path: Path) -> None:
    graphs = house(tmp_path)
    walks, _ = continuous(tmp_path)
    expert = made.write(tmp_path / "ce" / "val_seen_gt.json.gz", {"1": made.expert()})
    episodes = tmp_path / "ce" / "val_seen.json.gz"
    first = navviz.open_run(expert, graphs=graphs, episodes=episodes)
    second = navviz.open_run(walks, graphs=graphs, episodes=episodes)
    (walk,) = own_places([second.trace("1")])
    graph = with_walks(first.graph("1"), [walk])
    assert graph.position("pose 2") == (0.0, 0.5, 0.5)
    assert graph.position("walk 2: pose 2") == (0.0, 2.5, 0.5)


def test_the_command_says_how_many_are_paired(tmp_path: Path) -> None:
    graphs = house(tmp_path)
    first, (_, figures) = discrete(tmp_path), continuous(tmp_path)
    given = ["compare", str(first), str(figures), "--graphs", str(graphs), "--format", "json"]
    result = invoke(*given)
    assert result.exit_code == 0, result.output
    assert "2 episodes paired by path and instruction" in result.stderr
    document = json.loads(result.stdout)
    assert document["episodes"] == 2
    assert document["means"]["SR_rec"]["stats_ep_ckpt_0_val_seen_r0_w1"]["mean"] == 0.5


def _asked(name: str, text: str, path: str | None = "7", world: str = "a") -> Episode:
    return Episode(id=name, dataset="d", instruction=text, world=world, start="s", path_id=path)


def test_path_house_and_text_make_a_pair() -> None:
    first = [_asked("7_0", "Go  on."), _asked("7_1", "Stop."), _asked("8_0", "Go on.", "8")]
    second = [_asked("1", "go on. "), _asked("2", "Go on.", None), _asked("3", "Stop.", world="b")]
    found = pair_episodes({e.id: e for e in first}, {e.id: e for e in second})
    assert found.pairs == (("7_0", "1"),)
    assert (found.only_first, found.only_second) == (("7_1", "8_0"), ("2", "3"))
    assert found.sentence == (
        "1 episode paired by path and instruction; 2 of the first and 2 of the second run have no"
        " partner."
    )


def test_the_same_question_twice_has_two_partners() -> None:
    episodes = {name: _asked(name, "Go on.") for name in ("a", "b")}
    found = pair_episodes(episodes, {"1": _asked("1", "Go on.")})
    assert found.pairs == (("a", "1"),)
    assert found.only_first == ("b",)


@pytest.mark.data
def test_nearly_all_of_val_seen_has_its_partner(data_dir: Path) -> None:
    discrete = open_episodes(data_dir / "r2r" / "R2R_val_seen.json").episodes
    continuous = open_episodes(data_dir / "vlnce" / "val_seen" / "val_seen.json.gz").episodes
    found = pair_episodes(discrete, continuous)
    assert len(found.pairs) >= 775
    for a, b in found.pairs:
        assert discrete[a].world == continuous[b].world


def test_pairs_by_hand() -> None:
    before = {"a": 0.0, "b": 0.0, "c": 1.0, "d": 1.0, "e": None, "g": 0.0}
    after = {"a": 1.0, "b": 1.0, "c": 0.0, "d": 1.0, "e": 1.0, "f": 1.0, "g": 1.0}
    pairs = paired_result(before, after, ["a", "b", "c", "d", "e", "f", "g"])
    assert pairs is not None
    assert (pairs.gained, pairs.lost, pairs.unpaired) == (("a", "b", "g"), ("c",), ("e", "f"))
    assert pairs.n == 5
    assert (pairs.before.mean, pairs.after.mean) == (0.4, 0.8)
    assert pairs.change.mean == pytest.approx(0.4)
    # three of four flips one way: 2 * (4 + 1) / 16
    assert pairs.p == pytest.approx(0.625)


def test_without_a_pair_there_is_no_result() -> None:
    assert paired_result({"a": None}, {"a": 1.0}, ["a"]) is None
    assert paired_result({}, {}, []) is None


def test_nothing_flips() -> None:
    pairs = paired_result({"a": 1.0}, {"a": 1.0}, ["a"])
    assert pairs is not None
    assert (pairs.gained, pairs.lost, pairs.p) == ((), (), 1.0)
    assert pairs.change.low is None
    three = paired_result(dict.fromkeys("abc", 1.0), dict.fromkeys("abc", 1.0), "abc")
    assert three is not None
    assert (three.change.low, three.change.high) == pytest.approx((-0.7076, 0.7076), abs=1e-4)

"""Each real file of other projects opens; it is scored where it can be, and replays where it walks."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import navviz
from navviz.formats import open_episodes, open_graph
from navviz.formats.mapping.guess import guess
from navviz.formats.mapping.model import save_mapping
from navviz.runs.opened import OpenRun, from_path, load
from navviz.views.player.document import replay_document
from tests.nights import by_day

pytestmark = pytest.mark.data

HOUSES = "mp3d_all/connectivity"
EPISODES = {
    "vlnce/val_seen/val_seen.json.gz": 778,
    "wild/ndh/NDH_val_seen.json": 382,
    "wild/touchdown/data/manh50_dev.json": 200,
    "wild/touchdown/data/velma_dev.json": 300,
}
RESULTS: dict[str, tuple[str, int, dict[str, float]]] = {
    # file: (its episodes, walks or figures, means as published or in the file of means beside it)
    "vlnce/val_seen/val_seen_gt.json.gz": (
        "vlnce/val_seen/val_seen.json.gz", 778, {"SR_est": 1.0, "nDTW_dense": 1.0},
    ),
    "vlnce/results/vlnbert_stats_ep_ckpt_0_val_seen_r0_w1.json": (
        "vlnce/val_seen/val_seen.json.gz", 778,
        {"SR_rec": 0.4974, "SPL_rec": 0.4372, "NE_rec": 5.0196, "nDTW_rec": 0.5766},
    ),
    "vlnce/results/cma_stats_ep_ckpt_0_val_seen_r0_w1.json": (
        "vlnce/val_seen/val_seen.json.gz", 778, {},
    ),
    "wild/ndh/ndh_val_seen_results.json": ("wild/ndh/NDH_val_seen.json", 382, {"GP": 0.6636}),
    "wild/ndh/NDH_val_seen.json": ("", 382, {"GP": 7.6281}),
    "wild/r2r_seq2seq/seq2seq_val_seen.json": ("r2r/R2R_val_seen.json", 1021, {"SR": 0.6611}),
}  # fmt: skip


def _replays(run: OpenRun) -> None:
    walked = next((key for key, trace in run.traces.items() if trace.steps), None)
    if walked is None:
        return
    graph = run.graph(walked)
    document: dict[str, Any] = replay_document(
        run.trace(walked), graph, metrics=dict(run.scores.rows[walked])
    )
    assert len(document["steps"]) == len(run.trace(walked).steps)


@pytest.mark.parametrize("name", EPISODES)
def test_episodes_open(data_dir: Path, name: str) -> None:
    read = open_episodes(data_dir / name)
    assert (len(read), read.problems.count) == (EPISODES[name], 0)
    assert all(episode.instruction for episode in read.episodes.values())


NIGHTLY = {
    "vlnce/val_seen/val_seen_gt.json.gz",
    "vlnce/results/cma_stats_ep_ckpt_0_val_seen_r0_w1.json",
    "vlnce/results/vlnbert_stats_ep_ckpt_0_val_seen_r0_w1.json",
}
"""`test_vlnce` reads the first and the last by day, and the second differs from the last in its
figures only.
"""


@pytest.mark.parametrize("name", by_day(RESULTS, RESULTS.keys() - NIGHTLY))
def test_results_open_are_scored_and_replay(data_dir: Path, name: str) -> None:
    split, count, means = RESULTS[name]
    episodes = data_dir / split if split else None
    run = navviz.open_run(data_dir / name, graphs=data_dir / HOUSES, episodes=episodes)
    assert len(run.traces) == count
    for metric, mean in means.items():
        assert run.scores.means[metric] == pytest.approx(mean, abs=5e-5), metric
    _replays(run)


def test_the_street_graph_opens_with_its_episodes(data_dir: Path) -> None:
    folder = data_dir / "wild" / "touchdown"
    graph = open_graph(folder / "graph")
    (source,) = from_path(folder / "data" / "velma_dev.json", folder / "graph")
    run = load(source)
    assert len(run.traces) == 300
    assert all(trace.episode.start in graph for trace in run.traces.values())


def test_a_home_made_log_opens_without_a_correction(data_dir: Path, tmp_path: Path) -> None:
    path = tmp_path / "test_debate_v5.json"
    path.write_bytes((data_dir / "wild" / "habitat_vln" / path.name).read_bytes())
    save_mapping(guess(path), path)
    run = navviz.open_run(path, graphs=data_dir / HOUSES)
    assert (len(run.traces), run.problems.count) == (3, 0)
    # the means that the log itself gives
    assert run.scores.means["nDTW_rec"] == pytest.approx(0.42959, abs=5e-6)
    assert run.scores.means["NE_rec"] == pytest.approx(4.06542, abs=5e-6)
    assert run.scores.means["TL_rec"] == pytest.approx(9.09804, abs=5e-6)
    _replays(run)


def test_no_real_file_is_forgotten(data_dir: Path) -> None:
    listed = {*EPISODES, *RESULTS, "wild/habitat_vln/test_debate_v5.json"}
    means = {f"vlnce/results/{agent}_stats_ckpt_0_val_seen.json" for agent in ("cma", "vlnbert")}
    graph = {f"wild/touchdown/graph/{name}.txt" for name in ("nodes", "links")}
    there = set[str]()
    for folder in ("wild", "vlnce"):
        files = (data_dir / folder).rglob("*")
        there |= {str(path.relative_to(data_dir)) for path in files if path.is_file()}
    # files of means stand beside the figures that they are of, and are checked against them
    assert there <= listed | means | graph

"""Map efficiency: by hand, its edges, and the measured level of the shortest-path oracle."""

import pytest

from navviz.formats import open_episodes, open_worlds
from navviz.records import Episode, Step, Trace, TraceHeader
from navviz.systems.msnav.place_map.memory import memory_of, remembered
from navviz.systems.msnav.replayed import map_efficiency, memory_efficiency, score_map


def test_equation_6_by_hand():
    """Three of four viewpoints stood on, a map of eight nodes: 3/4 / (1 + 0.25 * 8 / 4) = 0.5."""
    assert map_efficiency(["a", "b", "c", "x", "a"], ["a", "b", "c", "d"], 8) == pytest.approx(0.5)
    assert map_efficiency(["x"], ["a"], 4) == 0
    assert map_efficiency(["a"], ["a"], 0) == 1


def test_without_a_reference_there_is_none():
    assert map_efficiency(["a"], [], 3) is None


def test_a_pruned_place_counts_only_when_it_came_back():
    line = {f"v{k}": [f"v{j}" for j in (k - 1, k + 1) if 0 <= j < 20] for k in range(20)}
    path = [f"v{k}" for k in range(16)]
    memory = remembered(path, line, None)
    assert (len(memory.nodes), len(memory.explored)) == (17, 16)
    from navviz.systems.msnav.place_map.memory import PAPER

    pruned = remembered(path, line, PAPER)
    assert (len(pruned.nodes), len(pruned.explored)) == (16, 15)
    pruned.arrive("v0", line["v0"])
    assert "v0" in pruned.nodes


@pytest.mark.data
def test_the_oracle_on_val_seen(data_dir):
    """Measured for the specification: ME 58.79 %, ME_explored 80 %, means of |T_exp| 6.045 and |V|
    17.34.
    """
    worlds = open_worlds(data_dir / "mp3d" / "connectivity")
    episodes = open_episodes(data_dir / "r2r" / "R2R_val_seen.json").episodes.values()
    paths = {e.path_id: e for e in episodes if e.world in worlds.names}
    assert len(paths) == 245
    rows, sizes = [], []
    for episode in paths.values():
        memory = memory_of(episode.reference_path, worlds(episode.world), None)
        rows.append(memory_efficiency(memory, episode.reference_path))
        sizes.append(len(memory.nodes))
    assert sum(row["ME"] or 0 for row in rows) / 245 == pytest.approx(0.5879, abs=5e-5)
    assert all(row["ME_explored"] == pytest.approx(0.8) for row in rows)
    assert sum(sizes) / 245 == pytest.approx(17.34, abs=0.005)
    assert sum(len(set(e.reference_path)) for e in paths.values()) / 245 == pytest.approx(
        6.045, abs=5e-4
    )


@pytest.mark.data
def test_a_trace_is_scored_by_its_own_map(data_dir):
    worlds = open_worlds(data_dir / "mp3d" / "connectivity")
    episodes = open_episodes(data_dir / "r2r" / "R2R_val_seen.json").episodes.values()
    episode = next(e for e in episodes if e.world in worlds.names)
    graph = worlds(episode.world)
    path = episode.reference_path
    steps = (Step(index=1, node=path[0], path=path),)
    trace = Trace(header=TraceHeader(episode=episode, navigator="oracle"), steps=steps)
    scores = score_map(trace, graph)
    assert scores["ME_explored"] == pytest.approx(0.8)
    off = Episode(id="x", dataset="drawn", instruction="go", start=path[0])
    drawn = Trace(header=TraceHeader(episode=off, navigator="oracle"), steps=steps)
    assert score_map(drawn, graph) == {"ME": None, "ME_explored": None}

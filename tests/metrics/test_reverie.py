"""REVERIE's metrics: by hand, and its goal sets on real houses."""

from __future__ import annotations

from dataclasses import replace

import pytest

from navviz.errors import Problems
from navviz.formats import open_episodes, open_worlds
from navviz.formats.houses import read_objects
from navviz.metrics.reverie import METRICS, reverie_scores, score_reverie
from navviz.records import Step, Trace, TraceHeader


def test_by_hand():
    """The agent passes a viewpoint that sees the object, goes 3 m too far, and names the right
    object.
    """
    scores = reverie_scores(
        ["a", "b", "c"], {"b"}, length_m=8.0, reference_m=5.0, named="7", target="7"
    )
    assert scores == {"SR_reverie": 0, "OSR_reverie": 1, "SPL_reverie": 0, "RGS": 1, "RGSPL": 5 / 8}
    stopped = reverie_scores(["a", "b"], {"b"}, 5.0, 5.0, "8", "7")
    assert stopped == {"SR_reverie": 1, "OSR_reverie": 1, "SPL_reverie": 1, "RGS": 0, "RGSPL": 0}


def test_a_shorter_walk_than_the_reference_gets_no_more_than_one():
    assert reverie_scores(["b"], {"b"}, 2.0, 5.0)["SPL_reverie"] == 1


def test_edges():
    nothing = reverie_scores(["a"], (), 0.0, 0.0)
    assert nothing == {metric.name: None for metric in METRICS}
    still = reverie_scores(["a"], {"a"}, 0.0, 0.0, "1", "1")
    assert (still["SR_reverie"], still["SPL_reverie"], still["RGSPL"]) == (1, 0, 0), (
        "as the published script divides"
    )
    assert reverie_scores([], {"a"}, 0.0, 0.0)["SR_reverie"] is None


@pytest.mark.data
def test_on_val_seen_every_task_has_a_goal_set_that_holds_the_end_of_its_path(data_dir):
    worlds = open_worlds(data_dir / "mp3d_all" / "connectivity")
    episodes = open_episodes(data_dir / "reverie" / "REVERIE_val_seen.json").episodes.values()
    houses: dict[str, object] = {}
    sizes = []
    for episode in episodes:
        if episode.world not in houses:
            houses[episode.world] = read_objects(data_dir / "reverie", episode.world, Problems())
        objects = houses[episode.world]
        if not objects:
            continue
        goals = objects.visible_from(str(episode.extra["objId"]))  # type: ignore[attr-defined]
        assert goals
        assert episode.reference_path[-1] in goals
        sizes.append(len(goals))
        if len(sizes) == 1:
            graph = worlds(episode.world)
            graph = replace(graph, info=replace(graph.info, visible_objects=objects))
            header = TraceHeader(
                episode=episode, navigator="x", settings={"predObjId": episode.extra["objId"]}
            )
            step = Step(index=1, node=episode.start, path=episode.reference_path)
            scores = score_reverie(Trace(header=header, steps=(step,)), graph)
            assert all(value == pytest.approx(1.0) for value in scores.values())
            plain = episode.model_copy(update={"extra": {}})
            assert (
                score_reverie(Trace(header=header.model_copy(update={"episode": plain})), graph)
                == {}
            )
    assert len(sizes) > 100
    assert 1 < sum(sizes) / len(sizes) < 4

"""SkillNav's stand-in on Room-to-Room: better than chance, and measured as README says.

`tools/bench` has no part in it: the figure is a rate, not a time. The floor is the full figure less
three standard errors of a sample of this size.
"""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from navviz.formats import open_episodes, open_worlds
from navviz.language.skills import skill_that_ran
from navviz.metrics.path import Ruler, score_path
from navviz.records import Episode, TraceHeader
from navviz.records.trace_files import fold
from navviz.systems.registry import get_navigator, settings_from
from navviz.world.graph import Graph

pytestmark = pytest.mark.data

SAMPLE = 75


@pytest.fixture(scope="module")
def houses(data_dir, tmp_path_factory):
    """The 80 houses with NavGPT's public texts beside them."""
    folder = tmp_path_factory.mktemp("houses")
    (folder / "connectivity").symlink_to((data_dir / "mp3d_all" / "connectivity").resolve())
    for name in ("observations_list_summarized", "observations_summarized", "objects_list"):
        (folder / name).symlink_to((data_dir / "navgpt_text" / name).resolve())
    return open_worlds(folder / "connectivity")


@pytest.fixture(scope="module")
def episodes(data_dir, houses):
    found = open_episodes(data_dir / "r2r" / "R2R_val_seen.json").episodes.values()
    there = [episode for episode in found if episode.start in houses(episode.world)]
    return random.Random(10).sample(there, SAMPLE)


def rate(
    name: str, episodes: list[Episode], houses: Callable[[str], Graph], **settings: object
) -> float:
    navigator = get_navigator(name)
    chosen = settings_from(navigator, settings)
    reached = 0.0
    for episode in episodes:
        graph = houses(episode.world)
        events = navigator.navigate(episode, graph, None, chosen)
        trace = fold([TraceHeader(episode=episode, navigator=name), *events])
        reached += score_path(trace.path, episode, Ruler(graph))["SR"] or 0.0
    return reached / len(episodes)


@pytest.mark.nightly
def test_the_rules_beat_chance(episodes, houses):
    rules = rate("skillnav-rules", episodes, houses)
    chance = rate("random-walker-indoors", episodes, houses)
    assert rules > chance
    assert rules >= 0.11


def test_goal_and_reference_path_are_not_used(episodes, houses):
    navigator = get_navigator("skillnav-rules")
    for each_episode in episodes[:20]:
        bare = each_episode.model_copy(update={"reference_path": (), "goal": None, "extra": {}})
        paths = []
        for task in (each_episode, bare):
            events = navigator.navigate(
                task, houses(each_episode.world), None, navigator.settings_type()
            )
            trace = fold([TraceHeader(episode=task, navigator="skillnav-rules"), *events])
            paths.append((trace.path, [skill_that_ran(step) for step in trace.steps]))
        assert paths[0] == paths[1]

"""The repair of a way that NavGPT's published text leaves out: it is written, and nothing else."""

import re

import numpy as np
import pytest

from navviz.analysis.causes.engine import explain_episode
from navviz.records import Episode, RepairPlan, TraceHeader
from navviz.records.trace_files import fold
from navviz.systems.navgpt.navigator import NavGpt, NavGptSettings
from navviz.systems.navgpt.prompts.text import published_text, published_ways
from navviz.world.graph import Graph
from tests.repairs import walk_repaired
from tests.systems.navgpt.test_navigator import DONE, Scripted, go, prompt

HIDDEN = RepairPlan(kind="unhide_way", step=1, parameters={"node": "way-m", "to": "way-a"})


@pytest.fixture
def star():
    """m in the middle; a at 340 degrees, b at 350, c at 90, each some metres away."""
    headings = np.radians([340.0, 350.0, 90.0])
    around = np.column_stack([9 * np.sin(headings), 9 * np.cos(headings), np.full(3, 1.5)])
    around[1] *= (3.0, 3.0, 1.0)  # b is too far from a to count as the goal
    pairs = [(0, 1), (0, 2), (0, 3), (1, 0), (2, 0), (3, 0)]
    return Graph(
        name="star",
        frame="metric",
        ids=["way-m", "way-a", "way-b", "way-c"],
        positions=np.vstack([[0, 0, 1.5], around]),
        sources=np.array([a for a, _ in pairs], np.int32),
        targets=np.array([b for _, b in pairs], np.int32),
    )


@pytest.fixture
def wrong(star):
    episode = Episode(
        id="1", dataset="toy", instruction="Go on.", start="way-m", goal="way-a", success_radius_m=3.0,
        reference_path=("way-m", "way-a"), start_heading_deg=0.0,
    )  # fmt: skip
    settings = NavGptSettings(as_published=True, blind=True)
    header = TraceHeader(
        run="first",
        episode=episode,
        navigator="navgpt",
        model="scripted",
        settings=settings.model_dump(mode="json"),
    )
    events = NavGpt().navigate(episode, star, Scripted([go("way-b"), DONE]), settings)
    return fold([header, *events])


def test_the_cause_names_the_repair_and_the_navigator_takes_it(star, wrong):
    cause = explain_episode(wrong, star).leading
    assert cause is not None
    assert cause.repair is not None
    assert (cause.repair.kind, cause.repair.parameters) == (HIDDEN.kind, HIDDEN.parameters)
    assert "unhide_way" in NavGpt.repairs


def test_the_way_is_shown_from_that_step_on(star, wrong):
    llm = Scripted([go("way-a"), DONE])
    llm.name = "scripted"
    walk = walk_repaired(wrong, star, HIDDEN, llm)
    assert walk.path == ("way-m", "way-a")
    before = wrong.steps[0].observation.candidates
    after = walk.steps[0].observation.candidates
    assert [way.node for way in before] == ["way-b", "way-c"]
    assert sorted(way.node for way in after) == ["way-a", "way-b", "way-c"]
    assert "way-a" in prompt(walk, 0).split("Navigable Viewpoints", 1)[1]
    assert walk.header.forked_from.repair == HIDDEN


def test_the_published_text_gains_that_way_and_nothing_else(star):
    ways = published_ways(star, "way-m")
    plain = published_text([""] * 8, [()] * 8, ways, 0.0)
    shown = published_text([""] * 8, [()] * 8, ways, 0.0, unhidden="way-a")
    assert "'way-a': 'left 20.00, 9.00m'" in shown
    assert re.sub(r"'way-a': '[^']*', ", "", shown) == plain
    assert published_text([""] * 8, [()] * 8, ways, 0.0, unhidden="way-c") == plain

"""How often the rules succeed on real instructions that nothing was learned from.

A fixed sample of Map2Seq's `test_seen` keeps this quick; `tools/bench/test_rules_bench.py` walks
all 700 and holds the floors of the specification (80 %, 76 % without the length prior, 48 % for
`rules-local`). The floors here are the full figures less what chance may take from a sample of this
size (three standard errors). At night the sample is twice as large.
"""

import json
import random
from importlib import resources

import pytest

from navviz.formats import open_episodes, open_graph
from navviz.systems.registry import get_navigator
from navviz.systems.rules.navigator import navigability
from tests.systems.rules.rates import success_rate, successes

pytestmark = pytest.mark.data

SAMPLES = (45, pytest.param(90, marks=pytest.mark.nightly))
FLOORS = {
    45: {("rules", False): 0.73, ("rules-local", True): 0.48, ("rules", True): 0.76},
    90: {("rules", False): 0.76, ("rules-local", True): 0.54, ("rules", True): 0.81},
}
"""Of a sample of this size, by navigator and length prior."""


@pytest.fixture(scope="module")
def graph(data_dir):
    return open_graph(data_dir / "map2seq" / "osm" / "graph")


@pytest.fixture(scope="module", params=SAMPLES)
def episodes(data_dir, request):
    found = list(
        open_episodes(data_dir / "map2seq" / "splits" / "test_seen.json").episodes.values()
    )
    return random.Random(7).sample(found, request.param)


@pytest.fixture(scope="module")
def succeeded(graph, episodes):
    """Whether `rules` reached the goal, by episode."""
    reached = successes(graph, episodes, "rules", length_prior=True)
    return dict(zip((episode.id for episode in episodes), reached, strict=True))


@pytest.mark.parametrize(("name", "length_prior"), [("rules", False), ("rules-local", True)])
def test_success_on_held_out_instructions(graph, episodes, name, length_prior):
    floor = FLOORS[len(episodes)][name, length_prior]
    assert success_rate(graph, episodes, name, length_prior=length_prior) >= floor


def test_success_with_the_length_prior(succeeded):
    floor = FLOORS[len(succeeded)]["rules", True]
    assert sum(succeeded.values()) / len(succeeded) >= floor


@pytest.mark.parametrize("name", ["rules", "rules-local"])
def test_reference_path_and_goal_are_not_used(graph, episodes, name):
    navigator = get_navigator(name)
    for each_episode in episodes[:8]:
        bare = each_episode.model_copy(
            update={"reference_path": (), "goal": None, "extra": {}, "id": "x"}
        )
        ends = []
        for task in (each_episode, bare):
            events = list(navigator.navigate(task, graph, None, navigator.settings_type()))
            ends.append([event.path for event in events if event.type == "move"])
        assert ends[0] == ends[1]


@pytest.mark.nightly
def test_confident_answers_are_right_more_often(graph, episodes, succeeded):
    ranked = sorted(episodes, key=lambda episode: -navigability(episode, graph))
    half = len(episodes) // 2
    sure, unsure = (
        sum(succeeded[episode.id] for episode in part) for part in (ranked[:half], ranked[half:])
    )
    assert sure > unsure


def test_the_weights_hold_no_text_of_the_data(episodes):
    """The weights file knows the model's features by name, and nothing else."""
    from navviz.language.placing.features import INDEX

    document = json.loads(
        resources.files("navviz.language.placing").joinpath("weights.json").read_text("utf-8")
    )
    assert set(document) == {"note", "weights", "expected"}
    assert (
        set(document["weights"]) == set(document["expected"]) == {"length-prior", "no-length-prior"}
    )
    assert all(set(table) <= set(INDEX) for table in document["weights"].values())

"""The published replies of GROKE's optimised JSON run, played through our whole loop.

All 100 episodes have known sub-goals; every path comes out as published. How the walks end differs
where the two loops do: a reply that names the place where the agent stands ended a published walk
with an error, here it means to stay (and the recorded replies may be used up before our walk is
done). Of the 576 replies 32 are empty: the authors asked the same prompt again, here an empty reply
is an illegal try.
"""

from __future__ import annotations

from collections import Counter

import pytest

from navviz.errors import ModelError
from navviz.formats import open_episodes, open_graph
from navviz.llm.base import LanguageModel
from navviz.llm.scripted import Scripted
from navviz.records import Episode, Trace, TraceHeader
from navviz.records.trace_files import Folder
from navviz.systems.groke import FORMATS
from navviz.systems.groke.navigator import Groke, GrokeSettings
from tests.systems.groke.prompts.published import PublishedCall, published_calls, published_states

pytestmark = pytest.mark.data

PUBLISHED = GrokeSettings(divider="given", area_links=20)


@pytest.fixture(scope="module")
def graph(data_dir):
    return open_graph(data_dir / "map2seq")


@pytest.fixture(scope="module")
def episodes(data_dir):
    return open_episodes(data_dir / "groke" / "paper_results" / "test_seen_json.json").episodes


@pytest.fixture(scope="module")
def calls(data_dir):
    return published_calls(data_dir)


def replayed(
    episode: Episode, graph, llm: LanguageModel, settings: GrokeSettings = PUBLISHED
) -> Trace:
    """The walk until it ends or the recorded replies are used up."""
    folder = Folder()
    folder.add(TraceHeader(episode=episode, navigator="groke"))
    try:
        for event in Groke().navigate(episode, graph, llm, settings):
            folder.add(event)
    except ModelError as error:
        assert "used up" in str(error)  # noqa: PT017
    return folder.trace


def scripted(calls: list[PublishedCall]) -> Scripted:
    return Scripted([call.reply for call in calls])


def named(trace: Trace) -> list[str]:
    """The places that the agent went to, the start first."""
    return [trace.episode.start, *(step.path[-1] for step in trace.steps if step.path)]


def published_path(state: dict) -> list[str]:
    """The published waypoints without the repeats that ended a walk."""
    waypoints = state["json"]["predicated_path"]
    return [node for i, node in enumerate(waypoints) if not i or node != waypoints[i - 1]]


@pytest.fixture(scope="module")
def walks(graph, episodes, calls):
    """Every published episode, walked again with its recorded replies, once for all tests."""
    return {
        key: replayed(episode, graph, scripted(calls[key])) for key, episode in episodes.items()
    }


def test_all_published_paths_come_out(walks, episodes, data_dir):
    states = published_states(data_dir)
    same, ends = 0, Counter()
    for key, trace in walks.items():
        same += named(trace) == published_path(states[key])
        ours = trace.end.status if trace.end else "replies used up"
        ends[ours, states[key]["json"]["status"], states[key]["json"].get("error") is not None] += 1
    print(
        f"{same} of {len(episodes)} published paths reproduced; (ours, published, published error): {ends}"
    )
    assert same == len(episodes) == 100, (
        f"only {same} of {len(episodes)} paths are the published ones"
    )
    assert ends == {
        ("done", "DONE", False): 78,
        ("done", "DONE", True): 11,  # named its own place with the last sub-goal
        # named its own place before; published walks ended there
        ("replies used up", "DONE", True): 10,
        ("replies used up", "PROGRESS", False): 1,  # published unfinished
    }


def test_the_last_heading_is_the_published_one(graph, walks, data_dir):
    states = published_states(data_dir)
    for key, trace in walks.items():
        state = states[key]["json"]
        if state.get("error"):
            continue
        path = trace.steps[-1].path
        if len(path) > 1:
            assert graph.heading_deg(path[-2], path[-1]) == pytest.approx(
                state["current_heading"], abs=0.01
            ), key


@pytest.mark.nightly
def test_only_empty_replies_are_illegal(walks):
    illegal = Counter()
    for trace in walks.values():
        for step in trace.steps:
            if step.decision is not None and not step.decision.legal:
                illegal[step.decision.reason] += 1
    assert illegal == {"the reply is empty": 32}


@pytest.mark.parametrize(
    "name", [name for name in FORMATS if name not in {"json-optimised", "grid"}]
)
def test_the_other_formats_let_one_walk_the_same_paths(graph, episodes, calls, data_dir, name):
    states = published_states(data_dir)
    settings = PUBLISHED.model_copy(update={"format": name})
    for key in list(episodes)[:10]:
        trace = replayed(episodes[key], graph, scripted(calls[key]), settings)
        assert named(trace) == published_path(states[key]), key


HOW_MANY = pytest.mark.parametrize("most", [10, pytest.param(100, marks=pytest.mark.nightly)])


@HOW_MANY
def test_the_whole_map_gives_the_same_paths(graph, episodes, calls, data_dir, most):
    """Cutting the map changes what is seen near its edge only."""
    states = published_states(data_dir)
    whole = PUBLISHED.model_copy(update={"area_links": None})
    same = sum(
        named(replayed(episodes[key], graph, scripted(calls[key]), whole))
        == published_path(states[key])
        for key in list(episodes)[:most]
    )
    print(f"{same} of {most} paths on the whole map")
    assert same >= 0.95 * most

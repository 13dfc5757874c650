"""The text variant of MGDM on the sample house, with a scripted model."""

import json
import math
from itertools import pairwise
from typing import Any

import pytest

from navviz.formats import open_worlds
from navviz.formats.traces import write_episodes
from navviz.llm.base import Request
from navviz.llm.scripted import Scripted
from navviz.metrics.stages import walk_stages
from navviz.records import Call, Episode, Panel, Task, Trace, TraceHeader
from navviz.records.trace_files import fold
from navviz.runner.fork import fork
from navviz.systems.lhvln.mgdm.long_term import (
    Experience,
    Hit,
    LongTerm,
    experiences,
    look,
    relative_action,
    weighed,
)
from navviz.systems.lhvln.mgdm.prompt import read_answer
from navviz.systems.registry import get_navigator, settings_from
from navviz.world.graph import Graph
from navviz.world.search import tour
from tests.paths import SAMPLES
from tests.toys import past_events


@pytest.fixture(scope="module")
def house():
    return open_worlds(SAMPLES / "house")()


@pytest.fixture(scope="module")
def episode(house):
    far = sorted(house.ids, key=lambda node: house.geodesic_m(house.ids[0], node))
    return Episode(
        id="mgdm",
        dataset="test",
        instruction="Fetch the book from the study and bring it to the bed.",
        world=house.name,
        start=house.ids[0],
        start_heading_deg=0.0,
        success_radius_m=1.0,
        tasks=(
            Task(description="To the study", goals=(far[-1],)),
            Task(description="To the bed", goals=(far[4],)),
        ),
    )


class Guide:
    """A scripted model that knows the way: it finds the chosen candidates by following an
    expert.
    """

    def __init__(self, house: Graph, episode: Episode, confidence: float = 0.7) -> None:
        legs = tour(house, episode.start, [task.goals for task in episode.tasks]) or ()
        self.actions: list[int] = []
        heading = episode.start_heading_deg or 0.0
        for leg in legs:
            for here, there in pairwise(leg):
                choices = look(house, here, heading)
                self.actions.append(next(c.id for c in choices if c.candidate.node == there))
                heading = house.heading_deg(here, there)
            self.actions.append(0)
        self.confidence, self.requests = confidence, list[Request]()
        self.at = 0

    def __call__(self, request: Request) -> str:
        self.requests.append(request)
        if request.purpose == "cot":
            return json.dumps(
                {
                    "progress": f"at {self.at}",
                    "decomposition": ["the study", "the bed"],
                    "next": "go on",
                }
            )
        if request.purpose == "blur":
            return json.dumps({"memory": "some rooms"})
        action = self.actions[min(self.at, len(self.actions) - 1)]
        share = self.confidence - 0.03 * (self.at % 5)
        self.at += 1
        return json.dumps(
            {
                "thought": "This way.",
                "progress": f"step {self.at}",
                "action": action,
                "probabilities": {str(action): share, str(action + 1): 1 - share},
            }
        )


def _walk(
    house: Graph, episode: Episode, guide: Guide, past: Trace | None = None, **settings: Any
) -> Trace:
    navigator = get_navigator("mgdm")
    events = navigator.navigate(
        episode, house, Scripted(guide), settings_from(navigator, settings), past
    )
    return fold([TraceHeader(episode=episode, navigator="mgdm"), *past_events(past), *events])


def _panels(trace: Trace, title: str) -> list[tuple[int, Panel]]:
    return [(s.index, p) for s in trace.steps for p in s.panels if p.title.startswith(title)]


def test_stop_ends_a_sub_task_and_the_walk_ends_after_the_last(house, episode):
    trace = _walk(house, episode, Guide(house, episode))
    assert trace.end is not None
    assert trace.end.status == "done"
    assert [stage.status() for stage in walk_stages(trace, house)] == ["reached", "reached"]


def test_the_chain_of_thought_comes_at_each_sub_task_and_every_few_steps(house, episode):
    trace = _walk(house, episode, Guide(house, episode), cot_every=3)
    first = next(s.index for s in trace.steps if s.decision is not None and s.decision.stop)
    values = [s.index for s in trace.steps if any(call.purpose == "cot" for call in s.calls)]
    expected = [k for k in range(1, first + 1) if (k - 1) % 3 == 0]
    expected += [k for k in range(first + 1, len(trace.steps) + 1) if (k - first - 1) % 3 == 0]
    assert values == expected
    assert trace.steps[first].plan[0].status == "COMPLETED"
    later = [panel for _, panel in _panels(trace, "Chain of step") if "former" in panel.data]
    assert later
    assert later[0].data["former"] != later[0].data["text"]


def test_a_full_memory_blurs_by_entropy_and_shows_how(house, episode):
    trace = _walk(house, episode, Guide(house, episode), memory_size=3)
    bars = _panels(trace, "Entropies")
    assert bars
    assert bars[0][0] == 4
    values = [item["value"] for item in bars[0][1].data["items"]]
    chosen = [item["chosen"] for item in bars[0][1].data["items"]]
    assert chosen.index(True) == values.index(min(values))
    blurred = _panels(trace, "Blurred:")[0][1].data["rows"]
    assert [row[0] for row in blurred][-1] == "after"
    assert any("pooled once" in row[1] for row in blurred)
    memory = _panels(trace, "Memory:")
    assert all(len(panel.data["rows"]) <= 3 for _, panel in memory)


def test_a_probability_that_is_not_stated_comes_from_the_servers_tokens():
    tokens = (
        ('{"action', -0.1), ('": ', -0.1), ("1", math.log(0.8)), ("2", math.log(0.5)), ("}", 0.0),
    )  # fmt: skip
    call = Call(reply='{"action": 12}', parsed={"action": 12}, logprobs=tokens)
    served = read_answer(call, [0, 1, 12])
    assert served.probabilities == pytest.approx({0: 0.3, 1: 0.3, 12: 0.4})
    assert "log-probability" in served.source
    stated = call.model_copy(update={"parsed": {"action": 12, "probabilities": {"12": 1}}})
    assert read_answer(stated, [0, 1, 12]).probabilities[12] == 1.0
    assert read_answer(call.model_copy(update={"logprobs": None}), [0, 12]).probabilities == {
        0: 0.5,
        12: 0.5,
    }


@pytest.mark.parametrize(
    "settings",
    [{}, {"blur": "model"}, {"forgetting": "oldest"}, {"forgetting": "none"}, {"cot_every": 0}],
    ids=str,
)
def test_a_fork_lives_through_the_same_memory(house, episode, settings):
    options = {"memory_size": 3, **settings}
    trace = _walk(house, episode, Guide(house, episode), **options)
    assert (
        _walk(house, episode, Guide(house, episode), **options).steps[-1].panels
        == trace.steps[-1].panels
    )
    for step in (3, 6, len(trace.steps)):
        forked = fork(trace, step)
        guide = Guide(house, episode)
        guide.at = step - 1
        again = _walk(house, forked.episode, guide, forked.past, **options)
        assert [[panel.model_dump() for panel in s.panels] for s in again.steps] == [
            [panel.model_dump() for panel in s.panels] for s in trace.steps
        ]
        assert again.path == trace.path


def test_ablations_leave_out_what_they_name(house, episode):
    none = _walk(house, episode, Guide(house, episode), memory_size=2, forgetting="none")
    assert len(_panels(none, "Memory:")[-1][1].data["rows"]) == len(none.steps) - 1
    quiet = _walk(house, episode, Guide(house, episode), cot_every=0)
    assert not any(call.purpose == "cot" for call in quiet.calls)
    guide = Guide(house, episode)
    _walk(house, episode, guide, cot_every=0)
    assert all(
        "Advice:" not in message.text for request in guide.requests for message in request.messages
    )


def test_the_walk_ends_at_the_limit_of_its_moves(house, episode):
    trace = _walk(house, episode, Guide(house, episode), moves_per_task=1)
    assert trace.end is not None
    assert trace.end.status == "limit"
    assert len(trace.steps) == 2


def test_a_reply_that_names_no_way_leaves_the_agent_where_it_is(house, episode):
    navigator = get_navigator("mgdm")
    replies = ["{}", '{"action": 99}', "not json"]
    settings = settings_from(navigator, {"cot_every": 0, "moves_per_task": 2})
    model = Scripted(replies, loop=True)
    events = [
        e for e in navigator.navigate(episode, house, model, settings) if e.type == "decision"
    ]
    assert [event.decision.legal for event in events] == [False] * 4
    assert "(99) was not offered" in (events[1].decision.reason or "")
    assert "no JSON" in (events[2].decision.reason or "")


def test_probabilities_are_read_leniently_and_made_to_add_up():
    call = Call(parsed={"action": "(2)", "probabilities": {"(2)": 3, "0": 1, "9": 5, "x": 1}})
    answer = read_answer(call, [0, 1, 2])
    assert answer.action == 2
    assert answer.probabilities == {0: 0.25, 1: 0.0, 2: 0.75}
    bare = read_answer(Call(parsed={"action": 1}), [0, 1, 2])
    assert bare.probabilities[1] == pytest.approx(1 / 3)
    assert "stated none" in bare.source


@pytest.mark.parametrize(("angle", "action"), [
    (0, "forward"), (30, "forward"), (31, "right"), (-90, "left"), (91, "behind"), (180, "behind"),
])  # fmt: skip
def test_sectors_are_those_of_three_cameras(angle, action):
    assert relative_action(angle) == action


def test_long_term_memory_weighs_in_and_never_holds_the_episode_itself(house, episode, tmp_path):
    legs = tour(house, episode.start, [task.goals for task in episode.tasks]) or ()
    path = tuple(node for k, leg in enumerate(legs) for node in leg[min(k, 1) :])
    other = episode.model_copy(update={"id": "other", "reference_path": path})
    known = experiences(
        [other, episode.model_copy(update={"reference_path": path})], house, episode
    )
    assert {each.episode for each in known} == {"other"}
    assert len(known) == len(path)
    itself = episode.model_copy(update={"reference_path": path})
    assert experiences([other], house, itself) == ()
    training = tmp_path / "training.jsonl"
    write_episodes([other], training)
    trace = _walk(house, episode, Guide(house, episode), long_term=2, training=str(training))
    hits = _panels(trace, "Long-term: 2 of")
    assert len(hits) == len(trace.steps)
    notes = [item.get("note", "") for item in _panels(trace, "Probabilities")[0][1].data["items"]]
    assert any("times the long-term memory's" in note for note in notes)


def test_retrieval_and_weighing_by_hand():
    memory = LongTerm(
        [Experience("a sofa and a lamp", "left", "1"), Experience("a bath tub", "stop", "2")]
    )
    hit, other = memory.retrieve("the sofa by the lamp", 2)
    assert hit.experience.action == "left"
    assert hit.similarity > 0.8
    assert other.similarity == 0.0
    hits = [Hit(1.0, Experience("", "left", "1")), Hit(1.0, Experience("", "stop", "2"))]
    assert weighed(
        {0: 0.2, 1: 0.6, 2: 0.2}, {0: "stop", 1: "left", 2: "right"}, hits
    ) == pytest.approx({0: 0.25, 1: 0.75, 2: 0.0})
    assert weighed({1: 1.0}, {1: "right"}, hits) == {1: 1.0}

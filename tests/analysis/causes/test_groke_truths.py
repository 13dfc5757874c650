"""Causes in GROKE's published logs that were read by hand, and that every quote stands where it
says.
"""

from __future__ import annotations

import pytest

import navviz
from navviz.analysis.causes.engine import explain_episode

pytestmark = pytest.mark.data


@pytest.fixture(scope="module")
def logs(data_dir):
    folder = data_dir / "groke" / "paper_results" / "ablation_study_json"
    return navviz.open_run(folder, graphs=data_dir / "map2seq" / "osm" / "graph")


def _explained(logs, episode):
    return explain_episode(logs.trace(episode), logs.graph(episode))


@pytest.mark.parametrize(
    ("episode", "cause", "step", "words"),
    [
        ("11844", "landmark-never-shown", 3, "BP gas station"),
        ("5647", "sub-goal-closed-early", 1, "after 1 link on which the map has no traffic light"),
        ("5261", "count-lost", 5, "“two lights”"),
        ("2304", "condition-unseen", 1, "“road merges”"),
        ("1624", "sub-goal-closed-early", 2, "Go forward until reaching the traffic light"),
        ("7364", "count-lost", 2, "“third set of lights”"),
        # the T is the junction where it turned, not the place behind it
        ("2329", "sub-goal-closed-early", 3, "where the street goes straight on (42435435)"),
        # a place with a name of its own can be shown, so that nothing was invisible there
        ("7331", "passed-goal", 5, "the goal stood in the prompt"),
        ("3074", "condition-unseen", 6, "“bridges”"),
        ("12751", "way-hidden", 1, "was not shown"),
        ("1994", "stood-still", 3, "ends the run with 2 sub-goals to go"),
        ("4816", "same-direction", 3, "“Right”"),
        # the plan's last line was due only after the count was lost
        ("11070", "count-lost", 4, "“2 lights”"),
        # the published links give the prompt a light where the map has none
        ("1624", "sub-goal-closed-early", 2, "though the prompt names one at 42433269"),
        ("7182", "landmark-never-shown", 5, "“small park”"),
    ],
)
def test_the_leading_cause_is_the_one_that_was_read(logs, episode, cause, step, words):
    likely = _explained(logs, episode).leading
    assert (likely.id, likely.step) == (cause, step)
    assert words in likely.sentence


@pytest.mark.parametrize(
    ("method", "episode", "sentence"),
    [
        # the illegal cell ended the run, whatever a sub-goal was closed without
        ("grid", "10773", "Step 2 had no legal move: the cell [12, 2] holds no street"),
        # the lost landmark stood at a turn before, which was made
        ("grid", "5439", "Sub-goal 3 (“Go to the next light and turn right at New York Doctors”)"),
        (
            "graph_vis",
            "6448",
            "Sub-goal 4 says “third traffic light”, but the agent went on past 4 traffic lights since",
        ),
        (
            "grid",
            "6448",
            (
                "Step 3 had no legal move: the reply is empty; then, in step 4, the cell [18, 2] holds"
                " no street"
            ),
        ),
        ("graph_vis", "5285", "Sub-goal 2 already came to the traffic light that sub-goal 3"),
        ("textual", "5285", "Sub-goal 2 already went through the traffic light that sub-goal 3"),
    ],
)
def test_what_was_done_is_said_as_it_was_done(data_dir, method, episode, sentence):
    folder = data_dir / "groke" / "paper_results" / "ablation_study_representation"
    graphs = data_dir / "map2seq" / "osm" / "graph"
    run = navviz.open_run(folder, graphs=graphs, method=method)
    likely = explain_episode(run.trace(episode), run.graph(episode)).likely
    assert likely.sentence.startswith(sentence)


@pytest.mark.parametrize("episode", ["4049", "11476"])
def test_what_did_no_harm_is_no_cause(logs, episode):
    # 4049 passed the goal on another street; 11476 went through the light that it had ticked off
    explained = _explained(logs, episode)
    assert (explained.success, explained.leading) == (False, None)


def test_the_goal_is_passed_in_the_step_that_walked_over_it(logs):
    (passed,) = [one for one in _explained(logs, "5261").causes if one.id == "passed-goal"]
    assert passed.sentence == (
        "In step 4 in sub-goal 2 the goal stood in the prompt, and the reply went past it; step 5"
        " went on."
    )
    assert {quote.step for quote in passed.quotes if quote.source != "map"} == {4}


def test_what_the_model_says_itself_is_quoted(logs):
    for episode, name in (("11844", "BP gas station"), ("5261", "Starbucks")):
        causes = _explained(logs, episode).causes
        said = next(one for one in causes if one.id == "said-missing")
        assert name in said.quotes[0].text
        assert said.sentence.endswith("and the prompt does not show it.")


def _source_text(trace, quote):
    """Return the text that a quote counts its characters in."""
    if quote.source == "instruction":
        return trace.episode.instruction
    if quote.source == "plan":
        step = next((one for one in trace.steps if one.index == quote.step), None)
        return (step.plan if step else trace.sub_goals)[quote.sub_goal].description
    step = next(one for one in trace.steps if one.index == quote.step)
    call = step.calls[quote.call]
    if quote.source == "prompt":
        return call.messages[quote.message].text
    return {"thoughts": call.thoughts, "reply": call.reply}[quote.source]


def test_every_quote_stands_where_it_says(logs):
    counted = 0
    for episode in (
        "11844",
        "5647",
        "5261",
        "2304",
        "1624",
        "4816",
        "3074",
        "7331",
        "11604",
        "1994",
    ):
        trace = logs.trace(episode)
        for cause in _explained(logs, episode).causes:
            for quote in cause.quotes:
                if quote.start is not None:
                    assert _source_text(trace, quote)[quote.start : quote.end] == quote.text
                    counted += 1
    assert counted > 40

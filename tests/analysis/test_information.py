"""Information audit: what tells the right way is taken out of a prompt, and the verdict says so."""

from __future__ import annotations

import json
import re
from itertools import pairwise

import pytest

import navviz
from navviz.analysis.information import StepInformation
from navviz.analysis.informed import format_rows, information_document, step_information
from navviz.records import Step
from tests.command import invoke
from tests.paths import SAMPLES

RUN = SAMPLES / "harbour" / "runs" / "groke-by-hand"


@pytest.fixture(scope="module")
def run():
    return navviz.open_run(RUN)


def _judged(run, key: str, number: int, change) -> StepInformation:
    """Judge one step of an episode whose prompt was changed."""
    trace = run.trace(key)
    steps = [change(step) if step.index == number else step for step in trace.steps]
    changed = trace.model_copy(update={"steps": tuple(steps)})
    [one] = [s for s in step_information(changed, run.graph(key)) if s.step == number]
    return one


def _same(step: Step) -> Step:
    return step


def _with_text(step: Step, pattern: str, **seen: object) -> Step:
    """Take what a pattern finds out of all that a step's agent read."""
    calls = []
    for call in step.calls:
        messages = []
        for message in call.messages:
            text = re.sub(pattern, "", message.text)
            messages.append(message.model_copy(update={"text": text}))
        calls.append(call.model_copy(update={"messages": tuple(messages)}))
    assert step.observation is not None
    text = re.sub(pattern, "", step.observation.text)
    observation = step.observation.model_copy(update={"text": text, **seen})
    return step.model_copy(update={"calls": tuple(calls), "observation": observation})


def test_a_step_whose_prompt_shows_the_landmark_is_enough(run):
    one = _judged(run, "3", 2, _same)
    assert (one.verdict, one.by) == ("enough", "landmark")
    assert one.quote is not None
    assert "Lobster Pot" in one.quote.text
    path = run.trace("3").episode.reference_path
    assert (one.fork, one.link) in pairwise(path)
    assert one.links == len(run.graph("3").neighbours(one.fork)) - 1


def test_without_the_light_of_a_turn_it_is_not_enough(run):
    assert _judged(run, "14", 5, _same).by == "landmark"
    one = _judged(run, "14", 5, lambda step: _with_text(step, r'"pois": ?\[[^\]]*\]', pois=()))
    assert (one.verdict, one.missing) == ("not enough", "landmark")
    assert one.sentence.startswith("The prompt does not show the light of “")


def test_without_the_right_way_it_is_not_enough(run):
    link = _judged(run, "14", 5, _same).link

    def hide(step: Step) -> Step:
        assert step.observation is not None
        seen = [node for node in step.observation.visible_nodes if node != link]
        return _with_text(step, link[:8] + r"\w*", visible_nodes=tuple(seen))

    one = _judged(run, "14", 5, hide)
    assert (one.verdict, one.missing) == ("not enough", "way")


def test_two_ways_of_one_word_are_not_told_apart(run):
    def call_all_alike(step: Step) -> Step:
        assert step.observation is not None
        own = [one.model_copy(update={"direction": "Left"}) for one in step.observation.candidates]
        seen = step.observation.model_copy(update={"candidates": tuple(own)})
        return step.model_copy(update={"observation": seen})

    side = _judged(run, "14", 5, _same)
    one = _judged(run, "14", 5, call_all_alike)
    assert side.verdict == "enough"
    assert (one.verdict, one.missing) == ("not enough", "direction")


def test_steps_without_a_prompt_are_left_out(run):
    trace = run.trace("3")
    bare = [step.model_copy(update={"calls": (), "observation": None}) for step in trace.steps]
    unlogged = trace.model_copy(update={"steps": tuple(bare)})
    assert step_information(unlogged, run.graph("3")) == []
    assert information_document(unlogged, run.graph("3")) is None


def test_shares_of_a_format_and_what_guessing_adds():
    def step(verdict, missing, links, number):
        return StepInformation("1", number, verdict, missing, "a", "b", links, "", "grid", "-")

    steps = [step("enough", None, 2, 1), step("enough", None, 3, 2)]
    steps += [step("not enough", "landmark", 2, 3), step("contradicts", None, 4, 4)]
    [row] = format_rows(steps)
    assert (row["enough"], row["enough_n"], row["episodes"]) == (0.5, 4, 1)
    assert (row["not_enough"], row["contradicts"], row["landmark"]) == (1, 1, 1)
    assert row["guessing_adds"] == (1 / 2 + 1 / 4) / 4


def test_the_command_the_table_and_the_player_say_the_same(run):
    steps = step_information(run.trace("3"), run.graph("3"))
    printed = json.loads(
        invoke("diagnose", "information", str(RUN), "3", "--format", "json").stdout
    )
    assert [row["sentence"] for row in printed] == [one.sentence for one in steps]
    table = navviz.information(run)
    assert table.query("episode == '3'")["verdict"].tolist() == [one.verdict for one in steps]
    document = information_document(run.trace("3"), run.graph("3"))
    assert document is not None
    assert document["2"] == ["enough", "The prompt shows “Lobster Pot”."]
    whole = json.loads(invoke("diagnose", "information", str(RUN), "--format", "json").stdout)
    assert sum(row["enough_n"] for row in whole) == len(table)


@pytest.mark.nightly
def test_published_logs_by_format(data_dir):
    """The figures of docs/diagnose.md."""
    groke = data_dir / "groke" / "paper_results"
    shares = {}
    for folder, method in (
        ("ablation_study_json", "json"),
        ("ablation_study_representation", "textual"),
    ):
        run = navviz.open_run(
            groke / folder, graphs=data_dir / "map2seq" / "osm" / "graph", method=method
        )
        [row] = format_rows(
            step for key in run.traces for step in step_information(run.trace(key), run.graph(key))
        )
        shares[method] = (round(row["enough"] * row["enough_n"]), row["enough_n"])
    assert shares == {"json": (362, 375), "textual": (82, 83)}

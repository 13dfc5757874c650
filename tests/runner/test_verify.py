"""Traces walked again with their recorded replies: the samples reproduce, a changed one is
named.
"""

from __future__ import annotations

from collections import Counter

import pytest

from navviz.errors import InputError
from navviz.llm.scripted import Scripted
from navviz.records import Step, Trace
from navviz.records.trace_files import Folder, unfold
from navviz.runner.episode import walk_now
from navviz.runner.fork import fork
from navviz.runner.verify import Verdict, Verification, verify_run, verify_trace
from navviz.runs.opened import open_run
from navviz.systems.registry import get_navigator, settings_from
from tests.paths import SAMPLES

RUNS = [
    "harbour/runs/groke-by-hand",
    "harbour/runs/random-walker",
    "harbour/runs/rules",
    "harbour/runs/staged-rules",
    "house/runs/mgdm-scripted",
    "house/runs/msnav-by-hand",
    "house/runs/navgpt-by-hand",
    "house/runs/rules-indoors",
    "house/runs/skillnav-by-hand",
]


@pytest.fixture(scope="module")
def groke():
    return open_run(SAMPLES / "harbour/runs/groke-by-hand")


@pytest.fixture(scope="module")
def old(groke):
    """A walk with a plan and at least three steps."""
    return next(trace for trace in groke.traces.values() if len(trace.steps) >= 3)


def changed(trace: Trace, place: int, **update: object) -> Trace:
    steps = list(trace.steps)
    steps[place] = steps[place].model_copy(update=update)
    return trace.model_copy(update={"steps": tuple(steps)})


def with_prompt(step: Step, old: str, new: str) -> tuple[object, ...]:
    call = step.calls[0]
    messages = tuple(
        one.model_copy(update={"text": one.text.replace(old, new)}) for one in call.messages
    )
    assert messages != call.messages
    return (call.model_copy(update={"messages": messages}),)


@pytest.mark.parametrize("name", RUNS)
def test_every_sample_run_reproduces(name):
    run = open_run(SAMPLES / name)
    verification = Verification(tuple(verify_run(run.traces, run.graph, run.source.results)))
    assert verification.reproduces, [
        one.sentence for one in verification.verdicts if one.state != "reproduces"
    ]
    assert verification.sentence == f"reproduces {len(run)} of {len(run)}"
    assert sum(one.calls for one in verification.verdicts) == sum(
        len(trace.calls) for trace in run.traces.values()
    )


def test_the_first_other_prompt_is_named(groke, old):
    calls = with_prompt(old.steps[1], "Current sub-goal", "Present sub-goal")
    verdict = verify_trace(changed(old, 1, calls=calls), groke.graph(old.episode.id))
    assert (verdict.state, verdict.calls) == ("differs", len(old.plan_calls) + 1)
    assert verdict.difference is not None
    assert (verdict.difference.step, verdict.difference.field) == (2, "prompt")
    assert "Present sub-goal" in verdict.difference.recorded
    assert "Current sub-goal" in verdict.difference.walked


def test_another_reply_is_another_walk(groke, old):
    call = old.steps[0].calls[0].model_copy(update={"reply": "I would rather not say."})
    verdict = verify_trace(changed(old, 0, calls=(call,)), groke.graph(old.episode.id))
    assert verdict.difference is not None
    assert (verdict.difference.step, verdict.difference.field) == (1, "decision")


def test_another_path_is_named(groke, old):
    verdict = verify_trace(changed(old, 0, path=old.steps[0].path[:1]), groke.graph(old.episode.id))
    assert verdict.difference is not None
    assert (verdict.difference.step, verdict.difference.field) == (1, "path")


def test_replies_that_are_left_or_lacking_are_named(groke, old):
    graph = groke.graph(old.episode.id)
    more = changed(old, -1, calls=(*old.steps[-1].calls, old.steps[-1].calls[0]))
    left = verify_trace(more, graph).difference
    assert left is not None
    assert (left.field, left.recorded) == ("calls", "1 more replies")
    short = old.model_copy(update={"steps": old.steps[:-1]})
    lacking = verify_trace(short, graph).difference
    assert lacking is not None
    assert (lacking.field, lacking.walked) == ("calls", "asks once more")


def test_a_walk_that_was_stopped_reproduces_as_far_as_it_went(groke, old):
    assert old.end is not None
    end = old.end.model_copy(update={"status": "stopped"})
    stopped = old.model_copy(update={"steps": old.steps[:-1], "end": end})
    verdict = verify_trace(stopped, groke.graph(old.episode.id))
    assert (verdict.state, verdict.reason) == (
        "reproduces",
        "as far as it went (the walk ended: stopped)",
    )


def test_a_fork_is_walked_from_where_it_begins(groke, old):
    graph, made = groke.graph(old.episode.id), fork(old, 2)
    assert made.past is not None
    walker = get_navigator("groke")
    replies = Scripted([call.reply or "" for step in old.steps[1:] for call in step.calls])
    folder = Folder()
    for event in unfold(made.past):
        folder.add(event)
    for event in walker.navigate(
        made.episode, graph, replies, settings_from(walker, old.header.settings), made.past
    ):
        folder.add(event)
    header = old.header.model_copy(update={"forked_from": made.origin})
    forked = folder.trace.model_copy(update={"header": header})
    verdict = verify_trace(forked, graph)
    assert (verdict.state, verdict.calls) == ("reproduces", len(old.steps) - 1), verdict.sentence
    other = changed(forked, 2, path=())
    assert verify_trace(other, graph).state == "differs"


def test_what_cannot_be_walked_here_is_counted_apart(groke, old):
    graph = groke.graph(old.episode.id)

    def verdict(**header: object) -> Verdict:
        return verify_trace(
            old.model_copy(update={"header": old.header.model_copy(update=header)}), graph
        )

    assert "no navigator 'gone'" in (verdict(navigator="gone").reason or "")
    assert verdict(navigator="human").reason == "a person walked"
    assert "log of another project" in (verdict(source="x.json").reason or "")
    assert "Settings of groke: no_such" in (verdict(settings={"no_such": 1}).reason or "")
    bare = old.model_copy(
        update={
            "plan_calls": (),
            "steps": tuple(step.model_copy(update={"calls": ()}) for step in old.steps),
        }
    )
    silent = verify_trace(bare, graph)
    assert (silent.state, silent.reason) == ("not walked", "the trace holds no recorded replies")

    def lost(key: str) -> object:
        raise InputError("graph not found", "choose its folder", episode=key)

    [missing] = verify_run({old.episode.id: old}, lost)  # type: ignore[arg-type]
    assert missing.state == "not walked"
    both = Verification((silent, verify_trace(old, graph)))
    assert both.sentence == "reproduces 1 of 1; 1 cannot be walked here"
    assert not both.reproduces


def test_a_walk_of_another_seed_is_another_walk(groke, old):
    walker = get_navigator("random-walker")
    graph = groke.graph(old.episode.id)
    walks = [
        walk_now(walker, settings_from(walker, {"seed": seed}), old.episode, graph)
        for seed in range(5)
    ]
    assert all(verify_trace(walk, graph).state == "reproduces" for walk in walks)
    other = next(walk for walk in walks if walk.path != walks[0].path)
    mixed = other.model_copy(update={"header": walks[0].header})
    assert verify_trace(mixed, graph).state == "differs"


@pytest.mark.nightly
@pytest.mark.data
def test_published_step_logs_reproduce_but_for_what_was_chance(data_dir):
    """Reads GROKE's 576 prompts; each walk that differs does so by chance.

    The authors list landmarks, POIs and links in an order that is chance (2 episodes are the same
    to the letter), and where two landmarks want the same letter, it is chance which one gets it
    (3). Their loop ends where a reply names the place where the agent stands, and so does ours as
    published (10 episodes).
    """
    results = data_dir / "groke" / "paper_results" / "ablation_study_json"
    run = open_run(results, graphs=data_dir / "map2seq")
    verdicts = tuple(verify_run(run.traces, run.graph, run.source.results))
    counts = Counter(
        (one.state, one.difference.field if one.difference is not None else None)
        for one in verdicts
    )
    assert counts == {("reproduces", None): 2, ("other order", None): 95, ("differs", "prompt"): 3}
    other = [
        one.difference
        for one in verdicts
        if one.difference is not None and one.difference.field == "prompt"
    ]
    assert all("poi_legend" in one.recorded and "poi_legend" in one.walked for one in other)


@pytest.mark.nightly
@pytest.mark.data
def test_logs_whose_maps_we_write_in_other_words_are_counted_apart(data_dir):
    results = (
        data_dir
        / "groke"
        / "paper_results"
        / "ablation_study_representation"
        / "step1_textual.jsonl"
    )
    run = open_run(results, graphs=data_dir / "map2seq")
    verdicts = tuple(verify_run(run.traces, run.graph, run.source.results))
    assert {(one.state, one.reason) for one in verdicts} == {
        (
            "not walked",
            "NavViz writes the map in the format textual in words of its own, not in those of the log",
        )
    }

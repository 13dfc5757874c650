"""Counts over runs: acts, stability, text scores, repairs of instructions."""

from __future__ import annotations

import pytest

import navviz
from navviz.analysis.act_counts import act_changes, act_counts, act_records, act_slugs, acts_frame
from navviz.analysis.causes.counting import cause_features
from navviz.analysis.causes.engine import EpisodeCauses
from navviz.analysis.repairs import suggest_repairs
from navviz.analysis.stability import is_sample_of, stability, stability_of_runs
from navviz.analysis.text_scores import text_scores_of
from navviz.errors import InputError
from navviz.formats import open_episodes, open_graph
from navviz.metrics.text import text_scores
from navviz.records import Episode
from navviz.records.act import Act, DecisiveAct
from navviz.world.graph import Graph
from tests.grids import episode, trace
from tests.paths import SAMPLES
from tests.worlds import write_world


def _one(key, how=None, *, success=False):
    act = None
    if how is not None:
        turn = Act(number=0, kind="turn", side="left", text="turn left")
        told = None if how == "unsaid turn" else turn
        act = DecisiveAct(act=told, how=how, sentence="x.", node="n", step=1)
    return EpisodeCauses(key, success, None if success else 1, act=act)


BEFORE = {
    "1": _one("1", "too early"),
    "2": _one("2", "too early"),
    "3": _one("3", "unsaid turn"),
    "4": _one("4"),
    "5": _one("5", success=True),
}
AFTER = {
    "1": _one("1", "too early"),
    "2": _one("2", success=True),
    "3": _one("3", "skipped"),
    "4": _one("4", success=True),
    "5": _one("5", "told, not on route"),
}


def test_each_failure_counts_once_and_what_nobody_knows_stands_last():
    counts = act_counts(BEFORE)
    assert [(count.slug, count.failures) for count in counts] == [
        ("too-early", 2),
        ("unsaid-turn", 1),
        ("unknown", 1),
    ]
    assert counts[0].share.mean == pytest.approx(0.5)
    assert counts[0].share.episodes == 4
    assert act_slugs(BEFORE)["5"] is None
    assert act_counts({"5": BEFORE["5"]}) == []


def test_what_came_and_went_is_paired():
    changes = {change.id: change for change in act_changes(BEFORE, AFTER).changes}
    assert (changes["too-early"].vanished, changes["too-early"].stayed) == (("2",), ("1",))
    assert changes["unsaid-turn"].vanished == changes["skipped"].came == ("3",)
    assert changes["told-not-on-route"].came == ("5",)
    assert changes["told-not-on-route"].name == "told, not on route"


def test_tables_and_features_name_the_act():
    assert acts_frame(BEFORE).loc["too early", "of failures"].startswith("2 of 4 (50 %")
    first = next(act_records(BEFORE))
    assert (first["id"], first["grade"], first["likely"]) == ("act:too-early", "act", 2)
    features = cause_features(BEFORE)
    assert features["1"] == {"act: too early", "act kind: turn"}
    assert features["3"] == {"act: unsaid turn", "act kind: unsaid"}
    assert features["5"] == frozenset()


EAST = tuple(f"r0c{k}" for k in range(5))
NORTH = (*EAST[:3], "r1c2", "r2c2")


def walks(*paths):
    return [trace(episode(EAST), [path]) for path in paths]


def test_two_of_three_agree():
    agreement = stability(walks(EAST, EAST, NORTH))
    assert agreement.same_path == pytest.approx(1 / 3)
    assert agreement.same_end == pytest.approx(1 / 3)
    assert agreement.overlap == pytest.approx((1 + 2 / 6 + 2 / 6) / 3)
    assert agreement.links["r0c0", "r0c1"] == 3
    (junction,) = agreement.junctions
    assert (junction.node, junction.choices) == ("r0c2", (("r0c3", 2), ("r1c2", 1)))
    assert junction.bits == pytest.approx(0.9183, abs=1e-4)
    assert agreement.bits == junction.bits


def test_stopping_is_a_choice():
    (junction,) = stability(walks(EAST, EAST[:4])).junctions
    assert (junction.node, junction.bits) == ("r0c3", 1.0)
    assert dict(junction.choices) == {"r0c4": 1, "stop": 1}


def test_equal_walks_have_no_entropy():
    agreement = stability(walks(EAST, EAST))
    assert (agreement.same_path, agreement.overlap, agreement.bits) == (1.0, 1.0, 0.0)
    still = stability([trace(episode(EAST), []), trace(episode(EAST), [])])
    assert (still.overlap, still.bits) == (1.0, 0.0)
    with pytest.raises(ValueError, match="at least two"):
        stability(walks(EAST))


def test_runs_and_their_samples():
    (a, b) = walks(EAST, NORTH)
    assert list(stability_of_runs([{"e1": a, "e2": a}, {"e1": b}])) == ["e1"]
    assert is_sample_of("town/x-sample-2", "town/x")
    assert not is_sample_of("x-sample-two", "x")
    assert not is_sample_of("y-sample-2", "x")


def test_walks_of_the_same_id_and_different_data_sets_are_not_compared():
    (a, b) = walks(EAST, NORTH)
    far = trace(episode(EAST[1:]).model_copy(update={"dataset": "other"}), [EAST[1:]])
    agreement = stability_of_runs([{"e1": a}, {"e1": far}, {"e1": b}])
    assert agreement["e1"].walks == 2
    assert not stability_of_runs([{"e1": a}, {"e1": far}])


RUN = SAMPLES / "house" / "runs" / "rules-indoors"


def test_an_instruction_is_scored_against_the_others_of_its_route():
    scores = text_scores_of(navviz.open_run(RUN))
    rows = {row.episode: row for row in scores.rows}
    assert len(rows) + scores.alone == 10
    route = [key for key in rows if key.startswith("101_")]
    texts = {key: navviz.open_run(RUN).outline(key).episode.instruction for key in route}
    for key in route:
        others = [texts[other] for other in route if other != key]
        assert rows[key].scores == text_scores(texts[key], others)
        assert rows[key].references == len(others)
    first = scores.correlations[0]
    assert (first.metric, first.episodes, first.low) == ("BLEU", len(rows), None)


def test_a_text_like_itself_scores_full_marks():
    scores = text_scores(
        "Walk past the table and stop.", ["Turn left.", "Walk past the table and stop."]
    )
    assert scores["BLEU"] == pytest.approx(100)
    assert scores["ROUGE-L"] == 1


def test_a_run_without_shared_routes_is_one_sentence():
    with pytest.raises(InputError, match="no route has two instructions"):
        text_scores_of(navviz.open_run(SAMPLES / "harbour" / "runs" / "rules"))


@pytest.mark.data
def test_on_r2r_likeness_says_little_of_arriving(data_dir):
    run = navviz.open_run(
        data_dir / "wild" / "r2r_seq2seq" / "seq2seq_val_seen.json",
        graphs=data_dir / "mp3d_all",
        episodes=data_dir / "r2r" / "R2R_val_seen.json",
    )
    rouge = text_scores_of(run).correlations[-1]
    assert (rouge.metric, rouge.episodes, rouge.routes) == ("ROUGE-L", 1021, 340)
    assert rouge.r == pytest.approx(0.136, abs=0.001)
    assert rouge.low < rouge.r < rouge.high < 0.25


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> tuple[Graph, Episode]:
    folder = tmp_path_factory.mktemp("repairs")
    graph = open_graph(write_world(folder))
    [episode] = open_episodes(folder / "splits" / "tiny.json").episodes.values()
    return graph, episode


def edited(episode: Episode, text: str) -> Episode:
    return episode.model_copy(update={"instruction": text})


def test_a_side_that_the_route_refutes_is_repaired_first(world: tuple[Graph, Episode]) -> None:
    graph, episode = world
    repairs = suggest_repairs(
        edited(episode, "Walk to the light and turn left. Stop by Blue Door Café."), graph
    )
    assert repairs[0].kind == "contradiction"
    assert repairs[0].instruction == "Walk to the light and turn right. Stop by Blue Door Café."
    assert repairs[0].success
    assert repairs[0].error_m <= episode.success_radius_m


def test_a_turn_without_a_word_is_added(world: tuple[Graph, Episode]) -> None:
    graph, episode = world
    repairs = suggest_repairs(
        edited(episode, "Go straight through the light and stop after a few steps."), graph
    )
    assert any("right" in repair.instruction and repair.gain > 0 for repair in repairs)


def test_a_text_that_leads_to_the_goal_needs_none(world: tuple[Graph, Episode]) -> None:
    graph, episode = world
    assert suggest_repairs(episode, graph) == ()


def test_without_a_route_there_is_nothing_to_repair_by(world: tuple[Graph, Episode]) -> None:
    graph, episode = world
    assert suggest_repairs(episode.model_copy(update={"reference_path": ()}), graph) == ()
    gone = episode.model_copy(update={"reference_path": ("s1", "not there")})
    assert suggest_repairs(gone, graph) == ()

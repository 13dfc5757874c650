"""Our own traces, held against their map: what does not fit is said, and never scored."""

from __future__ import annotations

import pytest

import navviz
from navviz.analysis.causes.engine import explain_episode
from navviz.metrics.divergence import find_divergence
from navviz.metrics.score import score_trace
from navviz.records import EndEvent, Trace
from navviz.records.trace_files import write_trace
from tests.grids import episode, grid, straight, trace
from tests.worlds import write_states, write_world

GRID = grid()
ROUTE = straight()
WALK = [ROUTE[:3], ROUTE[2:]]


def _walked(*moves: tuple[str, ...], end: str | None = None, **changes: object) -> Trace:
    made = trace(episode(ROUTE, **changes), moves)
    if end is not None:
        made = made.model_copy(update={"end": EndEvent(status="done", node=end)})
    return made


def _renumbered(*numbers: int) -> Trace:
    made = _walked(*WALK)
    pairs = zip(made.steps, numbers, strict=True)
    steps = tuple(step.model_copy(update={"index": number}) for step, number in pairs)
    return made.model_copy(update={"steps": steps})


LOST = ("r0c0", "r0c1", "elsewhere")
CASES = {
    "all places": (
        _walked(LOST, ("elsewhere", "also")),
        (
            "field path: the graph lacks 2 of 4 places, such as elsewhere;"
            " choose the graph that it was walked on; the walk is not scored."
        ),
    ),
    "the goal": (
        _walked(*WALK, goal="moon"),
        "field goal: the graph lacks the goal moon; figures that need it are missing.",
    ),
    "the route": (
        _walked(*WALK, reference_path=(*ROUTE[:2], "moon", *ROUTE[3:])),
        (
            "field reference_path: the graph lacks 1 of 5 places, such as moon;"
            " figures that need the route are missing."
        ),
    ),
    "a jump": (
        _walked(("r0c0", "r0c2"), ROUTE[2:]),
        (
            "field path: the walk jumps 1 time between places that are not linked;"
            " jumps are measured as straight lines."
        ),
    ),
    "a lost move": (
        _walked(ROUTE[:3], end=ROUTE[-1]),
        (
            "field node: the last move leads to r0c2, the end says r0c4;"
            " the moves count; look for lines that are missing."
        ),
    ),
    "a doubled step": (
        _renumbered(1, 1),
        (
            "field index: step 1 stands where step 2 is due; look for lines that are missing or"
            " repeated; the walk is shown as it is written."
        ),
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_what_does_not_fit_its_map_is_said(tmp_path, case):
    made, sentence = CASES[case]
    write_trace(made, tmp_path / "e1.trace.jsonl")
    run = navviz.open_run(tmp_path, graphs=GRID)
    assert len(run.table()) == 1
    said = [str(problem) for problem in run.problems.kept]
    assert said == [f"e1.trace.jsonl, episode e1, {sentence}"]


def test_of_several_traces_in_one_file_the_file_is_named(tmp_path):
    for name in ("a", "b"):
        write_trace(_walked(LOST, id=name), tmp_path / f"{name}.trace.jsonl")
    whole = tmp_path / "both.jsonl"
    parts = [(tmp_path / f"{name}.trace.jsonl").read_text(encoding="utf-8") for name in "ab"]
    whole.write_text("".join(parts), encoding="utf-8")
    run = navviz.open_run(whole, graphs=GRID)
    assert len(run.table()) == 2
    assert {problem.file for problem in run.problems.kept} == {"both.jsonl"}


def test_a_walk_that_fits_says_nothing(tmp_path):
    write_trace(_walked(*WALK), tmp_path / "e1.trace.jsonl")
    run = navviz.open_run(tmp_path, graphs=GRID)
    assert run.table()["outcome"].iloc[0] == "success"
    assert not run.problems.count


@pytest.mark.parametrize("moves", [(LOST,), (LOST, ("elsewhere", "r0c3", "r0c4"))])
def test_a_walk_on_another_map_has_no_score_and_no_cause(moves):
    # without the places that the map lacks it would have stopped early, or taken a short cut
    made = _walked(*moves)
    scores = score_trace(made, GRID)
    assert {name: value for name, value in scores.items() if value is not None} == {
        "steps": len(moves)
    }
    divergence = find_divergence(made, GRID)
    assert divergence.kind == "no reference"
    assert "of this walk, so nothing can be compared" in divergence.sentence
    explained = explain_episode(made, GRID)
    assert (explained.success, explained.causes) == (None, ())


def test_a_foreign_walk_whose_route_its_map_lacks_is_named(tmp_path):
    """A log's reader holds the walk against the map; the ground truth is held when it is scored."""
    write_world(tmp_path)
    states = write_states(tmp_path / "walks.json", {"1": {"json": ["s1", "e1"]}})
    text = states.read_text(encoding="utf-8")
    states.write_text(text.replace('"osm_path": ["s1", "s0"', '"osm_path": ["s1", "moon"'))
    said = (
        "walks.json, episode 1, field reference_path: the graph lacks 1 of 5 places, such as moon;"
        " figures that need the route are missing."
    )
    # the second time from the index that was kept
    for _ in range(2):
        run = navviz.open_run(states, graphs=tmp_path / "osm" / "graph")
        (row,) = run.scores.rows.values()
        assert (row["SR"], row["nDTW"]) == (1.0, None)
        assert [str(problem) for problem in run.problems.kept] == [said]
        assert "The map lacks 1 of 5 places of this route" in run.divergence("1").sentence

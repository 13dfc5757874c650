"""GROKE's grid logs: cells become nodes from the start of the episode on, and what cannot be known
is refused.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from navviz.formats import open_results
from navviz.formats.base import Run
from navviz.metrics.divergence import find_divergence
from navviz.metrics.score import score_run
from navviz.systems.groke.logs.calls import read_prompt
from navviz.systems.groke.logs.views import read_view
from navviz.systems.groke.metrics import as_authors
from navviz.world.graph import Graph
from tests.grids import episode, grid, state_item, write_json, write_lines
from tests.systems.groke.logs.test_text_views import prompt

STREET = ("r3c3", "r3c4", "r3c5", "r3c6")
GRAPH = grid()
FIRST = "1. Walk (IN_PROGRESS)\n2. Stop (TODO)"
SECOND = "1. Walk (COMPLETED)\n2. Stop (IN_PROGRESS)"


def context(rows: list[str], place: str, heading: float, legend: str = "") -> str:
    drawn = "\n".join(str(list(row)) for row in rows)
    return (
        f"Your Position: {place}\nHeading: {heading:.2f}° (0°=North, 90°=East, 180°=South, 270°=West)\n\nMatrix M:\n{drawn}"
        "\n\nLegend: S = Start Position, P = Current Position, 0 = Unexplored/Obstacle, 1 = Past Trajectory, "
        f"2 = Road/Walkable, 3 = Intersection with Light{legend}\n"
    )


def line(text: str, place: Any, status: str = "COMPLETED", plan: str = FIRST) -> dict[str, Any]:
    reply = "" if place is None else json.dumps({"subplan_status": status, "next_place": place})
    result = prompt(text, "Current Map :").replace(
        "1. Walk on (COMPLETED)\n2. Turn left (IN_PROGRESS)\n3. Stop (TODO)", plan
    )
    return {
        "key": "5",
        "request": {"contents": [{"parts": [{"text": result}], "role": "user"}]},
        "response": {
            "candidates": [{"content": {"parts": [{"text": reply}]}}],
            "modelVersion": "some-model",
        },
    }


# a row of crossings: each has links ahead, left and right, and the map reaches three nodes past the
# first crossing
AT_START = ["0000000", "0222220", "0S33330", "0222220", "0000000"]


def logs(tmp_path: Path, *lines: dict[str, Any]) -> Path:
    folder = tmp_path / "logs"
    folder.mkdir(exist_ok=True)
    for k, each in enumerate(lines, start=1):
        write_lines(folder / f"step{k}_grid.jsonl", [json.dumps(each)])
    return folder


def opened(folder: Path, graph: Graph = GRAPH, **more: Any) -> Run:
    (run,) = open_results(folder, graph, **more)
    return run


def known(**more: Any) -> dict[str, Any]:
    return {"5": episode(STREET, "5", start_heading_deg=90.0, **more)}


def test_place_heading_rows_and_letters_are_read():
    legend = ", K = Kiosk, north (landmark), T = traffic light (landmark)"
    view = read_view(
        read_prompt(
            prompt(context(AT_START, "[2, 1] (marked as S)", 117.5, legend), "Current Map :")
        )
    )
    assert (view.format, view.node, view.heading_deg, view.cell) == ("grid", None, 117.5, (2, 1))
    assert view.rows == tuple(AT_START)
    assert view.letters == {"Kiosk, north": "K", "traffic light": "T"}


def test_a_reply_s_cell_is_the_node_drawn_on_it(tmp_path):
    shown = context(AT_START, "[2, 1] (marked as S)", 90.0)
    run = opened(logs(tmp_path, line(shown, [2, 3], "IN_PROGRESS")), episodes=known())
    step = run.traces["5"].steps[0]
    assert (step.node, step.heading_deg, step.decision.target, step.path) == (
        "r3c3",
        90.0,
        "r3c5",
        STREET[:3],
    )
    assert (step.decision.legal, step.decision.reason) == (True, None)
    assert (step.observation.format, step.observation.visible_nodes[0]) == ("grid", "r3c3")
    assert "Matrix M:" in step.observation.text
    assert run.traces["5"].waypoints == ("r3c3", "r3c5")
    assert run.problems.count == 0


def test_floats_name_the_same_cell(tmp_path):
    shown = context(AT_START, "[2, 1] (marked as S)", 90.0)
    run = opened(logs(tmp_path, line(shown, [2.0, 3.0])), episodes=known())
    assert run.traces["5"].waypoints == ("r3c3", "r3c5")


def test_later_cells_are_looked_up_from_where_the_agent_stands(tmp_path):
    """As GROKE's scripts do: in a map without the way behind, whose cells lie elsewhere than those
    shown.
    """
    first = line(context(AT_START, "[2, 1] (marked as S)", 90.0), [2, 2], "COMPLETED")
    rows = ["00000000", "02222220", "0SP33330", "02222220", "00000000"]
    second = context(rows, "[2, 2] (marked as P) and start position [2, 1] (marked as S)", 90.0)
    run = opened(logs(tmp_path, first, line(second, [2, 2], plan=SECOND)), episodes=known())
    trace = run.traces["5"]
    assert [step.node for step in trace.steps] == ["r3c3", "r3c4"]
    assert trace.waypoints == ("r3c3", "r3c4", "r3c5")
    assert (trace.end.status, trace.end.node) == ("done", "r3c5")


def test_a_cell_without_a_street_ends_the_walk_where_it_was(tmp_path):
    shown = context(AT_START, "[2, 1] (marked as S)", 90.0)
    run = opened(logs(tmp_path, line(shown, [0, 4])), episodes=known())
    trace = run.traces["5"]
    assert (trace.waypoints, trace.path, trace.end.status, trace.end.node) == (
        ("r3c3", None),
        ("r3c3",),
        "error",
        "r3c3",
    )
    assert "the cell [0, 4] holds no street" in trace.steps[0].decision.reason
    scored = score_run(run, GRAPH)
    assert (scored.means["SR"], scored.counts["SR"], scored.counted_errors) == (0.0, 1, ("5",))


def test_an_empty_reply_stays(tmp_path):
    shown = context(AT_START, "[2, 1] (marked as S)", 90.0)
    run = opened(logs(tmp_path, line(shown, None), line(shown, [2, 4])), episodes=known())
    assert run.traces["5"].waypoints == ("r3c3", "r3c6")
    assert [step.node for step in run.traces["5"].steps] == ["r3c3", "r3c3"]


def test_streets_that_the_prompt_does_not_show_are_no_cells(tmp_path):
    """The map of the authors ended sooner: two rows are missing, so that all cells lie one row
    higher.
    """
    rows = ["0000000", "0S33330", "0222220", "0000000"]
    run = opened(
        logs(tmp_path, line(context(rows, "[1, 1] (marked as S)", 90.0), [1, 3])), episodes=known()
    )
    assert run.traces["5"].waypoints == ("r3c3", "r3c5")


def test_without_a_start_no_place_is_known_and_nothing_is_scored(tmp_path):
    shown = context(AT_START, "[2, 1] (marked as S)", 90.0)
    run = opened(logs(tmp_path, line(shown, [2, 3])))
    trace = run.traces["5"]
    assert (trace.steps[0].node, trace.end.status, trace.end_is_known) == (None, "unknown", False)
    decision = trace.steps[0].decision
    assert (decision.target, decision.legal, decision.reason) == (
        "[2, 3]",
        True,
        "the log does not say which place is meant",
    )
    assert any(
        "names cells" in str(problem) and "add the episodes file" in str(problem)
        for problem in run.problems.kept
    )
    scored = score_run(run, GRAPH)
    assert {name for name, value in scored.means.items() if value is not None} == {"steps"}
    assert as_authors(run, scored) is None


def test_a_heading_that_does_not_fit_loses_the_place(tmp_path):
    first = line(context(AT_START, "[2, 1] (marked as S)", 90.0), [2, 2], "IN_PROGRESS")
    lost = line(context(AT_START, "[2, 2] (marked as P)", 181.3), [2, 3], "IN_PROGRESS")
    run = opened(logs(tmp_path, first, lost), episodes=known())
    scored = score_run(run, GRAPH)
    assert run.traces["5"].steps[1].node is None
    assert find_divergence(run.traces["5"], GRAPH).sentence == (
        "The log does not say where this walk ended, so nothing can be compared."
    )
    assert (scored.rows["5"]["SR"], scored.rows["5"]["NE"], scored.walked) == (None, None, 0)
    assert "which node the reply of step 1 means is not known" in str(run.problems.kept[0])


def test_the_state_file_gives_start_and_places(tmp_path):
    shown = context(AT_START, "[2, 1] (marked as S)", 90.0)
    folder = logs(tmp_path, line(shown, [2, 3]))
    write_json(
        tmp_path / "states.json",
        {"5": {**state_item(STREET, ["r3c3", "r3c5"], "grid"), "full_instructions": ""}},
    )
    run = opened(folder)
    assert run.details["joined"] == "states.json"
    assert (run.traces["5"].steps[0].path, run.traces["5"].end.status) == (STREET[:3], "done")
    assert run.problems.count == 0


@pytest.mark.data
@pytest.mark.parametrize(
    ("method", "successes"),
    [
        # by day both are joined with their state file below
        pytest.param("textual", 17, marks=pytest.mark.nightly),
        pytest.param("graph_vis", 10, marks=pytest.mark.nightly),
        ("grid", 3),
    ],
)
def test_published_logs_tell_the_walks_of_the_state_file(data_dir, tmp_path, method, successes):
    """By the logs and the episodes alone, without the state file: waypoint for waypoint, holes
    included.
    """
    from navviz.formats import open_episodes, open_graph

    results = data_dir / "groke" / "paper_results"
    states = json.loads((results / "test_seen.json").read_text(encoding="utf-8"))
    for path in (results / "ablation_study_representation").glob(f"*_{method}.jsonl"):
        (tmp_path / path.name).symlink_to(path)
    graph = open_graph(data_dir / "map2seq")
    episodes = open_episodes(data_dir / "map2seq" / "splits" / "test_seen.json").episodes
    (run,) = open_results(tmp_path, graph, episodes)
    values = {key: list(trace.waypoints or ()) for key, trace in run.traces.items()}
    assert values == {key: states[key][method]["predicated_path"] for key in values}
    scored = score_run(run, graph)
    assert (len(run), run.problems.count, scored.walked) == (24, 0, 24)
    assert sum(row["SR"] or 0 for row in scored.rows.values()) == successes

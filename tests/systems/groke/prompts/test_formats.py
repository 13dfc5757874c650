import json

import pytest

from navviz.errors import SettingsError
from navviz.records import SubGoal
from navviz.systems.groke import FORMATS
from navviz.systems.groke.prompts.formats import draw, render
from navviz.systems.groke.prompts.landmarks import ground, linked_pois, mentioned
from navviz.systems.groke.prompts.prompt import (
    PLAN_SCHEMA,
    decision_schema,
    plan_messages,
    step_messages,
)
from navviz.systems.groke.prompts.shown import previous_path
from navviz.systems.groke.prompts.visible_area import look
from tests.systems.groke.prompts.towns import crossing, town

NAMES = ("traffic signals", "Blue Door", "Harbour Bank")


def view(waypoints=("s3",), heading_deg=0.0):
    graph = crossing()
    found = mentioned(ground(linked_pois(graph), NAMES), " ".join(NAMES))
    return look(graph, waypoints[-1], heading_deg, found, previous=previous_path(graph, waypoints))


def test_coordinates_stand_in_json_only():
    assert "coordinates" not in render("json-optimised", view())
    inside = json.loads(render("json", view()))["navigation_context"]
    assert set(inside["current_path_nodes"][0]["coordinates"]) == {"lat", "lng"}
    assert set(inside["pois"][0]["coordinates"]) == {"lat", "lng"}


def test_the_way_behind():
    inside = json.loads(render("json-optimised", view(("s3", "x", "e1"), 90.0)))[
        "navigation_context"
    ]
    behind = inside["previous_path"]
    assert [entry["node_id"] for entry in behind] == ["s3", "s2", "s1", "x"]
    assert behind[0]["to_next"]["direction"] == "Forward"
    assert behind[-1]["to_current_position"] == {"direction": "Forward", "heading": 90.0}
    assert inside["summary"]["previous_path_length"] == 4


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_names_every_place_and_landmark(name):
    shown = view(("s3", "s2"))
    text = render(name, shown)
    for landmark in NAMES:
        assert landmark in text
    if name != "grid":
        assert all(node in text for node in shown.positions)


def test_dot_is_quoted():
    graph = town({'a"b': (0, 0), "c\nd": (0, 20)}, [])
    text = render("graphviz", look(graph, 'a"b', 0.0))
    assert '"a\\"b"' in text
    assert text.count("\n") == len(text.splitlines()) - 1
    assert text.startswith("digraph")
    assert text.endswith("}")


GRID = """\
0 0 0 0 0
0 0 2 0 0
0 0 2 0 0
0 0 2 0 0
0 0 2 B 0
0 2 T 2 0
0 0 2 0 0
0 H 2 0 0
0 0 S 0 0
0 0 0 0 0"""


def test_the_grid():
    assert "\n".join(" ".join(row) for row in draw(view()).rows) == GRID
    text = render("grid", view())
    assert "You stand at [8, 2], marked S" in text
    assert "row 5: 0 2 T 2 0" in text


def test_the_grid_after_a_move():
    drawing = draw(view(("s3", "x", "e1"), 90.0))
    rows = [" ".join(row) for row in drawing.rows]
    assert rows[-2].split()[1] == "S"
    assert "P" in "".join(rows)
    assert drawing.node_at(drawing.nodes["e1"]) == "e1"
    assert sum(row.count("1") for row in drawing.rows) == 3
    assert "You started at" in render("grid", view(("s3", "x", "e1"), 90.0))


def test_an_intersection_without_signals_is_a_3():
    graph = crossing()
    rows = draw(look(graph, "s3", 0.0)).rows
    assert rows[5] == ("0", "2", "3", "2", "0")


def test_landmarks_never_hide_a_street():
    drawing = draw(view())
    for node, (row, column) in drawing.nodes.items():
        assert drawing.rows[row][column] in ("T" if node == "x" else "S2")


def test_an_unknown_format_is_one_sentence():
    with pytest.raises(
        SettingsError, match="There is no format 'yaml'; choose one of json, json-optimised"
    ):
        render("yaml", view())


PLAN = (
    SubGoal(description="MOVE_FORWARD to the light", status="COMPLETED"),
    SubGoal(description="TURN_RIGHT", status="IN_PROGRESS", iteration=3),
    SubGoal(description="MOVE_FORWARD", status="TODO"),
)


@pytest.mark.parametrize("name", FORMATS)
def test_a_prompt_has_all_its_parts(name):
    context = render(name, view())
    messages = step_messages(
        name=name,
        instruction="Go on.",
        plan=PLAN,
        current=1,
        landmarks=["Blue Door"],
        context=context,
        fault="no JSON",
    )
    assert [message.role for message in messages] == ["system", "user"]
    text = messages[1].text
    for part in (
        "Go on.",
        "TURN_RIGHT",
        "IN_PROGRESS",
        "Blue Door",
        context,
        "could not be used: no JSON",
    ):
        assert part in text
    assert "COMPLETED" in messages[0].text
    assert "{" not in messages[0].text


def test_schemas():
    assert decision_schema("grid")["properties"]["next_place"]["type"] == "array"
    assert decision_schema("json")["properties"]["next_place"] == {"type": "string"}
    actions = PLAN_SCHEMA["properties"]["sub_goals"]["items"]["properties"]["action"]["enum"]
    assert actions == ["MOVE_FORWARD", "TURN_LEFT", "TURN_RIGHT"]
    assert "Go on {there}." in plan_messages("Go on {there}.")[1].text

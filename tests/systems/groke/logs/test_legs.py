"""Waypoints joined to paths, and what is said of those that cannot be."""

from navviz.errors import Problem, Problems
from navviz.systems.groke.logs.states import WaypointLeg, join_legs
from navviz.world.search import UNREACHED
from tests.grids import grid, house

GRAPH = grid()
WHERE = Problem("", "", "s.json", "5", "json.predicated_path")


def _join(waypoints, graph=GRAPH):
    problems = Problems()
    return join_legs(graph, waypoints, WHERE, problems), list(map(str, problems.kept))


def test_each_waypoint_gives_one_leg_from_where_the_agent_is():
    legs, said = _join(("r0c0", "r0c2", "r0c2", None, "far", "r1c2"))
    assert legs == [
        WaypointLeg("r0c0", "r0c2", ("r0c0", "r0c1", "r0c2"), None),
        WaypointLeg("r0c2", "r0c2", (), None),
        WaypointLeg("r0c2", None, (), "the log names no node here"),
        WaypointLeg("r0c2", "far", (), "is not in the graph"),
        WaypointLeg("r0c2", "r1c2", ("r0c2", "r1c2"), None),
    ]
    assert said == [
        (
            "s.json, episode 5, field json.predicated_path: waypoint 5 is not in the graph; "
            "choose the graph of this run; it is skipped."
        )
    ]


def test_a_waypoint_out_of_reach_is_skipped_and_told():
    islands = house({"a": (0, 0, 0), "b": (1, 0, 0), "x": (5, 0, 0)}, "ab")
    legs, said = _join(("a", "b", "x", "a"), islands)
    assert legs == [
        WaypointLeg("a", "b", ("a", "b")),
        WaypointLeg("b", "x", (), UNREACHED),
        WaypointLeg("b", "a", ("b", "a")),
    ]
    assert said == [
        "s.json, episode 5, field json.predicated_path: waypoint 3 cannot be reached over the links; it is skipped."
    ]


def test_without_a_first_node_there_is_no_leg():
    assert _join(()) == ([], [])
    assert _join((None, "r0c1")) == ([], [])
    legs, said = _join(("far", "r0c1", "further"))
    assert legs == []
    assert [sentence.split(": ")[1].split(" is")[0] for sentence in said] == [
        "waypoint 1",
        "waypoint 3",
    ]

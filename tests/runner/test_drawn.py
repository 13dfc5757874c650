"""Episodes that a user draws: one goal, or several targets in order."""

from navviz.formats import open_worlds
from navviz.runner.drawn import clauses, drawn_episode, in_own_words, place_name
from navviz.world.search import tour
from tests.paths import SAMPLES


def test_one_goal_is_an_episode_as_ever():
    graph = open_worlds(SAMPLES / "house")()
    a, b = graph.ids[0], graph.ids[7]
    legs = tour(graph, a, [(b,)])
    assert legs is not None
    episode = drawn_episode(graph, a, legs)
    assert (episode.start, episode.goal, episode.tasks, episode.success_radius_m) == (a, b, (), 3.0)
    assert episode.reference_path == graph.shortest_path(a, b)


def test_several_targets_are_sub_tasks_named_by_what_is_near():
    graph = open_worlds(SAMPLES / "harbour" / "osm" / "graph")()
    linked = [
        node
        for node in graph.ids
        if any("name" in graph.pois[link.poi].tags for link in graph.poi_links(node))
    ]
    start, first, second = graph.ids[0], linked[0], linked[-1]
    legs = tour(graph, start, [(first,), (second,)])
    assert legs is not None
    episode = drawn_episode(graph, start, legs)
    assert [task.goals for task in episode.tasks] == [(first,), (second,)]
    assert episode.goal == second
    assert episode.reference_path[0] == start
    name = place_name(graph, first)
    assert name is not None
    assert episode.tasks[0].description == f"Walk to {name} and stop there."
    assert drawn_episode(graph, start, legs) == episode


def test_the_instructions_clauses_tell_the_sub_tasks_where_they_are_as_many():
    graph = open_worlds(SAMPLES / "house")()
    legs = tour(graph, graph.ids[0], [(graph.ids[5],), (graph.ids[9],)])
    assert legs is not None
    episode = drawn_episode(graph, graph.ids[0], legs)
    draft = in_own_words(
        episode.model_copy(update={"instruction": "Go to the bench, then walk to the stove"})
    )
    assert [task.description for task in draft.tasks] == ["Go to the bench.", "Walk to the stove."]
    other = episode.model_copy(update={"instruction": "Go home."})
    assert in_own_words(other) == other
    assert clauses("Turn left. Then go on, and stop! ") == ("Turn left.", "Then go on", "Stop!")

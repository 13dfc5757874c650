"""The search of the rules on a small town: alignment, landmarks, routes."""

import itertools

import numpy as np
import pytest

from navviz.language.grammar.grammar import read_instruction
from navviz.language.grammar.way import PlaceMention
from navviz.language.placing.alignment import NEVER, AlignmentModel, Lattice, align, trace_back
from navviz.language.placing.area import Surroundings, reachable
from navviz.language.placing.features import lookup
from navviz.language.placing.landmarks import PoiNames, match_mentions, normalise
from navviz.language.placing.routes import route_to, routes_to
from navviz.language.placing.scoring import load_weights
from navviz.language.placing.streets import ANGLES, SHAPES, build_streets, streets_of
from navviz.systems.rules.explain import runner_ups
from navviz.systems.rules.search import Reach, first_links, search
from tests.systems.rules.town import town

CAFE = {"amenity": "cafe", "name": "Green Kettle"}


def find(graph, text, start="c0>c1:2", heading_deg=0.0, **more):
    options = {"longest_m": 400.0, "length_prior": False, "radius_m": 25.0} | more
    reach = Reach(options.pop("longest_m"), length_prior=options.pop("length_prior"))
    weights = load_weights("length-prior" if reach.length_prior else "no-length-prior")
    return search(
        graph,
        graph.index[start],
        heading_deg,
        read_instruction(text),
        weights,
        reach=reach,
        **options,
    )


def stop_of(graph, text, **more):
    return graph.ids[find(graph, text, **more).node]


# --- streets


def test_streets_know_junctions_lights_and_blocks():
    graph = town(3, lights=["b1"])
    streets = streets_of(graph)
    b1 = graph.index["b1"]
    assert streets.junction[b1]
    assert streets.lit[b1]
    assert not streets.lit[graph.index["b0"]]
    link = int(
        np.flatnonzero(
            (streets.source == graph.index["b0>b1:3"]) & (streets.target == graph.index["b0>b1:4"])
        )[0]
    )
    assert streets.back_m[link] == pytest.approx(40, abs=0.5)
    assert streets.forward_m[link] == pytest.approx(40, abs=0.5)
    steps = np.flatnonzero(streets.source[streets.step_to] == b1)
    arriving_north = [
        s for s in steps if streets.source[streets.step_from[s]] == graph.index["b0>b1:7"]
    ]
    assert {ANGLES[streets.step_angle[s]] for s in arriving_north} == {"left", "straight", "right"}
    assert {SHAPES[streets.step_shape[s]] for s in arriving_north} == {"crossing"}


def test_no_walk_turns_round():
    streets = build_streets(town(3))
    assert not np.any(streets.source[streets.step_from] == streets.target[streets.step_to])


def test_streets_are_computed_once_for_a_graph():
    graph = town(2)
    assert streets_of(graph) is streets_of(graph)


# --- alignment


def _random_model(area, units, seed):
    rng = np.random.default_rng(seed)
    choices = len(area.choice_from)
    return AlignmentModel(
        rng.normal(size=(units, choices)).astype(np.float32),
        rng.normal(size=(units + 1, choices)).astype(np.float32),
        (rng.normal(size=units) - 1).astype(np.float32),
        (None,) * units,
    )


def _walks(area, hops):
    """Every walk of exactly `hops` links, as links and the choices between them; by brute force."""
    onward = {}
    for a, b in zip(area.single_from.tolist(), area.single_to.tolist(), strict=True):
        onward.setdefault(a, []).append((b, -1))
    for number, (a, b) in enumerate(
        zip(area.choice_from.tolist(), area.choice_to.tolist(), strict=True)
    ):
        onward.setdefault(a, []).append((b, number))
    found = [((first,), ()) for first in area.first_links.tolist()]
    for _ in range(hops - 1):
        found = [
            ((*links, b), (*choices, c))
            for links, choices in found
            for b, c in onward.get(links[-1], [])
        ]
    return found


def _best_by_hand(model, choices, units):
    """Best score of aligning units with the transitions of one walk, trying every way to place or
    drop each unit.
    """
    steps = [c for c in choices if c >= 0]
    best = -np.inf
    for placed in itertools.product(range(-1, len(steps)), repeat=units):
        used = [p for p in placed if p >= 0]
        if used != sorted(set(used)):
            continue
        score, done = 0.0, 0
        order = {p: k for k, p in enumerate(placed) if p >= 0}
        for k, p in enumerate(placed):
            score += float(model.drop[k]) if p < 0 else float(model.use[k, steps[p]])
        # a skipped transition is paid at the state in which it is passed; dropped units may be
        # dropped before or after it
        score += _skips(model, steps, placed, order, units)
        best = max(best, score + done)
    return best


def _skips(model, steps, placed, order, units):
    total, low = 0.0, 0
    for number, step in enumerate(steps):
        if number in order:
            low = order[number] + 1
            continue
        high = min((k for k in range(low, units) if placed[k] > number), default=units)
        low_needed = max((k + 1 for k in range(units) if 0 <= placed[k] < number), default=0)
        states = range(max(low, low_needed), high + 1)
        pick = max(states, key=lambda k: float(model.skip[k, step]))
        total, low = total + float(model.skip[pick, step]), pick
    return total


@pytest.mark.parametrize("seed", range(4))
def test_alignment_equals_brute_force_with_one_junction(seed):
    graph = town(3)
    streets = streets_of(graph)
    area = reachable(streets, first_links(streets, graph.index["b0>b1:5"], 0.0), 8)
    model = _random_model(area, 2, seed)
    lattice = align(area, model, 8)
    for hops in (2, 5, 8):
        for links, choices in _walks(area, hops):
            assert sum(c >= 0 for c in choices) <= 1
            assert lattice.best[hops - 1, -1, links[-1]] == pytest.approx(
                _best_by_hand(model, choices, 2), abs=1e-4
            )


@pytest.mark.parametrize("seed", range(3))
def test_trace_back_gives_back_the_score(seed):
    graph = town(4)
    streets = streets_of(graph)
    area = reachable(streets, first_links(streets, graph.index["b0>b1:5"], 0.0), 24)
    model = _random_model(area, 3, seed)
    lattice = align(area, model, 24)
    ends = np.flatnonzero(lattice.best[-1, -1] > NEVER / 2)
    scores = np.zeros(len(ends))
    for event in trace_back(lattice, np.full(len(ends), 23), ends):
        used, skipped = event.use >= 0, event.skip >= 0
        scores[event.walk[used]] += model.use[event.unit[used], event.use[used]]
        scores[event.walk[skipped]] += model.skip[event.unit[skipped], event.skip[skipped]]
        scores[event.walk[event.drop]] += model.drop[event.unit[event.drop]]
    assert len(ends) > 10
    np.testing.assert_allclose(scores, lattice.best[-1, -1, ends], atol=1e-3)


def test_routes_to_several_places_are_those_to_each():
    graph = town(4)
    result = find(graph, "Go straight. Turn right at the second light. Stop at the corner.")
    ends = [node for node, _ in runner_ups(graph, result, 25.0, 4)]
    places = [(node, 0.5 / k) for k, node in enumerate([*ends, len(graph), *ends[:1]], start=1)]
    assert len(ends) > 2
    assert routes_to(graph, result, places) == [route_to(graph, result, *place) for place in places]
    assert routes_to(graph, result, places)[len(ends)] is None
    assert routes_to(graph, result, []) == []


def test_a_table_of_features_is_made_once_and_not_to_be_changed():
    table = lookup("length:{}", range(3))
    assert table is lookup("length:{}", range(3))
    assert not table.flags.writeable


def test_an_empty_area_gives_an_empty_lattice():
    graph = town(2).subgraph(["a0"])
    area = reachable(streets_of(graph), [], 5)
    lattice = align(area, _random_model(area, 1, 0), 5)
    assert isinstance(lattice, Lattice)
    assert lattice.best.size == 0


# --- landmarks


def test_names_are_compared_without_case_accents_and_articles():
    assert normalise("The Café Rosé's & Co.") == normalise("cafe roses and co")


def test_a_misspelt_name_is_found_and_a_kind_by_its_tags():
    graph = town(
        3,
        shops={"p1": (100, 40, CAFE), "p2": (20, 60, {"amenity": "bank", "name": "First Savings"})},
    )
    pois = list(graph.pois.values())
    names = PoiNames(pois)
    nearby = np.arange(len(pois), dtype=np.int32)
    kettle, bank, nothing = match_mentions(
        [
            PlaceMention("Green Ketle", None),
            PlaceMention("bank", "bank"),
            PlaceMention("Zanzibar Imports", None),
        ],
        names,
        nearby,
    )
    assert [pois[i].id for i in kettle.pois] == ["p1"]
    assert [pois[i].id for i in bank.pois] == ["p2"]
    assert len(nothing.pois) == 0


def test_two_names_in_one_mention_match_both():
    graph = town(
        3, shops={"p1": (100, 40, CAFE), "p2": (20, 60, {"shop": "books", "name": "Paper Moon"})}
    )
    pois = list(graph.pois.values())
    (found,) = match_mentions(
        [PlaceMention("Green Kettle and Paper Moon", None)],
        PoiNames(pois),
        np.arange(len(pois), dtype=np.int32),
    )
    assert {pois[i].id for i in found.pois} == {"p1", "p2"}


def test_sightings_know_the_side():
    graph = town(3, lights=[], shops={"p1": (92, 40, CAFE)})
    streets = streets_of(graph)
    area = reachable(streets, first_links(streets, graph.index["b0>b1:1"], 0.0), 6)
    around = Surroundings(streets, area)
    names = PoiNames(list(graph.pois.values()))
    weights = load_weights("length-prior")
    for side, sign in (("right", 1), ("left", -1)):
        mention = PlaceMention("Green Kettle", None, side)
        (matches,) = match_mentions([mention], names, around.nearby)
        seen = around.pick(mention, matches, "pass", weights, 40.0)
        assert (seen.lateral_m > 0).all()
        assert len(seen.link)
        scores = seen.score * sign
        assert np.isfinite(scores).all()
    right = around.pick(PlaceMention("Green Kettle", None, "right"), matches, "pass", weights, 40.0)
    left = around.pick(PlaceMention("Green Kettle", None, "left"), matches, "pass", weights, 40.0)
    assert right.score.max() > left.score.max()


# --- routes


def test_turns_at_lights_are_followed():
    graph = town()
    assert stop_of(graph, "Turn right at the light. Stop halfway down the block.").startswith(
        "c1>d1:"
    )
    assert stop_of(graph, "Turn left at the light. Stop halfway down the block.").startswith(
        "b1>c1:"
    )


def test_the_second_light_is_the_second():
    stop = stop_of(
        town(),
        "Go through the light and turn right at the second light. Stop halfway down the block.",
    )
    assert stop.startswith("c2>d2:")


def test_a_turn_at_a_light_is_likelier_where_there_is_one():
    def beyond_c2(lights):
        graph = town(lights=lights)
        found = find(graph, "Turn right at the light. Stop halfway down the block.")
        return sum(
            mass for node, mass in found.node_mass.items() if graph.ids[node].startswith("c2>d2:")
        )

    assert beyond_c2(["c2"]) > 5 * beyond_c2(["c1"])


def test_the_landmark_decides_the_block_and_the_side_of_it():
    graph = town(
        shops={"p1": (200, 88, CAFE), "p2": (200, 168, {"amenity": "cafe", "name": "Red Door"})}
    )
    assert stop_of(graph, "Turn right. Stop in front of Green Kettle on the left.") in {
        f"c1>d1:{k}" for k in (3, 4, 5)
    }
    assert stop_of(graph, "Turn right. Stop in front of Red Door on the left.") in {
        f"c2>d2:{k}" for k in (3, 4, 5)
    }


def test_without_a_heading_all_directions_are_open():
    graph = town(shops={"p1": (168, 20, CAFE)})
    stop = stop_of(
        graph,
        "Stop in front of Green Kettle. Go to Green Kettle.",
        start="c0>c1:6",
        heading_deg=None,
    )
    assert graph.distance_m(stop, "c0>c1:2") <= 25


def test_confidence_is_a_probability_and_falls_with_vagueness():
    graph = town(shops={"p1": (200, 88, CAFE)})
    exact = find(
        graph, "Turn right at the light. Stop in front of Green Kettle on the left."
    ).confidence
    vague = find(graph, "Turn right.").confidence
    assert 0.0 < vague < exact <= 1.0


def test_walks_begin_as_they_were_forced():
    graph = town()
    walked = [
        graph.index[n]
        for n in ("c0>c1:2", "c0>c1:3", "c0>c1:4", "c0>c1:5", "c0>c1:6", "c0>c1:7", "c1", "b1>c1:7")
    ]
    stop = graph.ids[
        find(
            graph,
            "Turn right at the light. Turn right at the light. Stop after a few steps.",
            walked=walked,
        ).node
    ]
    assert not stop.startswith("c1>d1")


def test_a_long_plan_fits_in_bounded_memory():
    graph = town(6)
    text = "Turn right at the light. Turn left at the light. " * 30
    assert find(graph, text, longest_m=5000.0).lattice.best.size <= 40_000_000


def test_the_beam_finds_what_the_whole_lattice_finds(monkeypatch):
    graph = town(9)
    text = (
        "Turn right at the next light. Turn left at the next light. " * 5
        + "Stop halfway down the block."
    )
    whole = find(graph, text, start="a0>a1:4", longest_m=1000.0)
    monkeypatch.setattr("navviz.systems.rules.search._ROOM", whole.lattice.best.size // 4)
    thinned = find(graph, text, start="a0>a1:4", longest_m=1000.0)
    assert thinned.lattice.best.size <= whole.lattice.best.size // 4
    assert thinned.node == whole.node
    walked = [graph.index[n] for n in ("a0>a1:4", "a0>a1:5", "a0>a1:6", "a0>a1:7", "a1", "a1>b1:1")]
    assert find(graph, text, start="a0>a1:4", longest_m=1000.0, walked=walked).node == whole.node

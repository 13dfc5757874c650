"""The decisive act in a house, and of free walks: hints, from the clauses of the instruction."""

from __future__ import annotations

import pytest

import navviz
from navviz.analysis.acts import decisive_act
from navviz.records.act import HOWS
from tests.grids import episode, house, trace

PLACES = {
    "s": (0, 0, 1.5),
    "a": (0, 4, 1.5),
    "b": (0, 8, 1.5),
    "r": (4, 8, 1.5),
    "l": (-4, 8, 1.5),
    "m": (-8, 8, 1.5),
    "t": (8, 8, 1.5),
    "u": (12, 8, 1.5),
    "w": (4, 0, 1.5),
    "v": (8, 0, 1.5),
}
HOUSE = house(PLACES, "sabrtu", "blm", "swv")
TEXT = "Walk down the hallway. Turn right into the kitchen. Stop by the sink."


def _act(walk, text=TEXT, status="done", **options):
    told = episode(tuple("sabrt"), instruction=text, start_heading_deg=0.0, success_radius_m=3.0)
    return decisive_act(trace(told, [[node] for node in walk], status, **options), HOUSE)


@pytest.mark.parametrize(
    ("how", "walk", "text", "tail"),
    [
        (
            "other exit",
            "ablm",
            "Turn right",
            "it turned left where the route turns right, 8.0 m into",
        ),
        (
            "set out wrong",
            "wv",
            None,
            "it turned right where the route goes straight on, at the start",
        ),
        ("turned back", "abas", "Turn right", "it turned back 8.0 m into the route"),
        (
            "went on",
            "abrtu",
            "Stop by the sink",
            "it came to the end of the route and went 4.0 m on",
        ),
        (
            "stopped early",
            "abr",
            "Stop by the sink",
            "it stopped 4.0 m before the end of the route",
        ),
    ],
)
def test_each_how_of_a_house_has_its_clause(how, walk, text, tail):
    found = _act(walk)
    assert (found.how, found.grade) == (how, "hint")
    assert tail in found.sentence
    if text is not None:
        assert found.act.text.startswith(text)
        begin, end = found.act.span
        assert TEXT[begin:end].startswith(text)


@pytest.mark.parametrize(
    ("walk", "heading_deg", "tail"),
    [
        ("ac", 0.0, "it turned right 4.0 m too early, 4.0 m into the route."),
        ("wv", 180.0, "it turned left where the route goes back, at the start."),
        ("kj", 0.0, "it went slightly right where the route goes straight on, at the start."),
    ],
)
def test_the_way_is_said_as_the_map_has_it(walk, heading_deg, tail):
    places = PLACES | {"c": (4, 4, 1.5), "k": (3, 4, 1.5), "j": (7, 5, 1.5)}
    graph = house(places, "sabrtu", "acm", "swv", "skj")
    told = episode(
        tuple("sabrt"), instruction=TEXT, start_heading_deg=heading_deg, success_radius_m=3.0
    )
    found = decisive_act(trace(told, [[node] for node in walk], "done"), graph)
    assert found.sentence.endswith(tail)


def test_a_turn_made_by_another_exit_is_done():
    places = PLACES | {"o": (4, 10, 1.5), "p": (4, 16, 1.5)}
    graph = house(places, "sabrtu", "bop")
    text = "Walk down the hallway. Turn right. Walk into the kitchen. Stop by the sink."
    told = episode(tuple("sabrt"), instruction=text, start_heading_deg=0.0, success_radius_m=3.0)
    found = decisive_act(trace(told, [[node] for node in "abop"], "done"), graph)
    assert found.act.text == "Walk into the kitchen"
    assert "took another exit to the right than the route" in found.sentence


@pytest.mark.parametrize(
    ("how", "status", "legal"),
    [("did not stop", "limit", ()), ("broke off", "error", (True, True, False))],
)
def test_an_end_that_nobody_chose_is_no_stop(how, status, legal):
    walk = "ab" if not legal else "abb"
    assert _act(walk, status=status, legal=legal).how == how


def test_kinds_and_the_place_to_stop_are_read_from_clauses():
    text = (
        "Leave the bedroom. Go up the stairs. Turn left. Stop in front of the table, by the sofa."
    )
    acts = _act("wv", text).acts
    assert [act.kind for act in acts] == ["room", "stairs", "turn", "stop"]
    assert acts[-1].text == "Stop in front of the table, by the sofa"
    assert acts[2].side == "left"


def test_success_has_no_act():
    assert _act("abrt") is None


@pytest.mark.parametrize("name", ["navgpt-by-hand", "random-walker-indoors", "rules-indoors"])
def test_every_failure_of_a_sample_in_the_house_has_an_act(name):
    run = navviz.open_run(navviz.samples_dir() / "house" / "runs" / name)
    for key in run.traces:
        divergence = run.divergence(key)
        if divergence.error_m is None or divergence.kind == "no reference":
            continue
        found = decisive_act(run.trace(key), run.graph(key), divergence)
        failed = divergence.error_m > run.trace(key).episode.success_radius_m
        assert (found is not None) == failed
        assert found is None or (found.how in HOWS and found.sentence.endswith("."))

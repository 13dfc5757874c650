"""GROKE's textual and graph prompts: place, heading and visible area, in any order and with any
blanks.
"""

from __future__ import annotations

import random

import pytest

from navviz.systems.groke.logs.calls import read_prompt
from navviz.systems.groke.logs.views import read_view

TEXTUAL = """\
============================================================
NAVIGATION CONTEXT - TEXTUAL REPRESENTATION
============================================================

Current Position: Node r0c1
Current Heading: 92.5° (East)

Previous Path (already visited): Started at node r0c0, then forward (90°, East) to current position

POI Legend:
  K = Kiosk (north) = best, since 1900
  T = traffic light

----------------------------------------
CURRENT PATH - NODE CONNECTIONS AND POIS
----------------------------------------

Node r0c1:
  Connected to nodes:
    - Node r0c2 is to the forward (heading: 90.0°, East)
  Nearby POIs:
    - Kiosk (north) = best, since 1900 (K) is left, ~7.4m to the left

Intersection r0c2:
  * POI at this location: traffic light (T)
  Connected to nodes:
    - Node r0c3 is to the forward (heading: 90.0°, East)
    - Node r1c2 is to the left (heading: 0.4°, North)
  Branches from this intersection:
    - Forward branch (heading: 90.0°, East):
      Path: r0c3 -> r0c4
    - Left branch (heading: 0.4°, North):
      Path: r1c2 -> r2c2
  Nearby POIs:
    - Kiosk (north) = best, since 1900 (K) is on the corner, ~12.0m to the right

============================================================
"""
GRAPH = """\
# Navigation Graph - Graphviz-Style Representation
# Format: Source --> Target [attributes]

# POI Legend:
#   K = Kiosk (north) = best, since 1900
#   T = traffic light

# Current Position (P): r0c1
# Current Heading: 92.5° (East)

# Previous Path (already visited): r0c0 --[forward, 90°]--> (current position)

# Current Path - Node Connections:
r0c1 --> r0c2 [heading: 90°, direction: Forward]
r0c2 [INTERSECTION] --> r0c3 [heading: 90°, direction: Forward]
r0c2 [INTERSECTION] --> r1c2 [heading: 0°, direction: Left]

# Intersection Branches (extended nodes):
r0c2 [INTERSECTION] --(Forward)--> r0c3 --> r0c4 [heading: 90°, East]
r0c2 [INTERSECTION] --(Left)--> r1c2 --> r2c2 [heading: 0°, North]

# POI Connections:
r0c1 --> Kiosk (north) = best, since 1900 (POI:K) [direction: Left, position: left, distance: ~7m]
r0c2 --> Kiosk (north) = best, since 1900 (POI:K) [direction: Right, position: on the corner, distance: ~12m]
"""
PLAN = "1. Walk on (COMPLETED)\n2. Turn left (IN_PROGRESS)\n3. Stop (TODO)"
LINKS = {"r0c1": {"r0c2"}, "r0c2": {"r0c3", "r1c2"}, "r0c3": {"r0c4"}, "r1c2": {"r2c2"}}
KIOSK = "Kiosk (north) = best, since 1900"


def prompt(context: str, title: str = "Navigation Context:") -> str:
    return (
        "[TASK DESCRIPTION]\nYou are an agent.\n\n[INPUT FORMAT]\nInstruction: Walk on.\n\n"
        f"Current Sub-Goal: Turn left\nSub-Goal State: IN PROGRESS\n\n{title}\n{context}\n"
        f"[OUTPUT FORMAT - STRICT JSON]\n1. **Next_Place**\n\nPlanning State:\n{PLAN}\n\n[CONSTRAINTS]\n- None.\n"
    )


@pytest.fixture(params=["textual", "graphviz"])
def message(request):
    if request.param == "textual":
        return prompt(TEXTUAL)
    return prompt(GRAPH, "Current Map:")


def test_place_heading_and_plan_are_read(message):
    read = read_prompt(message)
    view = read_view(read)
    assert (view.node, view.heading_deg) == ("r0c1", 92.5)
    assert read.instruction == "Walk on."
    assert [(goal.description, goal.status) for goal in read.plan] == [
        ("Walk on", "COMPLETED"),
        ("Turn left", "IN_PROGRESS"),
        ("Stop", "TODO"),
    ]
    assert read.sub_goal == 1


def test_the_visible_area_is_read(message):
    view = read_view(read_prompt(message))
    assert view.visible == ("r0c1", "r0c2")
    assert view.crossings == {"r0c2"}
    assert {node: set(targets) for node, targets in view.links.items()} == LINKS
    assert set(view.routes()) == {"r0c2", "r0c3", "r1c2", "r0c4", "r2c2"}
    assert view.headings["r0c3"] == (90.0, "Forward")
    assert view.headings["r1c2"][1] == "Left"


def test_landmarks_are_read_whatever_their_names_hold(message):
    view = read_view(read_prompt(message))
    assert view.letters == {KIOSK: "K", "traffic light": "T"}
    near = [(poi.name, poi.letter, poi.node, poi.direction, poi.position) for poi in view.pois]
    assert (KIOSK, "K", "r0c1", "Left", "left") in near
    assert (KIOSK, "K", "r0c2", "Right", "on the corner") in near
    metres = {poi.node: round(poi.distance_m) for poi in view.pois if poi.distance_m is not None}
    assert metres == {"r0c1": 7, "r0c2": 12}


def test_a_landmark_at_a_node_is_read():
    view = read_view(read_prompt(prompt(TEXTUAL)))
    here = [poi for poi in view.pois if poi.position == "here"]
    assert [(poi.name, poi.letter, poi.node) for poi in here] == [("traffic light", "T", "r0c2")]


def test_the_context_is_the_map_alone(message):
    context = read_prompt(message).context
    assert "r0c2" in context
    assert "OUTPUT FORMAT" not in context
    assert "Current Sub-Goal" not in context


@pytest.mark.parametrize("seed", range(4))
def test_the_order_of_the_parts_does_not_matter(seed):
    chance = random.Random(seed)
    blocks = TEXTUAL.split("\n\n")
    chance.shuffle(blocks)
    lines = [line for line in GRAPH.splitlines() if " = " not in line and "Legend" not in line]
    chance.shuffle(lines)
    views = [
        read_view(read_prompt(prompt("\n\n".join(blocks)))),
        read_view(read_prompt(prompt("\n".join(lines)))),
    ]
    for view in views:
        assert (view.node, view.heading_deg, view.crossings) == ("r0c1", 92.5, {"r0c2"})
        assert {node: set(targets) for node, targets in view.links.items()} == LINKS


def test_blanks_do_not_matter(message):
    spaced = "\n".join(f"{line}  " for line in message.splitlines()).replace("\n\n", "\n   \n\n")
    assert read_view(read_prompt(spaced)) == read_view(read_prompt(message))
    windows = message.replace("\n", "\r\n")
    assert read_view(read_prompt(windows)) == read_view(read_prompt(message))


def test_a_map_without_a_position_has_none(message):
    cut = "\n".join(line for line in message.splitlines() if "Current Position" not in line)
    view = read_view(read_prompt(cut))
    assert (view.node, view.heading_deg) == (None, 92.5)
    assert view.visible == ("r0c1", "r0c2")
    assert view.routes() == {}

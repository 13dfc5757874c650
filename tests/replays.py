"""Replays on the tiny world, for tests of the player: a run with everything, and what is left when
parts are missing.
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from navviz.records import (
    Call,
    Candidate,
    Decision,
    EndEvent,
    Episode,
    Landmark,
    Message,
    Observation,
    Panel,
    SeenPoi,
    Step,
    SubGoal,
    Trace,
    TraceHeader,
    Usage,
)
from navviz.world.graph import Graph, Poi
from tests.worlds import PLACES, ROUTE, STREETS, at

HOSTILE = (
    "<script>window.pwned=1</script>",
    '<img src=x onerror="window.pwned=1">',
    "</script><script>window.pwned=1</script>",
    "javascript:window.pwned=1",
    "[link](javascript:window.pwned=1) **bold** `code`",
    "<!-- <script> \u2028 \u2029 ]]>",
)
"""Texts that must stay texts."""


def tiny_graph(poi_name: str = "Blue Door Café", prefix: str = "") -> Graph:
    """The tiny world; node ids get a prefix where a test wants long ones."""
    ids = [prefix + node for node in PLACES]
    index = {node: i for i, node in enumerate(ids)}
    links = [(index[prefix + a], index[prefix + b]) for s in STREETS for a, b in (s, s[::-1])]
    north = at("e1")[0] + 0.0001
    pois = {
        "light": Poi("light", at("x"), {"highway": "traffic_signals"}),
        "cafe": Poi("cafe", (north, at("e1")[1]), {"amenity": "cafe", "name": poi_name}),
    }
    return Graph(
        "tiny",
        "geo",
        ids,
        np.array([at(node) for node in PLACES]),
        np.array([a for a, _ in links], np.int32),
        np.array([b for _, b in links], np.int32),
        pois=pois,
        poi_link_nodes=np.array([index[prefix + "e1"]], np.int32),
        poi_link_pois=np.array([1], np.int32),
        poi_link_headings_deg=np.array([0.0]),
        poi_link_positions=np.array([[north, at("e1")[1]]]),
    )


def tiny_episode(
    instruction: str = "Walk to the light, turn right and stop at the Blue Door Café.", **more: Any
) -> Episode:
    values: dict[str, Any] = {
        "id": "ep-1", "dataset": "tiny", "instruction": instruction, "start": "s1",
        "start_heading_deg": 0.0, "reference_path": tuple(ROUTE), "goal": "e1",
    }  # fmt: skip
    return Episode(**(values | more))


def full_trace(*, text: str = "", running: bool = False) -> Trace:
    """Four steps with calls, plan, landmarks, candidates, panels, an illegal decision and a retry.

    `text` is put into every field that a model or a data set could fill.
    """
    steps = (
        _step(1, "s1", ("s1", "s0", "x"), "x", 0, text),
        _step(2, "x", ("x", "w0"), "w0", 1, text, retries=1),
        _step(3, "w0", (), "nowhere", 1, text, legal=False),
        _step(4, "w0", ("w0", "x", "e0"), "e0", 1, text, stop=True),
    )
    instruction = f"Walk to the light, turn right and stop at the Blue Door Café. {text}"
    episode = tiny_episode(
        instruction, success_radius_m=31.0
    )  # it ends 30 m from the goal: step 2 left the route, and came back
    return Trace(
        header=TraceHeader(
            run=f"demo {text}".strip(), episode=episode, navigator="groke", model="model-x"
        ),
        sub_goals=_plan(0, text),
        landmarks=(Landmark(name="Blue Door Café", letter="B"), Landmark(name="light", letter="L")),
        plan_calls=(
            Call(
                purpose="plan",
                messages=(Message(role="user", text="Split it."),),
                reply="two parts",
                seconds=1.5,
            ),
        ),
        steps=steps,
        end=None if running else EndEvent(status="done", node="e0", plan=_plan(2, text)),
        streaming={"thoughts": "Hmm, the Blue Door Café is"} if running else {},
    )


def _plan(done: int, text: str) -> tuple[SubGoal, ...]:
    arguments = ("Walk to the light", f"Turn right and stop at the Blue Door Café {text}".strip())
    states = ["COMPLETED" if i < done else "IN_PROGRESS" if i == done else "TODO" for i in range(2)]
    return tuple(
        SubGoal(description=what, status=state, iteration=1 if state == "IN_PROGRESS" else None)  # type: ignore[arg-type]
        for what, state in zip(arguments, states, strict=True)
    )


def _step(
    index: int, node: str, path: tuple[str, ...], target: str, goal: int, text: str, **more: Any
) -> Step:
    context = json.dumps(
        {
            "here": node,
            "poi_legend": {"B": "Blue Door Café"},
            "nodes": [{"id": n} for n in ("x", "e0", "e1")],
            "note": text,
        }
    )
    prompt = f"[TASK]\nChoose the next place. {text}\n\nContext:\n```json\n{context}\n```\n\n[RULES]\n- Name a node.\n"
    return Step(
        index=index,
        node=node,
        heading_deg=90.0 * (index - 1),
        plan=_plan(goal, text),
        sub_goal=goal,
        observation=Observation(
            format="json",
            text=context,
            visible_nodes=("x", "e0", "e1", "n0", "w0"),
            pois=(
                SeenPoi(name="Blue Door Café", letter="B", node="e1", direction="Right", distance_m=8.0),
                SeenPoi(name="light", letter="L", node="x"),
            ),
            candidates=(
                Candidate(node=target if target in PLACES else "x", state="chosen", direction="Left"),
                Candidate(node="e0", state="rejected", score=0.25, reason=text or "too far", path=("x", "e0")),
                Candidate(node="n0", state="offered"),
            ),
        ),
        calls=(
            Call(
                messages=(Message(role="system", text="You walk."), Message(role="user", text=prompt)),
                thoughts=f"**Looking around**\n\nThe Blue Door Café is near `e1`, letter \"B\". {text}\n\n- go to e0\n- or n0",
                reply=json.dumps({"next_place": target, "why": text}),
                model="model-x",
                usage=Usage(prompt_tokens=100, thoughts_tokens=20, output_tokens=5) if index != 3 else None,
                seconds=2.0,
                retries=more.get("retries", 0),
                cost_usd=0.001,
            ),
        ),
        decision=Decision(target=target, sub_goal_status="COMPLETED" if goal == 0 else "IN_PROGRESS", stop=more.get("stop", False), legal=more.get("legal", True), reason=text or None),
        path=path,
        panels=(
            Panel(kind="bars", title="Scores", data={"items": [{"label": f"e0 {text}", "value": 0.25}, {"label": "x", "value": 0.75, "chosen": True}]}),
            Panel(kind="table", title="Table", data={"columns": ["node", "why"], "rows": [["e0", text], ["x", 1.5]]}),
            Panel(kind="keyvalue", title="Facts", data={"items": [["skill", text or "turn"]]}),
            Panel(kind="directions", title="Around", data={"directions": [{"label": "front", "text": text, "objects": ["door"], "candidates": ["e0"]}]}),
            Panel(kind="graph", title="Memory", data={"nodes": [{"id": "x"}, {"id": "e0", "chosen": True}], "links": [["x", "e0"]]}),
            Panel(kind="text", title="Notes", data={"text": text or "plain words about e0"}),
            Panel(kind="keyvalue", title="Marked", data={"items": [["where", {"mark": {"text": text or "in the middle", "start": 3, "end": 6}}]]}),
            Panel(kind="reordered", title="Order", data={"original": text or "Turn left after e0.", "by": text or "rules", "parts": [{"text": text, "span": [0, 4], "moved": True, "words": [[text or "turn", True], ["e0", False]]}], "relations": [{"relation": text or "forward", "cue": text or "after", "span": [5, 8]}]}),
            Panel(kind="bars", title="Hinted", data={"items": [{"label": "x", "value": 1, "skill": text or "Stop"}], "hint": text or "look", "note": text or "so", "ran": "Stop"}),
            Panel(kind="from-the-future", title="Unknown", data={"a": {"b": [1, text]}}),
            Panel(kind="table", title="Broken", data={"columns": 3, "rows": "?"}),
        ),
    )  # fmt: skip


def waypoints_trace(
    waypoints: tuple[str | None, ...] = ("s1", "x", None, "e0", "elsewhere"),
) -> Trace:
    """A foreign log of waypoints alone, with a hole and a node that is not in the graph."""
    header = TraceHeader(run="log", episode=tiny_episode(), navigator="groke")
    return Trace(header=header, waypoints=waypoints, end=EndEvent(status="done", node="e0"))

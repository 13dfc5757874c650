"""A walk told in a voice, as a trace: plan, prompts, thoughts and replies."""

from __future__ import annotations

from typing import Final

from navviz.analysis.navfault.faults import OTHER_SIDE, FaultMove, FaultWalk, Said, sights_of
from navviz.analysis.navfault.routes import PlaceSight
from navviz.analysis.navfault.voices import Voice
from navviz.records import (
    Call,
    Decision,
    EndEvent,
    EndStatus,
    Episode,
    Landmark,
    Message,
    Observation,
    SeenPoi,
    Step,
    SubGoal,
    Trace,
    TraceHeader,
)
from navviz.systems.indoors import plan_at
from navviz.world.pois import Poi

_NO_ANSWER: Final = "time-out (504)"
_WAYS: Final = {"Left": "left", "Right": "right", "Forward": "straight"}
_STATES: Final = {"COMPLETED": "completed", "IN_PROGRESS": "in_progress", "TODO": "todo"}
_ORDINALS: Final = (
    *("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth"),
    *("tenth", "eleventh", "twelfth"),
)
_KEPT: Final = (
    *("dataset", "world", "start", "start_heading_deg", "reference_path", "goal"),
    "success_radius_m",
)


def lines_of(walk: FaultWalk, voice: Voice, *, planned: bool) -> list[str]:
    """Write the lines of the instruction; with `planned` those of the plan, its fault included."""
    texts = []
    for line in walk.route.lines:
        side, slot = line.side, "stop" if line.side is None else "turn"
        form = "count" if line.landmark is None else "landmark"
        if planned and line.number == walk.bare:
            form = "bare"
        if planned and line.number == walk.swapped and side is not None:
            side = OTHER_SIDE[side]
        # the researchers' words: plain sides and numbers in each voice
        text = voice.say(
            "plan",
            f"{slot}_{form}",
            (walk.route.episode.id, line.number),
            side=side,
            landmark=line.landmark_name,
            nth=_ORDINALS[max(line.nth, 1) - 1],
            thing=line.thing,
        )
        texts.append(text)
    return texts


def instruction_of(walk: FaultWalk, voice: Voice) -> tuple[str, list[tuple[int, int]]]:
    """Join the lines of the correct plan; also returns where each line stands in the text."""
    spans, begin = [], 0
    lines = lines_of(walk, voice, planned=False)
    for line in lines:
        spans.append((begin, begin + len(line)))
        begin += len(line) + 1
    return " ".join(lines), spans


def tell(walk: FaultWalk, voice: Voice, name: str) -> Trace:
    """Write a walk down as the trace of an episode called `name`."""
    route, last = walk.route, walk.moves[-1]
    instruction, _ = instruction_of(walk, voice)
    plan = lines_of(walk, voice, planned=True)
    kept = {field: getattr(route.episode, field) for field in _KEPT}
    episode = Episode(id=name, instruction=instruction, **kept | {"goal": route.nodes[-1]})
    walked, steps = [route.nodes[0]], list[Step]()
    for move, sight in zip(walk.moves, sights_of(walk), strict=True):
        heading_deg = round(route.heading_after(walked)) % 360
        steps.append(_step(walk, voice, plan, len(steps) + 1, move, sight, heading_deg))
        walked += move.path[1:]
    status, reason = EndStatus.DONE, None
    if last.unanswered:
        status, reason = EndStatus.ERROR, f"The service did not answer: {_NO_ANSWER}."
    elif walk.limit:
        status, reason = EndStatus.LIMIT, f"The limit of {len(steps)} steps was reached."
    question = voice.say("prompt", "planning", "", instruction=instruction)
    planning = Call(
        purpose="plan",
        messages=(Message(role="user", text=question),),
        reply=_listed(voice, [(text, "") for text in plan]),
    )
    marks = [line.landmark_name for line in route.lines if line.number != walk.bare]
    settings = {"step_limit": len(steps)} if walk.limit else {}
    return Trace(
        header=TraceHeader(episode=episode, navigator="navfault", settings=settings),
        sub_goals=tuple(SubGoal(description=text) for text in plan),
        landmarks=tuple(Landmark(name=mark) for mark in marks if mark),
        plan_calls=(planning,),
        steps=tuple(steps),
        end=EndEvent(
            status=status,
            reason=reason,
            node=walked[-1],
            plan=plan_at(plan, last.line + int(last.completed)),
        ),
    )


def _listed(voice: Voice, lines: list[tuple[str, str]]) -> str:
    texts = []
    for number, (text, status) in enumerate(lines, start=1):
        sayings = voice.say("prompt", "plan_line", "", line=number, due=text, status=status)
        texts.append(sayings.rstrip())
    return "\n".join(texts)


def _step(
    walk: FaultWalk,
    voice: Voice,
    plan: list[str],
    number: int,
    move: FaultMove,
    sight: PlaceSight,
    heading_deg: int,
) -> Step:
    key = (walk.route.episode.id, number)
    states = plan_at(plan, move.line)
    listed = [(goal.description, voice.say("words", _STATES[goal.status], "")) for goal in states]
    shown = [entry for entry in sight.pois if entry[0].name != walk.hidden]
    seen = _seen(voice, sight, shown)
    prompt = voice.say(
        "prompt",
        "step",
        "",
        plan=_listed(voice, listed),
        due=plan[move.line],
        line=move.line + 1,
        here=move.path[0],
        heading=heading_deg,
        seen=seen,
    )
    pois = []
    for poi, node, metres in shown:
        pois.append(SeenPoi(name=poi.name, poi_id=poi.id, node=node, distance_m=metres))
    status = "COMPLETED" if move.completed else "IN_PROGRESS"
    call = Call(messages=(Message(role="user", text=prompt),))
    if move.unanswered:
        update = {"error": "The service did not answer.", "service_fault": _NO_ANSWER}
        decision = Decision(legal=False, reason="the service did not answer")
    else:
        thoughts = []
        for k, sayings in enumerate(move.sayings):
            thoughts.append(_thought(walk, voice, plan, move, sayings, (*key, k)))
        word = voice.say("words", _STATES[status], "")
        slot = "stop" if move.stop else "move"
        reply = voice.say("reply", slot, key, node=move.path[-1], line=move.line + 1, status=word)
        update = {"thoughts": " ".join(filter(None, thoughts)), "reply": reply}
        decision = Decision(target=move.path[-1], sub_goal_status=status, stop=move.stop)
    return Step(
        index=number,
        node=move.path[0],
        heading_deg=heading_deg,
        plan=states,
        sub_goal=move.line,
        observation=Observation(
            format="navfault", text=seen, visible_nodes=sight.nodes, pois=tuple(pois)
        ),
        calls=(call.model_copy(update=update),),
        decision=decision,
        path=move.path if len(move.path) > 1 else (),
    )


def _seen(voice: Voice, sight: PlaceSight, shown: list[tuple[Poi, str, int]]) -> str:
    """Write what a prompt shows of the map."""
    places, landmarks = [], []
    for node, junction in sight.places:
        ways = []
        for at, target, direction, heading_deg in sight.ways:
            if at == node:
                side = voice.say("words", _WAYS[direction], "shown")
                way = voice.say("prompt", "way", "", node=target, side=side, heading=heading_deg)
                ways.append(way)
        thing = voice.say("words", "intersection" if junction else "plain", "shown")
        if junction == "light":
            thing += f" ({voice.say('words', 'light', 'shown')})"
        place = voice.say("prompt", "place", "", node=node, thing=thing, ways=" ".join(ways))
        places.append(place)
    for poi, node, metres in shown:
        fields = {"landmark": poi.name, "node": node, "metres": metres}
        landmarks.append(voice.say("prompt", "landmark", "", **fields))
    listing = "\n".join(landmarks) or voice.say("prompt", "nothing", "")
    return voice.say("prompt", "seen", "", places="\n".join(places), landmarks=listing)


def _thought(
    walk: FaultWalk,
    voice: Voice,
    plan: list[str],
    move: FaultMove,
    sayings: Said,
    key: tuple[object, ...],
) -> str:
    line = walk.route.lines[move.line]
    return voice.say(
        "thoughts",
        sayings.slot,
        key,
        side="" if sayings.side is None else voice.say("words", sayings.side, key),
        nth="" if not sayings.nth else voice.number("nth", sayings.nth),
        total=voice.number("count", max(line.nth, 1)),
        thing=voice.say("words", line.thing, key),
        landmark=line.landmark_name,
        other=sayings.other,
        node=sayings.node,
        line=move.line + 1,
        due=plan[move.line].rstrip("."),
    )

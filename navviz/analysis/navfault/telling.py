"""A walk told in a voice, as a trace: plan, prompts, thoughts and replies."""

from __future__ import annotations

from typing import Final

from navviz.analysis.navfault.faults import OTHER_SIDE, Move, Said, Walk, sights_of
from navviz.analysis.navfault.routes import Line, Sight, heading_at
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

_NO_ANSWER: Final = "time-out (504)"
_WAYS: Final = {"Left": "left", "Right": "right", "Forward": "straight"}


def lines_of(walk: Walk, voice: Voice, *, planned: bool) -> list[str]:
    """Write the lines of the instruction; with `planned` those of the plan, its fault included."""
    texts = []
    for line in walk.route.lines:
        side, slot = line.side, "stop" if line.side is None else "turn"
        slot += "_count" if line.landmark is None else "_landmark"
        if planned and line.number == walk.bare:
            slot = "stop_bare" if line.side is None else "turn_bare"
        if planned and line.number == walk.swapped and side is not None:
            side = OTHER_SIDE[side]
        texts.append(
            voice.say(
                "plan",
                slot,
                (walk.route.episode.id, line.number),
                # plan and instruction are the researchers' words: plain sides in each voice
                side=side,
                landmark="" if line.landmark is None else line.landmark.name,
                nth=_ORDINALS[max(line.nth, 1) - 1],
                thing=line.thing,
            )
        )
    return texts


_ORDINALS: Final = (
    *("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth"),
    *("tenth", "eleventh", "twelfth"),
)


def instruction_of(walk: Walk, voice: Voice) -> tuple[str, list[tuple[int, int]]]:
    """Join the lines of the correct plan; also returns where each line stands in the text."""
    spans, text = [], ""
    for line in lines_of(walk, voice, planned=False):
        text += " " if text else ""
        spans.append((len(text), len(text) + len(line)))
        text += line
    return text, spans


def tell(walk: Walk, voice: Voice, name: str) -> Trace:
    """Write a walk down as the trace of an episode called `name`."""
    route = walk.route
    instruction, _ = instruction_of(walk, voice)
    plan = lines_of(walk, voice, planned=True)
    old = route.episode
    episode = Episode(
        id=name,
        dataset=old.dataset,
        instruction=instruction,
        world=old.world,
        start=old.start,
        start_heading_deg=old.start_heading_deg,
        reference_path=old.reference_path,
        goal=old.goal or old.reference_path[-1],
        success_radius_m=old.success_radius_m,
    )
    listed = [
        voice.say("prompt", "plan_line", "", line=k, due=text, status="").rstrip()
        for k, text in enumerate(plan, start=1)
    ]
    planning = Call(
        purpose="plan",
        messages=(
            Message(role="user", text=voice.say("prompt", "planning", "", instruction=instruction)),
        ),
        reply="\n".join(listed),
    )
    names = [line.landmark.name for line in route.lines if line.landmark is not None]
    if walk.bare is not None and (lost := route.lines[walk.bare].landmark) is not None:
        names.remove(lost.name)
    walked, steps = [route.nodes[0]], []
    for number, (move, sight) in enumerate(
        zip(walk.moves, sights_of(walk, route.graph), strict=True), 1
    ):
        heading_deg = heading_at(walked, route.graph, old.start_heading_deg or 0.0)
        steps.append(_step(walk, voice, plan, number, move, sight, heading_deg))
        walked += move.path[1:]
    last = walk.moves[-1]
    status, reason = EndStatus.DONE, None
    if last.unanswered:
        status, reason = EndStatus.ERROR, f"The service did not answer: {_NO_ANSWER}."
    elif walk.limit:
        status, reason = EndStatus.LIMIT, f"The limit of {len(steps)} steps was reached."
    done = last.line + int(last.completed)
    return Trace(
        header=TraceHeader(
            episode=episode,
            navigator="navfault",
            settings={"step_limit": len(steps)} if walk.limit else {},
        ),
        sub_goals=tuple(SubGoal(description=text) for text in plan),
        landmarks=tuple(Landmark(name=each) for each in names),
        plan_calls=(planning,),
        steps=tuple(steps),
        end=EndEvent(status=status, reason=reason, node=walked[-1], plan=plan_at(plan, done)),
    )


def _step(
    walk: Walk,
    voice: Voice,
    plan: list[str],
    number: int,
    move: Move,
    sight: Sight,
    heading_deg: float,
) -> Step:
    key = (walk.route.episode.id, number)
    shown = [entry for entry in sight.pois if entry[0].name != walk.hidden]
    places, landmarks = _places(voice, sight), []
    for poi, node, metres in shown:
        landmarks.append(
            voice.say("prompt", "landmark", "", landmark=poi.name, node=node, metres=metres)
        )
    listing = "\n".join(landmarks) or voice.say("prompt", "nothing", "")
    seen = voice.say("prompt", "seen", "", places=places, landmarks=listing)
    states = plan_at(plan, move.line)
    words = {"COMPLETED": "completed", "IN_PROGRESS": "in_progress", "TODO": "todo"}
    listed = []
    for k, goal in enumerate(states, start=1):
        status = voice.say("words", words[goal.status], "")
        listed.append(
            voice.say("prompt", "plan_line", "", line=k, due=goal.description, status=status)
        )
    prompt = voice.say(
        "prompt",
        "step",
        "",
        plan="\n".join(listed),
        due=plan[move.line],
        line=move.line + 1,
        here=move.path[0],
        heading=round(heading_deg) % 360,
        seen=seen,
    )
    observation = Observation(
        format="navfault",
        text=seen,
        visible_nodes=sight.nodes,
        pois=tuple(
            SeenPoi(name=poi.name, poi_id=poi.id, node=node, distance_m=metres)
            for poi, node, metres in shown
        ),
    )
    message = Message(role="user", text=prompt)
    status = "COMPLETED" if move.completed else "IN_PROGRESS"
    call = Call(messages=(message,), error="The service did not answer.", service_fault=_NO_ANSWER)
    decision = Decision(legal=False, reason="the service did not answer")
    if not move.unanswered:
        thoughts = [
            _thought(walk, voice, plan, move, said, (*key, k)) for k, said in enumerate(move.said)
        ]
        reply = voice.say(
            "reply",
            "stop" if move.stop else "move",
            key,
            node=move.path[-1],
            line=move.line + 1,
            status=voice.say("words", words[status], ""),
        )
        call = Call(messages=(message,), thoughts=" ".join(filter(None, thoughts)), reply=reply)
        decision = Decision(target=move.path[-1], sub_goal_status=status, stop=move.stop)
    return Step(
        index=number,
        node=move.path[0],
        heading_deg=float(round(heading_deg) % 360),
        plan=states,
        sub_goal=move.line,
        observation=observation,
        calls=(call,),
        decision=decision,
        path=move.path if len(move.path) > 1 else (),
    )


def _places(voice: Voice, sight: Sight) -> str:
    lines = []
    for node, junction in sight.places:
        ways = []
        for at, target, direction, heading_deg in sight.ways:
            if at == node:
                side = voice.say("words", _WAYS[direction], "shown")
                ways.append(
                    voice.say("prompt", "way", "", node=target, side=side, heading=heading_deg)
                )
        thing = voice.say("words", "intersection" if junction else "plain", "shown")
        if junction == "light":
            thing += f" ({voice.say('words', 'light', 'shown')})"
        lines.append(voice.say("prompt", "place", "", node=node, thing=thing, ways=" ".join(ways)))
    return "\n".join(lines)


def _thought(
    walk: Walk, voice: Voice, plan: list[str], move: Move, said: Said, key: tuple[object, ...]
) -> str:
    line: Line = walk.route.lines[move.line]
    return voice.say(
        "thoughts",
        said.slot,
        key,
        side="" if said.side is None else voice.say("words", said.side, key),
        nth="" if not said.nth else voice.number("nth", said.nth),
        total=voice.number("count", max(line.nth, 1)),
        thing=voice.say("words", line.thing, key),
        landmark="" if line.landmark is None else line.landmark.name,
        other=said.other,
        node=said.node,
        line=move.line + 1,
        due=plan[move.line].rstrip("."),
    )

"""From the records of one episode in a router log to its trace."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path

from navviz.errors import Problem, Problems
from navviz.formats.matterport import where_is
from navviz.formats.texts import as_count
from navviz.language.reorder import aligned, reorder_panel
from navviz.language.skills import SKILLS, index_of
from navviz.records import Decision, EndEvent, EndStatus, Episode, Panel, Step, Trace, TraceHeader
from navviz.records.plural import plural
from navviz.systems.skillnav.logs.logged import (
    StepRecord,
    lost_pictures,
    viewpoints_of,
    views_of,
)
from navviz.systems.skillnav.logs.predictions import Prediction
from navviz.systems.skillnav.panels import (
    best_stop_text,
    map_panel,
    router_panel,
    sub_goal_panel,
    walk_back_panel,
)
from navviz.systems.skillnav.sub_goals import plan_of
from navviz.world.graph import Graph


def log_trace(
    episode: Episode,
    graph: Graph,
    logged: Sequence[StepRecord],
    path: Path,
    problems: Problems,
    prediction: Prediction,
) -> Trace | None:
    """Return the trace of an episode; ``None``, with a problem, for viewpoints of another house and
    for places that are lost.
    """
    visited: Sequence[list[str]] = [viewpoints_of(record, graph.index) for record in logged]
    for record, nodes in zip(logged, visited, strict=True):
        fault = _fault(record, nodes, graph)
        if fault is not None:
            do, where = "the other episodes are shown", f"{path.name}:{record.line}"
            problems.skip(Problem(fault, do, where, episode.id, "previous_viewpoints"))
            return None
    prediction = _sound(prediction, graph, episode.id, problems)
    logged, visited, back, later = _until_the_end(logged, visited)
    # the records after the end show what the last move was: they stand in for a prediction
    if back and not prediction.walk:
        prediction = Prediction((*visited[-1], *back[1:]), back=back)
    elif later and not prediction.walk:
        prediction = Prediction(tuple(visited[-1]))
    texts = [record.text("full_instruction") for record in logged]
    reordered = next(filter(None, texts), episode.instruction)
    steps = tuple(_steps(episode, graph, logged, visited, reordered, path, problems, prediction))
    end, status, reason = None, EndStatus.DONE, None
    if steps:
        end = steps[-1].path[-1] if steps[-1].path else steps[-1].node
    if not prediction.walk:
        status = EndStatus.UNKNOWN
        reason = "the log lacks the last move; put the submit or detail file beside it"
    if later:
        reason = f"{later} more were logged while its batch went on; they are left out"
    original = str(episode.extra.get("original_instruction") or episode.instruction)
    return Trace(
        header=TraceHeader(
            run=path.stem,
            episode=episode,
            navigator="skillnav",
            source=str(path),
            settings={"agents": "imported"},
        ),
        sub_goals=plan_of(reordered, (), "")[0],
        plan_panels=(reorder_panel(original, aligned(original, reordered), "log"),),
        steps=steps,
        end=EndEvent(status=status, reason=reason, node=end),
    )


def _fault(record: StepRecord, nodes: Sequence[str], graph: Graph) -> str | None:
    """Say which place of a record is lost or in another house; without it the walk would be
    another.
    """
    pictures, lost = lost_pictures(record, graph.index)
    if lost:
        return f"{lost} of {plural(pictures, 'picture')} name no viewpoint"
    return next(filter(None, (where_is(graph, node) for node in nodes)), None)


def _sound(prediction: Prediction, graph: Graph, episode: str, problems: Problems) -> Prediction:
    """Return a prediction whose places are all there; else an empty one, and the fault reported."""
    fault = next(filter(None, (where_is(graph, node) for node in prediction.walk)), None)
    if prediction.lost:
        fault = f"the trajectory lacks {plural(prediction.lost, 'viewpoint')}"
    if fault is None:
        return prediction
    do = "the walk is shown as far as the log goes"
    problems.add(Problem(fault, do, prediction.file, episode, "trajectory"))
    return Prediction()


def _until_the_end(
    logged: Sequence[StepRecord], visited: Sequence[list[str]]
) -> tuple[Sequence[StepRecord], Sequence[list[str]], tuple[str, ...], int]:
    """Return the episode's records, the way back to the best stop, and the count of later records.

    A batch goes on until all of its episodes have ended, and logs the ended ones too. Each action
    but a stop leads to a viewpoint that was not visited; so an episode has ended where the next
    record stands at one that was: at the same, or, after the way back, at an earlier one.
    """
    for k, (before, after) in enumerate(pairwise(visited)):
        if not before or not after or after[-1] not in before:
            continue
        back: tuple[str, ...] = ()
        if after[: len(before)] == before and len(after) > len(before):
            back = tuple(after[len(before) - 1 :])
        return logged[: k + 1], visited[: k + 1], back, len(logged) - k - 1
    return logged, visited, (), 0


def _steps(
    episode: Episode,
    graph: Graph,
    logged: Sequence[StepRecord],
    visited: Sequence[Sequence[str]],
    reordered: str,
    path: Path,
    problems: Problems,
    prediction: Prediction,
) -> Iterator[Step]:
    heading, walked = episode.start_heading_deg, [visited[0][0] if visited[0] else episode.start]
    for k, record in enumerate(logged):
        node = visited[k][-1] if visited[k] else walked[-1]
        last = k + 1 == len(logged)
        # no record follows the last one: only a prediction says where its move led
        if last:
            way = _rest(prediction, node, len(walked))
        else:
            way = way_on(visited[k] or [node], visited[k + 1], graph)
        given, due = _given(record), record.text("sub_instruction")
        plan, now = plan_of(reordered, given, due)
        ran = _ran(record, path, problems, episode.id)
        back = prediction.walked_back if last else ()
        panels = [
            *_panels(record, reordered, given, due, ran, len(visited[k])),
            *stop_panel(graph, walked, prediction.stop_prob, back),
        ]
        if back:
            panels.append(walk_back_panel(back, *_probs(prediction, back)))
        decision = _moved(node, way)
        if last:
            decision = _last_decision(node, way, back, prediction)
        yield Step(
            index=k + 1,
            node=node,
            heading_deg=heading,
            plan=plan,
            sub_goal=now,
            decision=decision,
            path=way,
            panels=tuple(panels),
            views=views_of(record),
        )
        for a, b in pairwise(way):
            heading = graph.heading_deg(a, b)
            walked.append(b)


def _probs(prediction: Prediction, back: Sequence[str]) -> tuple[float | None, float | None]:
    return prediction.stop_prob.get(back[0]), prediction.stop_prob.get(back[-1])


def _given(record: StepRecord) -> list[str]:
    raw = record.raw.get("previous_sub_instructions")
    return [str(part) for part in raw] if isinstance(raw, list) else []


def _ran(record: StepRecord, path: Path, problems: Problems, episode: str) -> int:
    """Return the logged index of the agent that acted; without one, with a problem, by its name."""
    raw = record.raw.get("predicted_skill_index")
    index = as_count(raw)
    if index is not None and 0 <= index < len(SKILLS):
        return index
    what = f"{raw!r} is no index from 0 to {len(SKILLS) - 1}" if raw is not None else "is missing"
    do, where = "the index of the named skill is shown", f"{path.name}:{record.line}"
    problems.add(Problem(what, do, where, episode, "predicted_skill_index"))
    return index_of(record.text("predicted_skill") or None, index_bug=False)


def _panels(
    record: StepRecord, reordered: str, given: Sequence[str], due: str, ran: int, views: int
) -> tuple[Panel, ...]:
    problem = None if due else "no sub-goal was logged: the step was left out of routing"
    named = record.text("predicted_skill") or None
    note = " ".join(record.notes) or None
    return (
        sub_goal_panel(
            due,
            reordered,
            reason=record.text("reasoning") or None,
            views=views,
            given=given,
            problem=problem,
        ),
        router_panel(named, ran, note=note, by="log"),
    )


def way_on(before: Sequence[str], after: Sequence[str], graph: Graph) -> tuple[str, ...]:
    """Nodes walked between two steps, from the lists of the last viewpoints at each.

    Both lists are ends of one path, cut to its last 20 pictures: what the second has beyond the
    first is new.
    """
    here = before[-1]
    for skip in range(len(before)):
        rest = list(before[skip:])
        if list(after[: len(rest)]) == rest:
            return (here, *after[len(rest) :]) if len(after) > len(rest) else ()
    if not after or after[-1] == here:
        return ()
    # lists without a common part: the fewest links stand for what was not logged
    return graph.hops(here, after[-1]) or (here, after[-1])


def _rest(prediction: Prediction, node: str, walked: int) -> tuple[str, ...]:
    """Return what a prediction goes on to walk after the log's last step."""
    at = walked - 1
    # by number first, since a walk may pass a place twice; by name where log and prediction are not
    # in step
    if at >= len(prediction.walk) or prediction.walk[at] != node:
        places = [k for k, other in enumerate(prediction.walk) if other == node]
        if not places:
            return ()
        at = places[-1]
    return prediction.walk[at:] if len(prediction.walk) > at + 1 else ()


def _moved(node: str, way: Sequence[str]) -> Decision | None:
    return Decision(target=way[-1]) if way else Decision(target=node, reason="no movement")


def _last_decision(
    node: str, way: Sequence[str], back: Sequence[str], prediction: Prediction
) -> Decision | None:
    """Return the decision of the last step; ``None`` where no prediction says what it was."""
    if not prediction.walk:
        return None
    if not back:
        return Decision(target=way[-1] if way else node, stop=True)
    here, there = _probs(prediction, back)
    reason = "Went back to a place passed before, the best stop."
    if here is not None and there is not None:
        reason = f"Went back to the best stop {best_stop_text(there, here)}."
    return Decision(target=back[-1], stop=True, reason=reason)


def stop_panel(
    graph: Graph, walked: Sequence[str], stop_prob: Mapping[str, float], back: Sequence[str] = ()
) -> tuple[Panel, ...]:
    """Return the global map by a log: visited places, their neighbours, stop probabilities."""
    if not stop_prob or not walked:
        return ()
    visited = list(dict.fromkeys(walked))
    seen: dict[str, None] = {}
    links: set[tuple[str, str]] = set()
    for node in visited:
        for other in graph.neighbours(node):
            seen.setdefault(other)
            links.add((min(node, other), max(node, other)))
    stops = {node: stop_prob[node] for node in visited if node in stop_prob}
    return (map_panel(walked[-1], visited, list(seen), sorted(links), stops, back),)

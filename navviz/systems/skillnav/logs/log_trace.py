"""From the records of one episode in a router log to its trace."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path

from navviz.errors import Problem, Problems
from navviz.formats.matterport import where_is
from navviz.language.reorder import aligned, reorder_panel
from navviz.language.skills import SKILLS, index_of
from navviz.records import Decision, EndEvent, Episode, Panel, Step, Trace, TraceHeader
from navviz.systems.skillnav.logs.logged import StepRecord, viewpoints_of
from navviz.systems.skillnav.logs.predictions import Prediction
from navviz.systems.skillnav.panels import best_stop_text, map_panel, router_panel, sub_goal_panel, walk_back_panel
from navviz.systems.skillnav.sub_goals import plan_of
from navviz.world.graph import Graph

__all__ = ["log_trace", "stop_panel", "way_on"]


def log_trace(
    episode: Episode,
    graph: Graph,
    logged: Sequence[StepRecord],
    path: Path,
    problems: Problems,
    prediction: Prediction,
) -> Trace | None:
    """Return the trace of an episode; ``None``, with a problem, where its viewpoints are not in the house."""
    visited: Sequence[list[str]] = [viewpoints_of(record, graph.index) for record in logged]
    for record, nodes in zip(logged, visited, strict=True):
        why = next((why for node in nodes if (why := where_is(graph, node)) is not None), None)
        if why is not None:
            where = f"{path.name}:{record.line}"
            problems.skip(Problem(why, "the other episodes are shown", where, episode.id, "previous_viewpoints"))
            return None
    logged, visited, back, later = _until_the_end(logged, visited)
    if back and not prediction.walk:
        prediction = Prediction((*visited[-1], *back[1:]), back=back)
    elif later and not prediction.walk:
        prediction = Prediction(tuple(visited[-1]))
    reordered = next((text for record in logged if (text := record.text("full_instruction"))), episode.instruction)
    steps = tuple(_steps(episode, graph, logged, visited, reordered, path, problems, prediction))
    end = steps[-1].path[-1] if steps and steps[-1].path else steps[-1].node if steps else None
    known = bool(prediction.walk)
    reason = None if known else "the log does not tell the last move; put the submit or detail file beside it"
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
        end=EndEvent(status="done" if known else "unknown", reason=reason, node=end),
    )


def _until_the_end(
    logged: Sequence[StepRecord], visited: Sequence[list[str]]
) -> tuple[Sequence[StepRecord], Sequence[list[str]], tuple[str, ...], int]:
    """Return the records up to where the episode ended, the way back to the best stop, and how many came after.

    A batch goes on until all of its episodes have ended, and logs the ended ones too. Each action but a stop leads to a
    viewpoint that was not visited; so an episode has ended where the next record stands at one that was: at the same,
    or, after the way back, at an earlier one.
    """
    for k, (before, after) in enumerate(pairwise(visited)):
        if not before or not after or after[-1] not in before:
            continue
        back = tuple(after[len(before) - 1 :]) if after[: len(before)] == before and len(after) > len(before) else ()
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
        following = () if last else visited[k + 1]
        way = _rest(prediction, node, len(walked)) if last else way_on(visited[k] or [node], following, graph)
        given, due = _given(record), record.text("sub_instruction")
        plan, now = plan_of(reordered, given, due)
        ran = _ran(record, path, problems, episode.id)
        back = prediction.walked_back if last else ()
        yield Step(
            index=k + 1,
            node=node,
            heading_deg=heading,
            plan=plan,
            sub_goal=now,
            decision=_decision(node, way, last=last, known=bool(prediction.walk), back=back, prediction=prediction),
            path=way,
            panels=(
                *_panels(record, reordered, given, due, ran, len(visited[k])),
                *stop_panel(graph, walked, prediction.stop_prob, back),
                *((walk_back_panel(back, *_probs(prediction, back)),) if back else ()),
            ),
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
    """Index of the agent that acted, as logged; as the name says, with a problem, where no index is."""
    raw = record.raw.get("predicted_skill_index")
    if isinstance(raw, int) and not isinstance(raw, bool) and 0 <= raw < len(SKILLS):
        return raw
    what = f"{raw!r} is no index from 0 to {len(SKILLS) - 1}" if raw is not None else "is missing"
    where = f"{path.name}:{record.line}"
    problems.add(Problem(what, "the index of the named skill is shown", where, episode, "predicted_skill_index"))
    return index_of(record.text("predicted_skill") or None, index_bug=False)


def _panels(
    record: StepRecord, reordered: str, given: Sequence[str], due: str, ran: int, views: int
) -> tuple[Panel, ...]:
    problem = None if due else "no sub-goal was logged: the step was left out of routing"
    named = record.text("predicted_skill") or None
    note = " ".join(record.notes) or None
    return (
        sub_goal_panel(
            due, reordered, reason=record.text("reasoning") or None, views=views, given=given, problem=problem
        ),
        router_panel(named, ran, note=note, by="log"),
    )


def way_on(before: Sequence[str], after: Sequence[str], graph: Graph) -> tuple[str, ...]:
    """Nodes walked between two steps, from the lists of the last viewpoints at each.

    Both lists are ends of one path, cut to its last 20 pictures: what the second has beyond the first is new.
    """
    here = before[-1]
    for skip in range(len(before)):
        rest = list(before[skip:])
        if list(after[: len(rest)]) == rest:
            return (here, *after[len(rest) :]) if len(after) > len(rest) else ()
    if not after or after[-1] == here:
        return ()
    return graph.hops(here, after[-1]) or (here, after[-1])


def _rest(prediction: Prediction, node: str, walked: int) -> tuple[str, ...]:
    """Return what a prediction goes on to walk after the log's last step."""
    at = walked - 1
    if at >= len(prediction.walk) or prediction.walk[at] != node:
        places = [k for k, other in enumerate(prediction.walk) if other == node]
        if not places:
            return ()
        at = places[-1]
    return prediction.walk[at:] if len(prediction.walk) > at + 1 else ()


def _decision(
    node: str, way: Sequence[str], *, last: bool, known: bool, back: Sequence[str], prediction: Prediction
) -> Decision | None:
    if not last:
        return Decision(target=way[-1] if way else node, reason=None if way else "no movement")
    if not known:
        return None
    if not back:
        return Decision(target=way[-1] if way else node, stop=True)
    here, there = _probs(prediction, back)
    if here is None or there is None:
        return Decision(target=back[-1], stop=True, reason="Went back to a place passed before, the best stop.")
    return Decision(target=back[-1], stop=True, reason=f"Went back to the best stop {best_stop_text(there, here)}.")


def stop_panel(
    graph: Graph, walked: Sequence[str], stop_prob: Mapping[str, float], back: Sequence[str] = ()
) -> tuple[Panel, ...]:
    """Return the global map as far as a log tells it: visited places, their neighbours, stored stop probabilities."""
    if not stop_prob or not walked:
        return ()
    visited = list(dict.fromkeys(walked))
    seen = list(dict.fromkeys(other for node in visited for other in graph.neighbours(node)))
    links = sorted({(min(a, b), max(a, b)) for a in visited for b in graph.neighbours(a)})
    known = {node: stop_prob[node] for node in visited if node in stop_prob}
    return (map_panel(walked[-1], visited, seen, links, known, back),)

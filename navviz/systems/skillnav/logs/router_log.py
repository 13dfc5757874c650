"""SkillNav's ``{env}_router_outputs.log``: what localiser and router said at each step, one `Trace`
an episode.

A line begins with ``YYYY-MM-DD hh:mm:ss,mmm - `` and goes on either with a JSON object over several
lines (``instr_id, scan, full_instruction, previous_viewpoints, previous_sub_instructions,
sub_instruction, reasoning, predicted_skill, predicted_skill_index``) or with ``Step t: Using expert
indices: [...] for obs: [...]``. Objects are found by counting brackets, and joined by ``instr_id``,
never by position: in a batch the published code hands results out by position, so that from an
episode without a sub-goal on each gets its predecessor's.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import ClassVar

from navviz.errors import InputError, Problem, Problems
from navviz.formats.base import GraphOf, Run
from navviz.formats.files import Json, peek
from navviz.formats.matterport import where_is
from navviz.formats.r2r import SUCCESS_RADIUS_M
from navviz.formats.texts import STAMP, as_count, as_list, blocks, id_text, say_unlike, whole_lines
from navviz.formats.trajectories import Trajectories, neighbouring_episodes, result_world
from navviz.language.reorder import aligned, reorder_panel
from navviz.language.skills import SKILLS, index_of
from navviz.records import (
    Decision,
    EndEvent,
    EndStatus,
    Episode,
    Panel,
    Step,
    StepView,
    Trace,
    TraceHeader,
)
from navviz.records.base import plural
from navviz.support.brackets import balanced
from navviz.support.guarded import is_regular, opened_text, parse_json
from navviz.systems.skillnav.logs.predictions import (
    Prediction,
    is_predictions,
    predictions_beside,
    read_predictions,
)
from navviz.systems.skillnav.panels import (
    best_stop_text,
    map_panel,
    plan_of,
    router_panel,
    sub_goal_panel,
    walk_back_panel,
)
from navviz.world.graph import Graph

MOST_VIEWS = 20
"""Pictures that the published localiser is given at most."""

_VIEWPOINT = re.compile(r"[0-9a-f]{32}")


@dataclass
class StepRecord:
    """What was logged of one episode at one step."""

    line: int
    raw: Mapping[str, Json]
    notes: list[str] = field(default_factory=list)

    def text(self, name: str) -> str:
        """Return a field as text; empty where it is missing."""
        value = self.raw.get(name)
        return value.strip() if isinstance(value, str) else ""


def viewpoints_of(record: StepRecord, house: Container[str]) -> list[str]:
    """Return the viewpoints of a record's pictures, repeated neighbours merged.

    The id is the part of 32 hex digits in the picture's path, else a part that is in `house`.
    """
    raw = record.raw.get("previous_viewpoints")
    nodes: list[str] = []
    for item in as_list(raw):
        node = _viewpoint(str(item), house)
        if node is not None and (not nodes or nodes[-1] != node):
            nodes.append(node)
    return nodes


def lost_pictures(record: StepRecord, house: Container[str]) -> tuple[int, int]:
    """Return the number of a record's pictures, and of those that name no viewpoint."""
    pictures = as_list(record.raw.get("previous_viewpoints"))
    return len(pictures), sum(_viewpoint(str(item), house) is None for item in pictures)


def views_of(record: StepRecord) -> tuple[StepView, ...]:
    """Return the pictures that the localiser was given, the last one first."""
    raw = record.raw.get("previous_viewpoints")
    paths = [item for item in raw if isinstance(item, str)] if isinstance(raw, list) else []
    views = []
    for before, path in enumerate(reversed(paths[-MOST_VIEWS:])):
        views.append(StepView(source=path, label=f"{before} before" if before else "here"))
    return tuple(views)


def _viewpoint(picture: str, house: Container[str]) -> str | None:
    ids = _VIEWPOINT.findall(picture)
    if ids:
        # a path may hold several ids: the first of this house counts
        return next((node for node in ids if node in house), str(ids[-1]))
    for name in reversed(re.split(r"[/\\]", picture)):
        # as a folder, or as the name of a file without its ending
        for part in (name, name.split(".")[0]):
            if part in house:
                return part
    return None


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


_STEP = re.compile(r"Step (\d+): Using expert indices: \[(.*?)\] for obs: \[(.*?)\]")

_NEARLY_STEP = re.compile(r"Step|expert|indices|for obs")

_ID = re.compile(r'"instr_id"\s*:\s*"?([^",\s]+)')

_FUSED = (
    "Several agents acted in its batch: the published code then fuses the scores of all episodes"
    " with the last agent's weights."
)

_KINDS = {
    "id": "instr_id, scan",
    "text": "full_instruction, sub_instruction, reasoning, predicted_skill",
    "list": "previous_viewpoints, previous_sub_instructions",
    "number": "predicted_skill_index",
}


class RouterLogs:
    """Reads router logs; episodes and a detail file, where open or beside, are joined by
    ``instr_id``.
    """

    name: ClassVar[str] = "SkillNav router logs"

    @classmethod
    def handles(cls, path: Path) -> bool:
        """Whether the first lines are a router's."""
        text = peek(path).text if is_regular(path) else ""
        stamped = STAMP.match(text.lstrip()) is not None
        return stamped and (
            "predicted_skill" in text or "instr_id" in text or "Using expert indices" in text
        )

    @classmethod
    def read(
        cls, path: Path, graph_of: GraphOf, episodes: Mapping[str, Episode] | None = None
    ) -> list[Run]:
        """Read a log as one run; raises `InputError` where not one episode can be shown."""
        problems = Problems()
        records = _by_episode(path, problems)
        given = dict(episodes) if episodes else neighbouring_episodes(path, problems)
        predictions = predictions_beside(path, records, problems)
        traces: dict[str, Trace] = {}
        for name, logged in records.items():
            episode = given.get(name) or _episode(name, logged, path, problems)
            if episode is None:
                continue
            graph = result_world(episode, graph_of, path.name, problems)
            if graph is None:
                continue
            prediction = predictions.get(name, Prediction())
            trace = log_trace(episode, graph, logged, path, problems, prediction)
            if trace is not None:
                traces[name] = trace
        if not traces:
            raise InputError(
                f"holds no step that can be shown{problems.because}",
                "open its houses with it",
                file=path.name,
            )
        return [Run(path.stem, "skillnav", None, traces, problems, path)]


def _by_episode(path: Path, problems: Problems) -> dict[str, list[StepRecord]]:
    """Return records by instruction id, each list in the order of the steps."""
    records: dict[str, list[StepRecord]] = {}
    since: list[StepRecord] = []
    for line, text in _blocks(path, problems):
        step = _STEP.search(text)
        # this line comes after the records of its batch, and ends them
        if step is not None:
            if "{" in text:
                what, do = "runs into the line of a step", "its record is left out; mend the stamp"
                problems.skip(Problem(what, do, f"{path.name}:{line}"))
            _check_batch(step, since, line, path.name, problems)
            since = []
        elif "{" in text:
            record = _record(line, text, path.name, problems)
            if record is not None:
                records.setdefault(id_text(record.raw["instr_id"]), []).append(record)
                since.append(record)
        elif _NEARLY_STEP.search(text):
            what, do = "is nearly the line of a step, and none", "it is passed over"
            problems.add(Problem(what, do, f"{path.name}:{line}"))
    return records


def _blocks(path: Path, problems: Problems) -> Iterator[tuple[int, str]]:
    """Line number and text of each stamped entry, the stamp left out."""
    with opened_text(path) as file:
        for block in blocks(whole_lines(file, path.name, problems), STAMP.match):
            yield block.line, block.head.string[block.head.end() :] + "".join(block.lines)


def _record(line: int, text: str, file: str, problems: Problems) -> StepRecord | None:
    """Return the JSON object of an entry; one problem, and ``None``, where there is no whole
    one.
    """
    where, name = f"{file}:{line}", _ID.search(text)
    piece = balanced(text)
    try:
        raw = parse_json(piece, file, lenient=True) if piece else None
    except InputError:
        raw = None
    if not isinstance(raw, dict):
        what = "is no whole JSON object" if piece else "is a JSON object whose brackets never close"
        problems.skip(Problem(what, "the other steps are shown", where, name[1] if name else ""))
        return None
    if raw.get("instr_id") is None:
        problems.skip(
            Problem("names no episode", "the other steps are shown", where, field="instr_id")
        )
        return None
    say_unlike(raw, _KINDS, Problem("", "", where, id_text(raw["instr_id"])), problems)
    return StepRecord(line, raw)


def _check_batch(
    step: re.Match[str], logged: Sequence[StepRecord], line: int, file: str, problems: Problems
) -> None:
    """Warn where a batch's step lists fewer indices than episodes, and mark the shifted records."""
    indices, batch = _items(step[2]), _items(step[3])
    if len(set(indices)) > 1:
        for record in logged:
            record.notes.append(_FUSED)
    # an index for each episode: no result was shifted
    if len(indices) >= len(batch):
        return
    what = (
        f"step {step[1]} lists {len(indices)} indices for {len(batch)} episodes: in the published"
        " code each later episode of the batch then acts with its predecessor's skill and sub-goal"
    )
    problems.add(
        Problem(what, "what is shown is what was logged for each episode", f"{file}:{line}")
    )
    routed = [record for record in logged if record.text("sub_instruction")]
    named = {id_text(record.raw["instr_id"]): record for record in routed}
    missing = next((k for k, name in enumerate(batch) if name not in named), None)
    if missing is None or not set(batch) & named.keys():
        return
    note = (
        f"In its batch {batch[missing]} had no sub-goal: by the published code's defect the"
        " agent acted with its predecessor's skill."
    )
    for name in batch[missing + 1 :]:
        if name in named:
            named[name].notes.append(note)


def _items(text: str) -> list[str]:
    return [part.strip().strip("'\"") for part in text.split(",") if part.strip()]


def _episode(
    name: str, logged: Sequence[StepRecord], path: Path, problems: Problems
) -> Episode | None:
    """Make an episode of the log alone: reordered instruction, scan, first viewpoint, no reference
    path.
    """
    first = logged[0]
    nodes = viewpoints_of(first, {})
    if not nodes or not first.text("scan"):
        what = "is in no open episode file, and its first step names no scan or no viewpoint"
        problems.skip(
            Problem(what, "open the split it belongs to", f"{path.name}:{first.line}", name)
        )
        return None
    return Episode(
        id=name,
        dataset="R2R",
        instruction=first.text("full_instruction"),
        world=first.text("scan"),
        start=nodes[0],
        success_radius_m=SUCCESS_RADIUS_M,
    )


class SkillNavDetails:
    """Reads details: the walk as `Trajectories` does, with stop probabilities and the walk back."""

    name: ClassVar[str] = "SkillNav details"

    @classmethod
    def handles(cls, path: Path) -> bool:
        """Whether the first entry is a trajectory with details by viewpoint."""
        return is_predictions(path)

    @classmethod
    def read(
        cls, path: Path, graph_of: GraphOf, episodes: Mapping[str, Episode] | None = None
    ) -> list[Run]:
        """Read a file as one run; raises `InputError` where not one result can be shown."""
        (run,) = Trajectories.read(path, graph_of, episodes)
        predictions = read_predictions(path, Problems())  # what is broken is reported already
        traces: dict[str, Trace] = {}
        for name, trace in run.traces.items():
            prediction = predictions.get(name, Prediction())
            traces[name] = _detailed(trace, graph_of(trace.episode.world), prediction)
        return [Run(run.name, run.navigator, run.method, traces, run.problems, path)]


def _detailed(trace: Trace, graph: Graph, prediction: Prediction) -> Trace:
    walked: list[str] = []
    steps: list[Step] = []
    for step in trace.steps:
        if step.node is not None:
            walked.append(step.node)
        panels = (*step.panels, *stop_panel(graph, list(walked), prediction.stop_prob))
        steps.append(step.model_copy(update={"panels": panels}))
        walked.extend(step.path[1:])
    back = prediction.walked_back
    if back and len(steps) > 1:
        # read as a trajectory, the way back is a move with a stop after it: both were one decision
        steps[-2:] = [_walked_back(steps[-2], back, prediction)]
    return trace.model_copy(update={"steps": tuple(steps)})


def _walked_back(step: Step, back: tuple[str, ...], prediction: Prediction) -> Step:
    """Return the last move as what it is: the stop, and the way back to the best stop."""
    here, there = prediction.stop_prob[back[0]], prediction.stop_prob[back[-1]]
    reason = f"Went back to the best stop {best_stop_text(there, here)}."
    decision = Decision(target=back[-1], stop=True, reason=reason)
    panels = (*step.panels, walk_back_panel(back, here, there))
    return step.model_copy(update={"decision": decision, "panels": panels})

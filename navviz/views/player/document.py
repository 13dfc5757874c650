"""One JSON document from which the player replays an episode without asking the server again.

It is small however large the graph: see `navviz.views.player.cut` for what it keeps of the graph
and `navviz.views.player.writer` for how texts are shared. Its parts stand in
`navviz.views.player.schema`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from navviz.language.skills import SKILLS, skill_that_ran
from navviz.metrics.divergence import Divergence
from navviz.metrics.registry import shown_in
from navviz.metrics.stages import StageWalk
from navviz.observations.pictures.films import WalkPictures
from navviz.records import Landmark, Step, Task, Trace
from navviz.records.finding import Explanation, Quote
from navviz.records.walker import edited_steps, eyes, is_blind
from navviz.views.palette import SKILL_COLOURS
from navviz.views.player.beside import partners, step_texts
from navviz.views.player.cut import Cut, cut_graph, rounded
from navviz.views.player.floor_plan import house_of
from navviz.views.player.pictures import PictureTable
from navviz.views.player.pois import ShownPois, backdrop
from navviz.views.player.schema import (
    CauseEntry,
    CausesEntry,
    ComparedStep,
    DivergenceEntry,
    DocumentGraph,
    DocumentNodes,
    EndEntry,
    EpisodeEntry,
    ForkEntry,
    FurtherWalk,
    Header,
    LandmarkEntry,
    LinkBends,
    Planning,
    QuoteEntry,
    ReplayDocument,
    SkillEntry,
    Streaming,
    TaskEntry,
)
from navviz.views.player.stages import (
    distances_to_targets,
    pose_notes,
    stage_entries,
    stage_panels,
    stages_of,
    step_task_entries,
)
from navviz.views.player.writer import Strings, Writer, shared
from navviz.world.graph import Graph


def run_parts(
    trace: Trace,
    steps: Sequence[Step],
    writer: Writer,
    stages: Sequence[StageWalk],
    places: Mapping[str, Sequence[float] | str],
) -> dict[str, Any]:
    """Return what the agent planned, did, and how it ended."""
    tally = writer.tally(trace.plan_calls)
    planning = Planning(
        sub_goals=writer.plan(trace.sub_goals or trace.episode.sub_goals),
        landmarks=[_landmark(mark, places, writer.graph) for mark in landmarks_of(trace)],
        calls=[writer.call(call) for call in trace.plan_calls],
        panels=[writer.panel(panel) for panel in trace.plan_panels],
        so_far=tally.spent(),
    )
    distances = _distances(steps, trace, writer.graph)
    to_target = distances_to_targets(stages, trace) if stages else [None] * len(steps)
    panels = stage_panels(stages)
    entries = []
    # In the order of the walk: each entry holds what the run had spent until its end.
    rows = zip(steps, distances, to_target, strict=True)
    for number, (step, to_goal_m, to_target_m) in enumerate(rows):
        more = panels.get(step.index)
        shown = step.model_copy(update={"panels": (*step.panels, *more)}) if more else step
        entries.append(writer.step(shown, tally, to_goal_m, to_target_m, number))
    streaming = {channel: text for channel, text in trace.streaming.items() if text}
    return {
        "planning": planning,
        "steps": entries,
        "end": _end(trace, steps, writer),
        "running": trace.end is None and trace.waypoints is None,
        "streaming": Streaming(**streaming),
    }


def _landmark(
    mark: Landmark, places: Mapping[str, Sequence[float] | str], graph: Graph
) -> LandmarkEntry:
    """Return a landmark with its place on the map, or with the reason why it has none."""
    entry = LandmarkEntry(**shared(mark, LandmarkEntry))
    place = places.get(mark.name)
    if place is None:
        return entry
    if isinstance(place, str):
        return entry.model_copy(update={"unplaced": place})
    return entry.model_copy(update={"at": list(rounded(tuple(place), graph.frame))})


def _end(trace: Trace, steps: Sequence[Step], writer: Writer) -> EndEntry | None:
    end = trace.end
    if end is None:
        return None
    node = end.node or (trace.path[-1] if steps else None)
    return EndEntry(
        status=end.status,
        reason=end.reason,
        node=writer.node(node),
        plan=writer.plan(end.plan) or None,
    )


def overlay_parts(
    trace: Trace,
    steps: Sequence[Step],
    writer: Writer,
    pictures: WalkPictures | None,
    *,
    with_texts: bool = False,
) -> dict[str, Any]:
    """Return the older run of a comparison: way, plan, decisions, pictures; no prompts.

    `with_texts` adds its thoughts and replies.
    """
    way = way_parts(trace, steps, writer)
    if with_texts:
        for number, step in enumerate(steps):
            entry, texts = way["steps"][number], step_texts(step, writer)
            way["steps"][number] = entry.model_copy(update={"texts": texts})
    if pictures is not None:
        for number, (step, entry) in enumerate(zip(steps, way["steps"], strict=True)):
            views = writer.pictures.step(step, number, pictures) or None
            way["steps"][number] = entry.model_copy(update={"views": views})
    return {
        "instruction": trace.episode.instruction,
        "sub_goals": writer.plan(trace.sub_goals or trace.episode.sub_goals),
        **way,
    }


def way_parts(trace: Trace, steps: Sequence[Step], writer: Writer) -> dict[str, Any]:
    """Return where a run walked, step by step."""
    end = writer.node(trace.end.node) if trace.end is not None else None
    return {"steps": [_compared_step(step, writer) for step in steps], "end": end}


def _compared_step(step: Step, writer: Writer) -> ComparedStep:
    target = step.decision.target if step.decision else None
    return ComparedStep(
        node=writer.node(step.node),
        target=writer.node(target),
        path=writer.places(step.path),
        heading_deg=step.heading_deg,
    )


def first_difference(steps: Sequence[Step], others: Sequence[Step]) -> int | None:
    """Return the first step (from 1) at which two runs stand, decide or walk differently.

    ``None`` if they are alike.
    """
    # up to the end of the shorter run: where that is all alike, the lengths decide below
    for step, other in zip(steps, others, strict=False):
        if _stand_and_move(step) != _stand_and_move(other):
            return step.index
    if len(steps) == len(others):
        return None
    return min(len(steps), len(others)) + 1


def _stand_and_move(step: Step) -> tuple[object, ...]:
    target = step.decision.target if step.decision else None
    return step.node, target, step.path


def landmarks_of(trace: Trace) -> tuple[Landmark, ...]:
    """Return the landmarks that the agent named, else those of the episode."""
    return trace.landmarks or trace.episode.landmarks


def _distances(steps: Sequence[Step], trace: Trace, graph: Graph) -> list[float | None]:
    """Return the distance to the goal in metres after each step: straight outdoors, walked indoors.

    ``None`` where the goal or the place of the agent is missing.
    """
    goal = trace.episode.goal
    if not goal and trace.episode.reference_path:
        goal = trace.episode.reference_path[-1]
    if not steps or goal is None or goal not in graph:
        return [None] * len(steps)
    # one search from the goal serves all steps
    walked = graph.geodesics_from(goal) if graph.frame == "metric" else {}
    end_node = trace.end.node if trace.end else None
    following = [*(step.node for step in steps[1:]), end_node]
    distances: list[float | None] = []
    for step, after in zip(steps, following, strict=True):
        # some logs have no paths: then the step went to where the next one stands
        place = step.path[-1] if step.path else after or step.node
        if place is None or place not in graph:
            distances.append(None)
        elif graph.frame == "geo":
            distances.append(round(graph.distance_m(place, goal), 1))
        else:
            distances.append(round(walked[place], 2) if place in walked else None)
    return distances


def causes_entry(
    causes: Mapping[str, Any] | None, trace: Trace, graph: Graph
) -> CausesEntry | None:
    """Return the causes of a walk for the document."""
    if causes is None:
        return None
    # the player counts steps from 1 in the order of the trace, whatever their indices are
    positions = {step.index: place for place, step in enumerate(trace.steps, start=1)}
    entries = []
    repairs = causes.get("repairs") or [None] * len(causes["causes"])
    for raw, repair in zip(causes["causes"], repairs, strict=True):
        cause = Explanation.model_validate(raw)
        quotes = [_quote(quote, positions, graph) for quote in cause.quotes]
        entries.append(
            CauseEntry(
                **shared(cause, CauseEntry, but={"step", "quotes", "repair"}),
                step=positions.get(cause.step, 1),
                quotes=quotes,
                repair=repair,
            )
        )
    return CausesEntry(
        likely=causes["likely"],
        leading=causes.get("leading", causes["likely"]),
        all=entries,
        repair=causes.get("repair"),
        unchecked=causes.get("unchecked"),
    )


def _quote(quote: Quote, positions: Mapping[int, int], graph: Graph) -> QuoteEntry:
    step = None if quote.step is None else positions.get(quote.step)
    fields = shared(quote, QuoteEntry, but={"step"})
    return QuoteEntry(step=step, at=_place(quote, graph), **fields)


def _place(quote: Quote, graph: Graph) -> list[float] | None:
    if quote.position is not None:
        return list(rounded(quote.position, graph.frame))
    if quote.poi is not None and quote.poi in graph.pois:
        return list(rounded(graph.pois[quote.poi].position, graph.frame))
    if quote.node is not None and quote.node in graph:
        return list(rounded(graph.position(quote.node), graph.frame))
    return None


TEXT_LIMIT_CHARS = 1_000_000
"""Room for texts in a document; with the cut graph it stays under 1.5 MB."""


def replay_document(
    trace: Trace,
    graph: Graph,
    *,
    divergence: Divergence | None = None,
    causes: Mapping[str, Any] | None = None,
    what_if: Mapping[str, Any] | None = None,
    information: Mapping[str, Sequence[str]] | None = None,
    places: Mapping[str, Sequence[float] | str] | None = None,
    metrics: Mapping[str, float | None] | None = None,
    compare: Trace | None = None,
    compare_label: str | None = None,
    label: str | None = None,
    compare_metrics: Mapping[str, float | None] | None = None,
    further: Sequence[tuple[str, str, Trace]] = (),
    title: str | None = None,
    notes: Sequence[str] = (),
    running: bool | None = None,
    pictures: PictureTable | None = None,
    compare_pictures: WalkPictures | None = None,
    apart: Sequence[tuple[str, str]] | None = None,
    strings: Strings | None = None,
) -> dict[str, Any]:
    """Build the player's document.

    With `apart`, the walk and the one compared with stand beside each other, with what was thought
    and answered; it says where each goes, and how, where they part. `strings`: the texts of the
    document before, where the walk goes on.
    """
    steps = tuple(_steps(trace, graph))
    others = tuple(_steps(compare, graph)) if compare is not None else ()
    more = [(name, colour, run, tuple(_steps(run, graph))) for name, colour, run in further]
    runs: list[tuple[Trace, Sequence[Step]]] = [(trace, steps)]
    if compare is not None:
        runs.append((compare, others))
        runs += [(run, run_steps) for *_, run, run_steps in more]
    # one cut for all runs, since they share one numbering of the nodes
    cut = cut_graph(graph, _essential(trace, runs))
    pois = ShownPois(graph, cut, landmarks_of(trace), (*steps, *others))
    table = pictures if pictures is not None else PictureTable()
    writer = Writer(graph, cut.index, pois, strings or Strings(), table)
    stages = stages_of(trace, graph)
    blind = ["Blind: nothing described the views to the agent."] if is_blind(trace.header) else []
    changed = edited_steps(trace)
    edited = [] if changed is None else [f"Edited by hand ({changed}), so in no mean of its run."]
    document: dict[str, Any] = {
        "frame": graph.frame,
        "world": graph.name,
        "title": title or f"Episode {trace.episode.id}",
        **_header(trace),
        "episode": _episode(trace, writer),
        **_graph(cut, graph),
        "indoor": house_of(graph, cut),
        "reference": writer.places(trace.episode.reference_path),
        **run_parts(trace, steps, writer, stages, places or {}),
        "skills": _skills(steps),
        "metrics": _finite(metrics),
        "head": _head(_finite(metrics), is_task=bool(trace.episode.tasks)),
        "divergence": _divergence(divergence, causes, trace, writer),
        "causes": causes_entry(causes, trace, graph),
        "what_if": what_if,
        "information": information,
        "unanswered": trace.unanswered,
        "unlogged": _unlogged(trace),
        "notes": [*blind, *edited, *notes, *pose_notes(trace, graph)],
        "stages": stage_entries(stages, trace),
        "free": bool(trace.poses) and bool(steps),
    }
    if running is not None:
        document["running"] = running and trace.end is None
    # a log of waypoints alone has no entry for the end, and still holds the whole walk
    if running is False and trace.end is None and trace.waypoints is None:
        document["notes"].append(
            "The log does not say how the run ended: it was cut off, or has not ended yet."
        )
    if compare is not None:
        document["label"] = label
        document["compare"] = {
            "label": compare_label or compare.header.run or compare.header.navigator,
            **_header(compare),
            **overlay_parts(
                compare, others, writer, compare_pictures, with_texts=apart is not None
            ),
            "metrics": _finite(compare_metrics),
            "first_difference": first_difference(steps, others),
        }
        if apart is not None:
            near, parting = partners(steps, others, graph)
            ways = [(writer.place(node), words) for node, words in apart]
            document["compare"] |= {"partners": near, "parting": parting, "apart": ways or None}
    if more:
        document["further"] = []
    for name, colour, run, run_steps in more:
        walk = FurtherWalk(label=name, colour=colour, **way_parts(run, run_steps, writer))
        document["further"].append(walk)
    table.surroundings([*trace.path, *trace.episode.reference_path], cut.index, graph)
    # Last: all parts above add their POIs, pictures and texts to these tables.
    document["pois"] = pois.dump()
    document["pictures"] = table.dump()
    # of a walk that goes on, the step that is being made has no picture yet
    if not document.get("running") and (missing := table.missing()):
        document["notes"].append(missing)
    document["strings"] = writer.strings.dump(TEXT_LIMIT_CHARS)
    return ReplayDocument.model_validate(document).model_dump(mode="json", exclude_none=True)


def _header(trace: Trace) -> dict[str, Any]:
    header = trace.header
    fork = header.forked_from
    # documents go to visitors and are published, with no path
    return {
        **shared(header, Header, but={"created", "source", "forked_from"}),
        "eyes": eyes(header),
        "created": header.created or None,
        "source": None
        if header.source is None
        else header.source.replace("\\", "/").rpartition("/")[2],
        "forked_from": ForkEntry(**shared(fork, ForkEntry)) if fork else None,
    }


def _episode(trace: Trace, writer: Writer) -> EpisodeEntry:
    episode = trace.episode
    return EpisodeEntry(
        **shared(episode, EpisodeEntry, but={"start", "goal", "tasks", "step_tasks"}),
        start=writer.place(episode.start),
        goal=writer.node(episode.goal),
        tasks=[_task(task, writer) for task in episode.tasks],
        step_tasks=step_task_entries(episode, len(trace.steps)),
    )


def _task(task: Task, writer: Writer) -> TaskEntry:
    return TaskEntry(**shared(task, TaskEntry, but={"goals"}), goals=writer.places(task.goals))


def _graph(cut: Cut, graph: Graph) -> dict[str, Any]:
    positions = list(chain.from_iterable(cut.positions))
    return {
        "nodes": DocumentNodes(ids=cut.ids, at=positions, crossings=cut.crossings),
        "links": cut.links,
        "streets": cut.streets,
        "bends": [LinkBends(ends=[a, b], at=at) for a, b, at in cut.bends] or None,
        "backdrop": backdrop(graph.info.backdrop, cut),
        "graph": DocumentGraph(nodes=len(graph), attribution=graph.info.attribution or None),
    }


def _skills(steps: Sequence[Step]) -> list[SkillEntry] | None:
    """Return the skills with their colours, where any step names one."""
    if all(skill_that_ran(step) is None for step in steps):
        return None
    entries = []
    for skill in SKILLS:
        colour = SKILL_COLOURS[skill]
        entries.append(SkillEntry(name=skill.value, short=skill.short, colour=colour))
    return entries


def _steps(trace: Trace, graph: Graph) -> Iterator[Step]:
    """Yield the trace's steps; where a foreign log holds waypoints alone, one step a waypoint."""
    if trace.steps or not trace.waypoints:
        yield from trace.steps
        return
    following = [*trace.waypoints[1:], None]
    for k, (here, there) in enumerate(zip(trace.waypoints, following, strict=True), start=1):
        way: tuple[str, ...] = ()
        # Waypoints of a log may lie several links apart.
        if here in graph and there in graph and here != there:
            way = graph.hops(str(here), str(there)) or ()
        yield Step(index=k, node=here, path=way)


def _unlogged(trace: Trace) -> str | None:
    """Say that a foreign log holds no calls; ``None`` where it does, or for a walk of ours."""
    if trace.header.source is None or any(step.calls for step in trace.steps):
        return None
    if trace.header.navigator == "groke":
        return "This file holds no prompts; open the step logs beside it to read them."
    return "This file holds no prompts, thoughts or replies."


def _essential(trace: Trace, runs: Sequence[tuple[Trace, Sequence[Step]]]) -> Iterable[str]:
    """Yield the nodes that a document must keep: of the episode and of all `runs` that it shows."""
    episode = trace.episode
    yield episode.start
    yield from episode.reference_path
    for task in episode.tasks:
        yield from task.goals
    nodes: list[str | None] = [episode.goal]
    for run, steps in runs:
        if run.end is not None:
            nodes.append(run.end.node)
        for step in steps:
            nodes += _nodes_of(step)
    yield from (node for node in nodes if node is not None)


def _nodes_of(step: Step) -> Iterator[str | None]:
    yield step.node
    yield from step.path
    if step.decision is not None:
        yield step.decision.target
    if step.observation is None:
        return
    yield from step.observation.visible_nodes
    yield from (poi.node for poi in step.observation.pois)
    for candidate in step.observation.candidates:
        yield candidate.node
        yield from candidate.path


def _divergence(
    divergence: Divergence | None,
    causes: Mapping[str, Any] | None,
    trace: Trace,
    writer: Writer,
) -> DivergenceEntry | None:
    act = None if causes is None else causes.get("act")
    if act is not None and causes is not None:
        positions = {step.index: place for place, step in enumerate(trace.steps, start=1)}
        return DivergenceEntry(
            step=positions.get(act["step"]),
            kind=act["how"],
            sentence=causes["sentence"],
            words=act["text"],
            grade=causes["act_grade"],
            node=writer.node(act["node"]),
        )
    if divergence is None:
        return None
    return DivergenceEntry(
        step=divergence.step,
        kind=divergence.kind,
        sentence=divergence.sentence,
        node=writer.node(divergence.node),
        returned_step=divergence.returned_step,
    )


def _head(metrics: Mapping[str, float | None], *, is_task: bool) -> list[dict[str, Any]]:
    """Return the figures that an episode's kind is judged by, with what they mean."""
    kind, dropped = "path", set[str]()
    if is_task:
        kind = "task"
    elif "NE_rec" in metrics or "NE_est" in metrics:
        kind = "free"
        dropped = {name for name, value in metrics.items() if value is None}
        # what is recorded stands for what would be estimated
        if metrics.get("NE_rec") is not None:
            dropped |= {"NE_est", "SPL_est"}
        if metrics.get("TL") is not None:
            dropped.add("TL_rec")
    elif "GP" in metrics:
        kind = "dialogue"
    elif "SR_reverie" in metrics:
        kind = "object"
    figures = []
    for metric in shown_in(f"head {kind}"):
        if metric.name in metrics and metric.name not in dropped:
            meaning = (is_task and metric.task_help) or metric.help or metric.title
            figure: dict[str, Any] = {"name": metric.name, "label": metric.short, "help": meaning}
            if metric.unit == "m":
                figure["metres"] = True
            figures.append(figure)
    return figures


def _finite(metrics: Mapping[str, float | None] | None) -> dict[str, float | None]:
    """Return figures as JSON allows them: a number that is not finite becomes ``None``."""
    finite: dict[str, float | None] = {}
    for name, value in (metrics or {}).items():
        finite[name] = float(value) if value is not None and math.isfinite(value) else None
    return finite

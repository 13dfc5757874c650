"""One JSON document from which the player replays an episode without asking the server again.

It is small however large the graph: see `navviz.views.player.cut` for what it keeps of the graph
and `navviz.views.player.texts` for how texts are shared. Its parts stand in
`navviz.views.player.schema`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from navviz.language.skills import SKILLS, skill_that_ran
from navviz.metrics.divergence import Divergence
from navviz.observations.pictures.episode import WalkPictures
from navviz.records import Step, Task, Trace
from navviz.records.walker import eyes, is_blind
from navviz.views.palette import SKILL_COLOURS
from navviz.views.player.backdrop import backdrop
from navviz.views.player.causes import causes_entry
from navviz.views.player.cut import Cut, cut_graph
from navviz.views.player.floor_plan import house_of
from navviz.views.player.pictures import PictureTable
from navviz.views.player.pois import ShownPois
from navviz.views.player.schema import (
    DivergenceEntry,
    DocumentGraph,
    DocumentNodes,
    EpisodeEntry,
    ForkEntry,
    FurtherWalk,
    Header,
    LinkBends,
    ReplayDocument,
    SkillEntry,
    TaskEntry,
)
from navviz.views.player.stages import (
    pose_notes,
    stage_entries,
    stages_of,
    step_task_entries,
)
from navviz.views.player.texts import Strings
from navviz.views.player.walks import (
    first_difference,
    landmarks_of,
    overlay_parts,
    run_parts,
    way_parts,
)
from navviz.views.player.writer import Writer, shared
from navviz.world.graph import Graph

TEXT_LIMIT_CHARS = 1_000_000
"""Room for texts in a document; with the cut graph it stays under 1.5 MB."""


def replay_document(
    trace: Trace,
    graph: Graph,
    *,
    divergence: Divergence | None = None,
    causes: Mapping[str, Any] | None = None,
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
) -> dict[str, Any]:
    """Build the player's document.

    Parameters
    ----------
    trace
        Finished, cut off or still running; with or without model calls, steps, or a reference path.
    graph
        The whole world of the episode.
    divergence
        Where and how the agent left the reference path.
    causes
        ``causes``, a list of `navviz.records.cause.Cause` as JSON holds them, and ``likely``, an
        index into it or ``None`` where no cause was found.
    places
        Of each landmark of the instruction, by name: its position, or why it has none
        (`navviz.analysis.landmarks.places_or_reasons`).
    metrics
        Figures for the header by their short names (``NE`` in metres, ``SR``, ``nDTW`` as
        fractions); ``None`` is shown as missing.
    compare
        An older run of the same episode, drawn over this one.
    compare_label, compare_metrics
        How to name it, and its figures.
    label
        How to name this walk beside the others.
    further
        More runs of the same episode for the map: name, colour as ``#rrggbb``, trace.
    title
        Heading of the player; the episode's id where ``None``.
    notes
        Sentences that the player shows below its header (what could not be read, for example).
    running
        Whether more may come. Without an end, a trace of ours counts as running unless this is
        ``False`` (for a log that is only read): then the player says that the end is missing.
    pictures
        Gets the pictures of the walk; whoever serves or inlines them keeps it.
    compare_pictures
        Finds those of the older run.

    Returns
    -------
    A `ReplayDocument` as ``json.dumps`` takes it; what is missing is left out.
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
    writer = Writer(graph, cut.index, pois, Strings(), table)
    stages = stages_of(trace, graph)
    blind = ["Blind: nothing described the views to the agent."] if is_blind(trace.header) else []
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
        "divergence": _divergence(divergence, writer),
        "causes": causes_entry(causes, trace, graph),
        "unanswered": trace.unanswered,
        "unlogged": _unlogged(trace),
        "notes": [*blind, *notes, *pose_notes(trace, graph)],
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
            **overlay_parts(compare, others, writer, compare_pictures),
            "metrics": _finite(compare_metrics),
            "first_difference": first_difference(steps, others),
        }
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
    return {
        **shared(header, Header, but={"created", "source", "forked_from"}),
        "eyes": eyes(header),
        "created": header.created or None,
        "source": None if header.source is None else _file_name(header.source),
        "forked_from": ForkEntry(**shared(fork, ForkEntry)) if fork else None,
    }


def _file_name(source: str) -> str:
    """Return the name of a log alone: documents go to visitors and are published, with no path."""
    return source.replace("\\", "/").rpartition("/")[2]


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


def _divergence(divergence: Divergence | None, writer: Writer) -> DivergenceEntry | None:
    if divergence is None:
        return None
    return DivergenceEntry(
        step=divergence.step,
        kind=divergence.kind,
        sentence=divergence.sentence,
        node=writer.node(divergence.node),
        returned_step=divergence.returned_step,
    )


def _finite(metrics: Mapping[str, float | None] | None) -> dict[str, float | None]:
    """Return figures as JSON allows them: a number that is not finite becomes ``None``."""
    finite: dict[str, float | None] = {}
    for name, value in (metrics or {}).items():
        finite[name] = float(value) if value is not None and math.isfinite(value) else None
    return finite

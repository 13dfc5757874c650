"""One run that is open: its traces with their graphs, scores, divergences and problems."""

from __future__ import annotations

import html
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain, pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from navviz.errors import InputError, NavVizError, Problem, Problems
from navviz.formats import EpisodeSet, Run
from navviz.metrics.departures import Departure, follow, moves_of, route_of
from navviz.metrics.divergence import Divergence, find_divergence
from navviz.metrics.path import METRICS
from navviz.metrics.registry import format_value, is_near_radius
from navviz.metrics.score import RunScore, score_run
from navviz.metrics.stages import Lengths, Success
from navviz.metrics.walked import unknown_places, walked_graph
from navviz.observations.pictures.files import PictureFolders
from navviz.observations.pictures.films import WalkPictures
from navviz.records import Episode, Trace, TraceHeader
from navviz.records.base import Position, plural
from navviz.records.walker import eyes
from navviz.runs.facts import WalkFacts, facts_of
from navviz.runs.marks import RunMark, marks_document, planned_episodes, run_marks
from navviz.runs.reading import ReadFiles
from navviz.runs.source import Source
from navviz.views.figures.atlas_walk import AtlasWalk
from navviz.world.graph import Graph
from navviz.world.scene_graph import with_places

if TYPE_CHECKING:
    import pandas as pd


def map_walk(
    trace: Trace, graph: Graph, outcome: str, departures: tuple[Departure, ...] = ()
) -> AtlasWalk:
    """Gather what the atlas shows of a walk; of one that nobody walked, its route.

    Parameters
    ----------
    trace
        Its outline suffices.
    graph
        The world that it was walked on.
    outcome
        ``success``, ``failure`` or ``unknown``.
    departures
        Where it left its route, where somebody has found that already: it takes a third of the time
        of measuring a walk.
    """
    key, path = (
        trace.episode.id,
        trace.path if len(trace.path) > 1 else trace.episode.reference_path,
    )
    reference = trace.episode.reference_path
    plain = AtlasWalk(key, tuple(path), outcome, trace.episode.instruction)
    # without a route, or with one of another map, nobody can have left it
    if len(reference) < 2 or len(trace.path) < 2 or any(node not in graph for node in reference):
        # it is drawn all the same
        return plain
    place = None
    if not departures:
        moves = [(step, node) for step, node in moves_of(trace) if node in graph]
        walk = follow(route_of(trace.episode, graph, [node for _, node in moves]), moves, graph)
        departures, place = walk.departures, walk.place
    passed, failed_at = _junctions(reference, graph, departures, place)
    return replace(
        plain,
        departures=tuple(one.node for one in departures),
        passed=passed,
        failed_at=failed_at,
    )


def _junctions(
    reference: tuple[str, ...],
    graph: Graph,
    departures: tuple[Departure, ...],
    place: int | None,
) -> tuple[tuple[str, ...], str | None]:
    """Return the junctions that a walk came to before it first left the path, and the one where it
    did; of a walk that never left it, `place` is where it ended.
    """
    first = departures[0] if departures else None
    last = first.place if first is not None else (place or 0) - 1
    passed = tuple(
        dict.fromkeys(
            n for n in reference[: min(last, len(reference) - 2) + 1] if graph.degree(n) > 2
        )
    )
    wrong = (
        first is not None and first.kind == "wrong turn" and first.node == reference[first.place]
    )
    failed_at = first.node if first is not None and wrong and first.node in passed else None
    return passed, failed_at


def renamed(walk: AtlasWalk, names: Mapping[str, str]) -> AtlasWalk:
    """Return a walk over nodes of other names; those that are not in `names` keep theirs."""

    def all_of(nodes: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(names.get(node, node) for node in nodes)

    at = walk.failed_at
    return replace(
        walk,
        path=all_of(walk.path),
        departures=all_of(walk.departures),
        passed=all_of(walk.passed),
        failed_at=names.get(at, at) if at is not None else None,
    )


_AXES = {"difficulty_cognitive": 0, "difficulty_spatial": 1, "difficulty_execution": 2}

"""Columns of the table by their place in `WalkFacts.difficulty`."""

_CAUSES_AT_ONCE = 2_000

"""Episodes whose causes `OpenRun.table` finds without being asked, in some seconds."""


@dataclass(repr=False)
class OpenRun:
    """A run with what it needs to be looked at: graph, scores, divergences, problems.

    ``navviz.open_run`` opens one. In a notebook it shows its headline figures.
    """

    source: Source
    run: Run
    graph_of: Callable[[str], Graph]
    problems: Problems = field(default_factory=Problems)
    episode_set: EpisodeSet | None = None
    """The episode file that was given."""
    read_files: ReadFiles = field(default_factory=ReadFiles)
    """The files that it was read from."""
    likely_causes: Callable[[OpenRun], Mapping[str, str | None]] | None = None
    """What finds the name of each failure's likely cause, by episode; ``navviz.open_run`` sets it,
    since causes lie above this room.
    """
    _graphs: dict[str, Graph] = field(default_factory=dict, repr=False)
    """Worlds with the poses of one trace, by episode."""

    @property
    def name(self) -> str:
        """Name in links and menus."""
        return self.source.name

    @property
    def label(self) -> str:
        """The method, where the results hold several; else the run's own name."""
        return self.run.method or self.run.name

    @property
    def traces(self) -> Mapping[str, Trace]:
        """Traces by episode id, in file order."""
        return self.run.traces

    @property
    def episodes(self) -> dict[str, Episode]:
        """Episodes by id, in file order."""
        return self.run.episodes

    @property
    def outlines(self) -> Mapping[str, Trace]:
        """Traces by episode id, as far as figures of the whole run need them: without texts, where
        those are large.
        """
        return self.run.outlines

    def graph(self, episode_id: str | int) -> Graph:
        """Graph that an episode is walked on, with the poses of its trace where it has any."""
        episode_id = str(episode_id)
        # a graph with poses is made once: all panels of an episode ask for it
        if episode_id not in self._graphs:
            trace = self.outline(episode_id)
            world = self.graph_of(trace.episode.world)
            # the shared graph as it is: nothing of the walk has to be added
            if not trace.poses:
                return world
            self._graphs[episode_id] = walked_graph(trace, world)
        return self._graphs[episode_id]

    @property
    def eyes(self) -> str | None:
        """Whether its model was shown ``pictures``, or is a ``text variant``; see `eyes`.

        All walks of a run have the same settings, and a header of a large run is at hand.
        """
        first = next(iter(self.outlines.values()), None)
        return None if first is None else eyes(first.header)

    @cached_property
    def _planned(self) -> int | None:
        return planned_episodes(self.source.results, self.run.name)

    @cached_property
    def _headers(self) -> tuple[TraceHeader, ...]:
        return tuple(trace.header for trace in self.outlines.values())

    @property
    def marks(self) -> tuple[RunMark, ...]:
        """What has to be said beside every figure of the run; see `navviz.runs.marks`.

        Of a large run that is still measured, those of what is known so far.
        """
        if self.source.results is None:
            return ()
        first = next(iter(self.outlines.values()), None)
        header = None if first is None else first.header
        return run_marks(self.known_scores(), header, self._planned, lambda: self._headers)

    def pictures(self, episode_id: str | int) -> WalkPictures:
        """Find what a walk saw; nothing is read before it is shown."""
        rotations = self.graph(episode_id).info.rotations
        return WalkPictures(self.picture_folders(), self.trace(episode_id), rotations)

    def picture_folders(self, *walk_folders: Path) -> PictureFolders:
        """Return the folders in which pictures are looked up; `walk_folders` are those of a walk.

        A log's paths are never looked up beside the maps: an uploaded one must not name the
        operator's files.
        """
        own = (*walk_folders, *self.source.picture_roots)
        roots = (*own, *self.source.map_roots)
        return PictureFolders(roots, own, self.source.pictures)

    @cached_property
    def scores(self) -> RunScore:
        """Metrics of every episode, and their means; all missing where there are episodes but
        nobody has walked.
        """
        if self.source.results is None:
            nothing: dict[str, float | None] = {metric.name: None for metric in METRICS}
            return RunScore(
                self.run.name,
                dict.fromkeys(self.traces, nothing),
                nothing,
                dict.fromkeys(nothing, 0),
            )
        return score_run(self.run, self.graph_of)

    @cached_property
    def divergences(self) -> Mapping[str, Divergence]:
        """Where and how each agent left its reference path."""
        return {
            key: find_divergence(trace, self.graph(key)) for key, trace in self.outlines.items()
        }

    def divergence(self, episode_id: str | int) -> Divergence:
        """Where and how one agent left its reference path."""
        return find_divergence(self.outline(episode_id), self.graph(episode_id))

    def listing(self) -> pd.DataFrame:
        """Return what Explore lists: the columns are declared in `navviz.runs.tables`."""
        from navviz.runs.tables import episode_row, episode_table  # pandas takes 0.4 s to import

        rows = []
        for key, trace in self.outlines.items():
            scores, divergence = self.scores.rows[key], self.divergences[key]
            rows.append(episode_row(trace, self.graph(key), scores, divergence))
        return episode_table(rows)

    def table(self, *, all: bool = False, causes: bool | None = None) -> pd.DataFrame:  # noqa: A002
        """One row an episode: outcome, every metric, facts of the walk, and the likely cause.

        Parameters
        ----------
        all
            Every column of the schema; without it those that hold something in this run.
        causes
            Whether to find the likely cause of each failure, about 3 ms an episode, once: the
            cache keeps them. Without it, of runs of up to 2,000 episodes. Only runs from
            ``navviz.open_run`` can find them; the column is empty in others.

        Returns
        -------
        DataFrame
            The index is the episode. Columns and types are those of
            `navviz.runs.schema.episode_schema`, the same in every run (rates as fractions, lengths
            in metres). What is missing stays missing, and so does a sum of nothing but that.
        """
        from navviz.runs.schema import as_index, episode_schema, frame_as

        keys = list(self.outlines)
        # by Python's own values: the schema decides the types, and not what one run happens to hold
        listing = self.listing().astype(object)
        columns = {name: listing[name].tolist() for name in listing.columns}
        schema, rows, facts = episode_schema(), self.scores.rows, self.facts
        for column in schema:
            axis = _AXES.get(column.name)
            if column.name in columns:
                continue
            if axis is not None:
                ratings = [facts[key].difficulty for key in keys]
                columns[column.name] = [None if each is None else each[axis] for each in ratings]
            elif column.name in WalkFacts.__slots__:
                columns[column.name] = [getattr(facts[key], column.name) for key in keys]
            else:
                columns[column.name] = [rows[key].get(column.name) for key in keys]
        wanted = len(self) <= _CAUSES_AT_ONCE if causes is None else causes
        # episodes that nobody walked have no cause
        if wanted and self.likely_causes is not None and self.source.results is not None:
            likely = self.likely_causes(self)
            columns["cause"] = [likely.get(key) for key in keys]
        table = frame_as(schema, columns)
        # as texts of pandas even where there is no row
        table.index = as_index(keys)
        if not all:
            table = table.loc[:, table.notna().any()]
        # pandas hands them on to what is made of the table
        table.attrs["marks"] = marks_document(self.marks)
        return table

    def steps(self) -> pd.DataFrame:
        """One row a step: where it was, what it was to do and decided, what it cost.

        Columns and types are `navviz.runs.schema.STEP_SCHEMA`, those of ``navviz export --format
        csv``. Every trace is read.
        """
        from navviz.formats.export.predictions import step_rows
        from navviz.runs.schema import STEP_SCHEMA, frame_of_rows

        return frame_of_rows(STEP_SCHEMA, chain.from_iterable(map(step_rows, self.traces.values())))

    def calls(self) -> pd.DataFrame:
        """One row a model call: prompt, thoughts, reply, tokens, seconds, cost, finish reason.

        Columns and types are `navviz.runs.schema.CALL_SCHEMA`. Every trace is read.
        """
        from navviz.formats.export.predictions import call_rows
        from navviz.runs.schema import CALL_SCHEMA, frame_of_rows

        return frame_of_rows(CALL_SCHEMA, chain.from_iterable(map(call_rows, self.traces.values())))

    @property
    def file_count(self) -> int:
        """Number of files that it was read from, those of its graphs left out."""
        return len(self.read_files.files)

    # --- what a page shows at once: of a large run, what is known so far (`navviz.runs.index`)

    @cached_property
    def worlds(self) -> Mapping[str, int]:
        """Number of episodes in each world, the most frequent first."""
        return dict(Counter(trace.episode.world for trace in self.outlines.values()).most_common())

    @cached_property
    def instructions(self) -> Mapping[str, str]:
        """Instructions by episode id, in file order."""
        return {key: trace.episode.instruction for key, trace in self.outlines.items()}

    @cached_property
    def has_tasks(self) -> bool:
        """Whether any episode has sub-tasks."""
        return any(trace.episode.tasks for trace in self.outlines.values())

    def starts(self, *, walked: bool = False) -> dict[str, str]:
        """Return the start node of each episode; only of those that somebody walked, where
        `walked`.
        """
        starts = {}
        for key, trace in self.outlines.items():
            if trace.steps or trace.waypoints or not walked:
                starts[key] = trace.episode.start
        return starts

    @cached_property
    def datasets(self) -> Mapping[str, str]:
        """Data set of each episode, by id, in file order."""
        return {key: trace.episode.dataset for key, trace in self.outlines.items()}

    @property
    def is_near(self) -> bool:
        """Whether its lengths are shown with centimetres, as indoors; the first episode decides."""
        first = next(iter(self.outlines.values()), None)
        return first is not None and is_near_radius(first.episode.success_radius_m)

    @cached_property
    def facts(self) -> Mapping[str, WalkFacts]:
        """What tables and charts ask of each walk besides its scores, by id, in file order."""
        return {key: facts_of(trace) for key, trace in self.outlines.items()}

    def map_walks(self, world: str) -> tuple[Graph, list[AtlasWalk]]:
        """Gather the walks in one world for the atlas, and the world with the poses of those who
        walked freely.

        Poses of different walks share their names, so each is named after its episode too.
        """
        from navviz.runs.tables import drawn_outcome, outcome  # pandas

        graph, places, walks = self.graph_of(world), dict[str, Position](), []
        for key, trace in self.outlines.items():
            if trace.episode.world != world:
                continue
            poses = trace.poses
            own = {node: f"{key} {node}" for node in poses}
            places |= {own[node]: place for node, place in poses.items()}
            ended = drawn_outcome(outcome(dict(self.scores.rows[key]), trace))
            walk = map_walk(trace, self.graph(key), ended)
            walks.append(renamed(walk, own) if own else walk)
        return with_places(graph, places), walks

    @property
    def complete(self) -> bool:
        """Whether `known_table` and `known_scores` know all that `table` and `scores` do."""
        return True

    def known_table(self) -> pd.DataFrame:
        """Return the listing as far as it can be had without waiting."""
        return self.listing()

    def known_scores(self) -> RunScore:
        """Return the scores as far as they can be had without waiting."""
        return self.scores

    def __len__(self) -> int:
        return len(self.traces)

    def __repr__(self) -> str:
        problems = f", {self.problems.count} problems" if self.problems.count else ""
        episodes = plural(len(self), "episode")
        return f"OpenRun({self.name!r}, navigator={self.run.navigator!r}, {episodes}{problems})"

    def _repr_html_(self) -> str:
        """Name, navigator and the means of the metrics, as a table for a notebook."""
        try:
            means = self.scores.means
        # a notebook shows the run all the same, with the sentence
        except NavVizError as error:
            return _lines_html(
                self.name, [("navigator", self.run.navigator), ("cannot be scored", str(error))]
            )
        lines = [
            ("navigator", self.run.navigator),
            ("episodes", f"{len(self)} ({self.scores.summary()})"),
        ]
        lines += [("mark", mark.sentence) for mark in self.marks]
        for name, value in means.items():
            if value is not None:
                lines.append((name, format_value(name, value, near=self.is_near)))
        if self.problems.count:
            lines.append(("problems", f"{self.problems.count}, the first: {self.problems.kept[0]}"))
        return _lines_html(self.name, lines)

    def score(
        self, *, as_walked: bool = False, success: Success = "distance", lengths: Lengths = "moves"
    ) -> RunScore:
        """Score every episode; `as_walked` counts every node walked where published logs are scored
        otherwise.

        `success` and `lengths` are rules for tasks of several parts, see
        `navviz.metrics.stages.outcomes`.
        """
        if not as_walked and (success, lengths) == ("distance", "moves"):
            return self.scores
        return score_run(
            self.run, self.graph_of, "walked" if as_walked else "published", success, lengths
        )

    def trace(self, episode_id: str | int) -> Trace:
        """One trace; raises `InputError` for an episode that the run does not have, or that cannot
        be read.
        """
        return self._trace_of(self.traces, episode_id)

    def outline(self, episode_id: str | int) -> Trace:
        """One trace as `outlines` has it; raises `InputError` for an episode that the run does not
        have.
        """
        return self._trace_of(self.outlines, episode_id)

    def _trace_of(self, traces: Mapping[str, Trace], episode_id: str | int) -> Trace:
        try:
            return traces[str(episode_id)]
        except KeyError:
            raise InputError(
                f"run {self.name} has no such episode",
                "choose one from its table",
                episode=str(episode_id),
            ) from None


def _lines_html(title: str, lines: Iterable[tuple[str, str]]) -> str:
    """Return a small table; all of it is data, so all of it is escaped."""
    left = "style='text-align:left'"
    cells = ((html.escape(name), html.escape(value)) for name, value in lines)
    rows = "".join(
        f"<tr><th {left}>{name}</th><td {left}>{value}</td></tr>" for name, value in cells
    )
    return f"<table><caption {left}><b>{html.escape(title)}</b></caption>{rows}</table>"


def walk_faults(trace: Trace, graph: Graph, file: str) -> Iterator[Problem]:
    """Yield what does not fit, each as a sentence.

    Parameters
    ----------
    trace
        A walk.
    graph
        Its world, with the trace's own poses.
    file
        Name of the file that it lies in.
    """
    where = Problem("", "", file, trace.episode.id)
    yield from _numbers(trace, where)
    if trace.is_free:
        return
    unknown = unknown_places(trace, graph)
    if unknown:
        places = plural(len(trace.path), "place")
        what = f"the graph lacks {len(unknown)} of {places}, such as {unknown[0]}"
        do = "choose the graph that it was walked on; the walk is not scored"
        yield replace(where, what=what, do=do, field="path")
        return
    yield from route_faults(trace, graph, file)
    yield from _gaps(trace, where)
    yield from _jumps(trace, graph, where)
    yield from _end(trace, graph, where)


def _numbers(trace: Trace, where: Problem) -> Iterator[Problem]:
    """Yield a fault of the numbers of steps: lines that lack, or stand there twice."""
    for place, step in enumerate(trace.steps, start=1):
        if step.index != place:
            what = f"step {step.index} stands where step {place} is due"
            do = "look for lines that are missing or repeated; the walk is shown as it is written"
            yield replace(where, what=what, do=do, field="index")
            return


def route_faults(trace: Trace, graph: Graph, file: str) -> Iterator[Problem]:
    """Yield what the map lacks of the route: figures that need it are missing.

    The parameters are those of `walk_faults`. A foreign log's reader says the rest: it holds the
    walk against the map, but not the ground truth.
    """
    episode = trace.episode
    where = Problem("", "", file, episode.id)
    lacking = [node for node in episode.reference_path if node not in graph]
    if lacking:
        places = plural(len(episode.reference_path), "place")
        what = f"the graph lacks {len(lacking)} of {places}, such as {lacking[0]}"
        do = "figures that need the route are missing"
        yield replace(where, what=what, do=do, field="reference_path")
    if episode.goal is not None and episode.goal not in graph:
        what = f"the graph lacks the goal {episode.goal}"
        yield replace(where, what=what, do="figures that need it are missing", field="goal")


def _gaps(trace: Trace, where: Problem) -> Iterator[Problem]:
    """Yield a step that begins elsewhere than where the last move led: a move lacks between."""
    here = trace.episode.start
    for step in trace.steps:
        if step.node is not None and step.node != here:
            what = f"step {step.index} begins at {step.node}, the walk has come to {here}"
            do = "the moves count; look for lines that are missing"
            yield replace(where, what=what, do=do, field="node")
            return
        here = step.path[-1] if step.path else here


def _jumps(trace: Trace, graph: Graph, where: Problem) -> Iterator[Problem]:
    """Yield how often the walk goes where no link leads: its length is then a guess."""
    links = chain.from_iterable(pairwise(step.path) for step in trace.steps)
    jumps = sum(a != b and not graph.has_link(a, b) for a, b in links)
    if jumps:
        what = f"the walk jumps {plural(jumps, 'time')} between places that are not linked"
        yield replace(where, what=what, do="jumps are measured as straight lines", field="path")


def _end(trace: Trace, graph: Graph, where: Problem) -> Iterator[Problem]:
    """Yield an end elsewhere than where the last move led: moves lack, as after a cut."""
    node = None if trace.end is None else trace.end.node
    if node is not None and node in graph and trace.path[-1] != node:
        what = f"the last move leads to {trace.path[-1]}, the end says {node}"
        yield replace(
            where, what=what, do="the moves count; look for lines that are missing", field="node"
        )

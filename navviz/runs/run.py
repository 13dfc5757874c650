"""One run that is open: its traces with their graphs, scores, divergences and problems."""

from __future__ import annotations

import html
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from itertools import chain
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from navviz.errors import InputError, NavVizError, Problems, merged_problems
from navviz.formats import EpisodeSet, Run
from navviz.metrics.divergence import Divergence, find_divergence
from navviz.metrics.path import METRICS
from navviz.metrics.registry import format_value, is_near_radius
from navviz.metrics.score import Evaluation, RunScore, score_run
from navviz.metrics.stages import Lengths, Success
from navviz.metrics.walked import walked_graph
from navviz.observations.pictures.files import PictureFolders
from navviz.observations.pictures.films import WalkPictures
from navviz.records import Episode, Trace, TraceHeader
from navviz.records.base import Position, plural
from navviz.records.lazy_traces import OnDemand
from navviz.records.walker import eyes
from navviz.runs.facts import WalkFacts, facts_of
from navviz.runs.index.kept import KeptRun
from navviz.runs.index.measure import rows_of
from navviz.runs.index.measuring import MeasuredWalks, Measuring
from navviz.runs.index.run_rows import RunRows
from navviz.runs.marks import RunMark, marks_document, planned_episodes, run_marks
from navviz.runs.reading import ReadFiles
from navviz.runs.source import Source
from navviz.runs.walks import renamed
from navviz.support.guarded import is_regular
from navviz.views.figures.atlas_walk import AtlasWalk
from navviz.world.graph import Graph
from navviz.world.scene_graph import with_places

if TYPE_CHECKING:
    import pandas as pd


_AXES = {"difficulty_cognitive": 0, "difficulty_spatial": 1, "difficulty_execution": 2}

"""Columns of the table by their place in `WalkFacts.difficulty`."""

_CAUSES_AT_ONCE = 2_000

"""Episodes whose causes `OpenRun.table` finds without being asked, in some seconds."""


@dataclass(frozen=True, slots=True)
class Pairing:
    """Which episodes of two runs ask the same."""

    pairs: tuple[tuple[str, str], ...]
    """Ids of the first and of the second run, in the order of the first."""
    only_first: tuple[str, ...]
    """Ids of the first run that have no partner."""
    only_second: tuple[str, ...]

    @property
    def sentence(self) -> str:
        """Say how many could be paired, and how many could not."""
        count = plural(len(self.pairs), "episode")
        rest = f"{len(self.only_first)} of the first and {len(self.only_second)} of the second"
        return f"{count} paired by path and instruction; {rest} run have no partner."


@dataclass(repr=False)
class OpenRun:
    """A run with what it needs to be looked at: graph, scores, divergences, problems.

    ``navviz.open_run`` opens one. In a notebook it shows its headline figures. Whatever it was read
    from, its list and figures come from rows, one an episode. Those of a large run of NavViz's own
    traces are kept, and another process fills them: until then `table` and `scores` wait, while
    `known_table` and `known_scores` show what is known.
    """

    source: Source
    run: Run
    graph_of: Callable[[str], Graph]
    problems: Problems = field(default_factory=Problems)
    episode_set: EpisodeSet | None = None
    """The episode file that was given."""
    read_files: ReadFiles = field(default_factory=ReadFiles)
    """The files that it was read from."""
    reasons: Callable[[OpenRun], Mapping[str, tuple[str | None, str | None]]] | None = None
    """What finds how each failure's act was missed, and the name of its likely cause, by episode;
    ``navviz.open_run`` sets it, since both lie above this room.
    """
    measuring: Measuring | None = None
    """Where its rows come from; else from the traces themselves."""
    others: Problems | None = None
    """Problems besides those of its rows, where measuring finds any."""
    pairs: Pairing | None = None
    """Where it stands beside a run of another data set and goes by that run's ids."""
    cells_of: Callable[[OpenRun, str], pd.DataFrame] | None = None
    """What tabulates the what-ifs of an episode; ``navviz.open_run`` sets it, as above."""
    again: Callable[[], OpenRun | None] | None = None
    """What opens it once more where its files have changed; ``navviz.open_run`` sets it."""
    _graphs: dict[str, Graph] = field(default_factory=dict, repr=False)
    """Worlds with the poses of one trace, by episode."""
    _view: RunRows | None = None
    _scores: tuple[RunRows, RunScore] | None = None
    """Of a view, so that pages that ask again do not wait."""
    _lock: Lock = field(default_factory=Lock, repr=False)

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
        """Traces by episode id, as figures of the whole run need them: without large texts."""
        return self.run.outlines

    # --- its rows

    @cached_property
    def _rows(self) -> Measuring:
        return self.measuring or MeasuredWalks(self.run, self.graph_of)

    @property
    def kept_at(self) -> KeptRun | None:
        """Where its rows are kept while another process fills them; ``None`` of a smaller run."""
        return self._rows.place

    @property
    def view(self) -> RunRows:
        """Its rows as they are known now; another state of them replaces it as a whole."""
        if self._view is None:
            self._view = self._rows.first()
        return self._view

    @property
    def complete(self) -> bool:
        """Whether all episodes are measured; what is not kept is measured when it is asked for."""
        return self.kept_at is None or self.view.complete

    def refresh(self) -> bool:
        """Take what another process has written since; returns whether it was opened again."""
        fresh = self.again() if self.again is not None else None
        if fresh is not None:
            own = [each.name for each in fields(self)]
            for name in own:
                setattr(self, name, getattr(fresh, name))
            # what was made of the older state
            for name in self.__dict__.keys() - set(own):
                del self.__dict__[name]
            return True
        self._take_measured()
        return False

    def _take_measured(self) -> None:
        if not self.complete and (view := self._rows.refreshed()) is not None:
            self._take(view)

    def finish(self) -> None:
        """Measure what is not measured yet; raises `NavVizError` where it cannot be."""
        self._take_measured()
        if self.view.complete:
            return
        self._rows.finish(self.view, self._take)
        if not self.view.complete:
            raise NavVizError(
                f"{self.name}: traces changed while they were measured; open the run again."
            )

    def _take(self, view: RunRows) -> None:
        """Show another state of the rows, unless a faster thread has shown a later one."""
        with self._lock:
            if view.measured < self.view.measured:
                return
            if view.rows.num_rows != self.view.rows.num_rows:  # one could not be read as a whole
                traces = self._rows.traces(view)
                self.run = self.run if traces is None else replace(self.run, traces=traces)
            if self.others is not None:
                self.problems = merged_problems((view.problems, self.others))
            self._view = view

    def graph(self, episode_id: str | int) -> Graph:
        """Graph that an episode is walked on, with the poses of its trace where it has any."""
        episode_id, view = str(episode_id), self.view
        row = view.places.get(episode_id)
        if row is not None and not view.rows["posed"][row].as_py():
            # the shared graph as it is: nothing of the walk has to be added
            return self.graph_of(view.rows["world"][row].as_py())
        # a graph with poses is made once: all panels of an episode ask for it
        if episode_id not in self._graphs:
            trace = self.outline(episode_id)
            world = self.graph_of(trace.episode.world)
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
        return () if self.source.results is None else self.marks_of(self.known_scores())

    def marks_of(self, scores: RunScore) -> tuple[RunMark, ...]:
        """Return what has to be said beside scores of this run that were asked for otherwise."""
        first = next(iter(self.outlines.values()), None)
        header = None if first is None else first.header
        return run_marks(scores, header, self._planned, lambda: self._headers)

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

    @property
    def scores(self) -> RunScore:
        """Metrics of every episode, and their means; all missing where nobody walked."""
        if self.source.results is not None:
            self.finish()
        return self.known_scores()

    def known_scores(self) -> RunScore:
        """Return the scores as far as they can be had without waiting for another process: means of
        what the ends of traces say.
        """
        walked = self.source.results is not None
        if walked and not self._rows.tells_ends:
            self.finish()
        view, cache = self.view, self._scores
        if cache is None or cache[0] is not view:
            nothing: dict[str, float | None] = {metric.name: None for metric in METRICS}
            if not walked:
                rows = dict.fromkeys(self.traces, nothing)
                scores = RunScore(self.run.name, rows, nothing, dict.fromkeys(nothing, 0))
            elif view.complete and view.has_tasks:
                # means of sub-tasks are pooled over all of them, which no column can tell
                scores = score_run(self.run, self.graph_of)
            else:
                scores = view.scores(self.run.name)
            if self.pairs is not None:
                # the data sets differ on purpose
                scores = replace(scores, origins={})
            self._scores = cache = (view, scores)
        return cache[1]

    @cached_property
    def divergences(self) -> Mapping[str, Divergence]:
        """Where and how each agent left its reference path; of a large run found on demand."""
        if self.kept_at is not None:
            return OnDemand(self.traces, self.divergence)
        return {key: self.divergence(key) for key in self.outlines}

    def divergence(self, episode_id: str | int) -> Divergence:
        """Where and how one agent left its reference path."""
        return find_divergence(self.outline(episode_id), self.graph(episode_id))

    def listing(self) -> pd.DataFrame:
        """Return what Explore lists: the columns are declared in `navviz.runs.tables`."""
        self.finish()
        return self.view.frame.copy(deep=False)

    def known_table(self) -> pd.DataFrame:
        """Return the listing as far as it is there without another process. Never changed."""
        if self.kept_at is None:
            self.finish()
        return self.view.frame

    def table(self, *, all: bool = False, causes: bool | None = None) -> pd.DataFrame:  # noqa: A002
        """One row an episode: outcome, every metric, facts of the walk, and why it failed.

        Parameters
        ----------
        all
            Every column of the schema; without it those that hold something in this run.
        causes
            Whether to find the act that each failure did not do, and its likely cause, some 30 ms
            a failure, once: the cache keeps them. Without it, of runs of up to 2,000 episodes. Only
            runs from ``navviz.open_run`` can find them; the columns are empty in others.

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
        # each once: an index makes them anew whenever they are asked for
        schema, own_facts, own_rows = episode_schema(), self.facts, self.scores.rows
        facts = [own_facts[key] for key in keys]
        rows = [own_rows[key] for key in keys]
        for column in schema:
            axis = _AXES.get(column.name)
            if column.name in columns:
                continue
            if axis is not None:
                ratings = [each.difficulty for each in facts]
                columns[column.name] = [None if each is None else each[axis] for each in ratings]
            elif column.name in WalkFacts.__slots__:
                columns[column.name] = [getattr(each, column.name) for each in facts]
            else:
                columns[column.name] = [each.get(column.name) for each in rows]
        wanted = len(self) <= _CAUSES_AT_ONCE if causes is None else causes
        # episodes that nobody walked have no cause
        if wanted and self.reasons is not None and self.source.results is not None:
            reasons = self.reasons(self)
            pairs = [reasons.get(key, (None, None)) for key in keys]
            columns["act"] = [act for act, _ in pairs]
            columns["cause"] = [cause for _, cause in pairs]
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

    def what_if(self, episode_id: str | int) -> pd.DataFrame:
        """One row a what-if of an episode: another link at a fork, and how the walk ends then.

        Columns and types are `navviz.analysis.what_if.tables.CELL_SCHEMA`. Only runs from
        ``navviz.open_run`` can find them.
        """
        if self.cells_of is None:
            raise InputError(
                f"run {self.name} cannot walk on after another link",
                "open it with navviz.open_run",
                episode=str(episode_id),
            )
        return self.cells_of(self, str(episode_id))

    @property
    def file_count(self) -> int:
        """Number of files that it was read from, those of its graphs left out."""
        if self.kept_at is None:
            return len(self.read_files.files)
        return 1 if is_regular(self.kept_at.results) else self.view.table.num_rows

    @property
    def worlds(self) -> Mapping[str, int]:
        """Number of episodes in each world, the most frequent first."""
        return self.view.worlds

    @property
    def instructions(self) -> Mapping[str, str]:
        """Instructions by episode id, in file order."""
        return self.view.instructions

    @property
    def has_tasks(self) -> bool:
        """Whether any episode has sub-tasks."""
        return self.view.has_tasks

    @property
    def datasets(self) -> Mapping[str, str]:
        """Data set of each episode, by id, in file order."""
        return self.view.datasets

    def starts(self, *, walked: bool = False) -> dict[str, str]:
        """Return each episode's start node; only of walked ones where `walked`."""
        rows = rows_of(self.view.rows, "episode", "start", "walked")
        if not walked:
            return {key: start for key, start, _ in rows}
        return {key: start for key, start, moved in rows if self._has_moved(key, moved)}

    def _has_moved(self, key: str, moved: bool | None) -> bool:
        if moved is not None:
            return moved
        # its head did not tell
        trace = self.outline(key)
        return bool(trace.steps or trace.waypoints)

    @property
    def is_near(self) -> bool:
        """Whether its lengths are shown with centimetres, as indoors; the first episode decides."""
        first = next(iter(self.outlines.values()), None)
        return first is not None and is_near_radius(first.episode.success_radius_m)

    @property
    def facts(self) -> Mapping[str, WalkFacts]:
        """What tables and charts ask of each walk besides its scores, by id, in file order."""
        if self.kept_at is not None:
            self.finish()
        # they need no graph, which may be missing
        return self.view.facts if self.view.complete else self._own_facts

    @cached_property
    def _own_facts(self) -> Mapping[str, WalkFacts]:
        return {key: facts_of(trace) for key, trace in self.outlines.items()}

    def map_walks(self, world: str) -> tuple[Graph, list[AtlasWalk]]:
        """Gather the walks in one world for the atlas, and the world with the poses of those who
        walked freely.

        Poses of different walks share their names, so each is named after its episode too.
        """
        self.finish()
        graph, places, shown = self.graph_of(world), dict[str, Position](), []
        view = self.view
        columns = (view.values("world"), view.values("posed"))
        for walk, own_world, posed in zip(view.walks, *columns, strict=True):
            if own_world != world:
                continue
            if not posed:
                shown.append(walk)
                continue
            key = walk.episode
            poses = self.outline(key).poses
            own = {node: f"{key} {node}" for node in poses}
            places |= {own[node]: place for node, place in poses.items()}
            shown.append(renamed(walk, own))
        return with_places(graph, places) if places else graph, shown

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
        self,
        *,
        as_walked: bool = False,
        success: Success = "distance",
        lengths: Lengths = "moves",
        edited: bool = False,
    ) -> RunScore:
        """Score every episode; `as_walked` counts every node walked where published logs are scored
        otherwise, `edited` the walks in which a person changed something.

        `success` and `lengths` are rules for tasks of several parts, see
        `navviz.metrics.stages.outcomes`.
        """
        if not as_walked and not edited and (success, lengths) == ("distance", "moves"):
            return self.scores
        evaluation: Evaluation = "walked" if as_walked else "published"
        return score_run(self.run, self.graph_of, evaluation, success, lengths, edited=edited)

    def trace(self, episode_id: str | int) -> Trace:
        """One trace; raises `InputError` for an episode that is not there or cannot be read."""
        return self._trace_of(self.traces, episode_id)

    def outline(self, episode_id: str | int) -> Trace:
        """One trace as `outlines` has it; raises `InputError` for an episode that is not there."""
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

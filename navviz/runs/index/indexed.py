"""Runs of NavViz's own traces: their rows come from an index, and a trace is read on demand.

They are opened in one way, whatever their size. The ends of all traces are read first, which gives
the list. A run of up to `AT_ONCE` traces is then measured at once, in this process, and its rows
stay in memory. Those of a larger run are kept in the user's cache folder, and a process of its own
measures while the pages show what is known.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from navviz.errors import InputError, Problems, merged_problems
from navviz.formats import GraphOf, Run
from navviz.formats.traces import nothing_read
from navviz.records import Trace
from navviz.records.growing import growing_trace
from navviz.records.lazy_traces import ROOM_BYTES, TracesOnDemand
from navviz.records.trace_parts import part_named, read_part
from navviz.runs.index import build
from navviz.runs.index.build import current, keep, left_to_measure, state_of_file, with_measured
from navviz.runs.index.heads import with_errors
from navviz.runs.index.kept import KeptRun
from navviz.runs.index.measure import Measurer, Table, rows_of, starts_of
from navviz.runs.index.measuring import Measuring, Take
from navviz.runs.index.run_rows import RunRows, rows_of_run
from navviz.runs.run import OpenRun
from navviz.runs.source import Source
from navviz.support.guarded import note_entries


@dataclass(frozen=True)
class FolderReader:
    """Reads the trace of an episode from its file."""

    folder: Path
    files: Mapping[str, str]
    """Names by episode, as `navviz.records.trace_parts.part_named` takes them."""

    def __call__(self, key: str) -> Trace:
        """Read one; raises `InputError` where it cannot be read, or is another walk by now."""
        return self._checked(key, read_part(self.folder, self.files[key]))

    def again(self, key: str) -> Trace:
        """Return one as far as it is written by now; of a file of its own only what is new is
        read.
        """
        file, part = part_named(self.files[key])
        path = self.folder / file if file else self.folder
        if part is not None or path.suffix != ".jsonl":
            return self(key)
        return self._checked(key, growing_trace(path).look())

    def _checked(self, key: str, trace: Trace) -> Trace:
        # the file was replaced since it was listed: its figures are those of the walk before
        if trace.episode.id != key:
            file = part_named(self.files[key])[0] or self.folder.name
            raise InputError(
                f"holds episode {trace.episode.id} where {key} was when it was opened",
                "open it again",
                file=file,
            )
        return trace


AT_ONCE = 2500

"""Traces that are measured while a run is opened, in two seconds, and not kept: the index of a
larger run takes 15 MB for 50,000 traces, and minutes to make.
"""


class OwnRows(Measuring):
    """Rows of NavViz's own traces, read from their files."""

    tells_ends = True

    def __init__(
        self, place: KeptRun, name: str, table: Table, graph_of: GraphOf, *, is_kept: bool
    ) -> None:
        self.place = place if is_kept else None
        self._place, self._name, self._graph_of = place, name, graph_of
        # the last one alone: rows of 50,000 episodes take 50 MB
        self._view = rows_of_run(table, name, place.results)
        self._state = state_of_file(place)

    def first(self) -> RunRows:
        """Return the rows as they were last seen."""
        return self._view

    def refreshed(self) -> RunRows | None:
        """Return the rows, if another process has written the file since the last look."""
        state = state_of_file(self._place)
        if state is None or state == self._state:
            return None
        table = self._place.load()
        if table is None or not table["file"].equals(self._view.table["file"]):
            return None
        self._state = state
        self._view = rows_of_run(table, self._name, self._place.results)
        return self._view

    def finish(self, view: RunRows, take: Take) -> None:
        """Measure what is left, and wait for it."""
        if self.place is not None:
            table = build.finish(self.place, view.rows.num_rows - view.measured)
        else:
            measurer = Measurer(self._place.results, self._graph_of)
            pieces = build.work_through(left_to_measure(view.table), lambda: measurer, 0)
            table = with_measured(view.table, list(pieces))
        self._view = rows_of_run(table, self._name, self._place.results)
        take(self._view)

    def traces(self, view: RunRows) -> TracesOnDemand:
        """Return the traces of some rows, which are read on demand."""
        folder = self._place.results.absolute()  # a notebook may change its folder
        read = FolderReader(folder, view.by_episode("file"))
        return TracesOnDemand(read, view.by_episode("size"), again=read.again)


# --- opening


def open_indexed(
    source: Source,
    place: KeptRun,
    graph_of: GraphOf,
    learn: Callable[[Mapping[str, str]], None],
    others: Problems,
) -> list[OpenRun]:
    """Open traces, a run for each run name that their headers give."""
    heads = current(place)
    learn(starts_of(heads))
    read: Mapping[str, Trace] = {}
    is_kept = place.is_kept and heads.num_rows > AT_ONCE
    if heads.num_rows <= AT_ONCE:
        measurer = Measurer(place.results, graph_of, without_graphs=True, kept_bytes=ROOM_BYTES)
        pieces = build.work_through(left_to_measure(heads), lambda: measurer, 0)
        table = with_measured(heads, list(pieces))
        read = measurer.kept
    else:
        table = with_errors(heads, graph_of)
        if table is not heads or state_of_file(place) is None:
            keep(place, table)
    if not is_kept:
        if source.opened_as is not None:  # pages alone open a run again and again
            build.hold(place, table)
        # those of its parts were read one by one
        counts: dict[str, int] = {}
        for name, lines in rows_of(table, "file", "lines"):
            file = part_named(name)[0]
            counts[file] = counts.get(file, 0) + max(lines or 0, 1)
        for file, count in counts.items():
            note_entries(place.results / file if file else place.results, count)
    names = dict.fromkeys(name for name in table["run"].to_pylist() if name is not None)
    opened = []
    for name in names:
        rows = OwnRows(place, name, table, graph_of, is_kept=is_kept)
        view = rows.first()
        traces = rows.traces(view)
        for key, file in view.by_episode("file").items():
            if file in read:
                traces.keep(key, read[file])
        run = _run(source, name, view, traces)
        if run is not None:
            problems = merged_problems((view.problems, others))
            opened.append(OpenRun(source, run, graph_of, problems, measuring=rows, others=others))
    if not opened:
        problems = rows_of_run(table, "", place.results).problems
        raise InputError(nothing_read(problems), "choose another", file=place.results.name)
    return opened


def _run(source: Source, name: str, view: RunRows, traces: TracesOnDemand) -> Run | None:
    """Return a run with what the first header that can be read says; ``None`` where none can."""
    for key in traces.outlines:
        try:
            header = traces.outlines[key].header
        except InputError:
            continue
        details = {"model": header.model, "settings": header.settings, "created": header.created}
        file = source.results or Path()
        return Run(name, header.navigator, None, traces, view.problems, file, details)
    return None

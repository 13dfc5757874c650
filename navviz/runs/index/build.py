"""Measuring the traces of an index in processes of their own: ``python -m navviz.runs.index FOLDER
GRAPHS``.

The pages start it when a large run is opened that is not measured yet, and go on; commands and
notebooks wait for it. What is measured is kept every few seconds, so that a process that was
stopped loses little. Two at once do no harm: the second one waits, and finds nothing left to do.
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
import subprocess
import sys
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from threading import Lock
from typing import Any, TypeVar

import pyarrow as pa

from navviz.errors import InputError, NavVizError, StoreError
from navviz.records.trace_parts import part_named
from navviz.runs.graphs import graphs_of_starts
from navviz.runs.index.files import FileState, listed
from navviz.runs.index.heads import read_heads
from navviz.runs.index.kept import KeptRun
from navviz.runs.index.measure import Measurer, Stage, Table, starts_of
from navviz.support.guarded import is_regular, read_json, write_whole
from navviz.support.installation.processes import (
    WorkerContext,
    child_environment,
    leave_end_to_parent,
    reap,
)

_LOCK = Lock()


@dataclass(frozen=True)
class _LookedAt:
    """The index that was looked at last, so that two questions in a row read it once."""

    file: Path
    state: tuple[int, int] | None
    stamp: bytes
    table: Table


_LAST: list[_LookedAt] = []


def current(place: KeptRun) -> Table:
    """Return the index of a folder as it is now: what is new or has changed is read at its ends.

    Nothing is written.
    """
    state, stamp = state_of_file(place), place.stamp
    with _LOCK:
        last = _LAST[0] if _LAST else None
    if last is not None and (last.file, last.state, last.stamp) == (place.file, state, stamp):
        table = last.table
    else:
        table = place.load()
    # never trusted without a look at the folder: traces may have come since
    table = updated(place.results, table)
    _remember(_LookedAt(place.file, state, stamp, table))
    return table


def hold(place: KeptRun, table: Table) -> None:
    """Remember an index that is not kept: of a run that grows, only what is new is measured."""
    _remember(_LookedAt(place.file, state_of_file(place), place.stamp, table))


def keep(place: KeptRun, table: Table) -> None:
    """Write an index to the cache folder, where it may be written."""
    if not place.is_kept:
        return
    place.keep_table(table)
    hold(place, table)


def _remember(looked: _LookedAt) -> None:
    with _LOCK:
        _LAST[:] = [looked]


def state_of_file(place: KeptRun) -> tuple[int, int] | None:
    """Return what changes when somebody writes the index; ``None`` where there is none."""
    try:
        state = place.file.stat()
    except OSError:
        return None
    return state.st_mtime_ns, state.st_ino


def updated(folder: Path, table: Table | None) -> Table:
    """Return the index of a folder's present files, in their order."""
    names = table["file"].to_pylist() if table is not None else []
    states = listed(folder, names)
    before = _states(table) if table is not None else []
    if table is not None and states == before:
        return table
    rows = {state: [k] for k, state in enumerate(before)}
    # times and size tell a change, so only these files are opened
    fresh = [state for state in states if state not in rows]
    heads = read_heads(folder, fresh)
    if table is None:
        return heads
    of_file: dict[str, list[int]] = {}
    fresh_names = {state.file for state in fresh}
    for k, name in enumerate(heads["file"].to_pylist(), start=table.num_rows):
        file = name if name in fresh_names else part_named(name)[0]
        of_file.setdefault(file, []).append(k)
    order: list[int] = []
    for state in states:
        order += rows.get(state) or of_file[state.file]
    return pa.concat_tables([table, heads], promote_options="default").take(
        pa.array(order, pa.int64())
    )


def _states(table: Table) -> list[FileState]:
    columns = (table[name].to_pylist() for name in FileState._fields)
    return [FileState(*values) for values in zip(*columns, strict=True)]


def left_to_measure(table: Table) -> list[FileState]:
    """Return the files of which only the ends were read."""
    stages = table["stage"].to_pylist()
    return [
        state for state, stage in zip(_states(table), stages, strict=True) if stage == Stage.HEAD
    ]


def with_measured(table: Table, pieces: Sequence[Table]) -> Table:
    """Return an index with measured rows in the places of their heads; those of files that it lacks
    are left out.
    """
    if not pieces:
        return table
    whole = pa.concat_tables([table, *pieces], promote_options="default")
    names = whole["file"].to_pylist()
    # pieces stand behind their heads, so the last row of a name is the newest
    last = {name: k for k, name in enumerate(names)}
    return whole.take(
        pa.array([last[name] for name in names[: table.num_rows]], pa.int64())
    ).combine_chunks()


def is_indexed(folder: Path, graphs: Sequence[Path]) -> bool:
    """Whether most of a folder is known already, so that opening it takes a second."""
    return state_of_file(KeptRun(folder, graphs)) is not None


def names_of_runs(folder: Path, graphs: Sequence[Path]) -> list[str]:
    """Return the names of the runs in a folder of traces, in the order of the files."""
    names = current(KeptRun(folder, graphs))["run"].to_pylist()
    return list(dict.fromkeys(name for name in names if name is not None))


What = TypeVar("What")
Rows = TypeVar("Rows")

Measure = Callable[[Sequence[What]], Rows]

"""Makes a row of each trace file, or of whatever else names a walk."""

_PROGRAM = "navviz.runs.index"


_CHUNK = 100

"""Traces that a process measures at once: a tenth of a second."""

_KEPT_EVERY_S = 15.0

"""Pages read anew what was kept, which takes them most of a second."""

ALONE = 2500

"""So few traces are measured in this process, in two seconds: to start others takes as long."""

_STARTED: dict[Path, subprocess.Popen[bytes]] = {}

_LOG = logging.getLogger(__name__)


def build(place: KeptRun, processes: int = 0) -> Table:
    """Measure what is left of an index, keep it and return it.

    Raises `NavVizError` where a trace has no graph to be scored on.
    """
    with place.alone():
        table = current(place)
        left = left_to_measure(table)
        make = partial(_measurer, place.results, place.graphs, starts_of(table))
        for pieces in with_progress(
            place, work_through(left, make, processes), len(left), table.num_rows
        ):
            table = with_measured(table, pieces)
            keep(place, table)
        return table


def with_progress(
    place: KeptRun, pieces: Iterable[Table], left: int, total: int
) -> Iterator[list[Table]]:
    """Gather pieces until they are worth keeping, and note for others how far it is."""
    gathered: list[Table] = []
    done, kept_s = total - left, time.monotonic()
    for piece in pieces:
        gathered.append(piece)
        done += piece.num_rows
        if time.monotonic() - kept_s > _KEPT_EVERY_S:
            yield gathered
            gathered, kept_s = [], time.monotonic()
        # noted after each piece, kept less often: a page only needs the number
        _note(place, {"done": done, "total": total})
    if gathered:
        yield gathered
    _forget(place, ".progress")


def work_through(
    left: Sequence[What],
    make: Callable[[], Measure[What, Rows]],
    processes: int,
    chunk: int = 0,
) -> Generator[Rows]:
    """Yield the rows of trace files, in pieces of `chunk` (or 100) that come as they are done.

    Who leaves before the end closes it: what nobody has begun is dropped then.
    """
    chunk = chunk or _CHUNK
    chunks = [left[at : at + chunk] for at in range(0, len(left), chunk)]
    if not processes:
        yield from map(make(), chunks)
        return
    with ProcessPoolExecutor(
        processes, WorkerContext(), initializer=_begin, initargs=(make,)
    ) as pool:
        try:
            for future in as_completed([pool.submit(_measure, chunk) for chunk in chunks]):
                measured = future.result()
                if isinstance(measured, str):
                    raise NavVizError(measured)
                yield measured
        finally:
            # the other chunks would fail for the same reason, or nobody waits for them
            pool.shutdown(cancel_futures=True)


def _measurer(folder: Path, graphs: Sequence[Path], starts: Mapping[str, str]) -> Measurer:
    return Measurer(folder, graphs_of_starts(graphs, starts))


_OWN: list[Measure[Any, Any]] = []

"""What a process of the pool measures with."""


def _begin(make: Callable[[], Measure[Any, Any]]) -> None:
    leave_end_to_parent()
    _OWN.append(make())


def _measure(names: Sequence[Any]) -> Any:  # noqa: ANN401 - rows of any kind, or a fault
    try:
        return _OWN[0](names)
    except NavVizError as error:
        return str(error)


# --- from outside


def start(place: KeptRun, program: str = _PROGRAM) -> None:
    """Let a process of its own measure what is left, with less right to the processor than pages
    have.

    `program` is its module; it calls `main`.
    """
    if running(place):
        return
    forget_fault(place)
    _STARTED[place.file] = _process(place, "--nice", program=program)


def _process(place: KeptRun, *options: str, program: str = _PROGRAM) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", program, *options, str(place.results), *map(str, place.graphs)]
    try:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, env=child_environment())  # noqa: S603
    except OSError as error:
        raise NavVizError(
            f"{place.results}: no process can be started to measure it ({error.strerror})."
        ) from error
    reap(process)
    return process


def running(place: KeptRun) -> bool:
    """Whether this process has let another one measure it, and that one has not ended."""
    process = _STARTED.get(place.file)
    return process is not None and process.poll() is None


def stop(place: KeptRun) -> None:
    """End the process that measures; what it kept stays."""
    process = _STARTED.pop(place.file, None)
    if process is not None and process.poll() is None:
        process.terminate()


def finish(place: KeptRun, left: int) -> Table:
    """Measure what is left and return it; raises `NavVizError` where it cannot be measured."""
    # what cannot be kept cannot be handed over by another process either
    if left <= ALONE or not is_regular(place.file):
        return build(place)
    process = _STARTED[place.file] if running(place) else _process(place)
    process.wait()
    if (sentence := fault(place)) is not None:
        raise NavVizError(sentence)
    table = current(place)
    if process.returncode and (missing := len(left_to_measure(table))):
        done = table.num_rows - missing
        raise NavVizError(
            f"{place.results}: the process that measures it was ended when {done:,} of"
            f" {table.num_rows:,} traces were done; ask again to go on."
        )
    return table


def progress(place: KeptRun) -> tuple[int, int] | None:
    """Return how many traces are measured, of how many; ``None`` where nobody noted it."""
    try:
        figures = read_json(place.sibling(".progress"))
        return int(figures["done"]), int(figures["total"])
    except (InputError, KeyError, TypeError, ValueError):
        return None


def fault(place: KeptRun) -> str | None:
    """Return in a sentence why the traces cannot be measured; ``None`` where they can."""
    try:
        return str(read_json(place.sibling(".fault"))["sentence"])
    except (InputError, KeyError, TypeError):
        return None


def forget_fault(place: KeptRun) -> None:
    """Let it be tried again."""
    _forget(place, ".fault")


def _note(place: KeptRun, note: Mapping[str, object], ending: str = ".progress") -> None:
    try:
        write_whole(place.sibling(ending), json.dumps(note))
    except StoreError as error:
        _LOG.info("%s", error)


def _forget(place: KeptRun, ending: str) -> None:
    with contextlib.suppress(OSError):  # it is not there, or nothing can be written there
        place.sibling(ending).unlink()


def main(
    arguments: Sequence[str],
    work: Callable[[KeptRun, int], object] = build,
    place_of: Callable[[Path, Sequence[Path]], KeptRun] = KeptRun,
) -> int:
    """Measure the index of a folder, with as many processes as there are cores, four at most;
    return the exit code.
    """
    polite = list(arguments[:1]) == ["--nice"]
    folder, *graphs = [Path(one) for one in arguments[polite:]]
    if polite and hasattr(os, "nice"):
        # pages that people wait for come first
        os.nice(10)
    place = place_of(folder, graphs)
    try:
        work(place, min(4, os.cpu_count() or 1))
    except NavVizError as error:
        _note(place, {"sentence": str(error)}, ".fault")
        return 1
    except Exception:
        _note(
            place,
            {"sentence": f"{folder}: its traces could not be measured; the log says why."},
            ".fault",
        )
        raise
    return 0

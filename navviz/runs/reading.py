"""How much of a run was read, and from which files: counts for a page."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from navviz.errors import Problem, Problems
from navviz.formats.passed_over import is_passed_over
from navviz.records.base import plural
from navviz.support.guarded import Notes


@dataclass(frozen=True, slots=True)
class ReadFiles:
    """The files that a run was read from, those of its graphs left out."""

    files: tuple[Path, ...] = ()
    changes: Mapping[Path, Mapping[str, int]] = field(default_factory=dict)
    """What was written otherwise than it is kept, in words, and how often."""


def read_files(notes: Notes, graphs: Sequence[Path]) -> ReadFiles:
    """Return notes of a run's reading; `graphs` are read by the way, and by some runs only."""
    files = []
    for file in notes.files:
        around = (file, *file.parents)
        if not any(graph in around for graph in graphs):
            files.append(file)
    return _with_changes(files, notes)


def read_traces_of(notes: Notes, place: Path) -> ReadFiles:
    """Return the traces that were noted while a run was read: a file, or those directly in a
    folder; scoring them reads other files by the way.
    """
    return _with_changes([file for file in notes.files if place in (file, file.parent)], notes)


def _with_changes(files: Sequence[Path], notes: Notes) -> ReadFiles:
    changes = {file: dict(notes.changes[file]) for file in files if file in notes.changes}
    return ReadFiles(tuple(files), changes)


def reading_sentence(
    problems: Problems, shown: Iterable[str], files: int, folder_problems: Iterable[Problem]
) -> str:
    """Say how much of a run was read, as ``Read 700 of 700 episodes from 3 files``."""
    here = set(shown)
    # an episode may lose a line and still be shown
    lost = {episode for _, episode in problems.skipped if episode and episode not in here}
    others = 0
    for (_, episode), count in problems.skipped.items():
        if not episode or episode in here:
            others += count
    usual = [f"{count:,} {what}" for what, count in problems.usual.items()]
    others -= problems.usual.total()
    left = []
    if others:
        left.append("1 other entry" if others == 1 else f"{others:,} other entries")
    not_read = sum(is_passed_over(problem) for problem in folder_problems)
    if not_read:
        left.append(plural(not_read, "file"))
    whole = len(here) + len(lost)
    noun = "episode" if whole == 1 else "episodes"
    head = f"Read {len(here):,} of {whole:,} {noun}"
    if files:
        noun = "file" if files == 1 else "files"
        head += f" from {files:,} {noun}"
    if left:
        head += f"; {' and '.join(left)} not read"
    return f"{head}; {' and '.join(usual)} left out, as is normal" if usual else head

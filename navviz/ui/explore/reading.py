"""How much of a run was read: one line, and what was not, or was written otherwise, behind it."""

from __future__ import annotations

import streamlit as st

from navviz.errors import InputError, Problems, merged_problems
from navviz.runs.opened import OpenRun
from navviz.runs.reading import reading_sentence
from navviz.ui.components.plain import plain

_TOLD = 50
_FILES = 10


def whole(run: OpenRun) -> None:
    """Say in a few words that all was read, and let the user unfold from which files; nothing where
    something lacks.
    """
    problems = _problems(run)
    if problems.count or not len(run):
        return
    count = len(run)
    label = f"Read {count:,} of {count:,} episode{'' if count == 1 else 's'}"
    with st.popover(label, type="tertiary", icon=":material/done_all:", key="explore_read_whole"):
        st.text(_sentence(run, problems))
        _files(run)


def lacking(run: OpenRun) -> None:
    """Say what was read where not all was, or something is remarked, and let the user unfold it."""
    problems = _problems(run)
    if not problems.count:
        return
    notes = problems.count - sum(problems.skipped.values())
    sentence = _sentence(run, problems)
    if notes > 0:
        sentence += f" · {problems.count:,} remark{'' if problems.count == 1 else 's'}"
    with st.expander(plain(sentence), icon=":material/warning:", key="explore_reading"):
        for problem in problems.kept[:_TOLD]:
            # as text: it quotes the file, which may hold Markdown
            st.text(str(problem))
        if problems.count > _TOLD:
            st.caption(
                f"and {problems.count - _TOLD:,} more; navviz data check FOLDER counts them by file"
            )
        _files(run)


def _sentence(run: OpenRun, problems: Problems) -> str:
    return reading_sentence(problems, run.instructions, run.file_count, run.source.folder_problems)


def _problems(run: OpenRun) -> Problems:
    """Return what was told of the run and of the maps that it was scored on."""
    if run.source.results is None:
        return run.problems
    parts = [run.problems]
    for world in run.worlds:
        try:
            parts.append(run.graph_of(world).info.problems)
        except InputError:
            continue  # the run's own problems tell of it
    return merged_problems(parts)


def _files(run: OpenRun) -> None:
    files = run.read_files.files
    for file, changes in list(run.read_files.changes.items())[:_FILES]:
        parts = []
        for change, count in changes.items():
            parts.append(f"{change} ({count:,})" if count > 1 else change)
        st.text(f"{file.name}: {', '.join(parts)}")
    names = ", ".join(file.name for file in files[:_FILES])
    more = f" and {len(files) - _FILES:,} more" if len(files) > _FILES else ""
    if names:
        st.caption(plain(f"Read: {names}{more}"))

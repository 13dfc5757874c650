"""The top of the Explore page: a run's figures, how its episodes ended, and where they are."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import pandas as pd
import streamlit as st

from navviz.errors import InputError, Problems, merged_problems
from navviz.metrics.intervals import mean_interval
from navviz.metrics.registry import Metric, format_value, shown_in
from navviz.metrics.score import RunScore
from navviz.records.base import capital, plural
from navviz.records.walker import eyes
from navviz.runs.opened import OpenRun
from navviz.runs.reading import reading_sentence
from navviz.ui.components.browser import clickable
from navviz.ui.components.empty import empty, open_sample
from navviz.ui.components.plain import plain
from navviz.ui.data import cache
from navviz.ui.explore import findings
from navviz.ui.state import shell, state
from navviz.views.figures.lists import breakdown_html

_TOLD = 50

_FILES = 10


def reading(run: OpenRun) -> None:
    """Say what was read, and whether what was not is usual; the user can unfold the files."""
    if not len(run):
        return
    problems = _problems(run)
    sentence = reading_sentence(
        problems, run.instructions, run.file_count, run.source.folder_problems
    )
    is_whole = problems.count == sum(bool(problem.usual) for problem in problems.kept)
    icon = ":material/done_all:" if is_whole else ":material/warning:"
    with st.popover(plain(sentence), type="tertiary", icon=icon, key="explore_reading"):
        for problem in problems.kept[:_TOLD]:
            # as text: it quotes the file, which may hold Markdown
            st.text(str(problem))
        if problems.count > _TOLD:
            st.caption(
                f"and {problems.count - _TOLD:,} more; navviz data check FOLDER counts them by file"
            )
        _files(run)


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


_SECOND = frozenset({"GP", "NE", "SPL"})
"""Figures beside the success rate, as measured, recorded or estimated: the first two of these."""

_RATES = frozenset({"SR", "SR_rec", "SR_est"})
"""Success, whose episodes are 0 or 1."""

_NAME = 60
"""Characters of one part of the head."""


def about(run: OpenRun) -> None:
    """Who walked on what, in one line."""
    first = next(iter(run.outlines.values()), None)
    if first is None:
        return
    header = first.header
    parts = [
        header.navigator if header.navigator != "none" else None,
        eyes(header),
        # without the address of its server
        header.model.partition("@")[0] if header.model else None,
        header.episode.dataset,
        header.episode.split,
    ]
    # a model's file may have the path of a disk for a name
    named = [f"{part[: _NAME - 1]}…" if len(part) > _NAME else part for part in parts if part]
    st.caption(plain(" · ".join(named)), width="content")


def nobody_walked(run: OpenRun) -> bool:
    """Say so where episodes were opened without results; returns whether it did."""
    if run.source.results is not None or run.source.episodes is None:
        return False
    empty(
        "list",
        "These are instructions; nobody has walked them",
        "Run a navigator on them on the page Live, or open the results of one with Open ….",
        button="Open the sample",
        on_click=open_sample,
    )
    return True


def summary(run: OpenRun, table: pd.DataFrame) -> None:
    """Show success large with two more figures and how episodes ended, and beside them why they
    failed.
    """
    figures, listed = st.columns((10, 19), gap="medium")
    with figures:
        scores, near = run.known_scores(), run.is_near
        tiles: list[Metric] = []
        for tile in tiles_of(run, scores.means):
            # success stays: a dash says that nobody knows it
            if not tiles or tile.name in scores.figures or not run.complete:
                tiles.append(tile)
        others = [tile for tile in tiles[1:] if tile.name.partition("_")[0] in _SECOND]
        with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
            for key, shown in (("explore_first", tiles[:1]), ("explore_second", others[:2])):
                with st.container(key=key, horizontal=True, width="content", gap="small"):
                    for tile in shown:
                        _figure(scores, tile, near=near)
            with (
                st.popover("Figures", type="tertiary", key="explore_more"),
                st.container(key=shell.COUNTED, width=360),
                st.grid(3, min_column_width=110, gap="xsmall"),
            ):
                for tile in tiles:
                    _figure(scores, tile, near=near, explained=True)
                if run.complete and scores.left_out:
                    st.caption(plain(f"{capital(scores.left_out)}."))
        counted = table["outcome"].value_counts()
        counts = {name: int(counted.get(name, 0)) for name in ("success", "failure")}
        chosen = set(state.episode_list().choice("outcome"))
        # what the service did not answer stands apart, as a mark of the run
        html = breakdown_html(counts, sum(counts.values()), chosen, recorded=_is_recorded(table))
        clickable(
            "breakdown",
            html,
            key="explore_breakdown",
            on_choose=partial(state.toggle_choice, "outcome"),
        )
        reading(run)
    with listed:
        findings.show(run, table)


def tiles_of(run: OpenRun, means: Mapping[str, float | None]) -> tuple[Metric, ...]:
    """Which figures stand at the top: those by which the run's data set is judged."""
    known = {name for name, mean in means.items() if mean is not None}
    kind = "path"
    # recorded before estimated: the evaluator knew the way to the goal, the estimate has a straight
    # line
    if "SR" not in known and "SR_rec" in known:
        kind = "recorded"
    elif "SR" not in known and "SR_est" in known:
        kind = "estimated"
    elif run.has_tasks:
        kind = "task"
    elif known & {"SR_reverie", "RGS"}:
        kind = "object"
    elif "GP" in known:
        kind = "dialogue"
    elif "ME" in known:
        kind = "house"
    return shown_in(kind)


def _figure(scores: RunScore, tile: Metric, *, near: bool, explained: bool = False) -> None:
    name = tile.name
    mean, count = scores.means.get(name), scores.counts.get(name, 0)
    caption = None
    if mean is not None:
        caption = f"{_interval(mean, count)}n {count:,}" if name in _RATES else f"n {count:,}"
    st.metric(
        tile.label or name,
        format_value(name, mean, near=near),
        caption,
        delta_color="off",
        delta_arrow="off",
        help=f"{tile.title}: {tile.formula}. {tile.source} Mean over"
        f" {plural(count, 'episode')}; the interval is 95 %."
        if explained
        else None,
        width="content",
    )


def _interval(rate: float, count: int) -> str:
    """Write the interval of a rate, which hangs on the number of successes alone."""
    successes = round(rate * count)
    values = [1.0] * successes + [0.0] * (count - successes)
    ends = mean_interval(values, yes_no=True)
    if ends.low is None or ends.high is None:
        return ""
    return f"[{100 * ends.low:.0f}, {100 * ends.high:.0f}] · "


def _is_recorded(table: pd.DataFrame) -> bool:
    """Tell whether success is known from the evaluator's figures alone."""
    if "SR_rec" not in table:
        return False
    measured = "SR" in table and bool(table["SR"].notna().any())
    return not measured and bool(table["SR_rec"].notna().any())


_LAYERS = {"walks": "Walks", "atlas": "Where they leave"}


def show_map(run: OpenRun, shown: pd.DataFrame) -> str | None:
    """Show the list's walks on their map, or its layer of where they leave their routes; returns
    the episode that was clicked, if any.
    """
    if findings.has_walks(run):
        layer = state.segmented(
            "Layer",
            list(_LAYERS),
            name="layer",
            key="explore_layer",
            format_func=_LAYERS.__getitem__,
        )
        if layer == "atlas":
            from navviz.ui.explore import atlas  # folium: a fifth of what a first page imports

            atlas.show(run, shown)
            return None
    worlds = run.worlds
    world = next(iter(worlds))
    if len(worlds) > 1:
        world = state.box(
            "Map",
            list(worlds),
            name="world",
            key="explore_world",
            format_func=lambda name: f"{name}: {plural(worlds[name], 'episode')}",
            label_visibility="collapsed",
        )
    drawn = cache.overview(run, world, shown["episode"])
    frame = f'<div class="frame">{drawn}</div>'
    return clickable("overview", frame, key="explore_overview")

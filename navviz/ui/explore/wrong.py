"""What goes wrong: slices, junctions, another run and scanners; a click on a sentence filters
Explore's list.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from html import escape

import streamlit as st

from navviz.analysis.scanners.base import ScanHit, Scanner
from navviz.analysis.scanners.registry import get_scanners
from navviz.analysis.slices import Slice
from navviz.runs.opened import OpenRun
from navviz.ui.components import measuring
from navviz.ui.components.clickable import clickable
from navviz.ui.components.plain import plain
from navviz.ui.data import cache, marks
from navviz.ui.server import visitor
from navviz.ui.state import shell, state
from navviz.ui.state.address import segmented
from navviz.views.figures.slice_list import SliceRow, slice_list_html

_SHOWN = 12
_MOST_HITS = 200
_CSS = """
.nv-drawn { font: var(--nv-13)/1.35 var(--st-font); color: var(--st-text-color); max-height: 430px;
  overflow-y: auto; }
.row { all: unset; box-sizing: border-box; display: grid; width: 100%;
  grid-template-columns: 1fr 220px; gap: 14px;
  align-items: center; padding: 4px 8px; border-radius: 5px; cursor: pointer; }
.row.head { cursor: default;
  color: color-mix(in srgb, var(--st-text-color) 66%, var(--st-background-color));
  position: sticky; top: 0; background: var(--st-background-color); }
.axis svg { display: block; } .axis text { font-size: var(--nv-12); fill: currentColor; }
button.row:hover, button.row:focus-visible { background: var(--st-secondary-background-color); }
button.row:focus-visible { outline: 2px solid var(--st-primary-color); outline-offset: -2px; }
button.row[aria-pressed="true"] { box-shadow: inset 0 0 0 1.5px var(--st-primary-color); }
.row.weak > span {
  color: color-mix(in srgb, var(--st-text-color) 70%, var(--st-background-color)); }
.row.strong > span { font-weight: 600; }
.row svg { width: 220px; overflow: visible; }
.tick { stroke: var(--st-border-color); } .even { stroke: var(--st-text-color); opacity: .55; }
.worse .interval { stroke: var(--nv-failure); } .worse circle { fill: var(--nv-failure); }
.better .interval { stroke: var(--nv-success); } .better circle { fill: var(--nv-success); }
.interval { stroke-width: 2; } .weak .interval, .weak circle { opacity: .55; }
.scanner { display: block; margin: 2px 0 8px; }
.scanner .row { grid-template-columns: 1fr auto; } .scanner b { font-weight: 600; }
.scanner small { display: block; font-size: var(--nv-12);
  color: color-mix(in srgb, var(--st-text-color) 70%, var(--st-background-color)); }
.count { font-variant-numeric: tabular-nums; white-space: nowrap; }
.scanner .row.hit { grid-template-columns: 130px 1fr; padding: 2px 8px 2px 22px; }
.row[disabled] { cursor: default; }
"""
_VIEWS = {
    "features": "Instructions and routes",
    "junctions": "Junctions",
    "against": "Against another run",
    "transcripts": "Transcripts",
}


def show(run: OpenRun) -> None:
    """Show the part."""
    with st.container(border=True, key="explore_wrong"), shell.guard():
        if not measuring.marks_ready(run):
            return
        view = segmented(
            "What is compared",
            list(_VIEWS),
            name="wrong",
            key="explore_wrong_view",
            format_func=_VIEWS.__getitem__,
        )
        shown: Mapping[str, Callable[[OpenRun], None]] = {
            "features": _slices,
            "junctions": _junctions,
            "against": _against,
            "transcripts": _scanners,
        }
        shown[view](run)


def wait_for_chosen(run: OpenRun) -> None:
    """Wait for what the list is filtered by, where it has to be worked out first; the page ends
    there until then.
    """
    features = state.episode_list().choice("feature")
    if not features:
        return
    measuring.wait_for(run)
    # marks of the atlas and of causes are worked out elsewhere and need not wait for these
    if any(
        not mark.startswith((*marks.ON_THE_ATLAS, marks.HAS_CAUSE)) for mark in features
    ) and not measuring.marks_ready(run):
        st.stop()


def chosen_marks() -> None:
    """Say that the list below is filtered by a mark, and offer to end that."""
    for mark in state.episode_list().choice("feature"):
        words = plain(marks.describe(mark))
        st.button(
            f"Only episodes with: {words}",
            icon=":material/filter_alt_off:",
            key=f"explore_mark_{mark}",
            on_click=state.toggle_mark,
            args=(mark,),
            help="Show all episodes again.",
        )


def _slices(run: OpenRun) -> None:
    _list(marks.slices(run), "", "episodes fail")


def _junctions(run: OpenRun) -> None:
    st.caption(
        "Each junction of the route that the agent came to while it followed it: how often it"
        " leaves the route there."
    )
    _list(marks.departures(run), marks.LEFT_AT, "agents leave the route")


def _against(run: OpenRun) -> None:
    names = [
        source.name for source in visitor.sources() if source.name != run.name and not source.fault
    ]
    if not names:
        st.caption("There is only one run here; open another one on the same episodes.")
        return
    # a run's name begins with its folder, whose runs mostly share their episodes
    alike = [name for name in names if name.partition("/")[0] == run.name.partition("/")[0]]
    chosen = st.selectbox(
        "On what is this run worse than", alike or names, key="explore_wrong_other", width=320
    )
    other = next(source for source in visitor.sources() if source.name == chosen)
    opened = cache.open_run(other)
    measuring.wait_for(opened)
    if not run.traces.keys() & opened.traces.keys():
        st.caption(f"“{plain(run.name)}” and “{plain(chosen)}” share no episode.")
        return
    _list(marks.worse(run, opened), "", "it fails alone")


def _list(slices: Sequence[Slice], prefix: str, what: str) -> None:
    if not slices:
        st.caption(
            "No feature is in five episodes and missing in five others: there is too little"
            " to compare."
        )
        return
    strong = sum(part.p_adjusted < 0.05 for part in slices)
    sure = f"{strong or 'none'} with an adjusted p below 0.05"
    st.caption(
        f"{len(slices)} features compared, {sure}; the rest may be chance. Above 1, {what} more"
        " often. Click a feature to filter the list below."
    )
    rows = []
    # every sure one is shown, however many there are
    for part in slices[: max(_SHOWN, strong)]:
        mark, is_sure = prefix + part.feature, part.p_adjusted < 0.05
        row = SliceRow(mark, part.sentence, part.odds_ratio, part.low, part.high, is_sure)
        rows.append(row)
    drawn = slice_list_html(rows, state.episode_list().choice("feature"))
    clickable("slices", drawn, _CSS, key="explore_slices", on_choose=state.toggle_mark)


def _scanners(run: OpenRun) -> None:
    """Show each scanner with its count; the one that filters shows its hits, each a way to its
    step.
    """
    hits = marks.hits(run)
    scanners = get_scanners()
    # after the scanners were loaded, which is when a broken one is noticed
    shell.broken_plugins()
    st.caption(
        "Rules that read each step; no model is asked. Click one to filter the list and to see"
        " where it points."
    )
    chosen = state.episode_list().choice("feature")
    drawn = "".join(
        _scanner_html(scanner, hits[scanner.name], len(run), chosen) for scanner in scanners
    )
    clicked = clickable(
        "scanners",
        f'<div class="scanner">{drawn}</div>',
        _CSS,
        key="explore_scans",
        on_choose=_scan,
    )
    if clicked is not None and clicked.startswith("hit "):
        # the id comes last, since it may hold blanks
        _, step, episode = clicked.split(" ", 2)
        st.switch_page("pages/replay.py", query_params=state.query(episode, int(step)))


def _scan(value: str) -> None:
    if not value.startswith("hit "):
        state.toggle_mark(value)


def _scanner_html(
    scanner: Scanner, hits: Sequence[ScanHit], total: int, chosen: Sequence[str]
) -> str:
    mark = marks.SCAN + scanner.name
    episodes = len({hit.episode for hit in hits})
    pressed = mark in chosen
    times = "once" if len(hits) == 1 else f"{len(hits)} times"
    count = f"{times}, in {episodes:,} of {total:,} episodes" if hits else "none"
    state_of_it = f'aria-pressed="{str(pressed).lower()}"{"" if hits else " disabled"}'
    head = (
        f'<button class="row" data-value="{escape(mark)}" {state_of_it}>'
        f"<span><b>{escape(scanner.title)}</b><small>{escape(scanner.help)}</small></span>"
        f'<span class="count">{count}</span></button>'
    )
    return head + ("".join(_hit_html(hit) for hit in hits[:_MOST_HITS]) if pressed else "")


def _hit_html(hit: ScanHit) -> str:
    where = f"{hit.episode}" + (f", step {hit.step}" if hit.step is not None else "")
    value = f"hit {hit.step or 1} {hit.episode}"
    return (
        f'<button class="row hit" data-value="{escape(value)}"><span'
        f' class="count">{escape(where)}</span><span>{escape(hit.sentence)}</span></button>'
    )

"""Follow it: walk the instruction by clicking, with only what an agent would see, and say "here"."""

from __future__ import annotations

import time

import streamlit as st

from navviz.annotation.records import Follow
from navviz.errors import NavVizError
from navviz.metrics.path import score_trace
from navviz.navigators.human import CurrentPlace, HumanWalk
from navviz.records.trace_files import fold, write_trace
from navviz.runner import RunConfig, trace_path, write_config
from navviz.runner.config import now as time_now
from navviz.runs.opened import workspace_dir
from navviz.ui.annotate.rate import MAP_CONFIG, instruction
from navviz.ui.annotate.session import Work, note, save, saved_line, value
from navviz.ui.session import current, widget
from navviz.views.figures.route_map import walk_figure

__all__ = ["follow"]


def follow(work: Work) -> None:
    """Show the walk, or what became of it."""
    held = value()
    left, right = st.columns([3, 2], gap="medium")
    with right:
        instruction(work)
    if isinstance(held, Follow):
        with right:
            _result(held)
        return
    walk = _walk(work)
    with left:
        _view(work, walk)
        _in_sight(walk.place)
    with right:
        _choices(work, walk)
        saved_line()


def _walk(work: Work) -> HumanWalk:
    walks = current().annotate.walks
    if work.key not in walks:
        walks[work.key] = (HumanWalk(work.episode, work.graph, work.desk.name), time.monotonic())
    return walks[work.key][0]


def _view(work: Work, walk: HumanWalk) -> None:
    place = walk.place
    figure = walk_figure(work.graph, place.observation, place.routes, place.links, walk.path, place.heading_deg)
    key = f"{work.key}_view_{len(walk.choices)}"

    def clicked() -> None:
        points = widget(key)["selection"]["points"]
        nodes = [point["customdata"] for point in points if point.get("customdata")]
        if nodes:
            node = nodes[0]
            _take(walk, node[0] if isinstance(node, list) else node)

    about = "Map of what can be seen from here; the buttons beside it offer the same places"
    st.plotly_chart(figure, config=MAP_CONFIG, key=key, on_select=clicked, selection_mode="points", alt=about)
    st.caption("You see what an agent would see: the street ahead to the next crossing, and places the text names.")


def _take(walk: HumanWalk, target: str) -> None:
    try:
        walk.choose(target)
    except NavVizError as error:
        st.toast(str(error))


def _choices(work: Work, walk: HumanWalk) -> None:
    """Show the same choices as a list for the keyboard, and the ways to end."""
    place = walk.place
    told = {candidate.node: candidate for candidate in place.observation.candidates}
    with st.container(border=True):
        st.markdown("**Where to?** Click a blue point, or choose here.")
        for number, node in enumerate(_worth_naming(place), start=1):
            candidate = told[node]
            facts = [candidate.direction, f"{candidate.distance_m:.0f} m" if candidate.distance_m else None]
            facts.append(candidate.label)
            st.button(
                " · ".join(fact for fact in facts if fact) or node,
                key=f"{work.key}_go_{len(walk.choices)}_{number}",
                shortcut=str(number),
                width="stretch",
                on_click=_take,
                args=(walk, node),
            )
        with st.container(horizontal=True):
            st.button("Turn around", shortcut="T", on_click=_take, args=(walk, place.node), key=f"{work.key}_turn")
            st.button("One step back", shortcut="B", on_click=walk.back, key=f"{work.key}_step_back",
                      disabled=not walk.choices)  # fmt: skip
    with st.container(horizontal=True):
        st.button("Here: I have arrived", type="primary", shortcut="H", key=f"{work.key}_here",
                  on_click=_end, args=(work, walk))  # fmt: skip
        st.button("Give up", key=f"{work.key}_give_up", on_click=_end, args=(work, walk), kwargs={"gave_up": True})
    st.caption(f"{len(walk.choices)} choices so far, {work.graph.path_length_m(walk.path):.0f} m walked.")


def _in_sight(place: CurrentPlace) -> None:
    """Landmarks by the letters that stand on the map."""
    lines = []
    for poi in place.observation.pois:
        where = ", ".join(dict.fromkeys(text for text in ((poi.direction or "").lower(), poi.position or "") if text))
        line = f"{poi.letter or '·'}  {poi.name}" + (f" ({where})" if where else "")
        if line not in lines:
            lines.append(line)
    st.text("In sight: " + ("; ".join(lines) if lines else "no place that the text names") + ".")


def _worth_naming(place: CurrentPlace) -> list[str]:
    """Up to nine places for the list: the next one, crossings, ways off them, the farthest; all can be clicked."""
    told = list(place.observation.candidates)
    ends = {candidate.node for candidate in (*told[:1], *told[-1:])}
    named = [c.node for c in told if c.direction and (c.node in ends or c.label or c.direction != "Forward")]
    return named[:9] if len(told) > 9 else [candidate.node for candidate in told]


def _end(work: Work, walk: HumanWalk, *, gave_up: bool = False) -> None:
    """Write the trace, score it, save the rating."""
    run = f"human-{work.desk.name}"
    trace = fold(walk.events(run, time_now(), gave_up=gave_up))
    scores = score_trace(trace, work.graph)
    success, distance_m = scores["SR"], scores["NE"]
    rating = Follow(
        walk=tuple(walk.path),
        gave_up=gave_up,
        distance_m=distance_m,
        success=None if success is None else bool(success) and not gave_up,
        elapsed_s=round(time.monotonic() - current().annotate.walks[work.key][1], 1),
    )
    save(work, rating)
    if value() != rating:
        return
    try:
        out = workspace_dir() / "runs"
        graphs = tuple(str(path) for path in work.run.source.graphs)
        write_config(out / run, RunConfig(run=run, navigator="human", graphs=graphs))
        write_trace(trace, trace_path(out, run, work.episode.id))
    except NavVizError as error:
        note("error", f"The rating is saved, its trace is not: {error}")


def _result(held: Follow) -> None:
    if held.gave_up:
        st.info("You gave up on this one.", icon=":material/flag:")
    elif held.success is None:
        st.info("Saved; nobody knows the goal of this episode.", icon=":material/flag:")
    else:
        st.success("Saved. Your walk is kept as a trace of the navigator “human”.", icon=":material/flag:")
    st.caption("Whether you arrived is not shown, so that it does not change how you walk the next one.")
    saved_line()
    st.caption("Undo takes this walk back and lets you walk again.")

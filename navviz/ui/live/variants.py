"""The tree of all tries at an episode: what was changed, how it ended; two open in Compare, one
becomes an episode.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

import streamlit as st

from navviz.errors import NavVizError
from navviz.records import Trace
from navviz.runner.fork import fan_of
from navviz.runner.variants import Variant, keep_episode, variant_tree
from navviz.runs.opened import Source, workspace_dir
from navviz.runs.owners import claim
from navviz.support.installation.serving import require
from navviz.ui.components.plain import plain
from navviz.ui.components.widgets import show_table
from navviz.ui.data import cache
from navviz.ui.live.chosen import Setting, text_key, walks_beside
from navviz.ui.server import audit, visitor
from navviz.ui.server.identity import ownership
from navviz.ui.state.session import ActionMessage, current, set_widget
from navviz.views.compare import outcome_words, variant_words


def original(of: Setting) -> Variant | None:
    """Return the walk that everything else came from; ``None`` where nobody had walked the
    episode.
    """
    return None if of.old is None else Variant(of.old_name, of.old)


def show(of: Setting) -> None:
    """Show the tree, with what can be done with one or two of its walks; nothing where there is
    only the original.
    """
    first = original(of)
    # walks of a fan stand in the fan's own table
    own = [walk for walk in walks_beside(of.episode) if fan_of(walk.name) is None]
    tree = variant_tree(first, own)
    if len(tree) < 2:
        return
    name = f"Variants of this episode ({len(tree)})"
    with st.expander(name, icon=":material/account_tree:", key="live_variants", expanded=True):
        chosen = [tree[row] for row in _table(of, tree) if row < len(tree)]
        if chosen:
            _actions(of, chosen)
        else:
            _actions_on_shown(of, tree)
        message, current().live.message = current().live.message, None
        if message is not None:
            (st.error if message.kind == "error" else st.success)(plain(message.text))
    goes_to, current().live.goes_to = current().live.goes_to, None
    if goes_to is not None:
        st.switch_page("pages/compare.py", query_params=goes_to)


def _table(of: Setting, tree: list[Variant]) -> list[int]:
    traces = {variant.name: variant.trace for variant in tree}
    rows = []
    for variant in tree:
        trace = variant.trace
        outcome = outcome_words(trace, cache.scores(trace, of.graph))
        row = {"variant": _name(variant), "changed": _changed(variant, traces, of)}
        rows.append(row | {"outcome": outcome, "model": trace.header.model or ""})
    chosen = show_table(
        rows,
        "Original walk, edits and forks of the episode, each with what was changed and how it"
        " ended",
        {
            "variant": st.column_config.TextColumn("Variant", width="medium"),
            "changed": st.column_config.TextColumn("What was changed", width="large"),
            "outcome": st.column_config.TextColumn("Outcome", width="small"),
            "model": st.column_config.TextColumn("Model", width="small"),
        },
        key="live_variants_table",
        on_select="rerun",
        selection_mode="multi-row",
    )
    return list(chosen.selection.rows)


def _name(variant: Variant) -> str:
    header = variant.trace.header
    branch = "\u2003" * (variant.depth - 1) + "└ " if variant.depth else ""
    if variant.path is None:
        return f"Original · {variant.name}"
    kind = (
        f"fork at step {header.forked_from.step}"
        if header.forked_from is not None
        else header.navigator
    )
    return f"{branch}{kind} · {header.created[11:19]}"


def _changed(variant: Variant, traces: dict[str, Trace], of: Setting) -> str:
    if variant.path is None:
        return ""
    # the walk that it came from may be gone: then against the original
    before = traces.get(variant.came_from or "", of.old)
    return variant_words(before, variant.trace)


def _actions(of: Setting, chosen: list[Variant]) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        if len(chosen) == 2:
            st.button(
                "Open in Compare",
                icon=":material/compare_arrows:",
                key="live_variants_compare",
                on_click=_compare,
                args=(of, *chosen),
            )
        elif len(chosen) == 1:
            variant = chosen[0]
            if variant.path is not None:
                st.button(
                    "Go on with it",
                    icon=":material/edit:",
                    key="live_variants_show",
                    on_click=_go_on,
                    args=(of, variant),
                )
            _save_button(of, variant)
        else:
            st.caption(
                "Choose two walks to open them in Compare; one to go on with it or to save its"
                " instruction."
            )


def _actions_on_shown(of: Setting, tree: list[Variant]) -> None:
    """Offer the same for the walk that the page shows, with no row chosen: the table takes no plain
    keys.
    """
    mine = next((variant for variant in tree[1:] if variant.name == current().live.run), None)
    if mine is None:
        _actions(of, [])
        return
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.button(
            "Compare with the original",
            icon=":material/compare_arrows:",
            key="live_variants_original",
            shortcut="O",
            on_click=_compare,
            args=(of, tree[0], mine),
        )
        _save_button(of, mine)
    st.caption(
        "Of the walk above. Choose rows to compare two others, or to go on with one of them."
    )


def _save_button(of: Setting, variant: Variant) -> None:
    name = st.text_input(
        "Save its instruction in", value="edited", key="live_variants_name", width=220
    )
    st.button(
        "Save as an episode",
        icon=":material/playlist_add:",
        key="live_variants_save",
        on_click=_save,
        args=(of, variant, name),
    )


def _go_on(of: Setting, variant: Variant) -> None:
    """Show a walk again and put its instruction into the field."""
    current().live.typed = None
    current().live.run = variant.name
    st.query_params["live"] = variant.name
    set_widget(text_key(of), variant.trace.episode.instruction)


def _source(of: Setting, variant: Variant) -> str:
    """Name of the run that holds a variant, opened where it is not yet."""
    if variant.path is None:
        return variant.name
    graphs = tuple(Path(graph) for graph in of.graphs)
    return visitor.remember([Source(variant.name, "opened", graphs, None, variant.path)])[0].name


def _compare(of: Setting, variant: Variant, other: Variant) -> None:
    older, newer = _source(of, variant), _source(of, other)
    current().live.goes_to = {"run": newer, "episode": of.episode.id, "other": older}


def _episodes_folder() -> Path:
    """Return where whoever looks saves episodes: a visitor of a server in a folder of their own."""
    mine = ownership()
    folder = workspace_dir() / "episodes"
    if mine is None:
        return folder
    # an owner's name may hold characters that no folder has
    folder /= hashlib.sha256(mine.owner.encode()).hexdigest()[:16]
    claim(folder, mine)
    return folder


def _save(of: Setting, variant: Variant, name: str) -> None:
    try:
        require("keep")
        path, kept = keep_episode(variant.trace.episode, _episodes_folder(), name)
    except NavVizError as error:
        current().live.message = ActionMessage("error", str(error))
        return
    audit.note("kept", path.stem)
    graphs = tuple(Path(graph) for graph in of.graphs)
    run = visitor.remember([Source(path.stem, "opened", graphs, path)])[0].name
    current().live.message = ActionMessage(
        "done", f"Saved as episode {kept.id} of “{run}”; choose it above."
    )

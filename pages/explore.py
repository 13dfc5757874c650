"""Explore: how a run did, where and why it failed, and its episodes as a table and as a gallery."""

import streamlit as st

from navviz.ui.components import finding, following, logs_beside, neighbours, pickers
from navviz.ui.components.browser import copy_link, take_drops
from navviz.ui.components.marks import show_marks
from navviz.ui.explore import findings, listing, mapping, trust
from navviz.ui.explore import page as explore
from navviz.ui.server import audit
from navviz.ui.state import shell, state
from navviz.ui.state.session import current
from navviz.ui.state.shell import page_parts

shell.page("explore")

with shell.row(top=True):
    run = pickers.choose_run(width=260, asks_for_mapping=True)
    if run is not None or current().unknown_log is not None:
        # without a run there is nothing to link to
        copy_link()
    if run is not None:
        with shell.guard():
            explore.about(run)
            show_marks(run.marks)
            trust.show_badge(run)
            following.show(run)
if run is None:
    with shell.guard():
        mapping.show()
    take_drops(pickers.UPLOADS)
    audit.show()
    st.stop()

with shell.guard():
    logs_beside.offer(run)
    finding.show(run)
    findings.wait_for_chosen(run)
    findings.begin(run)
    table = neighbours.list_table(run)
    if not explore.nobody_walked(run):
        explore.summary(run, table)
    brought = page_parts("explore")
    for part in brought.values():
        if part.applies is None:
            with shell.guard():
                part(run)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        is_drawn = run.source.results is None or not run.complete or findings.has_walks(run)
        view = listing.view(has_walks=is_drawn)
        worst = listing.worst_failure(table) if is_drawn else None
        titles = trust.panels(run, brought.values())
        if trust.menu(run, table, titles):
            st.switch_page("pages/live.py", query_params=state.query() | {"part": "many"})
    is_map = view == "map"
    # the browser filters its list itself; only what is drawn here needs to know what passes
    shown = state.episode_list().apply(table) if is_map else table
    for part in brought.values():
        if part.slug in trust.opened_panels(titles):
            with st.container(border=True), shell.guard():
                part(run)
    neighbours.tell_removed()
    findings.chosen_like(run)
    near = run.is_near
    listing.show(run, table, view, near=near, redraws=is_map)
    chosen = explore.show_map(run, shown) if is_map else None
    if (episode := worst or chosen) is not None:
        # the address alone says which: choosing it here too would put one more entry into the
        # browser's history
        st.switch_page("pages/replay.py", query_params=state.query(episode))

take_drops(pickers.UPLOADS)
with shell.guard():
    audit.show()

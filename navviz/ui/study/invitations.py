"""Who rates: the people of a study, and the links by which they come in."""

from __future__ import annotations

from typing import Literal

import streamlit as st

from navviz.annotation.invitations import as_csv, as_sheet, invite, wanted_names
from navviz.annotation.store import Study
from navviz.errors import NavVizError
from navviz.records.base import plural
from navviz.ui.components.plain import plain
from navviz.ui.components.widgets import show_table
from navviz.ui.server import audit
from navviz.ui.state.session import current, widget
from navviz.ui.study.access import note

_ANY, _FEW = "All of theirs", 7


def invitations(study: Study) -> None:
    """Show the people and when they were last seen; make links and take them back."""
    people, seen = study.annotators.all(), study.annotators.seen()
    if people:
        rows = []
        for person in people:
            row = {"Name": person.name, "Role": person.role}
            row["Link"] = "yes" if person.has_token else "no"
            rows.append(row | {"Last seen (UTC)": seen.get(person.name, "").replace("T", " ")})
        show_table(rows, "Annotators, their roles, links and last visits", most_rows=5)
    _links()
    with st.form("evaluate_invite", border=True):
        st.text_area(
            "Invite",
            key="evaluate_invite_names",
            height=90,
            placeholder="fox, owl",
            help=(
                "Pseudonyms, one a line or with commas; or one number: so many are made up."
                " A known name gets a new link, and its old one opens nothing."
            ),
        )
        queues = [_ANY, *(queue.name for queue in study.queues.all())]
        st.selectbox("The link opens", queues, key="evaluate_invite_queue")
        st.toggle("They lead the study", key="evaluate_invite_lead")
        st.form_submit_button("Make links", on_click=_make, args=(study,))
    with_link = [person.name for person in people if person.has_token and person.name != study.name]
    if with_link:
        with st.popover("Take a link back", icon=":material/link_off:", type="tertiary"):
            name = st.selectbox("Of", with_link, key="evaluate_revoke_name")
            st.caption("Their ratings stay. Nobody can take the name without a new link.")
            st.button("Take back", key="evaluate_revoke", on_click=_revoke, args=(study, name))


def _links() -> None:
    """Show the links that were just made; only hashes of their tokens are kept."""
    made = current().evaluate.invitations
    if not made:
        return
    what = plural(len(made), "link")
    st.success(f"{what}, shown until you leave this page. Send each to its person alone.")
    height: Literal["content"] | int = "content" if len(made) < _FEW else 160
    st.code("\n".join(f"{each.name}  {each.link}" for each in made), language=None, height=height)
    with st.container(horizontal=True):
        for label, name, mime, make in (
            ("Table (CSV)", "links.csv", "text/csv", as_csv),
            ("Slips to cut", "links.html", "text/html", lambda each: as_sheet(each, "NavViz")),
        ):
            audit.download(
                label,
                make(made),
                file_name=name,
                mime=mime,
                icon=":material/download:",
                on_click="ignore",
                key=f"evaluate_{name}",
            )


def _make(study: Study) -> None:
    typed = str(widget("evaluate_invite_names", "")).replace(",", "\n").splitlines()
    queue = widget("evaluate_invite_queue")
    # the address under which the lead sees this page is where others reach it
    address = str(st.context.url or "http://localhost:8501/study").rpartition("/")[0]
    try:
        current().evaluate.invitations = invite(
            study.annotators,
            wanted_names(study.annotators, typed),
            address,
            "" if queue == _ANY else str(queue or ""),
            is_lead=bool(widget("evaluate_invite_lead", default=False)),
        )
    except NavVizError as error:
        note(str(error), failed=True)


def _revoke(study: Study, name: str) -> None:
    try:
        study.annotators.revoke(name)
    except NavVizError as error:
        note(str(error), failed=True)
        return
    note(f"The link of {plain(name)} opens nothing now.")

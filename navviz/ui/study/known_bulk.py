"""Many known answers at once: pasted or uploaded, looked at first, then kept."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import streamlit as st

from navviz.annotation.known_files import KnownRow, RefusedRow, read_known
from navviz.annotation.records import ABOUT_RUNS, Item, Task
from navviz.annotation.store import Study
from navviz.errors import NavVizError
from navviz.records.plural import plural
from navviz.runs.opened import OpenRun
from navviz.support.guarded import decoded
from navviz.ui.components.plain import plain
from navviz.ui.components.rating_history import described
from navviz.ui.state import shell
from navviz.ui.state.session import forget_widget
from navviz.ui.study.access import note, taxonomy

_EXAMPLES: dict[Task, str] = {
    "navigability": "episode,answer,comment\n12,yes,\n15,no,the second right is missing",
    "difficulty": "episode,linguistic,topological,operational\n12,3,4,2",
    "failure": "episode,answer\n12,E1.1 A3.1\n15,",
    "cause": "episode,claim,answer\n12,c0123456789abcdef,yes",
}
_OTHER = 'episode,value\n12,"{...}"'
_SHOWN = 50


def bulk_answers(study: Study, run: OpenRun, task: Task) -> None:
    """Take a table of known answers, and show what it holds before it is kept."""
    st.subheader("Many at once", anchor=False)
    text = st.text_area(
        "Paste a table or JSON",
        key=f"evaluate_known_bulk_{task}",
        height=120,
        placeholder=_EXAMPLES.get(task, _OTHER),
        help='CSV, rows copied from a spreadsheet, or JSON such as {"12": "yes"}.',
    )
    file = st.file_uploader("or a file", type=["csv", "tsv", "json"], key="evaluate_known_file")
    name = "the pasted text"
    if file is not None:
        name = file.name
        text = decoded(file.getvalue(), Path(name))
    if not text.strip():
        return
    with shell.guard():
        good, refused = read_known(text, task, _items(study, run, task), taxonomy(), name)
        _preview(study, task, good, refused)


def _items(study: Study, run: OpenRun, task: Task) -> list[Item]:
    """Return the items of the run that may have a known answer."""
    if task == "cause":
        claims = study.claims.all().values()
        return [claim.item for claim in claims if claim.run == run.name]
    shown = run.name if task in ABOUT_RUNS else ""
    return [Item(dataset=dataset, episode=key, run=shown) for key, dataset in run.datasets.items()]


def _preview(study: Study, task: Task, good: list[KnownRow], refused: list[RefusedRow]) -> None:
    """Show the rows that are taken and those that are refused, and the button."""
    answers = study.known_answers.all(task)
    replaced = sum(row.item in answers for row in good)
    over = f", {replaced} of them in place of another answer" if replaced else ""
    total = plural(len(good) + len(refused), "row")
    st.text(f"{total}: {len(good)} can be kept{over}, {len(refused)} refused.")
    if good:
        rows = []
        for row in good[:_SHOWN]:
            rows.append({"Episode": row.item.episode, "Answer": described(row.value)})
        st.dataframe(
            pd.DataFrame(rows),
            hide_index=True,
            width="stretch",
            height=min(38 + 35 * len(rows), 210),
            alt="Answers that can be kept",
        )
    if refused:
        lines = "\n".join(f"- {row}" for row in refused[:_SHOWN])
        st.warning(f"Refused:\n\n{plain(lines)}", icon=":material/block:")
    st.button(
        f"Keep {plural(len(good), 'answer')}",
        type="primary",
        disabled=not good,
        key="evaluate_known_bulk_keep",
        on_click=_keep,
        args=(study, task, good),
    )


def _keep(study: Study, task: Task, rows: list[KnownRow]) -> None:
    try:
        for row in rows:
            study.known_answers.put(row.item, row.value, row.comment, study.name)
    except NavVizError as error:
        note(str(error), failed=True)
        return
    forget_widget(f"evaluate_known_bulk_{task}")
    note(f"{plural(len(rows), 'known answer')} kept.")

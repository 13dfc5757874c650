"""``navviz study``: who rates in a study, and the links by which they come in."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from navviz.cli.options import Format
from navviz.cli.output import Form, add_command, new_group, print_records
from navviz.errors import InputError
from navviz.records.base import plural
from navviz.support.notes import tell

if TYPE_CHECKING:
    from navviz.annotation.store import Study

_Who = Annotated[
    list[str], typer.Argument(help="Pseudonyms, or one number: so many new ones are made up.")
]
_Name = Annotated[str, typer.Argument(help="Pseudonym.")]
_Queue = Annotated[str, typer.Option("--queue", help="The queue that the link opens.")]
_Address = Annotated[
    str, typer.Option("--address", help="Where annotators reach the server, as https://HOST.")
]
_Lead = Annotated[bool, typer.Option("--lead", help="They lead the study: Study opens to them.")]
_Sheet = Annotated[
    Path | None, typer.Option("--sheet", help="Write a page to print and cut, a slip a person.")
]


def register(app: typer.Typer) -> None:
    """Add the commands."""
    group = new_group("Invite people to a study, see who came, take links back.")
    add_command(
        group,
        "invite",
        _invite,
        "Make a link for each person: it signs in and opens the queue.",
        "navviz study invite fox owl --address https://lab.example.org",
        "navviz study invite 5 --format csv",
    )
    add_command(
        group,
        "people",
        _people,
        "List who is in the study, and when they were last seen.",
        "navviz study people",
    )
    add_command(
        group,
        "revoke",
        _revoke,
        "Take a person's link back; their ratings stay.",
        "navviz study revoke fox",
    )
    app.add_typer(group, name="study")


@contextmanager
def opened_study() -> Iterator[Study]:
    """Open the study of this workspace."""
    # imported here, so that `navviz --help` does not wait for SQLAlchemy
    from navviz.annotation.store import AnnotationStore, database_url
    from navviz.runs.opened import workspace_dir

    store = AnnotationStore(database_url(workspace_dir()))
    try:
        yield store.as_operator()
    finally:
        store.close()


def _invite(
    who: _Who,
    queue: _Queue = "",
    address: _Address = "http://localhost:8501",
    lead: _Lead = False,
    sheet: _Sheet = None,
    form: Format = Form.TABLE,
) -> None:
    from navviz.annotation.invitations import as_sheet, invite, wanted_names
    from navviz.support.guarded import replacing

    with opened_study() as study:
        if queue and queue not in {each.name for each in study.queues.all()}:
            raise InputError(f"no queue is called {queue}", "make it on Study", field="queue")
        names = wanted_names(study.annotators, who)
        made = invite(study.annotators, names, address, queue, is_lead=lead)
    if sheet is not None:
        with replacing(sheet) as partial:
            partial.write_text(as_sheet(made, queue or "NavViz"), encoding="utf-8")
        tell(f"{sheet}: {plural(len(made), 'slip')}.")
        return
    records = [{"name": each.name, "link": each.link} for each in made]
    print_records(form, ("name", "link"), records, [f"{each.name}  {each.link}" for each in made])


def _people(form: Format = Form.TABLE) -> None:
    with opened_study() as study:
        seen = study.annotators.seen()
        records = []
        for person in study.annotators.all():
            records.append(
                {
                    "name": person.name,
                    "role": person.role,
                    "link": person.has_token,
                    "seen": seen.get(person.name),
                }
            )
    lines = []
    for each in records:
        link = "by link" if each["link"] else "without a link"
        lines.append(f"{each['name']}  {each['role']}, {link}, seen {each['seen'] or 'never'}")
    print_records(form, ("name", "role", "link", "seen"), records, lines or ["Nobody yet."])


def _revoke(name: _Name) -> None:
    with opened_study() as study:
        study.annotators.revoke(name)
    tell(f"The link of {name} opens nothing now; navviz study invite {name} makes a new one.")

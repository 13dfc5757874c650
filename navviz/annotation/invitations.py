"""Invitations: one link a person, by which they come in under their name and to their queue.

Name and token stand behind the ``#`` of the link, which a browser sends to no server: no log of a
server or proxy holds them. The page takes them out of the address at once.
"""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count, islice
from typing import Literal
from urllib.parse import quote, urlencode

from navviz.annotation.annotators import Annotators, checked_name
from navviz.errors import InputError

MOST_INVITED = 1_000


@dataclass(frozen=True, slots=True)
class Invitation:
    """A person and the link that lets them in; the token in it is kept nowhere else."""

    name: str
    link: str


def invite(
    annotators: Annotators,
    names: Sequence[str],
    address: str,
    queue: str = "",
    *,
    is_lead: bool = False,
) -> list[Invitation]:
    """Give each name a new token and return the links; what a name had before opens nothing now.

    Raises `InputError` for a name that cannot be one, before anything is written.
    """
    wanted = list(dict.fromkeys(checked_name(name.strip()) for name in names))
    if not 0 < len(wanted) <= MOST_INVITED:
        what, do = "nobody, or too many people, are to be invited", f"name 1 to {MOST_INVITED}"
        raise InputError(what, do, field="names")
    role: Literal["annotator", "researcher"] = "researcher" if is_lead else "annotator"
    roles = {person.name: person.role for person in annotators.all()}
    made = []
    for name in wanted:
        if name not in roles:
            annotators.add(name, role)
        page = "study" if roles.get(name, role) == "researcher" and not queue else "annotate"
        query = f"?{urlencode({'queue': queue})}" if queue else ""
        secret = f"{quote(name, safe='')}:{annotators.set_token(name)}"
        made.append(Invitation(name, f"{address.rstrip('/')}/{page}{query}#invite={secret}"))
    return made


def wanted_names(annotators: Annotators, text: Sequence[str]) -> list[str]:
    """Return the names that somebody wrote; for one number so many names that nobody has yet."""
    names = [each.strip() for each in text if each.strip()]
    if len(names) != 1 or not names[0].isdecimal():
        return names
    taken = {person.name for person in annotators.all()}
    free = (name for number in count(1) if (name := f"rater-{number:02d}") not in taken)
    return list(islice(free, min(int(names[0]), MOST_INVITED)))


def as_csv(invitations: Sequence[Invitation]) -> str:
    """Return a table of names and links."""
    rows = [f'"{each.name}","{each.link}"' for each in invitations]
    return "\n".join(["name,link", *rows]) + "\n"


def as_sheet(invitations: Sequence[Invitation], title: str) -> str:
    """Return a page to print and cut: a slip a person."""
    slips = []
    for each in invitations:
        link = html.escape(each.link)
        slips.append(f'<p><b>{html.escape(each.name)}</b><br><a href="{link}">{link}</a></p>')
    style = "p{border:1px dashed;padding:1em;margin:0;break-inside:avoid;overflow-wrap:anywhere}"
    head = f'<meta charset="utf-8"><title>{html.escape(title)}</title><style>{style}</style>'
    return f"<!doctype html>{head}<body>{''.join(slips)}</body>\n"

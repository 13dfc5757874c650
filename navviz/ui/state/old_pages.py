"""Where the pages of NavViz 0.1 went: links to them lead on, with what they say.

``docs/addresses.md`` holds the same table; a test compares the two.
"""

from __future__ import annotations

from collections.abc import Mapping

OLD_PAGES: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "batches": ("live", {"part": "many"}),
    "tasks": ("live", {"part": "new", "way": "write-a-task"}),
    "evaluate": ("study", {}),
}
"""By the old name: the new page, and what its address says to show the same content."""


def new_place(name: str, query: Mapping[str, list[str]]) -> tuple[str, dict[str, list[str]]]:
    """Return the page and the query that stand for a link to an old page.

    Parameters
    ----------
    name
        Of the old page, one of `OLD_PAGES`.
    query
        All values of each parameter of the link; they are kept.
    """
    page, more = OLD_PAGES[name]
    place = dict(query)
    for key, value in more.items():
        # what the link says itself wins
        place.setdefault(key, [value])
    return page, place

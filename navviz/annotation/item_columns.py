"""Items in the database: three columns, as the first version had them.

The claim of an item stands behind its run in one column. A column of its own would have to join
unique constraints that SQLite cannot change: the table of ratings, to which edits and receipts
refer, would have to be written anew.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import ColumnElement, RowMapping, and_

from navviz.annotation.records import Item

_BETWEEN = "\x1f"
"""The unit separator of ASCII, which stands in no run's name."""


def columns_of(item: Item) -> dict[str, str]:
    """Return the columns of an item by name."""
    # without a claim the column is what the first version wrote
    run = f"{item.run}{_BETWEEN}{item.claim}" if item.claim else item.run
    return {"dataset": item.dataset, "episode": item.episode, "run": run}


def item_of(row: Mapping[str, Any] | RowMapping) -> Item:
    """Return the item of a row.

    Parameters
    ----------
    row
        With the columns of `columns_of`, and perhaps others.
    """
    run, _, claim = row["run"].partition(_BETWEEN)
    return Item(dataset=row["dataset"], episode=row["episode"], run=run, claim=claim)


def is_item(
    columns: Any,  # noqa: ANN401 - a table's columns, which SQLAlchemy does not type by name
    item: Item,
) -> ColumnElement[bool]:
    """Return the condition that a row is about an item."""
    wanted = columns_of(item)
    return and_(*(columns[name] == value for name, value in wanted.items()))

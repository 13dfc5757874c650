"""What Explore's list shows, as the browser gets it: the rows that came, and the query that is on
them.
"""

from __future__ import annotations

import gzip
import json
from typing import TYPE_CHECKING, Any

import pandas as pd

from navviz.runs.episode_list import EpisodeList
from navviz.runs.tables import episode_columns

if TYPE_CHECKING:
    from streamlit.testing.v1 import AppTest

__all__ = ["columns", "is_listed", "listed", "query"]


def is_listed(at: AppTest) -> bool:
    """Whether the page shows a list."""
    names = [part.proto.component_name for part in at.get("bidi_component")]
    return "navviz_list" in names


def _part(at: AppTest, name: str) -> Any:
    parts = []
    for part in at.get("bidi_component"):
        if part.proto.component_name == f"navviz_{name}":
            parts.append(part.proto)
    [proto] = parts
    return proto


def query(at: AppTest) -> dict[str, str]:
    """Filters and sort, as a link says them."""
    values: dict[str, str] = json.loads(_part(at, "list").json)["query"]
    return values


def columns(at: AppTest) -> dict[str, dict[str, Any]]:
    """What the columns are, by name, in their order."""
    return {one["name"]: one for one in json.loads(_part(at, "list").json)["columns"]}


def listed(at: AppTest) -> pd.DataFrame:
    """The rows that pass, in their order."""
    digest, packed = _part(at, "rows").bytes.split(b"\n", 1)
    assert digest.decode() == json.loads(_part(at, "list").json)["rows"]
    rows = json.loads(gzip.decompress(packed))
    assert list(rows) == list(columns(at))
    table = pd.DataFrame(rows)
    for column in episode_columns().values():
        if column.name in table and column.is_number:
            table[column.name] = pd.to_numeric(table[column.name])
    return EpisodeList.from_query(query(at)).apply(table)

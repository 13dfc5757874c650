"""One record of a router log, and the viewpoints that its pictures show."""

from __future__ import annotations

import re
from collections.abc import Container, Mapping
from dataclasses import dataclass, field

from navviz.formats.files import Json
from navviz.formats.texts import as_list
from navviz.records import StepView

MOST_VIEWS = 20
"""Pictures that the published localiser is given at most."""
_VIEWPOINT = re.compile(r"[0-9a-f]{32}")


@dataclass
class StepRecord:
    """What was logged of one episode at one step."""

    line: int
    raw: Mapping[str, Json]
    notes: list[str] = field(default_factory=list)

    def text(self, name: str) -> str:
        """Return a field as text; empty where it is missing."""
        value = self.raw.get(name)
        return value.strip() if isinstance(value, str) else ""


def viewpoints_of(record: StepRecord, house: Container[str]) -> list[str]:
    """Return the viewpoints of a record's pictures, repeated neighbours merged.

    The id is the part of 32 hex digits in the picture's path, else a part that is in `house`.
    """
    raw = record.raw.get("previous_viewpoints")
    nodes: list[str] = []
    for item in as_list(raw):
        node = _viewpoint(str(item), house)
        if node is not None and (not nodes or nodes[-1] != node):
            nodes.append(node)
    return nodes


def lost_pictures(record: StepRecord, house: Container[str]) -> tuple[int, int]:
    """Return the number of a record's pictures, and of those that name no viewpoint."""
    pictures = as_list(record.raw.get("previous_viewpoints"))
    return len(pictures), sum(_viewpoint(str(item), house) is None for item in pictures)


def views_of(record: StepRecord) -> tuple[StepView, ...]:
    """Return the pictures that the localiser was given, the last one first."""
    raw = record.raw.get("previous_viewpoints")
    paths = [item for item in raw if isinstance(item, str)] if isinstance(raw, list) else []
    views = []
    for before, path in enumerate(reversed(paths[-MOST_VIEWS:])):
        views.append(StepView(source=path, label=f"{before} before" if before else "here"))
    return tuple(views)


def _viewpoint(picture: str, house: Container[str]) -> str | None:
    ids = _VIEWPOINT.findall(picture)
    if ids:
        # a path may hold several ids: the first of this house counts
        return next((node for node in ids if node in house), str(ids[-1]))
    for name in reversed(re.split(r"[/\\]", picture)):
        # as a folder, or as the name of a file without its ending
        for part in (name, name.split(".")[0]):
            if part in house:
                return part
    return None

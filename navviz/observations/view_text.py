"""A view in words, in place of a picture: four sources, the same question.

``captions``: a captioner's sentence of the whole view with a detector's finds (LangNav);
``sectors``: NavGPT's sentence of the 45 degrees around the view with the objects within 3 m;
``objects``: the true objects that REVERIE says are visible there; ``geometry``: what the graph
alone tells. Anything else that has `ViewText.of` fits too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from navviz.observations.discrete_views import candidate_views, view_elevation_deg, view_heading_deg
from navviz.observations.panorama import sector
from navviz.world.graph import Graph
from navviz.world.house import HouseObjects, HouseObservations


@dataclass(frozen=True, slots=True)
class Detection:
    """One object that a detector found in a view."""

    name: str
    confidence: float
    """0 to 1."""
    box: tuple[float, float, float, float] | None = None
    """``(left, top, right, bottom)`` in pixels of 640 x 480."""


@dataclass(frozen=True, slots=True)
class ViewCaption:
    """One view in words."""

    caption: str
    detections: tuple[Detection, ...] = ()
    """The most confident first."""


@dataclass(frozen=True, slots=True)
class ViewCaptions:
    """The views of one house; what a file lacks is absent."""

    scan: str
    views: Mapping[str, Mapping[int, ViewCaption]] = field(default_factory=dict)
    """By viewpoint and view (0 to 35)."""

    def __bool__(self) -> bool:
        # a house without a file of captions has empty ones, and prompts then show none
        return bool(self.views)


DETECTIONS = 6
"""Most detections told of a view."""

_RISE_M = 0.4
"""About two steps of a stair; a lesser rise is not told."""


class ViewText(Protocol):
    """Tells a view of a viewpoint in words."""

    def of(self, viewpoint: str, view: int) -> str | None:
        """Return the text of a view (0 to 35); ``None`` where this source has none."""
        ...


@dataclass(frozen=True, slots=True)
class CaptionText:
    """Caption of the whole view, and the most confident detections."""

    captions: ViewCaptions
    most: int = DETECTIONS

    def of(self, viewpoint: str, view: int) -> str | None:
        """See `ViewText.of`."""
        seen = self.captions.views.get(viewpoint, {}).get(view)
        if seen is None:
            return None
        caption = seen.caption.rstrip(".")
        finds = counted(detection.name for detection in seen.detections[: self.most])
        return f"{caption}; detected: {finds}." if finds else f"{caption}."


@dataclass(frozen=True, slots=True)
class SectorText:
    """The sentence of the sector with the view's heading, and its objects within 3 m."""

    observations: HouseObservations

    def of(self, viewpoint: str, view: int) -> str | None:
        """See `ViewText.of`."""
        scenes = self.observations.scenes.get(viewpoint)
        if scenes is None:
            return None
        # the sectors have no rows: a view up or down has the words of the level one
        place = sector(view_heading_deg(view))
        objects = self.observations.objects.get(viewpoint)
        near = (
            [f"{thing.name} ({thing.distance_m:.1f} m)" for thing in objects[place]]
            if objects
            else []
        )
        scene = scenes[place].rstrip(".")
        return f"{scene}; within 3 m: {', '.join(near)}." if near else f"{scene}."


@dataclass(frozen=True, slots=True)
class ObjectText:
    """The true objects that are visible in the view, the largest first."""

    objects: HouseObjects

    def of(self, viewpoint: str, view: int) -> str | None:
        """See `ViewText.of`."""
        if viewpoint not in self.objects.at:
            return None
        names = counted(thing.name for thing in self.objects.in_view(viewpoint, view))
        return f"in view: {names}." if names else "no object within 3 m is in view."


@dataclass(frozen=True, slots=True)
class GeometryText:
    """What the graph alone tells: the ways that a view shows, with heading, distance and rise."""

    graph: Graph

    def of(self, viewpoint: str, view: int) -> str | None:
        """See `ViewText.of`."""
        if viewpoint not in self.graph:
            return None
        height = self.graph.position(viewpoint)[2]
        ways = []
        for way in candidate_views(self.graph, viewpoint):
            if way.selected == view:
                rise = self.graph.position(way.node)[2] - height
                text = f"a way of {way.distance_m:.1f} m on heading {way.heading_deg:.0f} degrees"
                if abs(rise) >= _RISE_M:
                    direction = "up" if rise > 0 else "down"
                    text += f", {abs(rise):.1f} m {direction}"
                ways.append(text)
        looks = f"looking on heading {view_heading_deg(view):.0f} degrees{_row(view)}"
        return f"{looks}: {'; '.join(ways) if ways else 'no way'}."


def _row(view: int) -> str:
    elevation = view_elevation_deg(view)
    if not elevation:
        return ""
    direction = "up" if elevation > 0 else "down"
    return f", 30 degrees {direction}"


def counted(names: Iterable[str]) -> str:
    """Names in order of first mention, with how often: ``2 x chair, table``."""
    texts = []
    for name, count in Counter(names).items():
        texts.append(f"{count} x {name}" if count > 1 else name)
    return ", ".join(texts)

"""What an agent of MSNav can do at a place, and what it reads of each way: indoors views, outdoors
streets.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from navviz.errors import InputError, Problems
from navviz.formats.houses import read_captions, read_objects, read_observations
from navviz.observations.agent_pictures import AgentPictures, folder_of, required_pictures
from navviz.observations.discrete_views import (
    CandidateView,
    candidate_views,
    in_order,
    snapped_heading_deg,
    view_heading_deg,
    view_towards,
)
from navviz.observations.panorama import observations_of
from navviz.observations.view_text import (
    CaptionText,
    GeometryText,
    ObjectText,
    SectorText,
    ViewText,
)
from navviz.records import Panel, PicturePart
from navviz.systems.groke.prompts.visible_area import is_intersection, look, pois_in_sight
from navviz.systems.msnav.settings import MsnavSettings, ServedViews, Views
from navviz.world.graph import Graph
from navviz.world.link_lines import arrival_deg

_NAMED = 6
"""Most places told of a view."""


def street_views(graph: Graph, node: str) -> tuple[CandidateView, ...]:
    """Return the next junctions and dead ends along each street, with the way there, in the order
    of discovery.

    Streets that lead back to `node` are left out; of two that lead to the same place the shorter is
    kept.
    """
    views: dict[str, CandidateView] = {}
    for first, heading in graph.links(node):
        path = _street(graph, node, first)
        length_m = graph.path_length_m(path)
        end = path[-1]
        if end != node and (end not in views or length_m < views[end].distance_m):
            views[end] = view_towards(end, heading, 0.0, length_m, path)
    return in_order(views.values())


def _street(graph: Graph, node: str, first: str) -> tuple[str, ...]:
    """Nodes from a place to the next one, both included."""
    path = [node, first]
    seen = {node, first}
    while graph.junction_degrees[graph.index[path[-1]]] == 2:
        onward = [other for other in graph.neighbours(path[-1]) if other != path[-2]]
        # a ring without a junction would never end
        if not onward or (onward[0] in seen and onward[0] != node):
            break
        path.append(onward[0])
        if onward[0] == node:
            break
        seen.add(onward[0])
    return tuple(path)


def arrival_heading_deg(graph: Graph, path: tuple[str, ...]) -> float:
    """Heading with which one arrives at the end of a way, degrees clockwise from north."""
    return arrival_deg(graph, path[-2], path[-1])


def street_text(graph: Graph, node: str, way: CandidateView) -> str:
    """Describe GROKE's visible area along a way in one sentence: length, junctions, things."""
    view = look(graph, node, way.heading_deg)
    degree = int(graph.junction_degrees[graph.index[way.node]])
    end = f"a junction of {degree} ways" if is_intersection(graph, way.node) else "a dead end"
    names = dict.fromkeys(poi.name for poi in pois_in_sight(graph, node, way.heading_deg))
    sights = f"; in sight: {', '.join(list(names)[:_NAMED])}" if names else ""
    # without the first place of the view, where the agent stands
    crossings = sum(place.intersection for place in view.path[1:])
    more = f", {crossings} junctions in view" if crossings > 1 else ""
    return f"a street of {way.distance_m:.0f} m to {end}{more}{sights}."


_WANTED: dict[str, str] = {
    "captions": "LangNav's captions (SCAN.json)",
    "sectors": "NavGPT's observations (observations_list_summarized)",
    "objects": "REVERIE's objects (BBox)",
}

_PICTURES = (
    "{whose} with pictures, 640 x 480 at detail low: for each place on the map the view that shows"
    ' it, with "Image k:" before it, and the prompt last, as the published code sends them. No'
    " detector marks objects in them."
)


class Ways(Protocol):
    """The ways on from a place."""

    @property
    def source(self) -> str:
        """What the texts are made of: ``captions``, ``sectors``, ``objects``, ``geometry``,
        ``http``, ``streets``.
        """
        ...

    def candidates(self, node: str) -> tuple[CandidateView, ...]:
        """Places that can be gone to, in the order of discovery."""
        ...

    def text(self, node: str, way: CandidateView) -> str:
        """Return what the agent reads of a way."""
        ...

    def picture(self, node: str, way: CandidateView) -> PicturePart | None:
        """Return the picture that the agent sees of a way; ``None`` where it reads a text."""
        ...

    def facing_deg(self, way: CandidateView) -> float:
        """Heading after having gone a way, on the grid of 30 degrees."""
        ...


@dataclass(frozen=True)
class HouseWays:
    """Linked viewpoints, told by the view that shows them, else by geometry."""

    graph: Graph
    source: str
    texts: ViewText
    selection: bool
    """Whether MSNav's view selection chooses the view that is told."""
    pictures: AgentPictures | None = None
    """Where the agent sees pictures instead of texts."""

    def candidates(self, node: str) -> tuple[CandidateView, ...]:
        """See `Ways.candidates`."""
        return candidate_views(self.graph, node)

    def text(self, node: str, way: CandidateView) -> str:
        """See `Ways.text`."""
        view = self._view(way)
        if self.pictures is not None:
            return f"picture of view {view}"
        text = self.texts.of(node, view)
        if text is not None:
            return text
        return GeometryText(self.graph).of(node, view) or "no view."

    def picture(self, node: str, way: CandidateView) -> PicturePart | None:
        """See `Ways.picture`."""
        return None if self.pictures is None else self.pictures.view(node, self._view(way))

    def _view(self, way: CandidateView) -> int:
        return way.selected if self.selection else way.view

    def facing_deg(self, way: CandidateView) -> float:
        """See `Ways.facing_deg`."""
        return view_heading_deg(self._view(way))


@dataclass(frozen=True)
class StreetWays:
    """Streets to the next junctions and dead ends."""

    graph: Graph
    source: str = "streets"

    def candidates(self, node: str) -> tuple[CandidateView, ...]:
        """See `Ways.candidates`."""
        return street_views(self.graph, node)

    def text(self, node: str, way: CandidateView) -> str:
        """See `Ways.text`."""
        return street_text(self.graph, node, way)

    def picture(self, node: str, way: CandidateView) -> PicturePart | None:  # noqa: ARG002
        """Return nothing: streets are told in words; see `Ways.picture`."""
        return None

    def facing_deg(self, way: CandidateView) -> float:
        """See `Ways.facing_deg`."""
        # by the end of the street, which may bend on the way
        return snapped_heading_deg(arrival_heading_deg(self.graph, way.path))


def ways_of(graph: Graph, options: MsnavSettings) -> Ways:
    """Return the ways of a world, told from the source that the settings name.

    Raises `InputError` where the settings name a source that this house does not have.
    """
    if graph.frame == "geo":
        return StreetWays(graph)
    if options.views == "http":
        return HouseWays(
            graph, "http", ServedViews(options.view_url, graph.name), options.view_selection
        )
    if options.views == "pictures":
        return _pictured(graph, options)
    wanted: tuple[Views, ...] = (
        ("captions", "sectors", "objects") if options.views == "auto" else (options.views,)
    )
    for name in wanted:
        texts = _texts(name, graph, options.view_files)
        if texts is not None:
            return HouseWays(graph, name, texts, options.view_selection)
    if options.views != "auto":
        raise InputError(
            f"there are no {_WANTED[options.views]} of scan {graph.name}",
            "name their folder in the setting view_files, or choose views = auto",
            file=options.view_files,
            field="views",
        )
    return HouseWays(graph, "geometry", GeometryText(graph), options.view_selection)


def _pictured(graph: Graph, options: MsnavSettings) -> HouseWays:
    """Return the ways of a house as pictures of them."""
    pictures = required_pictures(graph, options.view_files, "view_files")
    # never read: with pictures a view has no text
    texts = GeometryText(graph)
    return HouseWays(graph, "pictures", texts, options.view_selection, pictures)


def _texts(name: Views, graph: Graph, files: str) -> ViewText | None:
    """One source, ``None`` where this house does not have it."""
    folder = folder_of(graph, files)
    if name == "geometry":
        return GeometryText(graph)
    if name == "captions":
        captions = read_captions(folder, graph.name, Problems()) if folder is not None else None
        return CaptionText(captions) if captions else None
    if name == "sectors":
        seen = observations_of(graph)
        if not seen and files and folder is not None:
            seen = read_observations(folder, graph.name, Problems())
        return SectorText(seen) if seen else None
    # the folder of the settings goes before what was read with the house
    objects = None if files else graph.info.visible_objects
    if objects is None and folder is not None:
        objects = read_objects(folder, graph.name, Problems())
    return ObjectText(objects) if objects else None


def agent_panel(source: str, options: MsnavSettings, *, is_street: bool) -> Panel:
    """Return what stands for the pictures, and whose agent this is."""
    sources = {
        "captions": "LangNav's captions and detections of each view",
        "sectors": "NavGPT's sentences of 45 degrees with the objects within 3 m",
        "objects": "REVERIE's true objects of each view (oracle objects, no detector)",
        "geometry": "geometry alone (heading, distance, rise), as this house has no descriptions",
        "http": f"the server at {options.view_url}",
        "streets": "GROKE's visible area along each street; junctions and dead ends are the places",
    }
    whose = {"mapgpt": "MapGPT", "mapgpt+spatial": "MapGPT with MSNav's spatial module"}.get(
        options.preset, "MSNav"
    )
    if source == "pictures":
        text = _PICTURES.format(whose=whose)
        return Panel(kind="text", title="What the agent sees", data={"text": text})
    ours = " Outdoors this agent is ours, not the paper's." if is_street else ""
    words = sources.get(source, source)
    text = f"Text variant of {whose}: no picture is shown. The views are told from {words}.{ours}"
    return Panel(kind="text", title="What the agent reads", data={"text": text})

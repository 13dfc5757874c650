"""Walks as Rerun recordings (``.rrd``): map, paths, texts and pictures on one time line.

Each walk is a recording of its own, with the views that it opens in. The time line is ``step``; 0
is before the first. Entities: ``map/links``, ``map/reference``, ``map/walked``, ``map/agent``,
``texts/...`` and ``view``.

Format: https://rerun.io/docs/reference/types
"""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from navviz.records import Step, Trace
from navviz.support.guarded import writing
from navviz.support.guarded.pictures import decoded_picture
from navviz.support.installation.extras import needs_extra
from navviz.world.graph import Graph

if TYPE_CHECKING:
    from numpy.typing import NDArray

_LINKS, _REFERENCE, _WALKED = (128, 134, 145), (46, 125, 225), (230, 110, 30)
_NEAR_M = 300.0
"""Links of a street map this far around the paths are drawn: a city has hundreds of thousands."""
_MOST_PX = 1600


def write_recording(
    trace: Trace,
    graph: Graph,
    out: Path,
    picture: Callable[[Step], bytes | None] | None = None,
) -> None:
    """Write one walk.

    Parameters
    ----------
    trace, graph
        The walk, and the graph that it was walked on.
    out
        The file, which ends in ``.rrd``.
    picture
        Returns what a step saw: the bytes of a JPEG, PNG or WebP.

    Raises
    ------
    MissingExtraError
        Without the extra ``rerun``.
    """
    with needs_extra("rerun"):
        import rerun as rr
        import rerun.blueprint as rrb

    episode = trace.episode
    name = f"{trace.header.run}: {episode.id}"
    writer = _Writer(rr, rr.RecordingStream("navviz", recording_id=name), graph)
    if graph.frame == "geo":
        place: Any = rrb.MapView(origin="map", name="Map")
    else:
        place = rrb.Spatial3DView(origin="map", name="House")
    texts = []
    for title in ("Instruction", "Plan", "Thoughts", "Prompt", "Reply"):
        texts.append(rrb.TextDocumentView(origin=f"texts/{title.lower()}", name=title))
    right = rrb.Vertical(texts[0], texts[1], rrb.Tabs(*texts[2:]), row_shares=[1, 1, 2])
    columns: list[Any] = [place, right]
    if picture is not None:
        columns = [rrb.Vertical(place, rrb.Spatial2DView(origin="view", name="View")), right]
    with writing(out) as part:
        writer.stream.save(part, rrb.Blueprint(rrb.Horizontal(*columns), collapse_panels=True))
        writer.stream.send_recording_name(name)
        writer.write_map(trace)
        writer.write_steps(trace, picture)
        writer.stream.flush()
        writer.stream.disconnect()


class _Writer:
    """What goes into one recording; `rr` is Rerun's package, which only its extra brings."""

    def __init__(self, rr: Any, stream: Any, graph: Graph) -> None:  # noqa: ANN401
        self._rr, self.stream, self._graph = rr, stream, graph
        self._geo = graph.frame == "geo"

    def write_map(self, trace: Trace) -> None:
        """Write what stays: links, reference path, goal and instruction."""
        episode = trace.episode
        self._lines("map/links", self._links(trace), _LINKS, 0.5, static=True)
        reference = self._places(episode.reference_path)
        if len(reference) > 1:
            self._lines("map/reference", [reference], _REFERENCE, 5.0, static=True)
        self._text("texts/instruction", episode.instruction, static=True)

    def write_steps(self, trace: Trace, picture: Callable[[Step], bytes | None] | None) -> None:
        """Write each step at its number, and where the walk stood before the first at 0."""
        walked = [trace.episode.start]
        self.stream.set_time("step", sequence=0)
        self._agent(walked)
        for step in trace.steps:
            self.stream.set_time("step", sequence=step.index)
            for node in step.places:
                if node != walked[-1]:
                    walked.append(node)
            self._agent(walked)
            plan = []
            for number, goal in enumerate(step.plan):
                mark = "→" if number == step.sub_goal else " "
                plan.append(f"{mark} {number + 1}. {goal.description} ({goal.status})")
            self._text("texts/plan", "\n".join(plan))
            thoughts, prompts, replies = [], [], []
            for call in step.calls:
                thoughts.append(call.thoughts or "")
                prompts += [f"[{message.role}]\n{message.text}" for message in call.messages]
                replies.append(call.reply or "")
            self._text("texts/thoughts", "\n\n".join(filter(None, thoughts)))
            self._text("texts/prompt", "\n\n".join(prompts))
            self._text("texts/reply", "\n\n".join(filter(None, replies)))
            seen = None if picture is None else picture(step)
            if seen is not None:
                # its viewer draws no WebP
                jpeg = io.BytesIO()
                decoded = decoded_picture(seen, f"view of step {step.index}", most_px=_MOST_PX)
                decoded.convert("RGB").save(jpeg, "JPEG", quality=85)
                image = self._rr.EncodedImage(contents=jpeg.getvalue(), media_type="image/jpeg")
                self.stream.log("view", image)
        end = trace.end
        if end is not None:
            level = "INFO" if end.status in {"done", "limit"} else "ERROR"
            words = f"{end.status}: {end.reason}" if end.reason else str(end.status)
            self.stream.log("texts/end", self._rr.TextLog(words, level=level))

    def _agent(self, walked: Sequence[str]) -> None:
        places = self._places(walked)
        if len(places) > 1:
            # in a house a tube within another one is not seen
            self._lines("map/walked", [places], _WALKED, 2.5 if self._geo else 6.0)
        if len(places):
            points = places[-1:]
            if self._geo:
                # a negative radius is one in points of the screen
                mark = self._rr.GeoPoints(lat_lon=points, radii=-8.0, colors=_WALKED)
            else:
                mark = self._rr.Points3D(points, radii=0.15, colors=_WALKED)
            self.stream.log("map/agent", mark)

    def _lines(
        self,
        entity: str,
        lines: Sequence[NDArray[np.float64]],
        colour: tuple[int, int, int],
        width: float,
        *,
        static: bool = False,
    ) -> None:
        if self._geo:
            drawn = self._rr.GeoLineStrings(lat_lon=lines, radii=-width, colors=colour)
        else:
            drawn = self._rr.LineStrips3D(lines, radii=width / 100, colors=colour)
        self.stream.log(entity, drawn, static=static)

    def _text(self, entity: str, text: str, *, static: bool = False) -> None:
        # never as Markdown: a text of a log could load a picture from elsewhere
        document = self._rr.TextDocument(text, media_type="text/plain")
        self.stream.log(entity, document, static=static)

    def _places(self, nodes: Sequence[str]) -> NDArray[np.float64]:
        rows = [self._graph.index[node] for node in nodes if node in self._graph]
        return np.asarray(self._graph.positions[rows], dtype=np.float64)

    def _links(self, trace: Trace) -> list[NDArray[np.float64]]:
        """Return the links near the paths, each once."""
        graph = self._graph
        metric = graph.metric_positions[:, :2]
        nodes = [*trace.path, *trace.episode.reference_path]
        rows = [graph.index[node] for node in nodes if node in graph]
        near = np.ones(len(metric), dtype=bool)
        if self._geo and rows:
            low, high = metric[rows].min(axis=0) - _NEAR_M, metric[rows].max(axis=0) + _NEAR_M
            near = ((metric >= low) & (metric <= high)).all(axis=1)
        kept = near[graph.sources] & near[graph.targets]
        pairs = np.sort(np.stack([graph.sources[kept], graph.targets[kept]], axis=1), axis=1)
        return list(np.asarray(graph.positions[np.unique(pairs, axis=0)], dtype=np.float64))

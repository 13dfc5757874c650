"""The inspector panel of GROKE: which POI each landmark of the sub-goal was taken for."""

from __future__ import annotations

from collections.abc import Sequence

from navviz.records import Panel
from navviz.systems.groke.prompts.visible_area import NearbyPoi, View

__all__ = ["landmark_panel"]

_COLUMNS = ["Landmark", "Letter", "POI", "Score", "Node", "Where", "Metres"]


def landmark_panel(view: View, names: Sequence[str]) -> Panel | None:
    """Return a table of the sub-goal's landmarks with the POIs in view, or ``None`` where the sub-goal names none.

    Scores are partial ratios, 0 to 100; landmarks without a POI in view have empty cells.
    """
    if not names:
        return None
    scores = {(grounded.name, match.poi.id): match.score for grounded in view.landmarks for match in grounded.matches}
    rows: list[list[object]] = []
    for name in dict.fromkeys(names):
        seen = [(node.id, poi) for node in view.path for poi in _pois(node.here, node.beside) if poi.name == name]
        rows += [
            [
                name,
                poi.letter,
                poi.poi.name,
                round(scores[name, poi.poi.id], 1),
                node,
                poi.position,
                round(poi.distance_m, 1),
            ]
            for node, poi in seen
        ]
        if not seen:
            rows.append([name, view.legend.get(name), "not in view", None, None, None, None])
    return Panel(kind="table", title="Landmarks of the sub-goal", data={"columns": _COLUMNS, "rows": rows})


def _pois(here: NearbyPoi | None, beside: tuple[NearbyPoi, ...]) -> tuple[NearbyPoi, ...]:
    return (*beside, here) if here is not None else beside

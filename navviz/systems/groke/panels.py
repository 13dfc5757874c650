"""The inspector panel of GROKE: which POI each landmark of the sub-goal was taken for."""

from __future__ import annotations

from collections.abc import Sequence

from navviz.records import Panel
from navviz.systems.groke.prompts.visible_area import NearbyPoi, PathNode, View

_COLUMNS = ["Landmark", "Letter", "POI", "Score", "Node", "Where", "Metres"]


def landmark_panel(view: View, names: Sequence[str]) -> Panel | None:
    """Return a table of the sub-goal's landmarks with the POIs in view; ``None`` without landmarks.

    Scores are partial ratios, 0 to 100; landmarks without a POI in view have empty cells.
    """
    if not names:
        return None
    scores: dict[tuple[str, str], float] = {}
    for grounded in view.landmarks:
        for match in grounded.matches:
            scores[grounded.name, match.poi.id] = match.score
    rows: list[list[object]] = []
    for name in dict.fromkeys(names):
        seen = [(node, poi) for node, poi in view.seen if poi.name == name]
        for node, poi in seen:
            rows.append(_row(node, poi, scores[name, poi.poi.id]))
        if not seen:
            rows.append([name, view.legend.get(name), "not in view", None, None, None, None])
    return Panel(
        kind="table", title="Landmarks of the sub-goal", data={"columns": _COLUMNS, "rows": rows}
    )


def _row(node: PathNode, poi: NearbyPoi, score: float) -> list[object]:
    distance_m = round(poi.distance_m, 1)
    return [
        poi.name,
        poi.letter,
        poi.poi.name,
        round(score, 1),
        node.id,
        poi.position,
        distance_m,
    ]

"""Where labels of a plotly map go so that they do not cover each other."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["place_labels"]

Box = tuple[float, float, float, float]
Point = tuple[float, float]

_CHARACTER_PX, _LINE_PX, _GAP_PX = 6.4, 13.0, 9.0
_PLACES = ("top center", "bottom center", "middle right", "middle left")


def place_labels(
    points: Sequence[Point], texts: Sequence[str], px_per_m: float, avoid: Sequence[Point] = ()
) -> tuple[list[str], list[str]]:
    """Text and plotly ``textposition`` for each point; a text that fits nowhere becomes empty (it stays in the hover).

    Parameters
    ----------
    points
        Positions in metres.
    texts
        What to write there, by importance; empty ones are skipped.
    px_per_m
        Scale of the figure as it is first shown.
    avoid
        Positions in metres that no label may cover (the route).
    """
    taken: list[Box] = [(x * px_per_m - 4, y * px_per_m - 4, x * px_per_m + 4, y * px_per_m + 4) for x, y in avoid]
    taken += [(x * px_per_m - 3, y * px_per_m - 3, x * px_per_m + 3, y * px_per_m + 3) for x, y in points]
    shown, where = [], []
    for (x, y), text in zip(points, texts, strict=True):
        place = _free(x * px_per_m, y * px_per_m, text, taken) if text else None
        shown.append(text if place else "")
        where.append(place or _PLACES[0])
    return shown, where


def _free(x: float, y: float, text: str, taken: list[Box]) -> str | None:
    width = len(text) * _CHARACTER_PX
    for place in _PLACES:
        box = _box(x, y, width, place)
        if not any(_overlap(box, other) for other in taken):
            taken.append(box)
            return place
    return None


def _box(x: float, y: float, width: float, place: str) -> Box:
    if place.startswith("middle"):
        left = x + _GAP_PX if place.endswith("right") else x - _GAP_PX - width
        return (left, y - _LINE_PX / 2, left + width, y + _LINE_PX / 2)
    bottom = y + _GAP_PX - 2 if place.startswith("top") else y - _GAP_PX + 2 - _LINE_PX
    return (x - width / 2, bottom, x + width / 2, bottom + _LINE_PX)


def _overlap(a: Box, b: Box) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]

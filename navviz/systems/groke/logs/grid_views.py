"""The maps of GROKE's ``grid`` prompts: rows of cells, without one node id."""

from __future__ import annotations

import re

from navviz.records import SeenPoi
from navviz.systems.groke.logs.map_view import MapView
from navviz.systems.groke.prompts.grid import Cell

_PLACE = re.compile(
    r"^[^\S\n]*Your Position\s*:\s*[\[(]\s*(\d+)\s*,\s*(\d+)\s*[\])]", re.MULTILINE | re.IGNORECASE
)
_HEADING = re.compile(r"^[^\S\n]*Heading\s*:\s*(-?\d+(?:\.\d+)?)", re.MULTILINE | re.IGNORECASE)
_ROW = re.compile(r"^[^\S\n]*\[((?:\s*+'[^']'\s*+,?)+)\][^\S\n]*+,?[^\S\n]*+$", re.MULTILINE)
_MARK = re.compile(r"'([^'])'")
_LEGEND = re.compile(r"^[^\S\n]*Legend\s*:\s*(.*)$", re.MULTILINE | re.IGNORECASE)
# a name may hold commas: it ends only where a comma and the next "X =" follow
_LETTER = re.compile(r"([A-Z?])\s*=\s*((?:(?!,\s*[A-Z0-9?]\s*=).)+?)\s*\(landmark\)")


def read_grid(context: str) -> MapView:
    """Read heading, letters and the agent's cell; which node that is, the prompt does not say."""
    heading, letters = _HEADING.search(context), _letters(context)
    return MapView(
        format="grid",
        heading_deg=None if heading is None else float(heading[1]),
        cell=_cell(context),
        rows=tuple("".join(_MARK.findall(row)) for row in _ROW.findall(context)),
        pois=tuple(SeenPoi(name=name, letter=letter) for name, letter in letters.items()),
        letters=letters,
    )


def _cell(context: str) -> Cell | None:
    place = _PLACE.search(context)
    return None if place is None else (int(place[1]), int(place[2]))


def _letters(context: str) -> dict[str, str]:
    legend = _LEGEND.search(context)
    return {} if legend is None else {name: letter for letter, name in _LETTER.findall(legend[1])}

"""The colours that mean something, the same in figures, maps, the gallery and the player.

Reference path and agent are the blue and the vermillion of Okabe and Ito's palette for colour-blind
readers (https://jfly.uni-koeln.de/color/, 2008). The player's style sheet names the same colours,
``--nv-reference`` and so on, once for each theme; a test compares the two.
"""

from __future__ import annotations

from collections.abc import Mapping

from navviz.language.skills import Skill

REFERENCE = "#0072b2"
"""The reference path and its goal; of two series, the first."""
AGENT = "#d55e00"
"""The agent's path and its stop; of two series, the second."""
SERIES = ("#0072b2", "#d55e00", "#0a8f6c", "#b35c9e", "#4f9cc9", "#b98300", "#7a5bd6", "#76828e")
"""Up to eight runs, in this order: Okabe and Ito's, toned to be visible on light and dark."""
COMPARED = "#9a4f80"
"""The path of the second compared run."""
FURTHER = ("#0a8f6c", "#b98300", "#4f9cc9", "#7a5bd6", "#76828e", "#d1495b")
"""Paths from the third compared run on; the player itself colours the second."""
BAD = "#b3261e"
"""Faults: jumps between nodes that are not linked, illegal decisions."""
GOOD = "#0a7a5c"
"""The figure of a badge: a share that is worth to be shown, under white letters."""
PLACE = "#8a5fbf"
"""A landmark that is chosen or to be marked."""
NODE = "#b6bcc0"
POI = "#8d97a3"
MUTE = "#58626e"
INK = "#1b232c"
INK_ON_DARK = "#e8edf3"
"""Text and symbols on a dark theme."""
WATER = "#4f9cc9"
"""Water on overview maps, mixed with the ground."""
STREET = "#cfd6dd"
"""Streets on white paper."""
SUCCESS, FAILURE, UNKNOWN = "#0a8f6c", "#d1495b", "#4c7fb8"
"""Outcomes in small: middle tones differ enough on a light and on a dark ground."""
OUTCOME_DASHES: Mapping[str, str | None] = {"success": None, "failure": "7 5", "unknown": "2 5"}
"""Line styles of the outcomes in pixels (drawn, left out), so that colour is not the only sign."""
SKILL_COLOURS: Mapping[Skill, str] = {
    Skill.DIRECTION: "#e08a00",
    Skill.VERTICAL: "#7a5bd6",
    Skill.STOP: "#d23b3b",
    Skill.LANDMARK: "#1a9850",
    Skill.REGION: "#d65fb0",
}
"""One colour a skill, on map, floor plan, plan, thumbnails, time line and figures; the player gets
it in its document. All are far from the reference path's blue and differ on light and dark ground.
"""


def translucent(colour: str, alpha: float) -> str:
    """Return a colour of the palette as ``rgba(...)``, for areas behind lines."""
    red, green, blue = (int(colour[k : k + 2], 16) for k in (1, 3, 5))
    return f"rgba({red},{green},{blue},{alpha:g})"

"""The colours and sizes that mean something, the same in figures, maps, the gallery and the player.

They stand in ``assets/tokens.css`` alone, which the player's style sheet imports, too. Reference
path and agent are the blue and the vermillion of Okabe and Ito's palette for colour-blind readers
(https://jfly.uni-koeln.de/color/, 2008).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, Literal

from navviz.language.skills import Skill
from navviz.views.player.files import own_file

Theme = Literal["light", "dark"]

_TOKENS: Final = own_file("tokens.css")
_DARK_BLOCK: Final = '[data-theme="dark"]'


def _colours(css: str) -> dict[str, str]:
    return dict(re.findall(r"--nv-([\w-]+): (#[0-9a-f]{6}(?:[0-9a-f]{2})?);", css))


def _themes() -> dict[Theme, dict[str, str]]:
    """Read the colours of both themes; the dark one repeats only what differs."""
    everywhere, dark = _TOKENS.split(_DARK_BLOCK, maxsplit=1)
    light = _colours(everywhere)
    return {"light": light, "dark": light | _colours(dark)}


THEMES: Final[Mapping[Theme, Mapping[str, str]]] = _themes()
"""Each colour by its name without ``--nv-``, as ``#rrggbb`` or ``#rrggbbaa``."""
SIZES_PX: Final = tuple(sorted(int(size) for size in re.findall(r"@property --nv-(\d+)", _TOKENS)))
"""The type scale of all that is read on a screen."""
PRINT_PT: Final = 8.0
"""Type of figures on paper: the least that publishers accept."""
SMALL_PX, LABEL_PX, TEXT_PX = SIZES_PX[:3]

_LIGHT: Final = THEMES["light"]

REFERENCE: Final = _LIGHT["reference"]
"""The reference path and its goal; of two series, the first."""
AGENT: Final = _LIGHT["agent"]
"""The agent's path and its stop; of two series, the second."""
SERIES: Final = tuple(_LIGHT[f"series-{k}"] for k in range(1, 9))
"""Up to eight groups, in this order: Okabe and Ito's, toned to be visible on light and dark."""
COMPARED: Final = _LIGHT["other"]
"""The path of the second compared run."""
FURTHER: Final = tuple(_LIGHT[f"further-{k}"] for k in range(1, 7))
"""Paths from the third compared run on; the player itself colours the second."""
RUNS: Final = (AGENT, COMPARED, *FURTHER)
"""Up to eight compared runs, in their order: the same on maps, in tables and in charts."""
RUNS_ON_DARK: Final = (THEMES["dark"]["agent"], THEMES["dark"]["other"], *FURTHER)
"""The same where the theme is dark: the player brightens its first two paths there."""
BAD: Final = _LIGHT["bad"]
"""Faults: jumps between nodes that are not linked, illegal decisions."""
GOOD: Final = _LIGHT["badge"]
"""The figure of a badge: a share that is worth to be shown, under white letters."""
PLACE: Final = _LIGHT["place"]
"""A landmark that is chosen or to be marked."""
NODE: Final = _LIGHT["node"]
POI: Final = _LIGHT["poi"]
MUTE: Final = _LIGHT["mute"]
INK: Final = _LIGHT["ink"]
INK_ON_DARK: Final = THEMES["dark"]["ink"]
"""Text and symbols on a dark theme."""
PAPER: Final = _LIGHT["paper"]
WATER: Final = _LIGHT["water"]
"""Water on overview maps, mixed with the ground."""
STREET: Final = _LIGHT["street-line"]
"""Streets on white paper."""
SUCCESS, FAILURE, UNKNOWN = (_LIGHT[name] for name in ("success", "failure", "unknown"))
"""Outcomes in small: middle tones differ enough on a light and on a dark ground."""
OUTCOME_DASHES: Mapping[str, str | None] = {"success": None, "failure": "7 5", "unknown": "2 5"}
"""Line styles of the outcomes in pixels (drawn, left out), so that colour is not the only sign."""
SKILL_COLOURS: Mapping[Skill, str] = {
    skill: _LIGHT[f"skill-{skill.name.lower()}"] for skill in Skill
}
"""One colour a skill, on map, floor plan, plan, thumbnails, time line and figures; the player gets
it in its document. All are far from the reference path's blue and differ on light and dark ground.
"""


def translucent(colour: str, alpha: float) -> str:
    """Return a colour of the palette as ``rgba(...)``, for areas behind lines."""
    red, green, blue = (int(colour[k : k + 2], 16) for k in (1, 3, 5))
    return f"rgba({red},{green},{blue},{alpha:g})"


def root_rule(theme: Theme) -> str:
    """Return the rule that gives a page of the app the colours and sizes of the tokens.

    Sizes are pixels there: nothing outside of the player is scaled to present.
    """
    values = [f"--nv-{name}: {colour}" for name, colour in THEMES[theme].items()]
    values += [f"--nv-{size}: {size}px" for size in SIZES_PX]
    values += ["--nv-font: var(--st-font, 'Source Sans', system-ui, sans-serif)"]
    return f":root {{ {'; '.join(values)} }}"

"""Whether the learned lengths of a data set's routes are used: on the data set's own episodes,
unless set otherwise.

What an episode is decides, never how its file is called or where it lies.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BeforeValidator

from navviz.records import Episode
from navviz.world.matterport3d import SCANS

_SWITCH: dict[bool, Literal["on", "off"]] = {True: "on", False: "off"}

LengthSwitch = Annotated[
    Literal["auto", "on", "off"],
    BeforeValidator(lambda value: _SWITCH[value] if isinstance(value, bool) else value),
]
"""Whether to lean on learned route lengths; true and false stand for on and off."""


def is_of_r2r(episode: Episode) -> bool:
    """Whether an episode is one of R2R: by its data set, its scan and its path id."""
    # ids of R2R's instructions are the path's number and their own: 4332_1
    path_id = episode.path_id or episode.id.rpartition("_")[0]
    return episode.dataset == "R2R" and episode.world in SCANS and path_id.isdecimal()


def is_of_map2seq(episode: Episode) -> bool:
    """Whether an episode is one of Map2Seq; its readers know that by the route's panoramas, or by
    GROKE's fields.
    """
    return episode.dataset.lower().startswith("map2seq")


def switched(*, used: bool) -> Literal["on", "off"]:
    """Return the switch of a walk that uses the learned lengths, or does not."""
    return _SWITCH[used]

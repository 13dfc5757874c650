"""One colour a skill: on map, floor plan, plan, thumbnails, time line and figures; the player gets it from here."""

from __future__ import annotations

from collections.abc import Mapping

from navviz.observe.skills import Skill

__all__ = ["SKILL_COLOURS"]

SKILL_COLOURS: Mapping[Skill, str] = {
    Skill.DIRECTION: "#e08a00",
    Skill.VERTICAL: "#7a5bd6",
    Skill.STOP: "#d23b3b",
    Skill.LANDMARK: "#1a9850",
    Skill.REGION: "#d65fb0",
}
"""Far from the reference path's blue, and told apart on light and dark ground."""

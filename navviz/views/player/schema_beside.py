"""What the replay document holds of a walk that stands beside another one."""

from __future__ import annotations

from navviz.views.player.schema_world import Part


class StepTexts(Part):
    """What a step of the run compared with thought, answered and did; texts by index."""

    sub_goal: int | None = None
    """Text of the sub-goal that was due."""
    thoughts: int | None = None
    reply: int | None = None
    reason: str | None = None

"""Parts of a step in the replay document: a person's changes, texts of a walk beside another."""

from __future__ import annotations

from navviz.views.player.schema_world import Part


class StepTexts(Part):
    """What a step of the run compared with thought, answered and did; texts by index."""

    sub_goal: int | None = None
    """Text of the sub-goal that was due."""
    thoughts: int | None = None
    reply: int | None = None
    reason: str | None = None


class EditEntry(Part):
    """A person's change of one input of a step."""

    what: str
    old: str
    """The first part that is another one; `new` is what stands there since."""
    new: str

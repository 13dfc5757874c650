"""Runs whose agents stand in for a paper's must not be read as the paper's."""

from __future__ import annotations

from navviz.records import Trace
from navviz.runs.facts import stand_in

__all__ = ["stand_in_warning"]


def _imported(trace: Trace) -> bool:
    """Whether the trace was read from another project's log, or repeats one."""
    return trace.header.source is not None or trace.header.settings.get("agents") == "imported"


def stand_in_warning(trace: Trace, other: Trace) -> str | None:
    """One sentence where a stand-in is put beside a run that was imported; ``None`` elsewhere."""
    for mine, theirs in ((trace, other), (other, trace)):
        label = stand_in(mine)
        if label is not None and _imported(theirs):
            name = mine.header.run or mine.header.navigator
            source = theirs.header.run or theirs.header.navigator
            return (
                f"“{name}” walks with {label}: its success says nothing about the paper's agents, and is not to be "
                f"compared with the imported run “{source}”."
            )
    return None

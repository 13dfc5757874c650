"""What is to be walked, by whom and within which limits: the one argument of `run_episode` and of a
live run.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass
from pathlib import Path

from navviz.llm.base import LanguageModel
from navviz.records import Episode, Fork, Trace
from navviz.runner.budget import Budget
from navviz.systems.base import Navigator, Settings
from navviz.world.graph import Graph


@dataclass(frozen=True, slots=True, kw_only=True)
class WalkRequest:
    """One episode to be walked; `dataclasses.replace` makes another one of it."""

    navigator: Navigator
    settings: Settings
    episode: Episode
    graph: Graph
    run: str
    out: Path
    """The trace goes to ``<out>/<run>/<episode>.trace.jsonl`` (see
    `navviz.runner.episode.trace_path`).
    """
    llm: LanguageModel | None = None
    """For navigators that ask one."""
    cancel: threading.Event | None = None
    """When set, the walk stops at once, in the middle of a call too, and ends with status
    ``stopped``.
    """
    budget: Budget | None = None
    """Limit of tokens or money; ends the walk with status ``budget``."""
    slots: threading.Semaphore | None = None
    """Limit on calls at the same time, shared by the episodes of a run."""
    past: Trace | None = None
    """Steps that were walked already (a fork, or a run that was cut off)."""
    forked_from: Fork | None = None
    """Where `past` comes from, if it is a fork."""
    resume: bool = False
    """Whether `past` is already on disk and is only to be gone on with."""

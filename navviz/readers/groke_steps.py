"""GROKE's step logs: a folder of ``stepN_METHOD.jsonl`` with requests, thoughts, replies and usage."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import ClassVar

from navviz.readers.base import GraphOf, Run
from navviz.records import Episode


class GrokeSteps:
    """Runs of GROKE with every model call."""

    name: ClassVar[str] = "GROKE step logs"

    @classmethod
    def handles(cls, path: Path) -> bool:
        """Whether the folder holds step logs."""
        return False

    @classmethod
    def read(cls, path: Path, graph_of: GraphOf, episodes: Mapping[str, Episode] | None = None) -> list[Run]:
        """Read a run for each method."""
        raise NotImplementedError

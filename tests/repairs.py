"""Repaired walks as Live walks them, without a page."""

from __future__ import annotations

import tempfile
from pathlib import Path

from navviz.analysis.counterfactuals.walking import walk_request
from navviz.llm.base import LanguageModel
from navviz.records import RepairPlan, Trace
from navviz.records.trace_files import read_trace
from navviz.runner.episode import run_episode, trace_path
from navviz.world.graph import Graph


def walk_repaired(trace: Trace, graph: Graph, plan: RepairPlan, llm: LanguageModel) -> Trace:
    """Walk an episode again with one repair, all else as recorded before it."""
    with tempfile.TemporaryDirectory(prefix="navviz-repair-") as folder:
        request = walk_request(trace, graph, plan, run="again", out=Path(folder), llm=llm)
        for _ in run_episode(request):
            pass
        return read_trace(trace_path(request.out, request.run, trace.episode.id))

"""``detail_{split}.json`` of the DUET line: a walk with a stop probability at each viewpoint."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import ClassVar

from navviz.errors import Problems
from navviz.formats.base import GraphOf, Run
from navviz.formats.trajectories import Trajectories
from navviz.records import Decision, Episode, Step, Trace
from navviz.systems.skillnav.logs.log_trace import stop_panel
from navviz.systems.skillnav.logs.predictions import Prediction, is_predictions, read_predictions
from navviz.systems.skillnav.panels import best_stop_text, walk_back_panel
from navviz.world.graph import Graph


class SkillNavDetails:
    """Reads details: the walk as `Trajectories` does, with stop probabilities and the walk back."""

    name: ClassVar[str] = "SkillNav details"

    @classmethod
    def handles(cls, path: Path) -> bool:
        """Whether the first entry is a trajectory with details by viewpoint."""
        return is_predictions(path)

    @classmethod
    def read(
        cls, path: Path, graph_of: GraphOf, episodes: Mapping[str, Episode] | None = None
    ) -> list[Run]:
        """Read a file as one run; raises `InputError` where not one result can be shown."""
        (run,) = Trajectories.read(path, graph_of, episodes)
        predictions = read_predictions(path, Problems())  # what is broken is reported already
        traces: dict[str, Trace] = {}
        for name, trace in run.traces.items():
            prediction = predictions.get(name, Prediction())
            traces[name] = _detailed(trace, graph_of(trace.episode.world), prediction)
        return [Run(run.name, run.navigator, run.method, traces, run.problems, path)]


def _detailed(trace: Trace, graph: Graph, prediction: Prediction) -> Trace:
    walked: list[str] = []
    steps: list[Step] = []
    for step in trace.steps:
        if step.node is not None:
            walked.append(step.node)
        panels = (*step.panels, *stop_panel(graph, list(walked), prediction.stop_prob))
        steps.append(step.model_copy(update={"panels": panels}))
        walked.extend(step.path[1:])
    back = prediction.walked_back
    if back and len(steps) > 1:
        # read as a trajectory, the way back is a move with a stop after it: both were one decision
        steps[-2:] = [_walked_back(steps[-2], back, prediction)]
    return trace.model_copy(update={"steps": tuple(steps)})


def _walked_back(step: Step, back: tuple[str, ...], prediction: Prediction) -> Step:
    """Return the last move as what it is: the stop, and the way back to the best stop."""
    here, there = prediction.stop_prob[back[0]], prediction.stop_prob[back[-1]]
    reason = f"Went back to the best stop {best_stop_text(there, here)}."
    decision = Decision(target=back[-1], stop=True, reason=reason)
    panels = (*step.panels, walk_back_panel(back, here, there))
    return step.model_copy(update={"decision": decision, "panels": panels})

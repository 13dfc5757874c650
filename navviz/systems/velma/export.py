"""Walks in the form of VELMA's outputs; read again they are the same walks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from navviz.formats.export.predictions import check_on_graph
from navviz.records import EndStatus, Step, Trace
from navviz.support.guarded import json_text
from navviz.systems.velma.logs import ACTIONS


def outputs_text(traces: Iterable[Trace]) -> Iterator[str]:
    """Yield the file of a run, an instance at a time.

    Raises
    ------
    InputError
        For a walk from pose to pose, which has no panoramas, and one of several stops.
    """
    head = {"exported_by": "navviz"}
    yield f'{{"opts": {json_text(head)}, "prompt_template": "", "time": 0, '
    yield '"instances": {'
    comma = ""
    for trace in traces:
        yield f"{comma}{json_text(trace.episode.id)}: {json_text(_instance(trace))}"
        comma = ", "
    yield "}}\n"


def _instance(trace: Trace) -> dict[str, Any]:
    episode = trace.episode
    check_on_graph(trace, "panoramas")
    walk = _ExportedWalk(episode.start, episode.start_heading_deg)
    for step in trace.steps:
        walk.add(step)
    # an agent that arrives ends its walk without a word; VELMA's last action is what says so
    if trace.end is not None and trace.end.status == EndStatus.DONE:
        walk.stop()
    if not trace.calls:
        # lines of a walk without a model would be read as its replies
        walk.lines, walk.marks = [], []
    return {
        "idx": episode.id,
        "navigation_text": episode.instruction,
        "start_heading": episode.start_heading_deg,
        "gold_pano_path": list(episode.reference_path),
        "agent_actions": walk.actions,
        "agent_states": walk.states,
        "agent_pano_path": [panorama for panorama, _ in walk.states],
        "agent_navigation_lines": walk.lines,
        "agent_is_actions": walk.marks,
    }


class _ExportedWalk:
    """Actions, states and lines of one walk, as they are added step by step."""

    def __init__(self, start: str, heading_deg: float | None) -> None:
        self.actions = ["init"]
        self.states: list[list[Any]] = [[start, heading_deg]]
        self.lines: list[str] = []
        self.marks: list[int] = []

    def add(self, step: Step) -> None:
        """Add a step: an action for each link walked, or the one that stays."""
        # the first step knows place and heading also where the episode gives none
        if step.node is not None and len(self.actions) == 1 and step.heading_deg is not None:
            self.states[0] = [step.node, step.heading_deg]
        if step.observation is not None and step.observation.text:
            self._line(step.observation.text, mark=0)
        decision = step.decision
        named = decision.action if decision is not None else None
        targets = step.path[1:]
        # VELMA moves a link at a time; a step of another agent may walk several
        for target in targets:
            self._act("forward", target, step.end_heading_deg, step)
        stops = decision is not None and decision.stop
        if stops:
            self._act("stop", self.states[-1][0], step.end_heading_deg, step)
        # of a step that stays, only a turn has a name among VELMA's actions; others leave no state
        elif not targets and named in ACTIONS:
            self._act(str(named), self.states[-1][0], step.end_heading_deg, step)

    def stop(self) -> None:
        """Add a stop where the walk ends without one."""
        if self.actions[-1] != "stop":
            self._line(f"{len(self.actions)}. stop", mark=1)
            self.actions.append("stop")
            self.states.append(list(self.states[-1]))

    def _act(self, action: str, panorama: str, heading_deg: float | None, step: Step) -> None:
        if heading_deg is None:
            heading_deg = self.states[-1][1]
        line = ""
        if step.calls:
            line = step.calls[-1].reply or ""
        # an entry of `agent_navigation_lines` is one line: a longer reply is named by its action
        if not line or "\n" in line:
            line = f"{len(self.actions)}. {action}"
        self._line(line, mark=1)
        self.actions.append(action)
        self.states.append([panorama, heading_deg])

    def _line(self, text: str, *, mark: int) -> None:
        self.lines.append(text)
        self.marks.append(mark)

"""SkillNav's ``{env}_router_outputs.log``: what localiser and router said at each step, one `Trace`
an episode.

A line begins with ``YYYY-MM-DD hh:mm:ss,mmm - `` and goes on either with a JSON object over several
lines (``instr_id, scan, full_instruction, previous_viewpoints, previous_sub_instructions,
sub_instruction, reasoning, predicted_skill, predicted_skill_index``) or with ``Step t: Using expert
indices: [...] for obs: [...]``. Objects are found by counting brackets, and joined by ``instr_id``,
never by position: in a batch the published code hands results out by position, so that from an
episode without a sub-goal on each gets its predecessor's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import ClassVar

from navviz.errors import InputError, Problem, Problems
from navviz.formats.base import GraphOf, Run
from navviz.formats.files import peek
from navviz.formats.printed import STAMP, blocks
from navviz.formats.r2r import SUCCESS_RADIUS_M
from navviz.formats.texts import id_text
from navviz.formats.trajectories import neighbouring_episodes, result_world
from navviz.records import Episode, Trace
from navviz.support.brackets import balanced
from navviz.support.guarded import is_regular, opened_text, parse_json
from navviz.systems.skillnav.logs.log_trace import log_trace
from navviz.systems.skillnav.logs.logged import StepRecord, viewpoints_of
from navviz.systems.skillnav.logs.predictions import Prediction, predictions_beside

_STEP = re.compile(r"Step (\d+): Using expert indices: \[(.*?)\] for obs: \[(.*?)\]")
_ID = re.compile(r'"instr_id"\s*:\s*"?([^",\s]+)')
_FUSED = (
    "Several agents acted in its batch: the published code then fuses the scores of all episodes"
    " with the last agent's weights."
)
_TEXTS = ("full_instruction", "sub_instruction", "reasoning", "predicted_skill")


class RouterLogs:
    """Reads router logs; episodes and a detail file, where open or beside, are joined by
    ``instr_id``.
    """

    name: ClassVar[str] = "SkillNav router logs"

    @classmethod
    def handles(cls, path: Path) -> bool:
        """Whether the first lines are a router's."""
        text = peek(path).text if is_regular(path) else ""
        stamped = STAMP.match(text.lstrip()) is not None
        return stamped and (
            "predicted_skill" in text or "instr_id" in text or "Using expert indices" in text
        )

    @classmethod
    def read(
        cls, path: Path, graph_of: GraphOf, episodes: Mapping[str, Episode] | None = None
    ) -> list[Run]:
        """Read a log as one run; raises `InputError` where not one episode can be shown."""
        problems = Problems()
        records = _by_episode(path, problems)
        given = dict(episodes) if episodes else neighbouring_episodes(path, problems)
        predictions = predictions_beside(path, records, problems)
        traces: dict[str, Trace] = {}
        for name, logged in records.items():
            episode = given.get(name) or _episode(name, logged, path, problems)
            if episode is None:
                continue
            graph = result_world(episode, graph_of, path.name, problems)
            if graph is None:
                continue
            prediction = predictions.get(name, Prediction())
            trace = log_trace(episode, graph, logged, path, problems, prediction)
            if trace is not None:
                traces[name] = trace
        if not traces:
            raise InputError(
                f"holds no step that can be shown{problems.because}",
                "open its houses with it",
                file=path.name,
            )
        return [Run(path.stem, "skillnav", None, traces, problems, path)]


def _by_episode(path: Path, problems: Problems) -> dict[str, list[StepRecord]]:
    """Return records by instruction id, each list in the order of the steps."""
    records: dict[str, list[StepRecord]] = {}
    since: list[StepRecord] = []
    for line, text in _blocks(path):
        step = _STEP.search(text)
        # this line comes after the records of its batch, and ends them
        if step is not None:
            _check_batch(step, since, line, path.name, problems)
            since = []
        elif "{" in text:
            record = _record(line, text, path.name, problems)
            if record is not None:
                records.setdefault(id_text(record.raw["instr_id"]), []).append(record)
                since.append(record)
    return records


def _blocks(path: Path) -> Iterator[tuple[int, str]]:
    """Line number and text of each stamped entry, the stamp left out."""
    with opened_text(path) as file:
        for block in blocks(file, STAMP.match):
            yield block.line, block.head.string[block.head.end() :] + "".join(block.lines)


def _record(line: int, text: str, file: str, problems: Problems) -> StepRecord | None:
    """Return the JSON object of an entry; one problem, and ``None``, where there is no whole
    one.
    """
    where, name = f"{file}:{line}", _ID.search(text)
    piece = balanced(text)
    try:
        raw = parse_json(piece, file, lenient=True) if piece else None
    except InputError:
        raw = None
    if not isinstance(raw, dict):
        what = "is no whole JSON object" if piece else "is a JSON object whose brackets never close"
        problems.skip(Problem(what, "the other steps are shown", where, name[1] if name else ""))
        return None
    if raw.get("instr_id") is None:
        problems.skip(
            Problem("names no episode", "the other steps are shown", where, field="instr_id")
        )
        return None
    for key in _TEXTS:
        if raw.get(key) is not None and not isinstance(raw[key], str):
            problems.add(
                Problem(
                    "is no text", "it is shown as missing", where, id_text(raw["instr_id"]), key
                )
            )
    return StepRecord(line, raw)


def _check_batch(
    step: re.Match[str], logged: Sequence[StepRecord], line: int, file: str, problems: Problems
) -> None:
    """Warn where a batch's step lists fewer indices than episodes, and mark the shifted records."""
    indices, batch = _items(step[2]), _items(step[3])
    if len(set(indices)) > 1:
        for record in logged:
            record.notes.append(_FUSED)
    # an index for each episode: no result was shifted
    if len(indices) >= len(batch):
        return
    what = (
        f"step {step[1]} lists {len(indices)} indices for {len(batch)} episodes: in the published"
        " code each later episode of the batch then acts with its predecessor's skill and sub-goal"
    )
    problems.add(
        Problem(what, "what is shown is what was logged for each episode", f"{file}:{line}")
    )
    routed = [record for record in logged if record.text("sub_instruction")]
    named = {id_text(record.raw["instr_id"]): record for record in routed}
    missing = next((k for k, name in enumerate(batch) if name not in named), None)
    if missing is None or not set(batch) & named.keys():
        return
    note = (
        f"In its batch {batch[missing]} had no sub-goal: by the published code's defect the"
        " agent acted with its predecessor's skill."
    )
    for name in batch[missing + 1 :]:
        if name in named:
            named[name].notes.append(note)


def _items(text: str) -> list[str]:
    return [part.strip().strip("'\"") for part in text.split(",") if part.strip()]


def _episode(
    name: str, logged: Sequence[StepRecord], path: Path, problems: Problems
) -> Episode | None:
    """Make an episode of the log alone: reordered instruction, scan, first viewpoint, no reference
    path.
    """
    first = logged[0]
    nodes = viewpoints_of(first, {})
    if not nodes or not first.text("scan"):
        what = "is in no open episode file, and its first step names no scan or no viewpoint"
        problems.skip(
            Problem(what, "open the split it belongs to", f"{path.name}:{first.line}", name)
        )
        return None
    return Episode(
        id=name,
        dataset="R2R",
        instruction=first.text("full_instruction"),
        world=first.text("scan"),
        start=nodes[0],
        success_radius_m=SUCCESS_RADIUS_M,
    )

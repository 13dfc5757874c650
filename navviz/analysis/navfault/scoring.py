"""How often an explainer names the known fault: NavViz's own, or a file of answers of anybody."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final, Literal

from pydantic import Field, ValidationError

from navviz.analysis.causes.engine import explain_episode
from navviz.analysis.navfault.faults import FAULTS
from navviz.analysis.what_if.cube import WhatIf
from navviz.analysis.what_if.kept import what_ifs
from navviz.errors import InputError, Problems
from navviz.formats.files import json_lines
from navviz.metrics.intervals import interval_record, mean_interval
from navviz.records import Record, Trace
from navviz.runs.run import OpenRun
from navviz.world.graph import Graph

MAY_LEAD: Final = frozenset(FAULTS) - {"contradict", "past", "service"}
"""Kinds that an explanation may name as the likely one: a contradiction is a hint, who walks past
the goal did just that, and a fault of the service is an outcome.
"""

PROVEN: Final = "proven"
"""Kind of a natural failure: its steps are proven, and nobody knows its kind."""

_AGAINST: Final = frozenset({"misread", "contradict"})
"""A contradiction goes against the sub-goal, too."""
NAMED: Final[Mapping[str, frozenset[str]]] = {
    "plan-wrong": frozenset({"plan-side"}),
    "plan-lost-landmark": frozenset({"plan-landmark"}),
    # of a stop: the step that stopped closed its sub-goal too early
    "closed-early": frozenset({"closed-early", "early"}),
    "miscounted": frozenset({"count-off"}),
    "landmark-never-shown": frozenset({"landmark-hidden"}),
    "waits-for": frozenset({"landmark-hidden"}),
    "landmark-passed-over": frozenset({"other-landmark"}),
    "against-sub-goal": _AGAINST,
    "against-thoughts": _AGAINST,
    "repeated": frozenset({"repeat"}),
}
"""Which faults an explanation of NavViz names, by its id."""


class ExplainerAnswer(Record):
    """What an explainer says of one log: a line of a file of answers."""

    episode: str
    step: int | None = None
    """Number of the step that decided the end, from 1."""
    kind: str | None = None
    """One of the twelve kinds, or a word of one's own for another cause; none without a claim."""
    grade: Literal["likely", "hint"] = "likely"
    act: tuple[int, int] | None = None
    """Where the act that was not done stands in the instruction: first character, and one past the
    last.
    """


class Truth(Record):
    """What is true of one log: a line of ``truth.jsonl``."""

    episode: str
    voice: str = ""
    kind: str | None = None
    """``None`` of a faultless log."""
    step: int | None = Field(default=None, ge=1)
    steps: tuple[int, ...] = ()
    """Steps that count as right: of a fault of the plan the first step, too."""
    acts: tuple[tuple[int, int], ...] = ()
    """Where the acts stand in the instruction that count as right."""


def own_answer(trace: Trace, graph: Graph) -> ExplainerAnswer:
    """Ask NavViz's own explainer."""
    explained = explain_episode(trace, graph)
    fields: dict[str, Any] = {"episode": trace.episode.id, "step": explained.departure}
    if explained.unanswered is not None:
        return ExplainerAnswer(**fields | {"step": len(trace.steps), "kind": "service"})
    if explained.act is not None:
        # a turn that the text does not say is no line of it
        act = explained.act.act
        fields["act"] = (act.span if act is not None else None) or (0, 0)
    if (leading := explained.leading) is not None:
        fields |= {"kind": leading.id, "grade": leading.grade}
    return ExplainerAnswer(**fields)


def read_truth(path: Path) -> dict[str, Truth]:
    """Read ``truth.jsonl`` of a folder of logs, or such a file, by episode."""
    file = path / "truth.jsonl" if path.is_dir() else path
    if not file.is_file():
        do = "name a folder that navviz navfault make wrote, or a file of navviz navfault proof"
        raise InputError("holds no truth.jsonl", do, file=path)
    known = Truth.model_fields
    hits = {}
    for _, fields in _lines(file):
        truth = Truth.model_validate({key: fields[key] for key in known if key in fields})
        hits[truth.episode] = truth
    return hits


def read_answers(path: Path, truth: Mapping[str, Truth]) -> dict[str, ExplainerAnswer]:
    """Read a file of answers; `InputError` names the line, the field and what is wrong with it."""
    hits: dict[str, ExplainerAnswer] = {}
    for number, fields in _lines(path):
        file = f"{path}:{number}"
        try:
            answer = ExplainerAnswer.model_validate(fields)
        except ValidationError as error:
            fault = error.errors()[0]
            name = ".".join(map(str, fault["loc"]))
            do = "write episode, step and kind, and if you like grade and act"
            raise InputError(fault["msg"].lower(), do, file=file, field=name) from error
        if answer.episode not in truth:
            do = "take the ids of truth.jsonl"
            raise InputError("is no log of this set", do, file=file, episode=answer.episode)
        if answer.episode in hits:
            raise InputError(
                "is answered twice", "keep one line", file=file, episode=answer.episode
            )
        hits[answer.episode] = answer
    return hits


def _lines(path: Path) -> Iterable[tuple[int, Any]]:
    problems = Problems()
    yield from json_lines(path, problems)
    if problems.kept:
        raise InputError(problems.kept[0].what, "mend the line", file=problems.kept[0].file or path)


COLUMNS: Final = (
    *("act", "step_0", "step_1", "named_likely", "named_hint", "other_likely", "other_hint"),
    *("faultless_likely", "faultless_hint"),
)
"""Shares of a row: of logs with a fault, then of faultless ones."""


def marks_of(truth: Truth, answer: ExplainerAnswer) -> dict[str, bool]:
    """Judge one answer, by `COLUMNS`; columns that do not count this log are left out."""
    kind, grade = answer.kind, answer.grade
    if truth.kind is None:
        made = {name: kind is not None and grade == name for name in ("likely", "hint")}
        return {f"faultless_{name}": claimed for name, claimed in made.items()}
    marks = {}
    if truth.acts and answer.act is not None:
        begin, end = answer.act
        marks["act"] = any(begin < last and first < end for first, last in truth.acts)
    for near in (0, 1):
        step = answer.step
        hits = step is not None and any(abs(step - right) <= near for right in truth.steps)
        marks[f"step_{near}"] = hits
    if truth.kind != PROVEN:
        right = kind is not None and truth.kind in NAMED.get(kind, {kind})
        for name in ("likely", "hint"):
            marks[f"named_{name}"] = right and grade == name
            marks[f"other_{name}"] = kind is not None and not right and grade == name
    return marks


def score_rows(
    truth: Mapping[str, Truth], answers: Mapping[str, ExplainerAnswer]
) -> list[dict[str, Any]]:
    """Return one row for all logs, the kinds that may lead, each voice and each kind; a log without
    an answer has an empty one.
    """
    groups: dict[tuple[str, str], list[dict[str, bool]]] = {("all", "all"): []}
    for name, one in truth.items():
        marks = marks_of(one, answers.get(name, ExplainerAnswer(episode=name)))
        keys = [("all", "all"), ("voice", one.voice), ("kind", one.kind or "")]
        for key in (*keys, ("all", "may lead" if one.kind in MAY_LEAD else "")):
            if key[1]:
                groups.setdefault(key, []).append(marks)
    order = {"all": 0, "voice": 1, "kind": 2}
    rows = []
    for (by, name), judged in sorted(
        groups.items(), key=lambda group: (order[group[0][0]], group[0])
    ):
        row: dict[str, Any] = {"by": by, "name": name, "logs": len(judged)}
        for column in COLUMNS:
            values = [float(marks[column]) for marks in judged if column in marks]
            interval = mean_interval(values, yes_no=True) if values else None
            row |= interval_record(column, interval)
        rows.append(row)
    return rows


def proven_truth(run: OpenRun) -> list[Truth]:
    """Return the failures of a run with the steps that its cube of what-ifs proves decisive."""
    hits = []
    for name, one in what_ifs(run).episodes.items():
        if isinstance(one, WhatIf) and one.decisive:
            hits.append(Truth(episode=name, kind=PROVEN, steps=one.decisive))
    return hits

"""How often an explainer names the known fault: NavViz's own, or a file of answers of anybody."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

from pydantic import Field, ValidationError

from navviz.analysis.acts import decisive_act
from navviz.analysis.causes.engine import explain_episode
from navviz.analysis.navfault.faults import FAULTS
from navviz.errors import InputError, Problems
from navviz.formats.files import json_lines
from navviz.metrics.divergence import find_divergence
from navviz.metrics.intervals import interval_record, mean_interval
from navviz.records import Record, Trace
from navviz.world.graph import Graph

MAY_LEAD: Final = frozenset(FAULTS) - {"contradict", "service"}
"""Kinds that an explanation may name as the likely one: a contradiction is a hint, and a fault of
the service is an outcome.
"""

PROVEN: Final = "proven"
"""Kind of a natural failure: its steps are proven, and nobody knows its kind."""

_BOTH: Final = frozenset({"misread", "contradict"})
"""A contradiction goes against the sub-goal, too."""

NAMED: Final[Mapping[str, frozenset[str]]] = {
    "plan-wrong": frozenset({"plan-side", "plan-landmark"}),
    "plan-turns": frozenset({"plan-side"}),
    "plan-landmarks": frozenset({"plan-landmark"}),
    "closed-early": frozenset({"closed-early"}),
    "sub-goal-closed-early": frozenset({"closed-early"}),
    "miscounted": frozenset({"count-off"}),
    "count-lost": frozenset({"count-off"}),
    "landmark-never-shown": frozenset({"landmark-hidden"}),
    "said-missing": frozenset({"landmark-hidden"}),
    "another-taken": frozenset({"other-landmark"}),
    "against-sub-goal": _BOTH,
    "against-thoughts": _BOTH,
    "service": frozenset({"service"}),
    "repeated": frozenset({"repeat"}),
    "sub-goal-closed-late": frozenset({"repeat"}),
    "stopped-early": frozenset({"early"}),
    "passed-goal": frozenset({"past"}),
}
"""Which faults an explanation of NavViz names, by its id."""


class Answer(Record):
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


def own_answer(trace: Trace, graph: Graph) -> Answer:
    """Ask NavViz's own explainer."""
    divergence = find_divergence(trace, graph)
    explained = explain_episode(trace, graph, divergence)
    fields: dict[str, Any] = {"episode": trace.episode.id}
    if explained.unanswered is not None:
        last = trace.steps[-1].index if trace.steps else None
        return Answer(**fields, step=last, kind="service")
    decisive = decisive_act(trace, graph, divergence)
    if decisive is not None:
        # a turn that the text does not say is no line of it
        span = None if decisive.act is None else decisive.act.span
        fields |= {"step": decisive.step, "act": span or (0, 0)}
    if (leading := explained.leading) is not None:
        grade = "likely" if leading is explained.likely else "hint"
        fields |= {"kind": leading.id, "grade": grade}
    return Answer(**fields)


def read_truth(path: Path) -> dict[str, Truth]:
    """Read ``truth.jsonl`` of a folder of logs, or such a file, by episode."""
    file = path / "truth.jsonl" if path.is_dir() else path
    if not file.is_file():
        do = "name a folder that navviz navfault make wrote, or a file of navviz navfault proof"
        raise InputError("holds no truth.jsonl", do, file=path)
    known = Truth.model_fields
    found = {}
    for _, fields in _lines(file):
        truth = Truth.model_validate({key: fields[key] for key in known if key in fields})
        found[truth.episode] = truth
    return found


def read_answers(path: Path, truth: Mapping[str, Truth]) -> dict[str, Answer]:
    """Read a file of answers; `InputError` names the line, the field and what is wrong with it."""
    found: dict[str, Answer] = {}
    for number, fields in _lines(path):
        file = f"{path}:{number}"
        try:
            answer = Answer.model_validate(fields)
        except ValidationError as error:
            fault = error.errors()[0]
            name = ".".join(map(str, fault["loc"]))
            do = "write episode, step and kind, and if you like grade and act"
            raise InputError(fault["msg"].lower(), do, file=file, field=name) from error
        if answer.episode not in truth:
            do = "take the ids of truth.jsonl"
            raise InputError("is no log of this set", do, file=file, episode=answer.episode)
        if answer.episode in found:
            raise InputError(
                "is answered twice", "keep one line", file=file, episode=answer.episode
            )
        found[answer.episode] = answer
    return found


def _lines(path: Path) -> Iterable[tuple[int, Any]]:
    problems = Problems()
    yield from json_lines(path, problems)
    if problems.kept:
        raise InputError(problems.kept[0].what, "mend the line", file=problems.kept[0].file or path)


@dataclass(frozen=True, slots=True)
class Judged:
    """One answer beside the truth."""

    truth: Truth
    answer: Answer

    @property
    def names(self) -> bool:
        """Whether its kind is the fault's."""
        kind = self.answer.kind or ""
        return self.truth.kind in NAMED.get(kind, frozenset({kind}))

    @property
    def has_act(self) -> bool:
        """Whether there is an act to be right about, and the explainer tells acts."""
        return bool(self.truth.acts) and self.answer.act is not None

    @property
    def act_right(self) -> bool:
        """Whether its act overlaps one that was not done."""
        if self.answer.act is None:
            return False
        begin, end = self.answer.act
        return any(begin < last and first < end for first, last in self.truth.acts)

    def near(self, steps: int) -> bool:
        """Whether its step is right to within so many."""
        step = self.answer.step
        return step is not None and any(abs(step - right) <= steps for right in self.truth.steps)


Column = tuple[str, Callable[[Judged], bool], Callable[[Judged], bool]]


def _is_fault(one: Judged) -> bool:
    return one.truth.kind is not None


def _has_kind(one: Judged) -> bool:
    return one.truth.kind not in {None, PROVEN}


def _is_faultless(one: Judged) -> bool:
    return one.truth.kind is None


def _claims(grade: str, *, right: bool | None) -> Callable[[Judged], bool]:
    def holds(one: Judged) -> bool:
        made = one.answer.kind is not None and one.answer.grade == grade
        return made and (right is None or one.names is right)

    return holds


COLUMNS: Final[tuple[Column, ...]] = (
    ("act", lambda one: one.has_act, lambda one: one.act_right),
    ("step_0", _is_fault, lambda one: one.near(0)),
    ("step_1", _is_fault, lambda one: one.near(1)),
    ("named_likely", _has_kind, _claims("likely", right=True)),
    ("named_hint", _has_kind, _claims("hint", right=True)),
    ("other_likely", _has_kind, _claims("likely", right=False)),
    ("other_hint", _has_kind, _claims("hint", right=False)),
    ("faultless_likely", _is_faultless, _claims("likely", right=None)),
    ("faultless_hint", _is_faultless, _claims("hint", right=None)),
)
"""Name, logs that it counts over, and what it counts: shares by name with n and interval."""


def judge(truth: Mapping[str, Truth], answers: Mapping[str, Answer]) -> list[Judged]:
    """Put answers beside the truth; a log without an answer has an empty one."""
    judged = []
    for name, one in truth.items():
        judged.append(Judged(one, answers.get(name, Answer(episode=name))))
    return judged


def score_rows(judged: Sequence[Judged]) -> list[dict[str, Any]]:
    """Return one row for all logs, the kinds that may lead, each voice and each kind."""
    groups: dict[tuple[str, str], list[Judged]] = {("all", "all"): list(judged)}
    groups["all", "may lead"] = [one for one in judged if one.truth.kind in MAY_LEAD]
    for one in sorted(judged, key=lambda one: one.truth.voice):
        groups.setdefault(("voice", one.truth.voice), []).append(one)
    for kind in FAULTS:
        groups["kind", kind] = [one for one in judged if one.truth.kind == kind]
    rows = []
    for (by, name), group in groups.items():
        if not group or not name:
            continue
        row: dict[str, Any] = {"by": by, "name": name, "logs": len(group)}
        for column, counts, holds in COLUMNS:
            values = [float(holds(one)) for one in group if counts(one)]
            interval = mean_interval(values, yes_no=True) if values else None
            row |= interval_record(column, interval)
        rows.append(row)
    return rows

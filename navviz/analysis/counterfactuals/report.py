"""The report of repairs: for each cause what the repair mends, beside chance and placebo."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any, Final

from navviz.analysis.counterfactuals.trials import RepairPlans, Trial
from navviz.analysis.counterfactuals.walking import ARMS, Arm, RepairWalker, Result
from navviz.analysis.family import mcnemar
from navviz.llm.prices import usd_of
from navviz.metrics.intervals import (
    Interval,
    difference_interval,
    interval_columns,
    interval_record,
    mean_interval,
)
from navviz.records import Call
from navviz.records.finding import RepairKind
from navviz.runner.repairs import REPAIR_NAMES
from navviz.runs.run import OpenRun

if TYPE_CHECKING:
    import pandas as pd

    from navviz.views.figures.figure import FigureFormat, FigureWidth


_SHARES: Final = ("repaired", "chance", "placebo")
_NETS: Final = ("over_chance", "over_placebo")
_NET_COLUMNS: Final = [(*interval_columns(name), f"{name}_p") for name in _NETS]
REPAIR_COLUMNS: Final = (
    *("id", "cause", "repair", "failures"),
    *chain(*map(interval_columns, _SHARES), *_NET_COLUMNS),
    *("placebos", "placebos_changed"),
)
"""The fields of `RepairReport.records`: shares and differences as fractions, each with n and 95 %
interval, and McNemar's p.
"""
_NO_CONTROL = "no control is possible here"


@dataclass(frozen=True, slots=True)
class Net:
    """What a repair mends beyond a control, paired by episode."""

    interval: Interval
    """Of the difference of success rates, the repair's minus the control's."""
    p: float
    """McNemar's exact test, two-sided."""


@dataclass(frozen=True, slots=True)
class RepairRow:
    """One cause with one kind of repair."""

    cause: str | None
    name: str
    kind: RepairKind
    chosen: int
    """Failures that are repaired so."""
    repaired: Interval | None
    """Share that now succeeds, over the walks that came to an end; ``None`` without one."""
    chance: Interval | None
    """The same walk again without the repair."""
    placebo: Interval | None
    """One change of the same kind elsewhere, over those that changed the walk; ``None`` without
    one.
    """
    placebos: int
    """Placebos that were walked to an end; failures without another thing of the kind have none."""
    placebos_changed: int
    """Those of them whose walk is another one than the recorded walk."""
    over_chance: Net | None
    """``None`` where no model is asked: the same walk again is no control then."""
    over_placebo: Net | None

    @property
    def sentence(self) -> str:
        """The row in words, as for a paper."""
        names = REPAIR_NAMES[self.kind]
        text = f"{names.repair} {_count(self.repaired)} succeed"
        if self.over_chance is not None:
            text += f"; {_count(self.chance)} by chance"
        if self.placebo is not None:
            text += f"; {_count(self.placebo)} {names.placebo}"
        if self.placebos > self.placebos_changed:
            left_out = self.placebos - self.placebos_changed
            text += f" ({left_out} more placebos did not change the walk and are left out)"
        if self.over_chance is None and self.placebo is None:
            text += f"; {_NO_CONTROL}"
        return text


@dataclass(frozen=True, slots=True)
class RepairReport:
    """What came of the repairs of a run."""

    run: str
    navigator: str
    deterministic: bool
    plans: RepairPlans
    results: Mapping[Arm, Mapping[str, Result]]
    """By arm, then by episode."""
    rows: tuple[RepairRow, ...]

    @property
    def cost_usd(self) -> float:
        """Cost of all new calls whose price is known."""
        return sum(result.cost_usd for result in self._walks)

    @property
    def open(self) -> int:
        """Walks that were broken off; the same command goes on with them."""
        return sum(result.success is None for result in self._walks)

    @property
    def _walks(self) -> list[Result]:
        walks: list[Result] = []
        for arm in self.results.values():
            walks += arm.values()
        return walks

    @property
    def note(self) -> str:
        """How the table is to be read."""
        plans = self.plans
        placebos = self.results.get("placebo", {}).values()
        walked = sum(result.success is not None for result in placebos)
        changed = sum(result.success is not None and result.changed for result in placebos)
        chance = "chance: the same walk again without a repair."
        if self.deterministic:
            chance = (
                f"chance: the same walk again without a repair; {self.navigator} asks no model, so"
                " it must be 0 and is no control."
            )
        return (
            f"{plans.failures} failures: {len(plans.trials)} with a repair, {plans.without_repair}"
            f" without one, {plans.not_taken} with one that {self.navigator} does not take."
            f" {chance} placebo: the same change elsewhere, over the {changed} of {walked} that"
            " changed the walk. net: paired difference with 95 % interval"
            " and McNemar's p. The right link once helps by definition more than other repairs:"
            " compare it with its placebo only."
        )

    def table(self) -> pd.DataFrame:
        """Return one row a cause and kind of repair, as texts with n and 95 % interval."""
        import pandas as pd  # 0.4 s, which a command without a table need not wait for

        rows = [_cells(row) for row in self.rows]
        columns = ["cause", "repair", "n", "repaired", "chance", "placebo"]
        columns += ["placebos that changed the walk", "net of chance", "net of placebo"]
        return pd.DataFrame(rows, columns=columns).set_index("cause")

    def records(self) -> list[dict[str, Any]]:
        """Return the rows of the table as numbers, by `REPAIR_COLUMNS`."""
        records = []
        for row in self.rows:
            record: dict[str, Any] = {"id": row.cause, "cause": row.name, "repair": row.kind}
            record["failures"] = row.chosen
            for name in _SHARES:
                record |= interval_record(name, getattr(row, name))
            for name in _NETS:
                net: Net | None = getattr(row, name)
                record |= interval_record(name, None if net is None else net.interval)
                record[f"{name}_p"] = None if net is None else net.p
            record |= {"placebos": row.placebos, "placebos_changed": row.placebos_changed}
            records.append(record)
        return records

    def figure(self, kind: FigureFormat, width: FigureWidth = "single") -> bytes:
        """Draw the report as SVG, PDF or PNG; the same report gives the same bytes."""
        # matplotlib takes 0.5 s, which a report without a figure need not wait for
        from navviz.views.figures.figure import figure_bytes
        from navviz.views.figures.repair_figure import RepairMarks, repair_figure

        marks = []
        for row in self.rows:
            label = f"{row.name}: {REPAIR_NAMES[row.kind].repair}"
            marks.append(RepairMarks(label, (row.repaired, row.chance, row.placebo)))
        return figure_bytes(repair_figure(marks, width), kind)

    def document(self) -> dict[str, Any]:
        """Return the report as JSON can hold it, with counts and intervals as numbers."""
        plans = self.plans
        episodes = {}
        for arm, results in self.results.items():
            episodes[arm] = {key: result.success for key, result in results.items()}
        return {
            "run": self.run,
            "navigator": self.navigator,
            "deterministic": self.deterministic,
            "failures": plans.failures,
            "without_repair": plans.without_repair,
            "not_taken": plans.not_taken,
            "cost_usd": self.cost_usd,
            "rows": [asdict(row) for row in self.rows],
            "success": episodes,
        }


@dataclass(frozen=True, slots=True)
class RepairEstimate:
    """What walking the repairs will take, from what the same steps took when they were recorded."""

    walks: int
    calls: int
    tokens: int
    usd: float | None
    """``None`` where some recorded call has no price."""


def estimate_repairs(run: OpenRun, plans: RepairPlans) -> RepairEstimate:
    """Estimate the three arms of a report by the recorded calls of the steps walked again."""
    walks = 0
    calls: list[Call] = []
    for trial in plans.trials:
        # the arm of chance begins at the step of the repair
        for plan in (trial.repair, trial.repair, trial.placebo):
            if plan is None:
                continue
            walks += 1
            for step in run.trace(trial.episode).steps:
                if step.index < plan.step:
                    continue
                calls += step.calls
    tokens = sum(call.tokens or 0 for call in calls)
    return RepairEstimate(walks, len(calls), tokens, usd_of(calls))


def walk_repairs(run: OpenRun, plans: RepairPlans, walker: RepairWalker) -> RepairReport:
    """Walk all arms of the trials and report what came of them.

    A second call with the same folder goes on where the first ended.
    """
    results = {arm: walker.walk(run, arm, plans.trials) for arm in ARMS}
    return report_of(run.name, plans, results, walker)


def report_of(
    run: str,
    plans: RepairPlans,
    results: Mapping[Arm, Mapping[str, Result]],
    walker: RepairWalker,
) -> RepairReport:
    """Count walked trials by cause and kind, most frequent first; a row for all causes."""
    groups: dict[tuple[str | None, RepairKind], list[Trial]] = {}
    kinds: dict[RepairKind, list[Trial]] = {}
    for trial in plans.trials:
        groups.setdefault((trial.cause, trial.repair.kind), []).append(trial)
        kinds.setdefault(trial.repair.kind, []).append(trial)
    rows = []
    for (cause, _), trials in sorted(groups.items(), key=lambda item: -len(item[1])):
        rows.append(_row(cause, trials[0].name, trials, results, walker.deterministic))
    for kind, trials in kinds.items():
        if sum(row.kind == kind for row in rows) > 1:
            rows.append(_row("all", "all causes", trials, results, walker.deterministic))
    return RepairReport(
        run, walker.navigator.name, walker.deterministic, plans, results, tuple(rows)
    )


def _row(
    cause: str | None,
    name: str,
    trials: Sequence[Trial],
    results: Mapping[Arm, Mapping[str, Result]],
    deterministic: bool,
) -> RepairRow:
    ends: dict[Arm, dict[str, bool]] = {}
    for arm in ARMS:
        ends[arm] = {}
        for trial in trials:
            result = results.get(arm, {}).get(trial.episode)
            # a walk that was broken off counts neither as mended nor as failed
            if result is not None and result.success is not None:
                ends[arm][trial.episode] = result.success
    walked = ends["placebo"]
    # a placebo that left the walk as it was would count every repair as net
    changed = {key: end for key, end in walked.items() if results["placebo"][key].changed}
    return RepairRow(
        cause,
        name,
        trials[0].repair.kind,
        len(trials),
        _share(ends["repair"]),
        _share(ends["chance"]),
        _share(changed),
        len(walked),
        len(changed),
        None if deterministic else _paired(ends["repair"], ends["chance"]),
        _paired(ends["repair"], changed),
    )


def _share(ends: Mapping[str, bool]) -> Interval | None:
    return mean_interval(list(ends.values()), yes_no=True) if ends else None


def _paired(repair: Mapping[str, bool], control: Mapping[str, bool]) -> Net | None:
    """Compare two arms on the episodes that both walked to an end."""
    both = [key for key in repair if key in control]
    if not both:
        return None
    after = [float(repair[key]) for key in both]
    before = [float(control[key]) for key in both]
    return Net(difference_interval(before, after, yes_no=True), mcnemar(before, after))


def _cells(row: RepairRow) -> tuple[object, ...]:
    return (
        row.name,
        REPAIR_NAMES[row.kind].repair,
        row.chosen,
        _rate(row.repaired),
        _rate(row.chance),
        _rate(row.placebo),
        f"{row.placebos_changed} of {row.placebos}",
        _net(row.over_chance),
        _net(row.over_placebo),
    )


def _count(share: Interval | None) -> str:
    if share is None:
        return "none"
    return f"{round(share.mean * share.episodes)} of {share.episodes}"


def _rate(share: Interval | None) -> str:
    if share is None:
        return "–"
    text = f"{_count(share)} ({100 * share.mean:.0f} %"
    if share.low is None or share.high is None:
        return f"{text})"
    return f"{text} [{100 * share.low:.0f}, {100 * share.high:.0f}])"


def _net(net: Net | None) -> str:
    if net is None:
        return _NO_CONTROL
    interval = net.interval
    text = f"{100 * interval.mean:+.0f}"
    if interval.low is not None and interval.high is not None:
        text += f" [{100 * interval.low:+.0f}, {100 * interval.high:+.0f}]"
    return f"{text}, p {net.p:.2g}, n {interval.episodes}"

"""``navviz annotate``: causes to judge, a model as a judge, and how far people and it agree."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from navviz.cli.options import BudgetTokens, EpisodeFile, Format, Graphs, Run
from navviz.cli.output import (
    Form,
    add_command,
    new_group,
    print_data,
    print_frame,
    print_records,
)
from navviz.cli.study import opened_study
from navviz.errors import InputError
from navviz.records.base import plural
from navviz.support.guarded import is_folder, is_there
from navviz.support.notes import note, tell

if TYPE_CHECKING:
    from navviz.annotation.claims import CauseClaim
    from navviz.annotation.store import Study

_Queue = Annotated[str, typer.Option("--queue", help="Name of the new queue.")]
_Kinds = Annotated[
    list[str] | None,
    typer.Option("--cause", help="Only this cause; may be given several times."),
]
_Most = Annotated[
    int, typer.Option("--most", min=1, help="Causes of each kind, drawn by the seed.")
]
_Placebos = Annotated[
    float,
    typer.Option("--placebos", min=0, max=0.5, help="Share of sentences that do not hold."),
]
_Seed = Annotated[int, typer.Option("--seed", help="Of the sample, the placebos and the order.")]
_Names = Annotated[
    list[str] | None,
    typer.Option("--annotator", help="Who judges; everybody who comes, if not given."),
]
_Llm = Annotated[str, typer.Option("--llm", help="The model that judges, as KIND:NAME.")]
_Grades = Annotated[
    bool,
    typer.Option("--grades", help="The table of true, imprecise and false hits of each kind."),
]
_Unseen = Annotated[
    bool,
    typer.Option("--unseen", help="Nobody saw these runs while the detectors were written."),
]
_Limit = Annotated[int, typer.Option("--limit", min=1, help="How many causes the model reads.")]
_Source = Annotated[
    str | None,
    typer.Option("--source", help="Name of the run in the app's menus, where it is another there."),
]


_Into = Annotated[
    str, typer.Argument(help="Workspace that takes everything: folder, database file or URL.")
]
_Others = Annotated[list[str], typer.Argument(help="Workspaces that stay as they are.")]


def register(app: typer.Typer) -> None:
    """Add the commands."""
    annotate = new_group("Let people and models judge the causes of failures.")
    add_command(
        annotate,
        "causes",
        _causes,
        "Make a queue of a run's causes, with placebos.",
        "navviz annotate causes runs/mine --queue why --most 10",
        "navviz annotate causes runs/groke --queue ann --annotator ann --most 5",
    )
    add_command(
        annotate,
        "judge",
        _judge,
        "Let a model judge the causes that were given out.",
        "navviz annotate judge runs/mine --llm gemini:MODEL --budget-tokens 100000",
    )
    add_command(
        annotate,
        "agreement",
        _agreement,
        "Say how often each detector is right, by people and by models.",
        "navviz annotate agreement",
        "navviz annotate agreement --format csv",
        "navviz annotate agreement --grades --unseen",
    )
    add_command(
        annotate,
        "merge",
        _merge,
        "Put the ratings of other workspaces into one; what differs is shown.",
        "navviz annotate merge workspace laptop/workspace",
        "navviz annotate merge workspace raters/*.sqlite3 --format csv",
    )
    app.add_typer(annotate, name="annotate")


def _causes(
    run: Run,
    queue: _Queue,
    graphs: Graphs = None,
    episode_file: EpisodeFile = None,
    kinds: _Kinds = None,
    most: _Most = 30,
    placebos: _Placebos = 0.2,
    seed: _Seed = 0,
    annotators: _Names = None,
    source: _Source = None,
) -> None:
    from navviz.analysis.causes.counting import explained_run
    from navviz.analysis.causes.judged import claims_of_run
    from navviz.analysis.causes.registry import get_detector
    from navviz.annotation.records import Queue
    from navviz.cli.options import open_named

    for kind in kinds or ():
        get_detector(kind)  # an unknown name is refused before a run is read
    _, opened = open_named(run, graphs, episodes=episode_file)
    name = source or opened.name
    claims = claims_of_run(
        explained_run(opened),
        opened.trace,
        name,
        detectors=kinds,
        most_each=most,
        placebo_share=placebos,
        seed=seed,
    )
    made = Queue(
        name=queue,
        task="cause",
        items=tuple(claim.item for claim in claims),
        annotators=tuple(annotators or ()),
        seed=seed,
        source=name,
        note=f"causes of {name}",
    )
    with opened_study() as study:
        # before the queue, whose items name the claims
        study.claims.put(claims)
        study.queues.create(made)
    fakes = sum(bool(claim.placebo) for claim in claims)
    tell(f"{queue}: {len(claims) - fakes} causes and {fakes} placebos of {name}.")


_VERDICT = ("episode", "step", "answer", "why")


def _judge(
    run: Run,
    llm: _Llm,
    graphs: Graphs = None,
    episode_file: EpisodeFile = None,
    limit: _Limit = 1000,
    budget_tokens: BudgetTokens = None,
    source: _Source = None,
    form: Format = Form.TABLE,
) -> None:
    import threading

    from navviz.annotation.annotators import model_name
    from navviz.cli.options import open_named
    from navviz.llm.registry import close_model, make_model
    from navviz.runner.budget import Budget, GuardedModel

    _, opened = open_named(run, graphs, episodes=episode_file)
    own = model_name(llm)
    made = make_model(llm)
    budget = Budget(tokens=budget_tokens) if budget_tokens else None
    try:
        with opened_study() as study:
            # only what is left: the same command goes on where a stop or the budget ended it
            waiting = _unjudged(study, source or opened.name, own)[:limit]
            guarded = GuardedModel(made, threading.Event(), budget)
            from navviz.analysis.scanners.model import judge_cause

            records, lines = [], []
            for claim in waiting:
                verdict = judge_cause(opened.trace(claim.episode), claim.blind, guarded)
                study.take_in(claim.item, own, verdict)
                values = (claim.episode, claim.cause.step, verdict.answer, verdict.comment)
                records.append(dict(zip(_VERDICT, values, strict=True)))
                lines.append(f"{values[0]} step {values[1]}: {values[2]}. {values[3]}")
            print_records(form, _VERDICT, records, lines)
            judged = len(waiting)
    finally:
        close_model(made)
    note(f"{judged} causes of {source or opened.name} judged by {own}.")


def _unjudged(study: Study, run: str, name: str) -> list[CauseClaim]:
    """Return the causes of a run on which a model has not given a verdict."""
    done = {rating.item for rating in study.ratings("cause") if rating.annotator == name}
    waiting = []
    for claim in study.claims.all().values():
        if claim.run == run and claim.item not in done:
            waiting.append(claim)
    return waiting


def _agreement(form: Format = Form.TABLE, grades: _Grades = False, unseen: _Unseen = False) -> None:
    from navviz.analysis.causes.grades import Readings, grades_table
    from navviz.analysis.causes.judged import (
        AGREEMENT_COLUMNS,
        agreement_frame,
        agreement_records,
        detector_agreement,
        placebo_frame,
        placebos_by_rater,
        readings_of,
    )

    with opened_study() as study:
        claims, ratings = study.claims.all(), study.ratings("cause")
        detectors = detector_agreement(claims, ratings, study.adjudicated("cause"))
        raters = placebos_by_rater(claims, ratings)
        rows = readings_of(claims, ratings, study.adjudicated("cause"), unseen=unseen)
    if grades and form.is_data:
        print_data(form, tuple(Readings.model_fields), [row.model_dump() for row in rows])
        return
    if grades:
        tell(*grades_table(dict.fromkeys(row.kind for row in rows), rows))
        return
    if form.is_data:
        print_data(form, AGREEMENT_COLUMNS, agreement_records(detectors))
        return
    legend = (
        "yes: causes that more than half of the raters hold right, of those with a majority, with"
        " 95 % interval. alpha: Krippendorff's, ordinal. kappa: Cohen's with people, quadratic."
    )
    print_frame(agreement_frame(detectors), form, legend)
    # a second table would break LaTeX for whoever reads it
    if form is Form.TABLE:
        typer.echo("\nYes or partly, by rater:")
        print_frame(placebo_frame(raters), Form.TABLE)


def _merge(into: _Into, others: _Others, form: Format = Form.TABLE) -> None:
    from contextlib import ExitStack, closing

    from navviz.annotation.merge import MergeConflict
    from navviz.annotation.queues import PARTS
    from navviz.annotation.store import FILE_NAME, AnnotationStore

    urls = []
    for name in (into, *others):
        path = Path(name) / FILE_NAME if is_folder(Path(name)) else Path(name)
        # SQLite would make a file that is not there
        if "://" not in name and not is_there(path):
            raise InputError("is no workspace with ratings", "name its folder", file=path)
        urls.append(name if "://" in name else f"sqlite:///{path.resolve()}")
    with ExitStack() as stack:
        target, *sources = [stack.enter_context(closing(AnnotationStore(url))) for url in urls]
        before = len(target.as_operator().history())
        conflicts = target.merge(sources)
        study = target.as_operator()
        changes, ratings = len(study.history()) - before, study.ratings(parts=PARTS)
    lines = []
    for each in conflicts:
        of = f"episode {each.episode}, " if each.episode else ""
        lines.append(f"{of}{each.what}: {each.first} | {each.second}; {each.stands} stands.")
    records = [each.model_dump() for each in conflicts]
    print_records(form, tuple(MergeConflict.model_fields), records, lines)
    note(
        f"{into}: {plural(len(ratings), 'rating')}, {plural(changes, 'new change')},"
        f" {plural(len(conflicts), 'conflict')}."
    )

"""``navviz diagnose scan``: what is odd in a run's transcripts, by rules, by other packages'
scanners, or by a model.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from navviz.cli.options import (
    BudgetTokens,
    EpisodeFile,
    Format,
    Graphs,
    Llm,
    Run,
)
from navviz.cli.output import Form, add_command, print_records
from navviz.support.notes import note

if TYPE_CHECKING:
    from navviz.annotation.records import Failures, Item
    from navviz.annotation.taxonomy import Taxonomy
    from navviz.runs.opened import OpenRun

_Names = Annotated[
    list[str] | None, typer.Option("--scanner", help="Only this one; may be given several times.")
]
_Most = Annotated[
    int, typer.Option("--most", min=0, help="How many hits of each scanner are printed.")
]
_Limit = Annotated[
    int, typer.Option("--limit", min=1, help="How many failed episodes the model reads.")
]
_Keep = Annotated[
    bool, typer.Option("--keep", help="Keep the model's labels beside those of annotators.")
]

_LABEL_COLUMNS = ("episode", "code", "step", "note")


def register(app: typer.Typer) -> None:
    """Add the command."""
    add_command(
        app,
        "scan",
        _scan,
        "Point at what is odd in a run's transcripts, step by step.",
        "navviz diagnose scan runs/mine --most 2",
        "navviz diagnose scan runs/mine --format csv",
        "navviz diagnose scan runs/mine --llm gemini:MODEL --budget-tokens 100000",
    )


def _scan(
    run: Run,
    graphs: Graphs = None,
    episode_file: EpisodeFile = None,
    names: _Names = None,
    most: _Most = 5,
    llm: Llm = None,
    limit: _Limit = 100,
    budget_tokens: BudgetTokens = None,
    form: Format = Form.TABLE,
    *,
    keep: _Keep = False,
) -> None:
    from navviz.cli.options import open_named

    _, opened = open_named(run, graphs, episodes=episode_file)
    if llm is not None:
        _by_model(opened, llm, limit, budget_tokens, form, keep=keep)
        return
    from navviz.analysis.kept.marks import marks_of
    from navviz.analysis.scanners.registry import HIT_COLUMNS, get_scanners, hit_row, scan_run

    scanners = get_scanners(names or ())
    if opened.kept_at is not None or not names:
        hits = marks_of(opened).hits
    else:
        hits = scan_run(opened.traces, opened.graph_of, scanners)
    records: list[dict[str, Any]] = []
    lines = []
    for scanner in scanners:
        own = hits.get(scanner.name, [])
        records += map(hit_row, own)
        episodes = len({hit.episode for hit in own})
        lines.append(f"{scanner.title}: {len(own)} in {episodes} of {len(opened)} episodes")
        for hit in own[:most]:
            where = f", step {hit.step}" if hit.step is not None else ""
            lines.append(f"  episode {hit.episode}{where}: {hit.sentence}")
    print_records(form, HIT_COLUMNS, records, lines)


def _by_model(
    opened: OpenRun, name: str, limit: int, budget_tokens: int | None, form: Form, *, keep: bool
) -> None:
    import threading

    from navviz.analysis.acts import decisive_act
    from navviz.analysis.scanners.model import label_failures
    from navviz.analysis.slices import failed_episodes
    from navviz.annotation.records import Item
    from navviz.annotation.taxonomy import workspace_taxonomy
    from navviz.llm.registry import make_model
    from navviz.runner.budget import Budget, GuardedModel
    from navviz.runs.opened import workspace_dir

    taxonomy = workspace_taxonomy(workspace_dir())
    model = GuardedModel(
        make_model(name), threading.Event(), Budget(tokens=budget_tokens) if budget_tokens else None
    )
    failed = [key for key, bad in failed_episodes(opened.scores).items() if bad][:limit]
    labelled: dict[Item, Failures] = {}
    records: list[dict[str, Any]] = []
    try:
        for key in failed:
            trace = opened.traces[key]
            act = decisive_act(trace, opened.graph(key), opened.divergence(key))
            sentence = opened.divergence(key).sentence if act is None else act.sentence
            answer = label_failures(trace, sentence, model, taxonomy)
            item = Item(dataset=trace.episode.dataset, episode=key, run=opened.name)
            labelled[item] = answer.failures
            for label in answer.failures.labels:
                records.append(
                    {"episode": key, "code": label.code, "step": label.step, "note": label.note}
                )
                title = " / ".join(taxonomy.label(label.code).titles)
                where = f", step {label.step}" if label.step is not None else ""
                line = f"episode {key}{where}: {label.code} {title}. {label.note}"
                if form in {Form.TABLE, Form.JSONL}:
                    # at once: a model takes minutes
                    print_records(form, _LABEL_COLUMNS, records[-1:], [line])
    finally:
        # a stop must not lose what the model has answered
        if form not in {Form.TABLE, Form.JSONL}:
            print_records(form, _LABEL_COLUMNS, records, ())
    _compare_with_people(labelled, taxonomy, name, keep=keep)


def _compare_with_people(
    labelled: dict[Item, Failures], taxonomy: Taxonomy, name: str, *, keep: bool
) -> None:
    from navviz.analysis.scanners.model import kappa_against
    from navviz.annotation.annotators import model_name
    from navviz.annotation.store import AnnotationStore, database_url
    from navviz.runs.opened import workspace_dir

    store = AnnotationStore(database_url(workspace_dir()))
    try:
        study = store.study()
        own = model_name(name)
        # without the labels that the model has kept before: it would agree with itself
        people = [rating for rating in study.ratings("failure") if rating.annotator != own]
        agreements = kappa_against(labelled, people, taxonomy)
        for agreement in agreements:
            value = "not defined" if agreement.kappa is None else f"{agreement.kappa:.2f}"
            basis = f"{agreement.level}, {agreement.walks} walks"
            note(f"kappa with {agreement.annotator}: {value} ({basis})")
        if not agreements:
            note("No annotator has labelled these walks, so there is no kappa.")
        for item, failures in labelled.items() if keep else ():
            study.take_in(item, own, failures)
    finally:
        store.close()

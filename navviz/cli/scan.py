"""``navviz scan``: what is odd in a run's transcripts, by rules, by other packages' scanners, or by
a model.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from navviz.cli.ending import with_exit_code

if TYPE_CHECKING:
    from navviz.annotation.records import Failures, Item
    from navviz.annotation.taxonomy import Taxonomy
    from navviz.runs.opened import OpenRun

_Run = Annotated[
    str,
    typer.Argument(help="Result file or folder of traces; METHOD@FILE where one holds several."),
]
_Graphs = Annotated[
    Path | None,
    typer.Option("--graphs", help="Graph folder, if it does not lie beside the results."),
]
_Names = Annotated[
    list[str] | None, typer.Option("--scanner", help="Only this one; may be given several times.")
]
_Most = Annotated[
    int, typer.Option("--most", min=0, help="How many hits of each scanner are printed.")
]
_Llm = Annotated[
    str | None, typer.Option("--llm", help="Let this model fill the taxonomy for failed episodes.")
]
_Limit = Annotated[
    int, typer.Option("--limit", min=1, help="How many failed episodes the model reads.")
]
_Tokens = Annotated[
    int | None, typer.Option("--budget-tokens", help="Ask the model no more after so many tokens.")
]
_Keep = Annotated[
    bool, typer.Option("--keep", help="Keep the model's labels beside those of annotators.")
]
_Json = Annotated[bool, typer.Option("--json", help="One JSON object a hit.")]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("scan", help="Point at what is odd in a run's transcripts, step by step.")(
        with_exit_code(_scan)
    )


def _scan(
    run: _Run,
    graphs: _Graphs = None,
    names: _Names = None,
    most: _Most = 5,
    llm: _Llm = None,
    limit: _Limit = 100,
    budget_tokens: _Tokens = None,
    *,
    keep: _Keep = False,
    as_json: _Json = False,
) -> None:
    from navviz.cli.named_run import open_named

    _, opened = open_named(run, graphs)
    if llm is not None:
        _by_model(opened, llm, limit, budget_tokens, keep=keep, as_json=as_json)
        return
    from navviz.analysis.kept.marks import finished_marks
    from navviz.analysis.scanners.registry import get_scanners, scan_run

    scanners = get_scanners(names or ())
    kept = finished_marks(opened)
    hits = scan_run(opened.traces, opened.graph_of, scanners) if kept is None else kept.hits
    for scanner in scanners:
        own = hits.get(scanner.name, [])
        if as_json:
            for hit in own:
                typer.echo(json.dumps({"scanner": scanner.name} | asdict(hit), ensure_ascii=False))
            continue
        typer.echo(
            f"{scanner.title}: {len(own)} in {len({hit.episode for hit in own})} of {len(opened)}"
            " episodes"
        )
        for hit in own[:most]:
            where = f", step {hit.step}" if hit.step is not None else ""
            typer.echo(f"  episode {hit.episode}{where}: {hit.sentence}")


def _by_model(
    opened: OpenRun, name: str, limit: int, budget_tokens: int | None, *, keep: bool, as_json: bool
) -> None:
    import threading

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
    for key in failed:
        trace = opened.traces[key]
        said = label_failures(trace, opened.divergence(key).sentence, model, taxonomy)
        labelled[Item(dataset=trace.episode.dataset, episode=key, run=opened.name)] = said.failures
        for label in said.failures.labels:
            record = {"episode": key, "code": label.code, "step": label.step, "note": label.note}
            title = " / ".join(taxonomy.label(label.code).titles)
            where = f", step {label.step}" if label.step is not None else ""
            typer.echo(
                json.dumps(record)
                if as_json
                else f"episode {key}{where}: {label.code} {title}. {label.note}"
            )
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
        people = [rating for rating in study.ratings("failure") if rating.annotator != own]
        agreements = kappa_against(labelled, people, taxonomy)
        for agreement in agreements:
            value = "not defined" if agreement.kappa is None else f"{agreement.kappa:.2f}"
            basis = f"{agreement.level}, {agreement.walks} walks"
            typer.echo(f"kappa with {agreement.annotator}: {value} ({basis})", err=True)
        if not agreements:
            typer.echo("No annotator has labelled these walks, so there is no kappa.", err=True)
        for item, failures in labelled.items() if keep else ():
            study.take_in(item, own, failures)
    finally:
        store.close()

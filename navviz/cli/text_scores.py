"""``navviz diagnose texts``: BLEU, ROUGE and more of instructions, beside whether one arrives."""

from __future__ import annotations

from typing import Annotated

import typer

from navviz.cli.options import EpisodeFile, Format, Graphs, Run, open_named
from navviz.cli.output import Form, add_command, print_json, print_records
from navviz.support.notes import tell

_Coco = Annotated[
    bool, typer.Option("--coco", help="CIDEr and METEOR, too (extra text-coco; METEOR needs Java).")
]
_Each = Annotated[bool, typer.Option("--each", help="A line an instruction instead of the means.")]


def register(app: typer.Typer) -> None:
    """Add the command."""
    add_command(
        app,
        "texts",
        _texts,
        "Score instructions against the others of their routes, beside success.",
        "navviz diagnose texts R2R_RUN",
        "navviz diagnose texts R2R_RUN --each --format csv",
    )


def _texts(
    run: Run,
    graphs: Graphs = None,
    episode_file: EpisodeFile = None,
    form: Format = Form.TABLE,
    *,
    coco: _Coco = False,
    each: _Each = False,
) -> None:
    from dataclasses import asdict

    from navviz.analysis.text_scores import text_scores_of

    _, opened = open_named(run, graphs, episodes=episode_file)
    scores = text_scores_of(opened, coco=coco)
    names = [row.metric for row in scores.correlations]
    if form is Form.JSON:
        print_json(asdict(scores))
        return
    if each:
        columns = ("episode", "references", *names, "success")
        records, lines = [], []
        for row in scores.rows:
            records.append(
                {"episode": row.episode, "references": row.references, "success": row.success}
                | dict(row.scores)
            )
            figures = "  ".join(f"{name} {row.scores[name]:.2f}" for name in names)
            arrived = {None: "not walked", 0.0: "missed", 1.0: "arrived"}.get(row.success, "")
            lines.append(f"{row.episode}  {figures}  {arrived}")
    else:
        columns = ("metric", "mean", "r", "low", "high", "episodes", "routes")
        records = [asdict(row) for row in scores.correlations]
        lines = ["metric     mean   r with success [95 %, by whole routes]"]
        for line in scores.correlations:
            r = "no figure"
            if line.r is not None:
                r = f"{line.r:+.3f} [too few routes]"
            if line.low is not None:
                r = f"{line.r:+.3f} [{line.low:+.3f}, {line.high:+.3f}]"
            lines.append(
                f"{line.metric:<8} {line.mean:6.2f}   {r}"
                f"  n = {line.episodes} instructions of {line.routes} routes"
            )
    print_records(form, columns, records, lines)
    for sentence in scores.missing:
        tell(sentence)
    if scores.alone and form is Form.TABLE:
        tell(f"{scores.alone} instructions are the only ones of their route and are left out")

"""``navviz skillnav``: episodes that stress one skill, on any house."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from navviz.errors import InputError
from navviz.support.notes import note, tell

if TYPE_CHECKING:
    from navviz.systems.skillnav.synthesis import SkillDraft

_EXAMPLES = """Examples:

navviz skillnav synthesize --graphs house/connectivity --count 2 --out skills.json

navviz skillnav synthesize --graphs house/connectivity --skill Landmark --llm gemini:MODEL"""

_Graphs = Annotated[Path, typer.Option("--graphs", help="Graph folder.")]
_Skill = Annotated[
    str,
    typer.Option(
        "--skill", help="Temporal, Direction, Vertical, Stop, Landmark, Region, or all of them."
    ),
]
_Count = Annotated[
    int, typer.Option("--count", min=1, max=10_000, help="Items of each skill and house.")
]
_World = Annotated[
    str, typer.Option("--world", help="One house of the folder; the first if not given.")
]
_Llm = Annotated[str, typer.Option("--llm", help="The author: a model as in run, or rules.")]
_Seed = Annotated[int, typer.Option("--seed", help="The same seed draws the same paths.")]
_Out = Annotated[Path | None, typer.Option("--out", help="Episode file in R2R's form.")]
_Form = Annotated[
    Literal["table", "json", "jsonl"], typer.Option("--format", help="How episodes are printed.")
]
_Drafts = Annotated[
    Path | None,
    typer.Option(
        "--drafts",
        help=(
            "File of all drafts with their reasons (JSON lines); what stands in it is not paid"
            " for again."
        ),
    ),
]


def register(app: typer.Typer) -> None:
    """Add the group with its command."""
    group = typer.Typer(
        no_args_is_help=True, help="SkillNav: write episodes that stress one skill."
    )
    help_text = "Draw paths that stress a skill, and write their instructions."
    group.command("synthesize", help=help_text, epilog=_EXAMPLES)(_synthesize)
    # one command is a group, too, so that its name is needed
    group.callback()(lambda: None)
    app.add_typer(group, name="skillnav")


def _synthesize(
    graphs: _Graphs,
    skill: _Skill = "all",
    count: _Count = 1,
    world: _World = "",
    llm: _Llm = "rules",
    seed: _Seed = 0,
    out: _Out = None,
    drafts: _Drafts = None,
    form: _Form = "table",
) -> None:
    from navviz.formats import open_worlds
    from navviz.support.guarded import json_text, write_whole
    from navviz.systems.authoring import DraftFile, opened_author
    from navviz.systems.skillnav.synthesis import KINDS, synthesize

    kinds = KINDS if skill == "all" else (skill,)
    if not set(kinds) <= set(KINDS):
        names = ", ".join(KINDS)
        raise InputError(f"{skill!r} is no skill", f"choose among {names}", field="skill")
    graph = open_worlds(graphs)(world)
    if graph.frame != "metric":
        raise InputError("is no house", "open a Matterport3D house", file=graph.name)
    file = DraftFile(drafts)
    episodes: list[dict[str, Any]] = []
    with opened_author(llm) as (model, author):
        for kind in kinds:
            for draft in synthesize(graph, kind, count, seed=seed, llm=model, kept=file):
                file.add(draft.record)
                if draft.accepted:
                    episodes.append(draft.episode(graph, seed))
                _report(draft)
    file.save()
    if out is not None:
        write_whole(out, json_text(episodes))
    elif form == "json":
        typer.echo(json_text(episodes))
    elif form == "jsonl":
        tell("\n".join(map(json_text, episodes)))
    summary = f"{len(episodes)} of {len(file.records)} drafts accepted, written by {author}"
    tell(summary, err=form != "table")
    if not episodes:
        raise typer.Exit(1)


def _report(draft: SkillDraft) -> None:
    """One line a draft, its faults below it."""
    if draft.path is None:
        lacks = ", ".join(f"{name} {number:,}" for name, number in draft.failed.items())
        note(f"✗ {draft.kind}: no path in {draft.tries:,} draws ({lacks})")
        return
    note(f"{'✓' if draft.accepted else '✗'} {draft.kind}: {draft.text}")
    for fault in draft.faults:
        note(f"    rejected: {fault}")

"""``navviz atlas``: all episodes of a run on one map, as one HTML file that needs no network."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from navviz.cli.options import EpisodeFile, Graphs, Run
from navviz.cli.output import add_command
from navviz.errors import InputError
from navviz.support.guarded import write_whole
from navviz.support.notes import tell

if TYPE_CHECKING:
    from navviz.views.figures.atlas_walk import AtlasWalk
    from navviz.world.graph import Graph

_Out = Annotated[Path, typer.Option("--out", help="The file that is written.")]
_World = Annotated[
    str | None,
    typer.Option("--world", help="House or map; the one with the most episodes without it."),
]
_FloorName = Annotated[
    int | None, typer.Option("--floor", min=1, help="Floor of a house; the most walked without it.")
]
_Theme = Annotated[
    Literal["auto", "light", "dark"],
    typer.Option("--theme", help="auto: what the reader's system is."),
]


def register(app: typer.Typer) -> None:
    """Add the command."""
    add_command(
        app,
        "atlas",
        _atlas,
        "Draw all episodes of a run on one map.",
        "navviz atlas runs/mine",
        "navviz atlas runs/house --floor 1 --theme dark --out house.html",
    )


def _atlas(
    run: Run,
    out: _Out = Path("atlas.html"),
    graphs: Graphs = None,
    episode_file: EpisodeFile = None,
    world: _World = None,
    floor: _FloorName = None,
    theme: _Theme = "auto",
) -> None:
    from navviz.cli.options import open_named
    from navviz.views.figures.atlas import atlas_map
    from navviz.views.figures.atlas_walk import PATHS_DRAWN

    _, opened = open_named(run, graphs, episodes=episode_file)
    worlds = Counter(opened.worlds)
    if not worlds:
        raise InputError("holds no episode", "name another run")
    if world is not None and world not in worlds:
        names = ", ".join(name for name, _ in worlds.most_common(12))
        raise InputError(f"no episode lies in {world}", f"choose one of: {names}", field="--world")
    chosen = world or worlds.most_common(1)[0][0]
    graph, walks = opened.map_walks(chosen)
    level = _floor(graph, walks, floor)
    write_whole(out, atlas_map(graph, walks, floor=level, theme=theme).get_root().render())
    how = "as traffic" if len(walks) > PATHS_DRAWN else "one by one"
    where = f" in {chosen}" if chosen else ""
    tell(f"{out}: {len(walks):,} episodes{where}, drawn {how}, {out.stat().st_size / 1e6:.2f} MB")
    if len(worlds) > 1:
        others = ", ".join(
            f"{name} ({count})" for name, count in worlds.most_common(8) if name != chosen
        )
        tell(f"Other places, with --world: {others}{' …' if len(worlds) > 8 else ''}")


def _floor(graph: Graph, walks: list[AtlasWalk], number: int | None) -> int | None:
    """Return the floor that is drawn, counted from 0, and say which others there are."""
    if graph.frame != "metric":
        return None
    from navviz.views.figures.atlas import walked_floors
    from navviz.world.floors import find_floors

    names = find_floors(graph).names
    if number is not None and number > len(names):
        raise InputError(
            f"the house has no floor {number}", f"choose 1 to {len(names)}", field="--floor"
        )
    counted = walked_floors(graph, walks)
    # floors count from 1 on the command line and from 0 in the package
    level = number - 1 if number is not None else next(iter(counted), 0)
    floors = ", ".join(
        f"{k + 1} ({names[k]}, {counted.get(k, 0)} walks)" for k in range(len(names))
    )
    tell(f"Floor {level + 1} of: {floors}")
    return level

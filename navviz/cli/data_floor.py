"""``navviz data floor``: pictures of a house's floors, drawn from its mesh."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from navviz.errors import InputError
from navviz.support.notes import tell

if TYPE_CHECKING:
    from navviz.world.floors import FloorRaster, Mesh
    from navviz.world.graph import Graph
    from navviz.world.info import FloorSource

_Mesh = Annotated[Path, typer.Argument(metavar="MESH", help="Mesh of a house: .obj, .ply or .glb.")]
_Graphs = Annotated[
    Path,
    typer.Option("--graphs", help="Connectivity graphs: the floors are cut at their viewpoints."),
]
_World = Annotated[
    str | None,
    typer.Option("--world", help="Which house; the file's name without its ending if not given."),
]
_Out = Annotated[
    Path | None,
    typer.Option("--out", help="Folder to write; floors/ near the graphs if not given."),
]
_Size = Annotated[
    float, typer.Option("--metres-per-pixel", min=0.005, max=1.0, help="Of the picture.")
]
_Ceiling = Annotated[
    float,
    typer.Option(
        "--ceiling",
        min=0.0,
        max=5.0,
        help="Metres from the"
        " lowest camera of a floor up to its ceiling; the cut lies 0.3 m below.",
    ),
]

_FEET_M = 0.3
"""The picture reaches this far below the lowest foot point: floors are not flat."""
_BELOW_CEILING_M = 0.3
_AROUND_M = 1.0
"""The picture shows this much around the mesh and the viewpoints of a floor."""
MAX_PIXELS = 24_000_000
"""Of one floor; a larger one is drawn coarser."""


def draw_floors(
    mesh: _Mesh,
    graphs: _Graphs,
    *,
    world: _World = None,
    out: _Out = None,
    metres_per_pixel: _Size = 0.02,
    ceiling: _Ceiling = 0.6,
) -> None:
    """Look straight down on each floor of a house and write a picture with its place."""
    from navviz.cli.output import Counting
    from navviz.formats import open_worlds
    from navviz.formats.floor_pictures import FOLDER, read_mesh
    from navviz.support.guarded import is_folder, taking_notes
    from navviz.world.floors import find_floors

    scan = mesh.name.partition(".")[0] if world is None else world

    worlds = open_worlds(graphs)
    # a lone house is meant, whatever its mesh is called
    name = worlds.names[0] if len(worlds.names) == 1 else scan
    graph = worlds(name)
    if graph.frame != "metric":
        raise InputError("is no house", "give a folder of connectivity graphs", file=graphs)
    near = graphs if is_folder(graphs) else graphs.parent
    folder = near / FOLDER if out is None else out
    with taking_notes() as notes:
        house = read_mesh(mesh)
    for problem in notes.problems.kept:
        tell(str(problem), err=True)
    floors = find_floors(graph)
    folder.mkdir(parents=True, exist_ok=True)
    with Counting("Drawing floors", len(house.triangles) * len(floors)) as progress:
        for floor, name in enumerate(floors.names):
            here = [node for node in graph.ids if floors.of[node] == floor]
            # cameras on stairs hang too low and too high for a cut
            nodes = [node for node in here if node not in floors.stairs] or here
            raster = _raster(house, graph, nodes, metres_per_pixel, ceiling)
            raster.draw(house, progress.advance)
            path = folder / f"{graph.name}_floor{floor + 1}.png"
            write_floor(raster, path)
            tell(f"{path} ({name}, {raster.width:,} x {raster.height:,} pixels)")


def _raster(
    mesh: Mesh, graph: Graph, nodes: list[str], metres_per_pixel: float, ceiling_m: float
) -> FloorRaster:
    """Return an empty picture over what of the mesh lies at the heights of a floor."""
    import numpy as np

    from navviz.world.floors import FloorRaster, feet_m

    feet = dict(zip(graph.ids, feet_m(graph).tolist(), strict=True))
    low = min(feet[node] for node in nodes) - _FEET_M
    cameras = [graph.position(node)[2] for node in nodes]
    # cameras that hang very low must not turn the slab upside down
    high = max(min(cameras) + ceiling_m - _BELOW_CEILING_M, low + _FEET_M)
    z = mesh.vertices[:, 2]
    near = mesh.vertices[(z >= low) & (z <= high + 3.0), :2]
    if not len(near):
        raise InputError(
            f"has nothing at the heights of a floor ({low:.1f} to {high:.1f} m)",
            "give the mesh of the same house, in the frame of its graph",
            file=graph.name,
        )
    west, south = np.min(near, axis=0) - _AROUND_M
    east, north = np.max(near, axis=0) + _AROUND_M
    size = metres_per_pixel
    while (east - west) * (north - south) / size**2 > MAX_PIXELS:
        size *= 1.25
    width, height = (int(np.ceil(span / size)) for span in (east - west, north - south))
    return FloorRaster(float(west), float(north), size, width, height, (low, high))


def write_floor(raster: FloorRaster, path: Path, source: FloorSource = "mesh") -> None:
    """Write the picture, and its place in a JSON beside it."""
    from PIL import Image

    from navviz.support.guarded import write_whole, writing

    place = {
        "metres_per_pixel": raster.metres_per_pixel,
        "origin": [round(raster.west_m, 3), round(raster.north_m, 3)],
        "z": [round(z, 3) for z in raster.z_m],
        "north_up": True,
        "source": source,
    }
    with writing(path) as part:
        Image.fromarray(raster.picture).save(part, "PNG", compress_level=3)
    write_whole(path.with_suffix(".json"), json.dumps(place) + "\n")

"""Floor pictures beside a graph or a run: ``SCAN_floorK.png`` with its place in a JSON beside it.

The JSON holds ``metres_per_pixel``, ``origin`` (``[x, y]`` of the top left corner in the frame of
the graph), ``z`` (``[low, high]``, the heights that it shows), ``north_up`` and, where a program
made it, ``source``: ``habitat`` (the recorder) or ``mesh`` (``navviz data floor``).
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from navviz.errors import InputError, NavVizError, Problems
from navviz.formats.mapping.model import WalkFields
from navviz.records.base import plural
from navviz.support.guarded import (
    head_bytes,
    is_folder,
    is_regular,
    note_problem,
    opened_bytes,
    read_json,
    read_picture,
    size_of,
)
from navviz.support.installation.extras import needs_extra
from navviz.world.floors import Mesh
from navviz.world.info import FloorPicture, FloorSource

FOLDER = "floors"
"""Beside or in the folder of graphs; `navviz data floor` writes there."""

_SUFFIXES = (".png", ".webp", ".jpg", ".jpeg")

_DO = "give metres_per_pixel, origin [x, y], z [low, high] and north_up: true"

_MOST = 200
"""Pictures of one house that are looked at."""

_Metres = Annotated[float, Field(ge=-1e5, le=1e5, allow_inf_nan=False)]


class _FloorPlace(BaseModel):
    model_config = ConfigDict(extra="ignore")

    metres_per_pixel: Annotated[float, Field(gt=1e-4, le=10, allow_inf_nan=False)]
    origin: tuple[_Metres, _Metres]
    z: tuple[_Metres, _Metres]
    north_up: Literal[True]
    source: FloorSource = "picture"


def find_floor_pictures(
    folders: Iterable[Path], scan: str, problems: Problems
) -> tuple[FloorPicture, ...]:
    """Find the floor pictures of a house.

    `folders`: where to look: in each, and in its folder ``floors``. `problems`: pictures without a
    place, or whose file is none, are reported here and left out.
    """
    pictures = []
    for path in _files(folders, scan):
        try:
            pictures.append(_read(path))
        except InputError as error:
            problems.skip(error.problem)
        if len(pictures) >= _MOST:
            break
    return tuple(pictures)


def picture_of_pixels(walk: WalkFields, folder: Path, world: str) -> FloorPicture | None:
    """Return the picture whose pixels a mapped log names; ``None`` where its mapping names none.

    Raises `InputError` where it cannot be read. The world's name may be of a stranger, too: what it
    leads to has to lie in the folder.
    """
    scale_m = walk.metres_per_pixel
    if not walk.picture or scale_m is None:
        return None
    picture = folder / walk.picture.replace("{world}", world)
    _, head = read_picture(picture, [folder])
    # pixels are counted from the top left corner, and have no height
    return FloorPicture(picture, scale_m, (0.0, 0.0), (-1.0, 1.0), (head.width, head.height))


def _files(folders: Iterable[Path], scan: str) -> Iterator[Path]:
    name = re.compile(re.escape(scan) + r"_floor\d{1,3}\.json")
    seen = set[Path]()
    for folder in folders:
        for place in (folder, folder / FOLDER):
            if place in seen or not is_folder(place):
                continue
            seen.add(place)
            for path in sorted(place.glob("*_floor*.json")):
                if name.fullmatch(path.name):
                    yield path


def _read(path: Path) -> FloorPicture:
    raw = read_json(path)
    try:
        place = _FloorPlace.model_validate(raw)
    except ValidationError as error:
        fault = error.errors()[0]
        field = ".".join(str(part) for part in fault["loc"])
        what = f"does not say where its floor picture lies ({fault['msg'].lower()})"
        raise InputError(what, _DO, file=path.name, field=field) from error
    pictures = [path.with_suffix(suffix) for suffix in _SUFFIXES]
    picture = next((each for each in pictures if is_regular(each)), None)
    if picture is None:
        do = f"put {pictures[0].name} beside it"
        raise InputError("has no picture beside it", do, file=path.name)
    _, head = read_picture(picture, [path.parent])
    return FloorPicture(
        picture,
        place.metres_per_pixel,
        place.origin,
        (min(place.z), max(place.z)),
        (head.width, head.height),
        place.source,
    )


SUFFIXES = (".obj", ".ply", ".glb")

MESH_BYTES = 2_000_000_000

_MESH_DO = "export the mesh of the house again as OBJ, PLY or GLB"

_OBJ_WORDS = frozenset(
    b"v vt vn vp f l p g o s mg mtllib usemtl usemap maplib cstype deg curv curv2 surf parm trim"
    b" hole scrv sp end con bmat step lod bevel c_interp d_interp shadow_obj trace_obj".split()
)

_HEAD_BYTES = 1 << 16

_FAR_M = 100_000.0

_PLAIN = 190
"""Grey of a part without colours in a mesh that has some."""


def read_mesh(path: Path) -> Mesh:
    """Read a mesh with its colours: those of vertices or faces, else of its texture.

    Raises `InputError` where it is no mesh, has no triangle or a corner without a finite position;
    `MissingExtraError` where trimesh is not installed.
    """
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES:
        raise InputError("is no mesh", "give a file that ends in .obj, .ply or .glb", file=path)
    scene = _loaded(path)
    parts = [_arrays(*part, path.name) for part in _parts(scene)]
    _check_faces(path, sum(len(part.triangles) for part in parts))
    if not parts:
        raise InputError("has no triangles", _MESH_DO, file=path.name)
    mesh = _joined(parts)
    if suffix == ".glb":
        x, y, z = mesh.vertices.T
        return replace(mesh, vertices=np.stack([x, -z, y], axis=1))
    return mesh


def _check_faces(path: Path, count: int) -> None:
    """Note faces that the reader of meshes passed over: it says nothing of damaged ones."""
    suffix = path.suffix.lower()
    due = _ply_faces(path) if suffix == ".ply" else 0
    if suffix == ".obj":
        due = unknown = 0
        with opened_bytes(path, MESH_BYTES) as file:
            for line in file:
                word = line.split(None, 1)[:1]
                if word == [b"f"]:
                    # a face of n corners is n - 2 triangles
                    due += max(1, len(line.split(b"#")[0].split()) - 3)
                elif word and word[0] not in _OBJ_WORDS and not word[0].startswith(b"#"):
                    unknown += 1
        if unknown:
            what = f"{plural(unknown, 'line')} of no kind that OBJ has, passed over"
            note_problem(path, what, "look at them, or export the mesh again")
    if count < due:
        what = f"{due - count:,} of {due:,} triangles are damaged and are not drawn"
        note_problem(path, what, _MESH_DO)


def _ply_faces(path: Path) -> int:
    """Return how many faces the head of a PLY file announces."""
    head = head_bytes(path, _HEAD_BYTES).partition(b"end_header")[0]
    match = re.search(rb"element[ \t]+face[ \t]+([0-9]{1,12})", head)
    return int(match[1]) if match else 0


def _parts(scene: Any) -> Iterator[tuple[Any, NDArray[np.float64]]]:  # noqa: ANN401
    """Yield each mesh of a scene with its 4 x 4 transform; one mesh may stand in several places."""
    for node in scene.graph.nodes_geometry:
        transform, name = scene.graph[node]
        geometry = scene.geometry[name]
        if len(getattr(geometry, "faces", ())):
            yield geometry, np.asarray(transform, dtype=float)


def _joined(parts: Sequence[Mesh]) -> Mesh:
    if len(parts) == 1:
        return parts[0]
    starts = np.cumsum([0, *(len(part.vertices) for part in parts[:-1])])
    pairs = zip(parts, starts, strict=True)
    triangles = [(part.triangles + start).astype(np.int32) for part, start in pairs]
    colours = None
    if any(part.colours is not None for part in parts):
        colours = np.concatenate([_coloured(part) for part in parts])
    vertices = np.concatenate([part.vertices for part in parts])
    return Mesh(vertices, np.concatenate(triangles), colours)


def _coloured(part: Mesh) -> NDArray[np.uint8]:
    if part.colours is not None:
        return part.colours
    return np.full((len(part.vertices), 3), _PLAIN, np.uint8)


def _loaded(path: Path) -> Any:  # noqa: ANN401 - trimesh has no types
    with needs_extra("mesh"):
        import trimesh
    size_of(path, MESH_BYTES, "cut the house into floors")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            # its type names a base class that imports what we have no use for
            resolver: Any = _Beside(path.parent)
            return trimesh.load_scene(path, process=False, resolver=resolver)
    except NavVizError:
        raise
    except RecursionError as error:
        raise InputError("is nested too deeply for a mesh", _MESH_DO, file=path.name) from error
    except Exception as error:
        what = f"is no mesh that can be read ({type(error).__name__})"
        raise InputError(what, _MESH_DO, file=path.name) from error


class _Beside:
    """Hands trimesh the textures that lie in a mesh's own folder, and nothing else."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder.resolve()

    def get(self, name: str) -> bytes:
        """Return the bytes of a texture or material file."""
        path = (self._folder / name.strip()).resolve()
        if not path.is_relative_to(self._folder):
            raise ValueError("a file outside of the mesh's folder")
        with opened_bytes(path, MESH_BYTES) as file:
            return file.read()

    def __getitem__(self, name: str) -> bytes:
        return self.get(name)

    def keys(self) -> list[str]:
        """Return the names of the folder's files."""
        return [path.name for path in self._folder.iterdir()]


def _arrays(mesh: Any, transform: NDArray[np.float64], name: str) -> Mesh:  # noqa: ANN401
    """Return one mesh of a scene in the types that are drawn, checked."""
    vertices = np.asarray(mesh.vertices, dtype=np.float32)
    triangles = np.asarray(mesh.faces, dtype=np.int64)
    if triangles.min() < 0 or triangles.max() >= len(vertices):
        raise InputError("names corners that are not there", _MESH_DO, file=name)
    if not np.array_equal(transform, np.eye(4)):
        vertices = (vertices @ transform[:3, :3].T + transform[:3, 3]).astype(np.float32)
    corners = vertices[np.unique(triangles)]
    if not (np.abs(corners) < _FAR_M).all():  # false for what is no number, too
        raise InputError("has a corner without a place in a house", _MESH_DO, file=name)
    return Mesh(vertices, triangles.astype(np.int32), _colours(mesh, len(vertices)))


def _colours(mesh: Any, count: int) -> Any:  # noqa: ANN401
    visual: Any = mesh.visual
    try:
        if visual.kind == "texture":
            visual = visual.to_color()
        colours = np.asarray(visual.vertex_colors)[:, :3]
    except Exception:  # noqa: BLE001 - a texture that is missing or damaged: the height is drawn
        return None
    if colours.shape != (count, 3):
        return None
    if (colours == colours[0]).all():
        return None  # one colour shows nothing; the height does
    return np.ascontiguousarray(colours, dtype=np.uint8)

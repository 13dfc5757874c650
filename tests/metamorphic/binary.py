"""Samples that are damaged only: tables and maps in bytes, meshes and KML."""

from __future__ import annotations

import io
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import osmium
import pyarrow as pa
import trimesh
from pyarrow import parquet

from navviz.formats.floor_pictures import read_mesh
from navviz.formats.mapping.guess import guess
from navviz.formats.mapping.model import as_toml, sidecar_of
from navviz.formats.mapping.structure import structure
from navviz.support.guarded import taking_notes
from navviz.world.scene_graph import bare_world
from tests.metamorphic.outdoors import OSM
from tests.metamorphic.sample import Digest, Sample, graph_table, run_table
from tests.metamorphic.spellings import Part

__all__ = ["SAMPLES"]

KML = """<kml xmlns="http://www.opengis.net/kml/2.2"><Document>
<Placemark><name>a</name><description>Geh los.</description><LineString><coordinates>
10.125,48.125,0 10.125,48.25,0 10.25,48.25,0
</coordinates></LineString></Placemark>
<Placemark><name>b</name><description>Geh weiter.</description><LineString><coordinates>
10.125,48.125,0 10.125,48.5,0
</coordinates></LineString></Placemark></Document></kml>
"""


@cache
def _pbf() -> bytes:
    with TemporaryDirectory() as folder:
        source, packed = Path(folder, "town.osm"), Path(folder, "town.osm.pbf")
        source.write_text(OSM.main.content, encoding="utf-8")
        with osmium.SimpleWriter(str(packed)) as writer:
            for each in osmium.FileProcessor(str(source)):
                writer.add(each)
        return packed.read_bytes()


def _parquet() -> bytes:
    rows = [{"episode": k // 4, "say": "Geh los.", "x": k % 4 + 0.5, "y": k / 8} for k in range(12)]
    sink = io.BytesIO()
    parquet.write_table(pa.Table.from_pylist(rows), sink, write_page_checksum=True)
    return sink.getvalue()


def _mesh(form: str) -> bytes:
    corners = np.array([[0, 0, 0], [4, 0, 0], [4, 3, 0], [0, 3, 0.5]], float)
    faces = [[0, 1, 2], [0, 2, 3]]
    made = trimesh.Trimesh(corners, faces, process=False).export(file_type=form)
    return made.encode() if isinstance(made, str) else bytes(made)


def _surface(path: Path) -> Digest:
    with taking_notes() as notes:
        mesh = read_mesh(path)
    return mesh.vertices[mesh.triangles].round(6).tolist(), notes.problems.count


@cache
def _mapping(name: str, raw: bytes) -> str:
    """Return the mapping that is guessed for the whole file: a user has saved it."""
    with TemporaryDirectory() as folder:
        path = Path(folder, name)
        path.write_bytes(raw)
        return as_toml(guess(structure(path)))


def _mapped(whole: bytes) -> Any:
    def read(path: Path) -> Digest:
        sidecar_of(path).write_text(_mapping(path.name, whole), encoding="utf-8")
        return run_table(path, bare_world)

    return read


def _bytes(name: str, file: str, raw: bytes, read: Any) -> Sample:
    return Sample(name, (Part(file, "bytes", raw),), read, file)


SAMPLES = (
    _bytes("OpenStreetMap PBF", "town.osm.pbf", _pbf(), graph_table),
    _bytes("a table in Parquet", "log.parquet", _parquet(), _mapped(_parquet())),
    *(_bytes(f"a mesh in {form}", f"house.{form}", _mesh(form), _surface) for form in ("ply", "glb")),
    Sample("a mesh in obj", (Part("house.obj", "text", _mesh("obj").decode()),), _surface, "house.obj"),
    Sample("KML tracks", (Part("walk.kml", "text", KML),), _mapped(KML.encode()), "walk.kml"),
)  # fmt: skip

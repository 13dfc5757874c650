"""OpenStreetMap extracts in ``.osm.pbf``, read by pyosmium (the package osmium)."""

from __future__ import annotations

from pathlib import Path

from navviz.errors import InputError, MissingExtraError
from navviz.formats.osm.elements import Elements, OsmArea
from navviz.guarded import FILE_BYTES, size_of

__all__ = ["read_pbf"]

_MEMBERS = {"n": "node", "w": "way", "r": "relation"}


def read_pbf(path: Path) -> Elements:
    """Return the elements of an extract.

    Raises
    ------
    InputError
        Where the file is broken or too large.
    MissingExtraError
        Where pyosmium is not installed.
    """
    size_of(path, FILE_BYTES, "cut the extract to the area of the episodes")
    try:
        import osmium
    except ModuleNotFoundError as error:
        raise MissingExtraError(
            "Extracts in .osm.pbf need a package that is not installed (osmium); "
            "install it with: pip install 'navviz[osm]'."
        ) from error
    elements = Elements()
    try:
        for each in osmium.FileProcessor(osmium.io.File(str(path), "pbf")):
            _add(elements, each)
    except RuntimeError as error:
        raise InputError(f"is broken OSM PBF ({error})", "get the extract again", file=path.name) from error
    return elements


def _add(elements: Elements, each: object) -> None:
    from osmium.osm import Node, Relation, Way

    if isinstance(each, Node):
        if each.location.valid():
            place = (float(each.location.lat), float(each.location.lon))
            elements.add_node(str(each.id), place, {tag.k: tag.v for tag in each.tags})
    elif isinstance(each, Way):
        tags = {tag.k: tag.v for tag in each.tags}
        elements.ways.append((str(each.id), [str(node.ref) for node in each.nodes], tags))
    elif isinstance(each, Relation):
        tags = {tag.k: tag.v for tag in each.tags}
        members = ((_MEMBERS.get(member.type, ""), str(member.ref), member.role) for member in each.members)
        area = OsmArea.of(str(each.id), members, tags)
        if area is not None:
            elements.areas.append(area)

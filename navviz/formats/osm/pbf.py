"""OpenStreetMap extracts in ``.osm.pbf``, read by pyosmium (the package osmium)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import IO

from navviz.errors import InputError, MissingExtraError, Problem, Problems
from navviz.formats.osm.elements import Elements, OsmArea
from navviz.support.guarded import FILE_BYTES, expect, opened_bytes, passed, size_of

_PIECE_BYTES = 1_000_000
_HEADER_BYTES, _BLOCK_BYTES = 2**16, 2**25
"""The most that the format allows."""
_MEMBERS = {"n": "node", "w": "way", "r": "relation"}


def read_pbf(path: Path, problems: Problems) -> Elements:
    """Return the elements of an extract.

    Raises
    ------
    InputError
        Where the file is broken or too large.
    MissingExtraError
        Where pyosmium is not installed.
    """
    size = size_of(path, FILE_BYTES, "cut the extract to the area of the episodes")
    try:
        import osmium
    except ModuleNotFoundError as error:
        raise MissingExtraError(
            "Extracts in .osm.pbf need a package that is not installed (osmium); "
            "install it with: pip install 'navviz-vln[osm]'."
        ) from error
    elements = Elements()
    try:
        expect(size)
        with opened_bytes(path, FILE_BYTES) as file:
            for piece, count in _pieces(file):
                for each in osmium.FileProcessor(osmium.io.FileBuffer(piece, "pbf")):
                    _add(elements, each, path.name, problems)
                passed(count)
    except (RuntimeError, ValueError) as error:
        raise InputError(
            f"is broken OSM PBF ({error})", "get the extract again", file=path.name
        ) from error
    return elements


def _pieces(file: IO[bytes]) -> Iterator[tuple[bytes, int]]:
    """Cut a file into parts that are files of their own, each with how many bytes it stands for.

    pyosmium does not say how far it is in a file. A file is a row of blocks, the first of which
    tells what the others need (https://wiki.openstreetmap.org/wiki/PBF_Format), so it is put before
    each part.
    """
    first = _block(file)
    part, new = [first], len(first)
    while block := _block(file):
        part.append(block)
        new += len(block)
        if new >= _PIECE_BYTES:
            yield b"".join(part), new
            # the first block stands before every part, but counts once
            part, new = [first], 0
    if new:
        yield b"".join(part), new


def _block(file: IO[bytes]) -> bytes:
    """Read one block: the length of its header, the header, and the data it announces."""
    head = file.read(4)
    if not head:
        return b""
    length = int.from_bytes(head, "big")
    if len(head) < 4 or length > _HEADER_BYTES:
        raise ValueError("a block begins with no length")
    header = file.read(length)
    size = _data_size(header)
    # a larger size is damage, and must not make us read the whole file
    data = file.read(size) if size <= _BLOCK_BYTES else b""
    if len(data) < size or len(header) < length:
        raise ValueError("it ends within a block")
    return head + header + data


def _data_size(header: bytes) -> int:
    """Return field 3 of a BlobHeader (protocol buffers: a varint; fields 1 and 2 are strings)."""
    at = 0
    while at < len(header):
        tag, at = header[at], at + 1
        value, at = _varint(header, at)
        if tag == 0x18:  # field 3, varint
            return value
        # of a string it was the length, and its bytes follow; of a number it was the number
        at += value if tag & 7 == 2 else 0
    raise ValueError("a block states no length")


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while at < len(data) and shift < 64:
        byte, at = data[at], at + 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
        shift += 7
    raise ValueError("a block's header is cut off")


def _add(elements: Elements, each: object, file: str, problems: Problems) -> None:
    from osmium.osm import Node, Relation, Way

    if isinstance(each, Node):
        if each.location.valid():
            place = (float(each.location.lat), float(each.location.lon))
            elements.add_node(str(each.id), place, {tag.k: tag.v for tag in each.tags})
        elif each.visible:
            what = f"node {each.id} has no position"
            problems.skip(Problem(what, "get the extract again; it is left out", file))
    elif isinstance(each, Way):
        tags = {tag.k: tag.v for tag in each.tags}
        elements.ways.append((str(each.id), [str(node.ref) for node in each.nodes], tags))
    elif isinstance(each, Relation):
        tags = {tag.k: tag.v for tag in each.tags}
        members = (
            (_MEMBERS.get(member.type, ""), str(member.ref), member.role) for member in each.members
        )
        area = OsmArea.of(str(each.id), members, tags)
        if area is not None:
            elements.areas.append(area)

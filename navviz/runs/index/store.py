"""Indexes on disk: one Parquet file a folder of traces, in the user's cache folder, replaced in one
move.

Whatever is wrong with one (the pages' checksums tell), it counts as not there and is made anew,
with a line in the log.
"""

from __future__ import annotations

import contextlib
import hashlib
import logging
import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import BinaryIO

import pyarrow.parquet as pq

from navviz.errors import InputError
from navviz.runs.folder_states import state_of
from navviz.runs.index.inputs import plugin_stamp
from navviz.runs.index.measure import Table, schema
from navviz.support.guarded import is_regular, opened_bytes
from navviz.support.installation.files import cache_folder, keep_file
from navviz.support.locks import FileLock
from navviz.support.version import VERSION

_VERSION = 13
"""Raise it with every change of the columns or of how they are computed."""
_KEPT = 24
"""Indexes in the cache; one of 50,000 episodes takes 15 MB."""
_DICTIONARY_BYTES = 1 << 23
"""The nodes of a city as a dictionary (8 MiB): walks as numbers take a tenth of walks as names."""
_STAMP = b"navviz"
_LOG = logging.getLogger(__name__)


class IndexPlace:
    """Where the index of a folder of traces lies, and what its values hang on beside the traces."""

    def __init__(
        self,
        folder: Path,
        graphs: Sequence[Path] = (),
        part: str = "",
        version: str = "",
        *,
        is_kept: bool = True,
    ) -> None:
        self.is_kept = is_kept
        # read as it was given, so that files have the names that their reader knows
        self.folder, self.graphs = folder, tuple(path.resolve() for path in graphs)
        self.part, self.version = part, version
        self.file = kept_file("runs", (folder.resolve(), *self.graphs), part)

    @property
    def stamp(self) -> bytes:
        """What the values hang on, besides the traces."""
        # other packages bring metrics and scanners, which are edited while people try them
        mine = f"{_VERSION} {VERSION} {self.graph_states} {self.version}"
        return f"{mine} {plugin_stamp()}".rstrip().encode()

    @property
    def graph_states(self) -> str:
        """What changes with any file of the graphs."""
        return ",".join(f"{state_of(path).digest:x}" for path in self.graphs)

    def sibling(self, ending: str) -> Path:
        """Return a file of the same name with another ending."""
        return self.file.with_suffix(ending)


def kept_file(cache: str, inputs: Sequence[Path | str], part: str = "") -> Path:
    """Return the file of the cache that belongs to these inputs."""
    joined = "\0".join(map(str, inputs)).encode(errors="surrogateescape")
    name = hashlib.blake2b(joined, digest_size=12).hexdigest()
    return cache_folder(cache) / f"{name}{part}.parquet"


def load(place: IndexPlace) -> Table | None:
    """Return the index of a folder; ``None`` where there is none, a damaged one or one of another
    version.
    """
    if not place.is_kept or not is_regular(place.file):
        return None
    try:
        with opened_bytes(place.file) as file:
            # `read_table` imports the data sets of arrow, which takes longer than reading
            table = pq.ParquetFile(file, page_checksum_verification=True).read()
    except (InputError, OSError, ValueError, KeyError) as error:
        _LOG.info("%s: not used, it is made anew (%s)", place.file, error)
        return None
    # figures of another version or graph are wrong, however whole the file is
    if (table.schema.metadata or {}).get(_STAMP) != place.stamp:
        return None
    if not place.part and not set(schema().names) <= set(table.column_names):
        _LOG.info("%s: not used, it is made anew (columns are missing)", place.file)
        return None
    return table


def save(place: IndexPlace, table: Table) -> None:
    """Keep an index that is to be kept, where the folder can be written; the oldest ones make
    room.
    """
    if not place.is_kept:
        return

    def write(file: BinaryIO) -> None:
        stamped = table.replace_schema_metadata({_STAMP: place.stamp})
        pq.write_table(
            stamped, file, write_page_checksum=True, dictionary_pagesize_limit=_DICTIONARY_BYTES
        )

    try:
        keep_file(place.file, write, _KEPT)
    except OSError as error:
        _LOG.info("%s: the index is not kept (%s)", place.file, error)


@contextlib.contextmanager
def built_alone(place: IndexPlace, *, wait: bool) -> Iterator[bool]:
    """Hold the right to build an index while the block lasts; false where another process holds it.

    With `wait`, wait until the other has ended.
    """
    lock = FileLock(place.sibling(".lock"))
    try:
        lock.path.parent.mkdir(parents=True, exist_ok=True)
        is_ours = lock.acquire(math.inf if wait else 0.0)
    except OSError as error:
        _LOG.info("%s: built without a lock (%s)", lock.path, error)
        is_ours = True
    try:
        yield is_ours
    finally:
        lock.release()

"""What is kept of a run: a folder for it in the user's cache, whose files are replaced in one move.

``rows.parquet`` are the rows of its list, ``marks.parquet`` what goes wrong in each walk; of a
foreign log ``log-….parquet`` are the rows and ``log-….traces`` what its reader made of it; further
files are what was found in all of a run (`navviz.runs.content_cache`). A stamp of what it hangs on
is in each file or in its name. Whatever is wrong with one, it counts as not there and is made anew,
with a line in the log. The folders to which nobody has written for longest make room.
"""

from __future__ import annotations

import contextlib
import hashlib
import logging
import math
import shutil
import struct
import zlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import BinaryIO, TypeVar

import pyarrow.parquet as pq

from navviz.errors import InputError
from navviz.runs.folder_states import state_of
from navviz.runs.index.inputs import plugin_stamp
from navviz.runs.index.measure import Table, schema
from navviz.support.guarded import is_regular, opened_bytes
from navviz.support.installation.files import cache_folder, keep_file, make_room
from navviz.support.locks import FileLock
from navviz.support.version import VERSION

What = TypeVar("What")
_VERSION = 15
"""Raise it with every change of the columns or of how they are computed."""
_KEPT = 48
"""Runs in the cache; the rows of 50,000 episodes take 15 MB, GROKE's 700 as a log 2 MB."""
_FILES = 16
"""Files of one ending in the folder of a run."""
_EARLIER = ("logs", "causes", "alike")
"""Folders of the cache that each held one kind of file for all runs, until 0.2."""
_DICTIONARY_BYTES = 1 << 23
"""The nodes of a city as a dictionary (8 MiB): walks as numbers take a tenth of walks as names."""
_STAMP = b"navviz"
_LOG = logging.getLogger(__name__)


class KeptRun:
    """The cache folder of a run, and one table in it: the rows of the run, or its marks.

    `results` and `graphs`: where the run lies, as it was given: its reader knows the files by these
    names. `version`: what the table hangs on besides traces, graphs and NavViz's own version.
    `is_kept`: whether anything is written and looked for.
    """

    def __init__(
        self,
        results: Path,
        graphs: Sequence[Path] = (),
        part: str = "rows",
        version: str = "",
        *,
        is_kept: bool = True,
    ) -> None:
        self.is_kept = is_kept
        self.results, self.graphs = results, tuple(path.resolve() for path in graphs)
        self.part, self.version = part, version
        self.home = cache_folder("runs") / digest_of(results.resolve(), *self.graphs)
        self.file = self.sibling(".parquet")

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
        """Return the file of its part with another ending."""
        return self.home / f"{self.part}{ending}"

    def load(self) -> Table | None:
        """Return the table; ``None`` where there is none, a damaged one or one of another stamp."""
        table = self.read(".parquet", _table) if self.is_kept else None
        # figures of another version or graph are wrong, however whole the file is
        if table is None or (table.schema.metadata or {}).get(_STAMP) != self.stamp:
            return None
        if self.part != "marks" and not set(schema().names) <= set(table.column_names):
            _LOG.info("%s: not used, it is made anew (columns are missing)", self.file)
            return None
        return table

    def keep_table(self, table: Table) -> None:
        """Keep a table that is to be kept, where the folder can be written."""

        def write(file: BinaryIO) -> None:
            stamped = table.replace_schema_metadata({_STAMP: self.stamp})
            pq.write_table(
                stamped, file, write_page_checksum=True, dictionary_pagesize_limit=_DICTIONARY_BYTES
            )

        try:
            self.write(".parquet", write)
        except OSError as error:
            _LOG.info("%s: it is not kept (%s)", self.file, error)

    def read(self, ending: str, parse: Callable[[Path], What]) -> What | None:
        """Return what a file of its part holds; ``None`` where there is none, or a damaged one."""
        path = self.sibling(ending)
        if not is_regular(path):
            return None
        damage = (InputError, OSError, ValueError, KeyError, TypeError, zlib.error, struct.error)
        try:
            return parse(path)
        except damage as error:
            _LOG.info("%s: not used, it is made anew (%s)", path, error)
            return None

    def write(self, ending: str, write: Callable[[BinaryIO], object]) -> None:
        """Replace a file of its part in one move, unless nothing is to be kept; raises `OSError`
        where the folder is read-only.
        """
        if self.is_kept:
            keep_in_home(self.sibling(ending), write)

    @contextlib.contextmanager
    def alone(self) -> Iterator[None]:
        """Fill the table while no other process does; wait until another has ended."""
        lock = FileLock(self.sibling(".lock"))
        try:
            lock.path.parent.mkdir(parents=True, exist_ok=True)
            lock.acquire(math.inf)
        except OSError as error:
            _LOG.info("%s: built without a lock (%s)", lock.path, error)
        try:
            yield
        finally:
            lock.release()


def digest_of(*inputs: Path | str) -> str:
    """Return a name that belongs to these inputs alone."""
    joined = "\0".join(map(str, inputs)).encode(errors="surrogateescape")
    return hashlib.blake2b(joined, digest_size=12).hexdigest()


def keep_in_home(path: Path, write: Callable[[BinaryIO], object]) -> None:
    """Write a file into its run's folder; other runs, and earlier versions' files, make room."""
    keep_file(path, write, _FILES)
    make_room(path.parent.parent, "*", _KEPT)
    for name in _EARLIER:
        shutil.rmtree(cache_folder(name), ignore_errors=True)


def _table(path: Path) -> Table:
    with opened_bytes(path) as file:
        # `read_table` imports the data sets of arrow, which takes longer than reading
        return pq.ParquetFile(file, page_checksum_verification=True).read()

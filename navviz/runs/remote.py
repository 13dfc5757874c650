"""Runs at other addresses: a copy in the workspace, which takes what is new while somebody looks.

Of a trace that has grown only its new lines are fetched; what has gone there goes here, too.
"""

from __future__ import annotations

import hashlib
import os
import threading
import time
from contextlib import suppress
from datetime import datetime
from functools import lru_cache
from pathlib import Path, PurePosixPath
from typing import Any, Final

from navviz.errors import InputError, NavVizError
from navviz.records.trace_files import SUFFIX
from navviz.runs.sources import workspace_dir
from navviz.support.addresses import files_at, is_address
from navviz.support.guarded import (
    is_there,
    not_written,
    opened_bytes,
    read_text,
    size_of,
    write_whole,
)

_FOLDER: Final = "remote"
_NOTED: Final = "address.txt"
_BEGUN: Final = ".part"
"""Ends the name of a trace that a batch of NavViz has not finished at an address."""
_LOOK_S: Final = 2.0
_ASKED_S: Final = 30.0
"""Nobody looks any more when nobody has asked for so long."""
_SAME: Final = 256
"""Bytes before the end that must be as they were, or the file was written anew."""
_STAMPS: Final = ("ETag", "etag", "LastModified", "last_modified", "mtime", "modified", "created")
"""By which the file systems of fsspec tell that a file has changed."""


def local_path(text: str | Path) -> Path:
    """Return a path as it is, and of an address the path of its copy, which is made or renewed.

    Raises `InputError` where nothing lies at the address, or it cannot be reached.
    """
    address = str(text)
    if not is_address(address):
        return Path(address)
    address = address.rstrip("/")
    folder = _root() / hashlib.sha256(address.encode()).hexdigest()[:12]
    write_whole(folder / _NOTED, address)
    copy = _copy_in(folder)
    if copy is None:
        raise InputError("is no address", "write s3://BUCKET/FOLDER", file=address)
    copy.take()
    return copy.path


def keep_up(path: Path) -> None:
    """Let the copy of an address take what is new for a while; nothing for any other path."""
    root = _root()
    if root in path.parents:
        copy = _copy_in(root / path.relative_to(root).parts[0])
        if copy is not None:
            copy.follow()


def _root() -> Path:
    return workspace_dir().resolve() / _FOLDER


@lru_cache(maxsize=64)
def _copy_in(folder: Path) -> _Copy | None:
    try:
        return _Copy(read_text(folder / _NOTED), folder)
    except InputError:
        return None


class _Copy:
    """What lies at an address, as it was last seen."""

    def __init__(self, address: str, folder: Path) -> None:
        self.address = address
        self.path = folder / (PurePosixPath(address).name or "run")
        self._seen: dict[Path, tuple[int, str]] = {}
        self._lock = threading.Lock()
        self._asked_s = 0.0
        self._thread: threading.Thread | None = None

    def follow(self) -> None:
        self._asked_s = time.monotonic()
        if self._thread is None or not self._thread.is_alive():
            self._thread = threading.Thread(target=self._go_on, name="navviz-remote", daemon=True)
            self._thread.start()

    def _go_on(self) -> None:
        while time.monotonic() - self._asked_s < _ASKED_S:
            # an address that does not answer now may do so later; what is here stays
            with suppress(NavVizError):
                self.take()
            time.sleep(_LOOK_S)

    def take(self) -> None:
        """Fetch what is new."""
        files, place = files_at(self.address)
        with self._lock:
            try:
                files.invalidate_cache()
                listed = files.find(place, detail=True)
                if not listed:
                    raise InputError("holds nothing", "check the address", file=self.address)
                targets = {}
                for name in listed:
                    whole = name.removesuffix(_BEGUN)
                    if name == whole or whole not in listed:
                        targets[self._target(place, whole)] = name
                for target, name in targets.items():
                    self._take_file(files, name, target, listed[name])
            except (OSError, ValueError, RuntimeError) as error:
                what = f"cannot be read ({type(error).__name__}: {error})"
                raise InputError(what, "check address and network", file=self.address) from error
            for target in self._seen.keys() - targets.keys():
                del self._seen[target]
                target.unlink(missing_ok=True)

    def _target(self, place: str, name: str) -> Path:
        """Return where a file goes; raises `InputError` for a name that leads elsewhere."""
        if name == place:
            return self.path
        parts = PurePosixPath(name.removeprefix(place).lstrip("/")).parts
        if not parts or any(part in {"..", "/"} or "\\" in part for part in parts):
            raise InputError("holds a file whose name leads elsewhere", file=self.address)
        return self.path.joinpath(*parts)

    def _take_file(self, files: Any, name: str, target: Path, info: dict[str, Any]) -> None:  # noqa: ANN401 - fsspec has no types
        stamp = next((info[key] for key in _STAMPS if info.get(key) is not None), "")
        state = int(info.get("size") or 0), str(stamp)
        if self._seen.get(target) == state and is_there(target):
            return
        if not (target.name.endswith(SUFFIX) and _has_grown(files, name, target, state[0])):
            write_whole(target, files.cat_file(name))
        self._seen[target] = state
        with suppress(OSError, ValueError, OverflowError):
            # the last event is what was written there, and not what came here
            at = stamp if isinstance(stamp, datetime) else datetime.fromisoformat(str(stamp))
            os.utime(target, (at.timestamp(), at.timestamp()))


def _has_grown(files: Any, name: str, target: Path, size: int) -> bool:  # noqa: ANN401 - fsspec has no types
    """Add to a copy what its file has grown by; false where it has none, or was written anew."""
    if not is_there(target):
        return False
    have = size_of(target)
    with opened_bytes(target) as file:
        file.seek(max(0, have - _SAME))
        same = file.read()
    if not same or size < have:
        return False
    # what a file system without ranges sends does not begin so, and is taken whole
    more: bytes = files.cat_file(name, start=have - len(same))
    if not more.startswith(same):
        return False
    try:
        with target.open("ab") as file:
            file.write(more[len(same) :])
    except OSError as error:
        raise not_written(target, error) from error
    return True

"""``run.json``: what a run was started with, to continue it and to open it with its graphs."""

from __future__ import annotations

import datetime as dt
import subprocess
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache
from itertools import chain, islice
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from navviz.errors import InputError, SettingsError
from navviz.support.guarded import (
    is_folder,
    is_regular,
    is_there,
    read_json,
    sha256_of,
    write_whole,
)
from navviz.support.installation.files import checkout_dir
from navviz.support.installation.processes import child_environment
from navviz.support.version import VERSION

MOST_BYTES = 1 << 29
"""Larger files are named without a hash: half a second of reading a GB is no longer cheap at the
start of a run.
"""

MOST_FILES = 500
"""Files of a folder that are named; Matterport3D has 90 connectivity files."""

MOST_TOGETHER = 1 << 31
"""Bytes of all files of one run; those after them are named without a hash."""

_DEPTH = 3


def file_hash(path: Path) -> str | None:
    """Return the SHA-256 of a file in hexadecimal digits; ``None`` for a very large one."""
    try:
        state = path.stat()
        return (
            None
            if state.st_size > MOST_BYTES
            else _hash(str(path), state.st_size, state.st_mtime_ns)
        )
    except (OSError, InputError):
        return None


@lru_cache(maxsize=4096)
def _hash(path: str, size: int, modified_ns: int) -> str:
    # both are part of the cache's key alone: a file that changed is read again
    del size, modified_ns
    return sha256_of(Path(path), MOST_BYTES)


def _files_of(path: Path) -> Iterable[Path]:
    return _inside(path, _DEPTH) if is_folder(path) else (path,)


def file_hashes(paths: Iterable[Path]) -> dict[str, str | None]:
    """Return the hashes of files, and of those in folders (three levels deep, the first
    `MOST_FILES`), by path.

    What is not there is left out.
    """
    files = filter(is_regular, chain.from_iterable(map(_files_of, paths)))
    hashes, together = dict[str, str | None](), 0
    for file in islice(files, MOST_FILES):
        together += file.stat().st_size
        hashes[str(file)] = file_hash(file) if together <= MOST_TOGETHER else None
    return hashes


def _inside(folder: Path, depth: int) -> Iterator[Path]:
    try:
        # in order, so that the files within the limits are the same ones each time
        children = sorted(child for child in folder.iterdir() if not child.name.startswith("."))
    except OSError:
        return
    yield from (child for child in children if not is_folder(child))
    for child in children if depth > 1 else ():
        if is_folder(child):
            yield from _inside(child, depth - 1)


CONFIG_NAME = "run.json"

MODEL_OPTIONS = "model_options"
"""Name under which the settings of a trace's header hold the options of the model."""

# what changes a walk; the time and the version may be others when a run is gone on with
_MUST_AGREE = ("navigator", "settings", "model", "model_options", "graphs", "edits")

_VERSION = 1
"""Of ``run.json`` and of the files of a batch."""


class RunSetup(BaseModel):
    """Who walks what: the part that a run and a plan of a batch have in common."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    schema_version: int = 1
    run: str
    navigator: str
    settings: dict[str, Any] = {}
    model: str | None = None
    """As users write it, ``gemini:MODEL``; never a key."""
    model_options: dict[str, Any] = {}
    graphs: tuple[str, ...] = ()
    """Graph folders, absolute."""
    episodes: str | None = None
    """Episode file, absolute, where the episodes come from one."""
    edits: tuple[str, ...] = ()
    """Rules by which the instructions were edited, see `navviz.language.edits`."""
    episode_count: int = 0
    """Episodes that are to be walked; 0 where nobody noted it. See `navviz.runs.marks`."""


class RunConfig(RunSetup):
    """How a run was made."""

    came_from: str | None = None
    """Run whose instruction was edited for this one."""
    sample_of: str | None = None
    """Run of the first tries, where this one holds one more walk of the same episodes."""
    created: str = ""
    code_version: str = ""
    package_version: str = ""
    data_sha256: dict[str, str | None] = {}
    """Graph and episode files as they were when the run began: SHA-256 by path, ``None`` for very
    large ones.
    """


def parted_settings(settings: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the navigator's settings and the model's options, as a trace's header holds them."""
    options = settings.get(MODEL_OPTIONS)
    own = {name: value for name, value in settings.items() if name != MODEL_OPTIONS}
    return own, dict(options) if isinstance(options, Mapping) else {}


def now() -> str:
    """Return the time in ISO 8601 with its zone, to the second."""
    return dt.datetime.now().astimezone().isoformat(timespec="seconds")


@cache
def code_version() -> str:
    """``git describe`` of the checkout that runs, or the installed package's version."""
    root = checkout_dir()
    if root is None:
        return VERSION
    command = ["git", "-C", str(root), "describe", "--always", "--dirty", "--tags"]
    try:
        described = subprocess.run(  # noqa: S603
            command, capture_output=True, text=True, timeout=5, check=True, env=child_environment()
        )
    except (OSError, subprocess.SubprocessError):
        return VERSION
    return described.stdout.strip() or VERSION


class LaterVersionError(InputError):
    """A file was written by a later NavViz; it is neither read nor replaced."""


def check_version(content: object, path: Path) -> None:
    """Raise `LaterVersionError` for a record of a version that this NavViz does not know."""
    version = content.get("schema_version", _VERSION) if isinstance(content, dict) else _VERSION
    if isinstance(version, int) and version > _VERSION:
        what = f"was written by a later NavViz (version {version}, this one reads up to {_VERSION})"
        raise LaterVersionError(what, "update NavViz; the file is left as it is", file=path)


def read_config(folder: Path) -> RunConfig | None:
    """``run.json`` of a run's folder; ``None`` where there is none.

    Raises `InputError` when the file is there and cannot be read.
    """
    return read_record(folder / CONFIG_NAME, RunConfig, "delete it, or choose another run name")


_Record = TypeVar("_Record", bound=BaseModel)


def read_record(
    path: Path, kind: type[_Record], do: str = "delete it and start the batch again"
) -> _Record | None:
    """Read one of the small files of a run or a batch; ``None`` where it is not there.

    Raises `InputError` when it is there and cannot be read; `do` says what helps then.
    """
    if not is_there(path):
        return None
    try:
        content = read_json(path)
        check_version(content, path)
        return kind.model_validate(content)
    # an `InputError` too, but one whose file must not be deleted
    except LaterVersionError:
        raise
    except (InputError, ValidationError) as error:
        raise InputError("cannot be read", do, file=path) from error


def write_config(folder: Path, config: RunConfig, *, renewed: bool = False) -> RunConfig:
    """Note how a run is made; where that was noted before, check that it is made the same way.

    Raises `SettingsError` when the run was made with other settings; `StoreError` when the file
    cannot be written.
    """
    earlier = read_config(folder)
    if earlier is not None:
        before, after = earlier.model_dump(mode="json"), config.model_dump(mode="json")
        differences: list[str] = []
        for name in _MUST_AGREE:
            old, new = before[name], after[name]
            if isinstance(old, dict) and isinstance(new, dict):
                keys = [key for key in {**old, **new} if old.get(key) != new.get(key)]
                differences += [f"{key} was {old.get(key)!r}, now {new.get(key)!r}" for key in keys]
            elif old != new:
                differences.append(f"{name} was {old!r}, now {new!r}")
        if differences:
            raise SettingsError(
                f"{folder}: this run was made with other settings ({'; '.join(differences)}); "
                "use the same ones to go on with it, or choose another run name."
            )
        if config.episode_count not in {0, earlier.episode_count}:
            # the same run may be gone on with over more episodes
            earlier = earlier.model_copy(update={"episode_count": config.episode_count})
            if not renewed:
                write_whole(folder / CONFIG_NAME, earlier.model_dump_json(indent=1))
        if not renewed:
            return earlier
        # the other fields stay as they were noted: most walks of the run were made then
        data = _provenance(config)["data_sha256"]
        config = earlier.model_copy(update={"episodes": config.episodes, "data_sha256": data})
        write_whole(folder / CONFIG_NAME, config.model_dump_json(indent=1))
        return config
    config = config.model_copy(update=_provenance(config))
    write_whole(folder / CONFIG_NAME, config.model_dump_json(indent=1))
    return config


def _provenance(config: RunConfig) -> dict[str, Any]:
    """Return what a run's figures hang on beside its settings."""
    paths = [Path(path) for path in config.graphs]
    if config.episodes:
        paths.append(Path(config.episodes))
    return {
        "created": config.created or now(),
        "code_version": config.code_version or code_version(),
        "package_version": config.package_version or VERSION,
        "data_sha256": config.data_sha256 or file_hashes(paths),
    }

"""Where the figures of a run come from: code, settings, model, data files with their hashes."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from navviz.errors import InputError
from navviz.runner.config import RunConfig, code_version, file_hash, file_hashes, read_config
from navviz.runs.opened import OpenRun
from navviz.support.guarded import is_folder, is_regular
from navviz.support.version import VERSION


@dataclass(frozen=True, slots=True)
class UsedFile:
    """A file that the figures depend on."""

    role: str
    """``graph``, ``episodes`` or ``results``."""
    path: str
    sha256: str | None
    """As it is now; ``None`` where it is gone or very large."""
    noted: str | None = None
    """As it was when the run began, where ``run.json`` tells it."""

    @property
    def changed(self) -> bool:
        """Whether it is another file than the run began with."""
        return self.noted is not None and self.noted != self.sha256


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where the figures of a run come from."""

    run: str
    episodes: int
    navigators: Mapping[str, int]
    """Episodes by navigator."""
    models: Mapping[str, int]
    settings: Mapping[str, int]
    """Episodes by settings, as JSON."""
    code_versions: Mapping[str, int]
    """Episodes by the version that walked them: ``git describe``, or the package's version."""
    package_version: str | None
    """Of the package that walked, where ``run.json`` tells it."""
    created: str | None
    """When the first walk began."""
    scored_with: str
    """The version that counts the figures now."""
    files: tuple[UsedFile, ...]

    @property
    def changed(self) -> tuple[UsedFile, ...]:
        """Files that are no longer what they were when the run began."""
        return tuple(file for file in self.files if file.changed)


def provenance_of(opened: OpenRun) -> Provenance:
    """Say where the figures of a run come from; this hashes its files, which takes time."""
    headers = [trace.header for trace in opened.outlines.values()]
    config = _config(opened)
    created = min((header.created for header in headers if header.created), default=None)
    if created is None and config is not None:
        created = config.created or None
    return Provenance(
        run=opened.name,
        episodes=len(headers),
        navigators=dict(Counter(header.navigator for header in headers)),
        models=dict(Counter(header.model for header in headers if header.model)),
        settings=dict(Counter(_written(header.settings) for header in headers)),
        code_versions=dict(
            Counter(header.code_version or "an unknown version" for header in headers)
        ),
        package_version=(config.package_version or None) if config is not None else None,
        created=created,
        scored_with=f"{code_version()} (navviz {VERSION})",
        files=_files(opened, config.data_sha256 if config is not None else {}),
    )


def _written(settings: Mapping[str, Any]) -> str:
    return json.dumps(settings, sort_keys=True)


def _config(opened: OpenRun) -> RunConfig | None:
    results = opened.source.results
    try:
        return read_config(results) if results is not None and is_folder(results) else None
    except InputError:
        return None


def _files(opened: OpenRun, noted: Mapping[str, str | None]) -> tuple[UsedFile, ...]:
    source = opened.source
    episodes = [] if source.episodes is None else [source.episodes]
    # what lies unread in the same folders may be anybody's, and no figure hangs on it
    read = [file for file in opened.read_files.files if file != source.episodes]
    if not read and source.results is not None:
        read = [source.results]
    files = []
    for role, paths in (("graph", _graph_files(opened)), ("episodes", episodes), ("results", read)):
        for path, digest in file_hashes(paths).items():
            files.append(UsedFile(role, path, digest, noted.get(path)))
    # by path: a file that was begun with may have left the folders of the run
    listed = {file.path for file in files}
    folders = [*source.graphs, *episodes]
    for path, old in noted.items():
        if path not in listed and not _is_unread(Path(path), folders):
            # the run was begun with a file that is no longer part of the source
            files.append(UsedFile("begun with", path, file_hash(Path(path)), old))
    return tuple(files)


def _graph_files(opened: OpenRun) -> list[Path]:
    """Return the files of the maps that were walked on, each once."""
    files = dict[Path, None]()
    for world in dict.fromkeys(trace.episode.world for trace in opened.outlines.values()):
        try:
            files |= dict.fromkeys(opened.graph_of(world).info.files)
        except InputError:  # such an episode has no figures, so none hangs on its map
            continue
    return list(files)


def _is_unread(path: Path, folders: Sequence[Path]) -> bool:
    """Whether a file lies in the folders of a run, and was not read for it."""
    return any(folder in path.parents for folder in folders) and is_regular(path)


def counted_names(counts: Mapping[str, int]) -> str:
    """Say how many episodes each name has; one name of all episodes stands alone."""
    if len(counts) == 1:
        return next(iter(counts))
    return ", ".join(f"{name} ({count})" for name, count in counts.items())

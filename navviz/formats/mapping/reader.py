"""Mappings as readers: those saved beside the data, and those that come with NavViz or a system."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from collections.abc import Mapping as Pairs
from functools import cache
from importlib import resources
from itertools import islice
from pathlib import Path
from typing import Any, ClassVar

from navviz.errors import InputError, Problems
from navviz.formats.base import EpisodeSet, GraphOf, Run
from navviz.formats.files import peek
from navviz.formats.mapping import values
from navviz.formats.mapping.engine import read_log
from navviz.formats.mapping.model import (
    SIDECAR,
    Mapping,
    entries,
    mapping_of,
    parse_path,
    saved_mapping,
    sidecar_of,
)
from navviz.formats.mapping.parts import run_name
from navviz.formats.mapping.printed import printed_document
from navviz.formats.mapping.structure import (
    format_by_content,
    head_document,
    is_named,
    named_files,
    read_document,
)
from navviz.records import Episode
from navviz.records.lazy_traces import heads
from navviz.support.guarded import Json, is_folder, is_regular
from navviz.support.systems import offered


def _runs(
    mapping: Mapping, path: Path, graph_of: GraphOf, episodes: Pairs[str, Episode] | None
) -> list[Run]:
    problems = Problems()
    traces = read_log(mapping, path, graph_of, episodes, problems)
    run = run_name(path, mapping.parts)
    details = {"mapping": mapping.name}
    if not mapping.has_walks:
        details["figures"] = "as recorded"
    return [Run(run, run, None, traces, problems, path, details)]


def _episode_set(mapping: Mapping, path: Path) -> EpisodeSet:
    problems = Problems()
    traces = read_log(mapping, path, None, None, problems)
    episodes = {name: trace.episode for name, trace in heads(traces).items()}
    return EpisodeSet(path.name.split(".")[0], mapping.name, episodes, problems, path)


class SavedMapping:
    """Reads results by the mapping that was saved beside them."""

    name: ClassVar[str] = "saved mapping"

    @classmethod
    def handles(cls, path: Path) -> bool:
        """Whether a mapping lies beside a path, and says more than what the episodes are."""
        return has_saved_mapping(path) and cls._mapping(path, lenient=True).has_results

    @classmethod
    def read(
        cls, path: Path, graph_of: GraphOf, episodes: Pairs[str, Episode] | None = None
    ) -> list[Run]:
        """Read the one run; raises `InputError` where mapping or file cannot be read."""
        return _runs(cls._mapping(path), path, graph_of, episodes)

    @staticmethod
    def _mapping(path: Path, *, lenient: bool = False) -> Mapping:
        """Return the mapping; a damaged one is taken for results, so that its fault is said."""
        try:
            mapping = saved_mapping(path)
        except InputError:
            if not lenient:
                raise
            return Mapping.model_validate({"name": "damaged", "figures": {"none": "none"}})
        return mapping or Mapping(name="none")


class SavedEpisodes(SavedMapping):
    """Reads episodes by the mapping that was saved beside them."""

    name: ClassVar[str] = "saved mapping of episodes"

    @classmethod
    def handles(cls, path: Path) -> bool:
        """Whether a mapping lies beside a path."""
        return has_saved_mapping(path)

    @classmethod
    def read(cls, path: Path) -> EpisodeSet:  # type: ignore[override]
        """Read all episodes; raises `InputError` where not one can be read."""
        return _episode_set(cls._mapping(path), path)


def has_saved_mapping(path: Path) -> bool:
    """Tell whether a mapping lies beside a file or folder."""
    return bool(path.name) and not path.name.endswith(SIDECAR) and is_regular(sidecar_of(path))


def _first_entries(mapping: Mapping, path: Path) -> list[Json]:
    """Return the first entries of a file, as far as its first bytes go; all tracks of GPX."""
    way = parse_path(mapping.episodes)
    if mapping.format == "json lines":
        return [peek(path).first_line]
    if mapping.format == "gpx":
        try:
            return [value for _, value in entries(read_document(path, "gpx", Problems()), _ROWS)]
        except InputError:
            return []
    if mapping.printed is not None:
        lines = peek(path).text.splitlines(keepends=True)
        return printed_document(lines, mapping.printed)[:_FIRST]
    if len(way) == 1 and peek(path).items:
        # the look that all readers share: five whole entries, without a second parse
        keyed = way[0].kind == "values"
        return [value for key, value in peek(path).items if (key is not None) == keyed]
    listed = entries(head_document(path), way)
    return [value for _, value in islice(listed, _FIRST)]


_ROWS = parse_path("[*]")
_FIRST = 5
"""Entries of a file that are looked at to know it."""


def fits(mapping: Mapping, path: Path) -> bool:
    """Tell whether the first entries of a file, or of the first one of a folder, have the needs.

    Shipped mappings say what they need; one that needs nothing fits nothing.
    """
    if not (mapping.needs or mapping.needs_two_of):
        return False
    if is_folder(path):
        if mapping.files == "*":
            return False
        file = next(named_files(path, mapping.files), None)
    else:
        file = path if is_named(path.name, mapping.files.rsplit("/", 1)[-1]) else None
    if file is None or not _has_format(mapping, file):
        return False
    first = _first_entries(mapping, file)
    if mapping.format != "gpx" and mapping.skip_without:
        # a line of means, or a point among lines, says nothing of the others
        sound = [each for each in first if values.exists(each, mapping.skip_without[0])]
        first = sound or first[:1]
    # an episode whose walk is empty is reported when the file is read
    first = [each for each in first if each not in (None, [], {})]
    return bool(first) and all(_has_needs(mapping, entry) for entry in first)


def is_in_degrees(path: Path) -> bool:
    """Tell whether a mapping reads a file as walks over latitudes and longitudes."""
    try:
        saved = saved_mapping(path)
    except InputError:
        return False  # its fault is said where the file is read
    if saved is not None:
        return saved.in_degrees
    degrees = [mapping for _, mapping in shipped_mappings() if mapping.in_degrees]
    return any(fits(mapping, path) for mapping in degrees)


def _has_format(mapping: Mapping, file: Path) -> bool:
    """Tell whether a file has the form; one line of JSON is JSON, and JSON lines of one line."""
    if mapping.format == "json lines":
        return isinstance(peek(file).first_line, dict)
    if mapping.format == "printed":
        return peek(file).opener not in {"", "{", "<"}
    return format_by_content(file) == mapping.format


def _has_needs(mapping: Mapping, entry: Json) -> bool:
    if not all(values.exists(entry, path) for path in mapping.needs):
        return False
    some = [path for path in mapping.needs_two_of if values.exists(entry, path)]
    return len(some) >= 2 or not mapping.needs_two_of


@cache
def shipped_mappings() -> tuple[tuple[str, Mapping], ...]:
    """Return the mappings that come with NavViz, by file name; then those of systems.

    One of another package that cannot be read is noted, and left out.
    """
    folder = resources.files("navviz.formats.mapping") / "shipped"
    shipped = []
    for file in sorted(folder.iterdir(), key=lambda each: each.name):
        if file.name.endswith(".toml"):
            fields = tomllib.loads(file.read_text(encoding="utf-8"))
            shipped.append((file.name.removesuffix(".toml"), mapping_of(fields, file.name)))
    for part in offered("mappings").values():
        package, _, file_name = part.target.partition(":")
        with part.guarded(f"brings no mapping {part.target}"):
            text = (resources.files(package) / file_name).read_text(encoding="utf-8")
            shipped.append((part.name, mapping_of(tomllib.loads(text), file_name)))
    return tuple(shipped)


def _reader_of(name: str, mapping: Mapping, kind: str) -> Any:  # noqa: ANN401 - a reader's class
    def handles(path: Path) -> bool:
        return fits(mapping, path)

    def read_runs(
        path: Path, graph_of: GraphOf, episodes: Pairs[str, Episode] | None = None
    ) -> list[Run]:
        return _runs(mapping, path, graph_of, episodes)

    def read_episodes(path: Path) -> EpisodeSet:
        return _episode_set(mapping, path)

    read: Any = read_runs if kind == "results" else read_episodes
    made = {"name": mapping.name, "handles": staticmethod(handles), "read": staticmethod(read)}
    return type(f"Mapping_{name}", (), made)


def mapped_readers(kind: str) -> Iterator[tuple[int, Any]]:
    """Yield order and reader of each mapping that comes with NavViz or a system."""
    for name, mapping in shipped_mappings():
        # one that looks its episodes up holds none
        has_episodes = kind == "episodes" and not mapping.find_episodes
        if has_episodes or (kind == "results" and mapping.has_results):
            yield mapping.order, _reader_of(name, mapping, kind)

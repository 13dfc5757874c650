"""Episodes whose instructions were reordered: ``{instr_id: text}``, or R2R files of the same form.

The original instruction is taken from the split beside the file and kept in ``Episode.extra``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import ClassVar

from navviz.errors import InputError, Problem, Problems
from navviz.formats.base import EpisodeSet
from navviz.formats.files import json_items, peek
from navviz.formats.r2r import R2REpisodes
from navviz.records import Episode

ORIGINAL = "original_instruction"
"""Key in `Episode.extra` under which the instruction stands as the data set gives it."""

_ID = re.compile(r"^\d+_\d+(?:_\d+)?$")


class ReorderedEpisodes:
    """Reads reordered instructions and joins them to their episodes."""

    name: ClassVar[str] = "reordered instructions"

    @classmethod
    def handles(cls, path: Path) -> bool:
        """Whether it maps instruction ids to texts, or is an R2R file that is named as
        reordered.
        """
        if _is_map(path):
            return True
        # nothing within the file tells it from the split itself
        return "reorder" in path.name.lower() and R2REpisodes.handles(path)

    @classmethod
    def read(cls, path: Path) -> EpisodeSet:
        """Read the episodes with the reordered texts; raises `InputError` where the split is not
        beside the file.
        """
        if _is_map(path):
            problems = Problems()
            texts = {
                str(key): text for key, text in json_items(path, problems) if isinstance(text, str)
            }
            originals = _beside(path, problems)
            # a map of texts has no episodes of its own
            return _joined(path, texts, originals, originals, problems)
        original = R2REpisodes.read(path)
        texts = {key: episode.instruction for key, episode in original.episodes.items()}
        return _joined(
            path,
            texts,
            dict(original.episodes),
            _beside(path, original.problems),
            original.problems,
        )


def _is_map(path: Path) -> bool:
    seen = peek(path)
    return bool(seen.items) and all(
        key is not None and _ID.match(key) and isinstance(value, str) for key, value in seen.items
    )


def _beside(path: Path, problems: Problems) -> dict[str, Episode]:
    """Episodes of the other R2R files in the folder, reordered ones left out."""
    episodes: dict[str, Episode] = {}
    for other in sorted(path.parent.iterdir()):
        # another reordered file has the same form, and would pass for the original
        if other == path or "reorder" in other.name.lower() or not R2REpisodes.handles(other):
            continue
        read = R2REpisodes.read(other)
        episodes.update(read.episodes)
        problems.extend(read.problems)
    return episodes


def _joined(
    path: Path,
    texts: Mapping[str, str],
    episodes: Mapping[str, Episode],
    originals: Mapping[str, Episode],
    problems: Problems,
) -> EpisodeSet:
    joined: dict[str, Episode] = {}
    for name, text in texts.items():
        episode = episodes.get(name)
        if episode is None or not text.strip():
            what = (
                "has no text"
                if episode is not None
                else "no such instruction in the split beside it"
            )
            problems.skip(
                Problem(what, "put the split that it belongs to beside it", path.name, name)
            )
            continue
        extra = dict(episode.extra)
        if name in originals:
            extra[ORIGINAL] = originals[name].instruction
        joined[name] = episode.model_copy(update={"instruction": text.strip(), "extra": extra})
    if not joined:
        raise InputError(
            "holds reordered texts without their episodes",
            "put the R2R split that they belong to beside it",
            file=path.name,
        )
    return EpisodeSet(path.stem, ReorderedEpisodes.name, joined, problems, path)

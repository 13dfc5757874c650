"""Episodes as NavViz writes them: JSON lines, one `navviz.records.Episode` a line, sub-tasks
included.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, ClassVar

from pydantic import ValidationError

from navviz.errors import InputError, Problem, Problems
from navviz.formats.base import EpisodeSet
from navviz.formats.files import json_lines, peek
from navviz.records import Episode
from navviz.support.guarded import write_whole

_NEEDED = {"id", "dataset", "instruction", "start", "world"}


class EpisodeLines:
    """Reads episodes that NavViz wrote."""

    name: ClassVar[str] = "NavViz episodes"

    @classmethod
    def handles(cls, path: Path) -> bool:
        """Whether the first line is an episode of NavViz."""
        first = peek(path).first_line
        return isinstance(first, dict) and first.keys() >= _NEEDED

    @classmethod
    def read(cls, path: Path) -> EpisodeSet:
        """Read all lines; raises `InputError` where not one is an episode."""
        problems, episodes = Problems(), dict[str, Episode]()
        for number, line in json_lines(path, problems):
            try:
                episode = Episode.model_validate(line)
            except ValidationError as error:
                fault = error.errors()[0]
                field = ".".join(str(part) for part in fault["loc"])
                where = f"{path.name}:{number}"
                problems.skip(
                    Problem(fault["msg"].lower(), "the other lines are shown", where, field=field)
                )
                continue
            if episode.id in episodes:
                problems.skip(
                    Problem(
                        "is there twice",
                        "the last one is shown",
                        f"{path.name}:{number}",
                        episode.id,
                    )
                )
            episodes[episode.id] = episode
        if not episodes:
            raise InputError(
                "holds no episode of NavViz",
                "write it with navgen, or open another",
                file=path.name,
            )
        return EpisodeSet(path.stem, cls.name, episodes, problems, path)


def write_episodes(episodes: Iterable[Episode], path: Path) -> None:
    """Write episodes, one a line; raises `StoreError` where that is not possible."""
    lines = [
        json.dumps(_written_fields(episode), ensure_ascii=False) + "\n" for episode in episodes
    ]
    write_whole(path, "".join(lines))


def _written_fields(episode: Episode) -> dict[str, Any]:
    """Return the fields to write: those that are no defaults, and those that a reader needs."""
    fields = episode.model_dump(mode="json", exclude_defaults=True)
    return {name: getattr(episode, name) for name in sorted(_NEEDED)} | fields

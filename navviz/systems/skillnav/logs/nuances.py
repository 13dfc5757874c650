"""Annotations of NavNuances (Wang et al. 2024): R2R-like entries with what the evaluator of their class needs.

The fields of an entry tell its class; where they fit several, the name of the file does (``R2R_DC.json``). The
annotation stands in ``Episode.extra["nuances"]``, in the shape of `navviz.systems.skillnav.nuances.Nuance`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import ClassVar

from pydantic import ValidationError

from navviz.errors import Problem, Problems
from navviz.formats.base import EpisodeSet
from navviz.formats.files import Json
from navviz.formats.r2r import R2REpisodes, first_item, iter_items
from navviz.systems.skillnav.nuances import CLASSES, Nuance

__all__ = ["NuancesEpisodes"]

_FIELDS = ("gt_vp", "vp_neg", "heading_vp", "obj_center", "valid_ends", "region_starts", "set_paths", "has_both_dir")
_TELLS = {"gt_vp": "DC", "obj_center": "LR", "valid_ends": "RR", "region_starts": "RR", "set_paths": "NU",
          "has_both_dir": "VM"}  # fmt: skip


class NuancesEpisodes:
    """Reads annotations of NavNuances as episodes."""

    name: ClassVar[str] = "NavNuances"

    @classmethod
    def handles(cls, path: Path) -> bool:
        """Whether the first entry is an R2R entry with fields of one of the five classes."""
        item = first_item(path)
        return {"scan", "path", "instructions"} <= item.keys() and bool(_TELLS.keys() & item.keys())

    @classmethod
    def read(cls, path: Path) -> EpisodeSet:
        """Read the episodes; raises `InputError` where not one can be read."""
        known = R2REpisodes.read(path)
        kind = next((name for name in CLASSES if re.search(rf"(?:^|[_\W]){name}(?:[_\W]|$)", path.stem)), None)
        raw: dict[str, Mapping[str, Json]] = {}
        for item in iter_items(path, Problems()):  # what is broken is reported already
            raw[str(item.get("path_id", item.get("id")))] = item
        episodes = {}
        for name, episode in known.episodes.items():
            annotation = raw.get(str(episode.path_id), {})
            told = {key: annotation[key] for key in _FIELDS if annotation.get(key) is not None}
            told |= {"kind": _kind(annotation, kind), "template": str(annotation.get("instruction_template") or "")}
            try:
                nuance = Nuance.model_validate(told)
            except ValidationError as error:
                fault = error.errors()[0]
                where = ".".join(map(str, fault["loc"]))
                what = f"cannot be used ({fault['msg']})"
                known.problems.add(Problem(what, "the episode is shown without its class", path.name, name, where))
                episodes[name] = episode
                continue
            extra = episode.extra | {"nuances": nuance.model_dump(mode="json", exclude_defaults=True)}
            episodes[name] = episode.model_copy(update={"dataset": "NavNuances", "split": nuance.kind, "extra": extra})
        return EpisodeSet(f"NavNuances {kind or path.stem}", cls.name, episodes, known.problems, path)


def _kind(item: Mapping[str, Json], named: str | None) -> str | None:
    """Return the class whose fields an entry has; the file's name tells where there are several, or none."""
    kinds = list(dict.fromkeys(kind for field, kind in _TELLS.items() if field in item))
    if len(kinds) == 1 or (kinds and named not in kinds):
        return kinds[0]
    return named

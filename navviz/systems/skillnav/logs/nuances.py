"""Annotations of NavNuances (Wang et al. 2024): R2R-like entries with fields for their evaluator.

The fields of an entry tell its class; where they fit several, the name of the file does
(``R2R_DC.json``). The annotation stands in ``Episode.extra["nuances"]``, in the shape of
`navviz.systems.skillnav.nuances.Nuance`.
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
from navviz.formats.texts import id_text
from navviz.systems.skillnav.nuances import CLASSES, Nuance

_FIELDS = (
    "gt_vp",
    "vp_neg",
    "heading_vp",
    "obj_center",
    "valid_ends",
    "region_starts",
    "set_paths",
    "has_both_dir",
)
_TELLS = {
    "gt_vp": "DC",
    "obj_center": "LR",
    "valid_ends": "RR",
    "region_starts": "RR",
    "set_paths": "NU",
    "has_both_dir": "VM",
}


# for \b an underscore is a letter, but in a file's name it ends a part
_NAMED = r"(?:^|[_\W]){}(?:[_\W]|$)"


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
        plain = R2REpisodes.read(path)
        kinds = [name for name in CLASSES if re.search(_NAMED.format(re.escape(name)), path.stem)]
        kind = kinds[0] if kinds else None
        raw: dict[str, Mapping[str, Json]] = {}
        for item in iter_items(path, Problems()):  # what is broken is reported already
            raw[id_text(item.get("path_id", item.get("id")))] = item
        episodes = {}
        for name, episode in plain.episodes.items():
            annotation = raw.get(str(episode.path_id), {})
            fields = {key: annotation[key] for key in _FIELDS if annotation.get(key) is not None}
            fields["kind"] = _kind(annotation, kind)
            fields["template"] = str(annotation.get("instruction_template") or "")
            try:
                nuance = Nuance.model_validate(fields)
            except ValidationError as error:
                fault = error.errors()[0]
                where = ".".join(map(str, fault["loc"]))
                what, do = (
                    f"cannot be used ({fault['msg']})",
                    "the episode is shown without its class",
                )
                plain.problems.add(Problem(what, do, path.name, name, where))
                episodes[name] = episode
                continue
            data = nuance.model_dump(mode="json", exclude_defaults=True)
            extra = episode.extra | {"nuances": data}
            episodes[name] = episode.model_copy(
                update={"dataset": "NavNuances", "split": nuance.kind, "extra": extra}
            )
        title = f"NavNuances {kind or path.stem}"
        return EpisodeSet(title, cls.name, episodes, plain.problems, path)


def _kind(item: Mapping[str, Json], named: str | None) -> str | None:
    """Return the class of an entry's fields; the file's name decides between several, or none."""
    kinds = list(dict.fromkeys(kind for field, kind in _TELLS.items() if field in item))
    if len(kinds) == 1 or (kinds and named not in kinds):
        return kinds[0]
    return named

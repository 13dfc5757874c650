"""Episodes of SkillNav's test sets: NavNuances, and instructions that were reordered."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import ClassVar

from pydantic import ValidationError

from navviz.errors import InputError, Problem, Problems
from navviz.formats.base import EpisodeSet
from navviz.formats.files import Json, json_items, peek
from navviz.formats.r2r import R2REpisodes, first_item, iter_items
from navviz.formats.texts import id_text
from navviz.records import Episode
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

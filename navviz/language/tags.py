"""Tags of an instruction: the skills that its parts ask for, and its temporal relations.

By words, for any data set.
"""

from __future__ import annotations

from functools import lru_cache

from navviz.language.reorder import reorder_by_rules
from navviz.language.skills import SKILLS, skill_by_rules
from navviz.language.temporal import relation_tags
from navviz.records import Episode


def tagged_text(episode: Episode) -> str:
    """Return the text to tag: the data set's own, since reordering drops cues."""
    original = episode.extra.get("original_instruction")
    return original if isinstance(original, str) and original.strip() else episode.instruction


@lru_cache(maxsize=65536)
def skill_tags(instruction: str) -> tuple[str, ...]:
    """Names of the skills that the parts of an instruction ask for, in index order, each once."""
    needed = {skill_by_rules(part.text) for part in reorder_by_rules(instruction)}
    return tuple(skill.value for skill in SKILLS if skill in needed)


@lru_cache(maxsize=65536)
def temporal_tags(instruction: str) -> tuple[str, ...]:
    """Temporal relations and cues, each once, such as ``temporal: until``."""
    tags = relation_tags(instruction)
    relations = dict.fromkeys(f"temporal: {tag.relation.value}" for tag in tags)
    cues = dict.fromkeys(f"temporal: {tag.label}" for tag in tags)
    return tuple(relations | cues)


def instruction_tags(instruction: str) -> tuple[str, ...]:
    """All tags for a filter: ``skill: Vertical Movement`` and those of `temporal_tags`."""
    return (*(f"skill: {name}" for name in skill_tags(instruction)), *temporal_tags(instruction))

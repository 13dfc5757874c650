"""How a made-up model writes: phrasings in a file, filled by replacement."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from navviz.analysis.navfault.routes import drawn
from navviz.errors import InputError
from navviz.support.guarded import read_text

OWN: Final = Path(__file__).parent / "voices"
"""Voices for those who write explainers; its folder ``kept`` holds those that they never read."""

_PLACES: Final = frozenset({"side", "landmark", "nth", "thing"})
_THOUGHTS: Final = _PLACES | {"other", "total", "line", "due", "node"}
_REPLY: Final = frozenset({"node", "status", "line"})
_NONE: Final = frozenset[str]()

SLOTS: Final[Mapping[str, Mapping[str, frozenset[str]]]] = {
    "plan": {
        "turn_landmark": frozenset({"side", "landmark"}),
        "turn_count": frozenset({"side", "nth", "thing"}),
        "turn_bare": frozenset({"side"}),
        "stop_landmark": frozenset({"landmark"}),
        "stop_count": frozenset({"nth", "thing"}),
        "stop_bare": _NONE,
    },
    "prompt": {
        "planning": frozenset({"instruction"}),
        "step": frozenset({"plan", "due", "line", "here", "heading", "seen"}),
        "seen": frozenset({"places", "landmarks"}),
        "plan_line": frozenset({"line", "due", "status"}),
        "place": frozenset({"node", "thing", "ways"}),
        "way": frozenset({"node", "side", "heading"}),
        "landmark": frozenset({"landmark", "node", "metres"}),
        "nothing": _NONE,
    },
    "thoughts": {
        "pass_count": _THOUGHTS - {"landmark", "other"},
        "pass_landmark": _THOUGHTS - {"other", "nth", "total"},
        "pass_stop": frozenset({"node", "line", "due"}),
        "turn_count": _PLACES - {"landmark"} | {"line", "due"},
        "turn_landmark": frozenset({"side", "landmark", "line", "due"}),
        "turn_bare": frozenset({"side", "line", "due"}),
        "closed": frozenset({"line", "due"}),
        "open": frozenset({"line", "due"}),
        "stop": frozenset({"line", "due"}),
        "stop_landmark": frozenset({"landmark", "line", "due"}),
        "missing": frozenset({"landmark", "line", "due"}),
        "other": frozenset({"landmark", "other", "line", "due"}),
        "choose": frozenset({"node"}),
        "onward": frozenset({"node"}),
        "onward_turn": frozenset({"side", "node"}),
    },
    "reply": {"move": _REPLY, "stop": _REPLY},
    "words": {
        "left": _NONE,
        "right": _NONE,
        "straight": _NONE,
        "light": _NONE,
        "intersection": _NONE,
        "plain": _NONE,
        "nth": _NONE,
        "count": _NONE,
        "completed": _NONE,
        "in_progress": _NONE,
        "todo": _NONE,
    },
}
"""What a voice's file holds, by table: each entry is a list of phrasings, with the tokens that may
stand in them. ``nth`` and ``count`` are lists by number from 1.
"""

_NUMBERED: Final = frozenset({"nth", "count"})
_LEAST_NUMBERS: Final = 8
_ONE_IS_ENOUGH: Final = frozenset({"prompt", "reply", "words"})
_TOKEN: Final = re.compile(r"\{([a-z_]+)\}")


@dataclass(frozen=True, slots=True)
class Voice:
    """One manner of writing prompts, thoughts and replies."""

    name: str
    title: str
    phrasings: Mapping[str, Mapping[str, tuple[str, ...]]] = field(repr=False)
    kept: bool = False
    """Whether it is one that writers of explainers never read."""

    def say(self, table: str, slot: str, key: object, **values: object) -> str:
        """Fill one phrasing of a slot; the same key takes the same one."""
        choices = self.phrasings[table][slot]
        text = choices[drawn(self.name, table, slot, key) % len(choices)]
        # in one pass, so that a name that holds a token stays as it is
        return _TOKEN.sub(lambda found: str(values.get(found[1], found[0])), text)

    def number(self, slot: str, number: int) -> str:
        """Say a number from 1 as ``nth`` or ``count``."""
        words = self.phrasings["words"][slot]
        return words[number - 1] if number <= len(words) else str(number)


def load_voice(path: Path) -> Voice:
    """Read a voice; `InputError` names the file, the slot and what is wrong with it."""
    try:
        content: dict[str, Any] = tomllib.loads(read_text(path))
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"is no TOML: {error}", "mend the line", file=path) from error
    tables: dict[str, dict[str, tuple[str, ...]]] = {}
    for table, slots in SLOTS.items():
        given = content.pop(table, None)
        if not isinstance(given, dict):
            raise InputError("is missing", f"add [{table}]", file=path, field=table)
        tables[table] = {}
        for slot, tokens in slots.items():
            tables[table][slot] = _phrasings(path, table, slot, given.pop(slot, None), tokens)
        if given:
            do = f"take one of {', '.join(slots)}"
            raise InputError("is no slot", do, file=path, field=f"{table}.{next(iter(given))}")
    title = content.pop("title", path.stem)
    content.pop("writer", None)
    if content:
        do = f"take one of title, writer, {', '.join(SLOTS)}"
        raise InputError("is no table of a voice", do, file=path, field=next(iter(content)))
    return Voice(path.stem, str(title), tables, kept=path.parent.name == "kept")


def _phrasings(
    path: Path, table: str, slot: str, given: object, tokens: frozenset[str]
) -> tuple[str, ...]:
    name = f"{table}.{slot}"
    texts = [given] if isinstance(given, str) else given
    if not isinstance(texts, list) or not texts or not all(isinstance(t, str) for t in texts):
        raise InputError("has no phrasings", "write a list of texts", file=path, field=name)
    if len(texts) < 2 and table not in _ONE_IS_ENOUGH:
        do = "write two or more, so that a log is no template"
        raise InputError("has one phrasing", do, file=path, field=name)
    if slot in _NUMBERED and len(texts) < _LEAST_NUMBERS:
        do = f"write the words for 1 to {_LEAST_NUMBERS}"
        raise InputError(f"has {len(texts)} words", do, file=path, field=name)
    for number, text in enumerate(texts, start=1):
        unknown = [token for token in _TOKEN.findall(text) if token not in tokens]
        if unknown:
            known = ", ".join(f"{{{token}}}" for token in sorted(tokens)) or "none"
            what = f"phrasing {number} has {{{unknown[0]}}}, which is no token here"
            raise InputError(what, f"take one of: {known}", file=path, field=name)
    return tuple(texts)


@lru_cache(maxsize=8)
def voices_in(folder: Path = OWN, *, kept: bool = True) -> tuple[Voice, ...]:
    """Read all voices of a folder, by name; those of its folder ``kept`` last."""
    paths = sorted(folder.glob("*.toml"))
    if kept:
        paths += sorted((folder / "kept").glob("*.toml"))
    if not paths:
        do = "name a folder that holds voices (*.toml)"
        raise InputError("has no voice", do, file=folder)
    return tuple(load_voice(path) for path in paths)

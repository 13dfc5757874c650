"""How a made-up model writes: phrasings in a file, filled by replacement."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from navviz.analysis.navfault.routes import drawn
from navviz.errors import InputError
from navviz.support.guarded import read_text
from navviz.support.installation.files import asset

OWN: Final = asset("navfault") / "voices"
"""Voices for those who write explainers; its folder ``kept`` holds those that they never read."""

SLOTS: Final[Mapping[str, Mapping[str, str]]] = {
    "plan": {
        "turn_landmark": "side landmark",
        "turn_count": "side nth thing",
        "turn_bare": "side",
        "stop_landmark": "landmark",
        "stop_count": "nth thing",
        "stop_bare": "",
    },
    "prompt": {
        "planning": "instruction",
        "step": "plan due line here heading seen",
        "seen": "places landmarks",
        "plan_line": "line due status",
        "place": "node thing ways",
        "way": "node side heading",
        "landmark": "landmark node metres",
        "nothing": "",
    },
    "thoughts": {
        "pass_count": "side nth total thing node line due",
        "pass_landmark": "side landmark thing node line due",
        "pass_stop": "node line due",
        "turn_count": "side nth thing line due",
        "turn_landmark": "side landmark line due",
        "turn_bare": "side line due",
        "closed": "line due",
        "open": "line due",
        "stop": "line due",
        "stop_landmark": "landmark line due",
        "missing": "landmark line due",
        "other": "landmark other line due",
        "choose": "node",
        "onward": "node",
        "onward_turn": "side node",
    },
    "reply": {"move": "node status line", "stop": "node status line"},
    "words": dict.fromkeys(
        (
            *("left", "right", "straight", "light", "intersection", "plain", "nth", "count"),
            *("completed", "in_progress", "todo"),
        ),
        "",
    ),
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
        return _TOKEN.sub(lambda hits: str(values.get(hits[1], hits[0])), text)

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


def _phrasings(path: Path, table: str, slot: str, given: object, tokens: str) -> tuple[str, ...]:
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
        unknown = [token for token in _TOKEN.findall(text) if token not in tokens.split()]
        if unknown:
            known = ", ".join(f"{{{token}}}" for token in tokens.split()) or "none"
            what = f"phrasing {number} has {{{unknown[0]}}}, which is no token here"
            raise InputError(what, f"take one of: {known}", file=path, field=name)
    return tuple(texts)


def voices_in(folder: Path = OWN, *, kept: bool = True) -> tuple[Voice, ...]:
    """Read all voices of a folder, by name; those of its folder ``kept`` last."""
    paths = sorted(folder.glob("*.toml"))
    if kept:
        paths += sorted((folder / "kept").glob("*.toml"))
    if not paths:
        do = "name a folder that holds voices (*.toml)"
        raise InputError("has no voice", do, file=folder)
    return tuple(load_voice(path) for path in paths)

"""MSNav's extended instructions, ``*_sr.json``: what its spatial module said of each instruction,
made beforehand.

A JSON list of ``{"scan", "path_id", "instruction", "final_destination_spatial_relations"}``; files
with objects hold ``instructions`` (a text), ``direct_obj`` and ``potential_obj``. Both kinds may
stand in one entry.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from navviz.errors import InputError, Problem, Problems
from navviz.formats.files import Json
from navviz.formats.r2r import iter_items
from navviz.formats.texts import id_text
from navviz.support.guarded import is_regular


@dataclass(frozen=True, slots=True)
class ExtendedInstruction:
    """What is said of one instruction; empty where a file does not say it."""

    layout: str = ""
    direct: tuple[str, ...] = ()
    potential: tuple[str, ...] = ()

    def joined(self, other: ExtendedInstruction) -> ExtendedInstruction:
        """Both together, the first one's words where both speak."""
        return ExtendedInstruction(
            self.layout or other.layout,
            self.direct or other.direct,
            self.potential or other.potential,
        )


@dataclass(frozen=True, slots=True)
class ExtendedInstructions:
    """Entries of one file."""

    file: str
    entries: Mapping[tuple[str, str, str], ExtendedInstruction]
    """By scan, path id and instruction (white space evened out)."""
    problems: Problems = field(default_factory=Problems)

    def of(self, scan: str, path_id: str | None, instruction: str) -> ExtendedInstruction | None:
        """Return the entry of an instruction; entries without scan or path count for every one."""
        text = _even(instruction)
        # the most exact entry first
        keys = [(scan, path_id or "", text), (scan, "", text), ("", "", text)]
        return next((self.entries[key] for key in keys if key in self.entries), None)


def read_extended(path: Path) -> ExtendedInstructions:
    """Read a file of extended instructions; raises `InputError` where it holds not one."""
    problems = Problems()
    entries: dict[tuple[str, str, str], ExtendedInstruction] = {}
    if not is_regular(path):
        raise InputError(
            "there is no such file", "check the path of the extended instructions", file=str(path)
        )
    for number, item in enumerate(iter_items(path, problems), start=1):
        # R2R's name of the field comes second: its files hold a list there
        texts = [item.get(key) for key in ("instruction", "instructions")]
        text = next((value for value in texts if isinstance(value, str)), None)
        entry = _entry(item)
        if text is None or entry == ExtendedInstruction():
            what, where = "holds no instruction with a layout or objects", f"entry {number}"
            problems.skip(Problem(what, "the other entries are used", f"{path.name}, {where}"))
            continue
        path_id = item.get("path_id")
        key = (
            str(item.get("scan") or ""),
            "" if path_id is None else id_text(path_id),
            _even(text),
        )
        # layout and objects of one instruction may stand in two entries
        entries[key] = entries.get(key, ExtendedInstruction()).joined(entry)
    if not entries:
        raise InputError(
            "holds no extended instruction", "open a *_sr.json of MSNav", file=path.name
        )
    return ExtendedInstructions(path.name, entries, problems)


def _entry(item: Mapping[str, Json]) -> ExtendedInstruction:
    layout = item.get("final_destination_spatial_relations")
    return ExtendedInstruction(
        layout.strip() if isinstance(layout, str) else "",
        _names(item.get("direct_obj")),
        _names(item.get("potential_obj")),
    )


def _names(raw: Json) -> tuple[str, ...]:
    if not isinstance(raw, list):
        return ()
    return tuple(name.strip() for name in raw if isinstance(name, str) and name.strip())


def _even(text: str) -> str:
    return " ".join(text.split())

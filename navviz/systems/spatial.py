"""MSNav's spatial module: which objects the instruction is about, and what its destination probably
looks like.

The paper fine-tuned Qwen3-4B for it (Qwen-Sp); here the walk's own model is asked with prompts, as
the paper does for REVERIE, or a file of extended instructions is read. Anything with `Spatial.read`
fits.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from navviz.errors import InputError, Problem, Problems
from navviz.formats.files import Json
from navviz.formats.r2r import iter_items
from navviz.formats.texts import id_text, say_unlike
from navviz.llm.base import Request
from navviz.records import Call, DeltaEvent, Episode, Message
from navviz.support.brackets import CLOSERS, balanced, marks
from navviz.support.guarded import decode_reply, is_regular
from navviz.systems.asking import listen

if TYPE_CHECKING:
    from navviz.llm.base import LanguageModel

_FENCED = re.compile(r"```[a-zA-Z]*\s*\n?(.*?)(?:```|$)", re.DOTALL)
_TRAILING = re.compile(r",(\s*[}\]])")
LONGEST = 100_000
"""A reply longer than this is cut before it is read."""


def lenient_object(reply: str | None) -> dict[str, Any] | None:
    """Return the first JSON object of a reply, mended where that is plain; ``None`` where there is
    none to read.
    """
    for text in _candidates((reply or "")[:LONGEST]):
        for tried in (text, _mended(text)):
            try:
                value = decode_reply(tried)
            except ValueError:
                continue
            if isinstance(value, dict):
                return value
    return None


def _candidates(reply: str) -> Iterator[str]:
    """Yield the fenced block, the first balanced braces, and whatever follows the first brace."""
    fenced = _FENCED.search(reply)
    # within the fence first: the words around it may hold braces of their own
    for text in (fenced[1] if fenced else "", reply):
        start = text.find("{")
        if start >= 0:
            whole = balanced(text)
            if whole:
                yield whole
            yield text[start:]


def _mended(text: str) -> str:
    """Return the text without trailing commas, its open strings and brackets closed."""
    quotes = len(re.findall(r'(?<!\\)"', text))
    # the open text is closed first: `marks` finds no brackets within a text
    whole = text.rstrip() + ('"' if quotes % 2 else "")
    whole = whole.rstrip().rstrip(",")
    opened: list[str] = []
    kept: list[str] = []
    last = 0
    for at, char in marks(whole):
        if char in CLOSERS:
            opened.append(CLOSERS[char])
        elif char in "}]":
            # a closing bracket without an opening one is dropped
            if char not in opened:
                kept.append(whole[last:at])
                last = at + 1
                continue
            while opened[-1] != char:  # a bracket that was forgotten before this one
                kept.append(whole[last:at] + opened.pop())
                last = at
            opened.pop()
    kept.append(whole[last:])
    return _TRAILING.sub(r"\1", "".join(kept) + "".join(reversed(opened)))


SPATIAL_TOKENS = 512
"""Longest reply of Qwen-Sp (its code's max_new_tokens), for which the walk's model stands in."""

_OBJECTS = """\
You read instructions for a robot that walks through houses, and list the objects that will help it to find its way. \
Answer in JSON with three fields.

"instruction": the instruction as it was given.
"direct_obj": the concrete things that the instruction itself names, called as it calls them. Order them by how \
often they are named (40 %), how much the task turns on them (40 %) and how early they are named (20 %); equal ones \
alphabetically. If the instruction is vague or empty, leave the list empty.
"potential_obj": things that it does not name but that the task or the room lets one expect, 3 at most, or 5 where \
the instruction is vague. Order them by how plainly the text points to them (40 %), how often (30 %) and how much \
they help (30 %). Where several rooms are named, the one named last decides.

List things that one can see and point at: no actions, no qualities, no directions, nothing abstract."""

_LAYOUT = """\
You read instructions for a robot that walks through houses, and guess what the place looks like where it is to \
stop. Write exactly two sentences. The first begins with "The destination is" and names the place. The second begins \
with "The spatial layout of the destination is" and says which objects probably stand there and how they lie to each \
other. Keep to what the instruction says or plainly implies."""

OBJECTS_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "instruction": {"type": "string"},
        "direct_obj": {"type": "array", "items": {"type": "string"}},
        "potential_obj": {"type": "array", "items": {"type": "string"}},
    },
    "required": ["instruction", "direct_obj", "potential_obj"],
}
"""JSON Schema of the reply on objects."""


@dataclass(frozen=True, slots=True)
class SpatialReading:
    """What the spatial module says of an instruction."""

    direct: tuple[str, ...] = ()
    """Objects that the instruction names, the most important first."""
    potential: tuple[str, ...] = ()
    """Objects that it lets one expect."""
    layout: str = ""
    """Two sentences on the destination; empty where nobody guessed."""
    source: str = "off"
    """``model``, ``file`` or ``off``, or the name of whatever was plugged in."""

    @property
    def names(self) -> tuple[str, ...]:
        """All objects, the direct ones first, each once."""
        return tuple(dict.fromkeys([*self.direct, *self.potential]))


def spatial_of(value: Mapping[str, Any], source: str) -> SpatialReading:
    """Return the reading that an object with the field names of MSNav's files holds."""
    layout = value.get("final_destination_spatial_relations")
    return SpatialReading(
        _names(value.get("direct_obj")),
        _names(value.get("potential_obj")),
        " ".join(layout.split()) if isinstance(layout, str) else "",
        source,
    )


def parse_objects(reply: str | None) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Direct and potential objects of a reply, read leniently; two empty lists where nothing can be
    read.
    """
    value = lenient_object(reply) or {}
    return _names(value.get("direct_obj")), _names(value.get("potential_obj"))


def _names(value: object) -> tuple[str, ...]:
    # a model may write one name in place of a list
    items = [value] if isinstance(value, str) else value
    if not isinstance(items, list):
        return ()
    names = (" ".join(item.split()) for item in items if isinstance(item, str))
    return tuple(dict.fromkeys(name for name in names if name))


def parse_layout(reply: str | None) -> str:
    """Parse the layout sentences of a reply: text, or the field of a JSON reply that holds it."""
    value = lenient_object(reply)
    if value is not None:
        keys = ("final_destination_spatial_relations", "layout", "destination")
        text = next((value[key] for key in keys if isinstance(value.get(key), str)), "")
        return " ".join(text.split())
    return " ".join((reply or "").replace("```", " ").split())


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
        layout = item.get("final_destination_spatial_relations")
        entry = ExtendedInstruction(
            layout.strip() if isinstance(layout, str) else "",
            _listed(item.get("direct_obj")),
            _listed(item.get("potential_obj")),
        )
        kinds = {"text": "scan, final_destination_spatial_relations", "id": "path_id"}
        kinds["texts"] = "direct_obj, potential_obj"
        say_unlike(item, kinds, Problem("", "", f"{path.name}, entry {number}"), problems)
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


def _listed(raw: Json) -> tuple[str, ...]:
    if not isinstance(raw, list):
        return ()
    return tuple(name.strip() for name in raw if isinstance(name, str) and name.strip())


def _even(text: str) -> str:
    return " ".join(text.split())


class Spatial(Protocol):
    """Reads an instruction: a file, a fine-tuned server, whatever has this one method."""

    def read(self, instruction: str) -> SpatialReading:
        """Objects and layout of an instruction."""
        ...


@dataclass(frozen=True)
class FileSpatial:
    """Reads from a file of extended instructions, joined by scan, path and instruction."""

    extended: ExtendedInstructions
    episode: Episode

    @classmethod
    def open(cls, file: str, episode: Episode) -> FileSpatial:
        """Open the file; raises `InputError` where none is named or it cannot be read."""
        if not file:
            raise InputError(
                "spatial = file needs a file of extended instructions",
                "name it in the setting spatial_file, or choose spatial = model or off",
                field="spatial_file",
            )
        return cls(read_extended(Path(file).expanduser()), episode)

    def read(self, instruction: str) -> SpatialReading:
        """Read the reading of the instruction; raises `InputError` where the file has none."""
        entry = self.extended.of(self.episode.world, self.episode.path_id, instruction)
        if entry is None:
            raise InputError(
                "has no entry for this scan, path and instruction",
                "choose another file, or spatial = model or off",
                file=self.extended.file,
                episode=self.episode.id,
                field="spatial_file",
            )
        return SpatialReading(entry.direct, entry.potential, entry.layout, "file")


def objects_messages(instruction: str) -> tuple[Message, ...]:
    """Return the prompt that asks for objects."""
    return Message(role="system", text=_OBJECTS), Message(
        role="user", text=f"Instruction: {instruction}"
    )


def layout_messages(instruction: str) -> tuple[Message, ...]:
    """Return the prompt that asks for the destination's layout."""
    return Message(role="system", text=_LAYOUT), Message(
        role="user", text=f"Instruction: {instruction}"
    )


def ask_spatial(
    model: LanguageModel,
    instruction: str,
    *,
    temperature: float | None,
    max_output_tokens: int | None = SPATIAL_TOKENS,
) -> Generator[DeltaEvent, None, tuple[SpatialReading, tuple[Call, ...]]]:
    """Ask the model for both parts; a failed call leaves its part empty."""
    limits: dict[str, Any] = {"temperature": temperature, "max_output_tokens": max_output_tokens}
    wanted = Request(
        objects_messages(instruction), purpose="objects", schema=OBJECTS_SCHEMA, **limits
    )
    objects = yield from listen(model, wanted)
    direct, potential = parse_objects(objects.reply)
    fault = None
    if not objects.error and not lenient_object(objects.reply):
        fault = "names no objects that can be read"
    parsed = {"direct_obj": list(direct), "potential_obj": list(potential)}
    objects = objects.model_copy(update={"parsed": parsed, "parse_error": fault})
    # the walk ends with this fault: no second call is paid for
    if objects.error is not None:
        return SpatialReading(source="model"), (objects,)
    layout, call = yield from ask_layout(model, instruction, **limits)
    return SpatialReading(direct, potential, layout, "model"), (objects, call)


def ask_layout(
    model: LanguageModel,
    instruction: str,
    *,
    temperature: float | None,
    max_output_tokens: int | None = SPATIAL_TOKENS,
) -> Generator[DeltaEvent, None, tuple[str, Call]]:
    """Ask the model for the two sentences on the destination alone; empty where the call failed."""
    wanted = Request(
        layout_messages(instruction),
        purpose="layout",
        temperature=temperature,
        max_output_tokens=max_output_tokens,
    )
    call = yield from listen(model, wanted)
    return parse_layout(call.reply), call

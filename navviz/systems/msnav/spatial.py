"""MSNav's spatial module: which objects the instruction is about, and what its destination probably
looks like.

The paper fine-tuned Qwen3-4B for it (Qwen-Sp); here the walk's own model is asked with prompts, as
the paper does for REVERIE, or a file of extended instructions is read. Anything with `Spatial.read`
fits.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from navviz.errors import InputError
from navviz.llm.base import Request
from navviz.records import Call, DeltaEvent, Episode, Message
from navviz.systems.asking import listen
from navviz.systems.msnav.lenient_json import lenient_object
from navviz.systems.msnav.logs.predictions import ExtendedInstructions, read_extended
from navviz.systems.msnav.place_map.prompt import SpatialReading, parse_layout, parse_objects

if TYPE_CHECKING:
    from navviz.llm.base import LanguageModel
    from navviz.systems.msnav.settings import MsnavSettings

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
    model: LanguageModel, instruction: str, options: MsnavSettings
) -> Generator[DeltaEvent, None, tuple[SpatialReading, tuple[Call, ...]]]:
    """Ask the model for both parts; a failed call leaves its part empty."""
    limits: dict[str, Any] = {
        "temperature": options.temperature,
        "max_output_tokens": options.reply_tokens(SPATIAL_TOKENS),
    }
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
    wanted = Request(layout_messages(instruction), purpose="layout", **limits)
    layout = yield from listen(model, wanted)
    return SpatialReading(direct, potential, parse_layout(layout.reply), "model"), (objects, layout)

"""What a step could see: pictures, cubes, panoramas and frames of films."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, model_validator
from pydantic.json_schema import SkipJsonSchema

from navviz.records.base import Position, Record
from navviz.support.guarded import as_webp, is_there, write_whole

ViewKind = Literal["picture", "cube", "panorama", "discrete", "frame"]
"""``picture``: one perspective picture; ``cube``: the six faces of a skybox; ``panorama``: 2:1,
equirectangular; ``discrete``: the simulator's 36 views of a viewpoint; ``frame``: one of a film."""


def _is_missing(value: object) -> bool:
    return value is None


_Pixels = Annotated[int | None, Field(ge=1)]


class StepView(Record):
    """One picture that a step could see; its bytes are read when they are shown.

    A bare text, as trace version 3 has it, is read as the source of a picture.
    """

    source: str
    """Path beside the trace (``NAME.views/0f3a….webp``, ``film.mp4``), or the folder of a cube's
    faces or of 36 views."""
    kind: ViewKind = "picture"
    node: str | None = Field(default=None, exclude_if=_is_missing)
    """The viewpoint that it was taken at, where it is another than the step's."""
    position: Position | None = Field(default=None, exclude_if=_is_missing)
    """Where it was taken, where it is another place than the step's."""
    heading_deg: float | None = Field(default=None, exclude_if=_is_missing)
    """Its centre, in degrees clockwise from north (indoors: from +y)."""
    elevation_deg: float | None = Field(default=None, exclude_if=_is_missing)
    """Its centre above the horizon."""
    field_deg: float | None = Field(default=None, exclude_if=_is_missing)
    """Vertical field of view of a picture or a frame."""
    width: _Pixels = Field(default=None, exclude_if=_is_missing)
    height: _Pixels = Field(default=None, exclude_if=_is_missing)
    frame: int | None = Field(default=None, ge=0, exclude_if=_is_missing)
    """Frame of a film, counted from 0."""
    label: str | None = Field(default=None, exclude_if=_is_missing)
    """What its source calls it: ``left``, ``front`` …"""

    @model_validator(mode="before")
    @classmethod
    def _upgraded(cls, value: Any) -> Any:  # noqa: ANN401 - what a file holds
        return {"source": value} if isinstance(value, str) else value


class PicturePart(Record):
    """A picture in a message of a prompt: what it was, not its bytes."""

    at: int = Field(ge=0)
    """Number of characters of the message's text that stand before it."""
    source: str | None = Field(default=None, exclude_if=_is_missing)
    """Path beside the trace, or an address; ``None`` where the log does not name it."""
    mime: str | None = Field(default=None, exclude_if=_is_missing)
    """``image/jpeg``, ``image/webp`` …"""
    detail: str | None = Field(default=None, exclude_if=_is_missing)
    """OpenAI's ``low``, ``high`` or ``auto``."""
    width: _Pixels = Field(default=None, exclude_if=_is_missing)
    height: _Pixels = Field(default=None, exclude_if=_is_missing)
    size_bytes: int | None = Field(default=None, ge=0, exclude_if=_is_missing)
    label: str | None = Field(default=None, exclude_if=_is_missing)
    raw: SkipJsonSchema[bytes | None] = Field(default=None, exclude=True, repr=False)
    """The picture itself on its way to a model; no trace holds it."""


def views_folder(trace: Path) -> Path:
    """Return the folder of a trace's own pictures: ``NAME.views`` beside ``NAME.trace.jsonl``."""
    # cut where the ending begins: a packed `NAME.trace.jsonl.gz` has the same pictures
    return trace.with_name(trace.name.partition(".trace.jsonl")[0] + ".views")


def keep_picture(trace: Path, picture: Any, heading_deg: float | None = None) -> StepView:  # noqa: ANN401
    """Write a picture beside a trace, named by its content, so that the same one is kept once.

    `trace`: the trace's file, ``NAME.trace.jsonl``; the picture goes to ``NAME.views/``. `picture`:
    what `navviz.support.guarded.as_webp` takes. Raises `InputError` where it is no picture;
    `StoreError` where it cannot be written.
    """
    raw, width, height = as_webp(picture)
    folder = views_folder(trace)
    path = folder / f"{hashlib.sha256(raw).hexdigest()[:16]}.webp"
    if not is_there(path):
        # in one move: half a picture under this name would never be written again
        write_whole(path, raw)
    source = f"{folder.name}/{path.name}"
    return StepView(source=source, heading_deg=heading_deg, width=width, height=height)

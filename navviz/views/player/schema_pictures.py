"""The pictures of the replay document: by number, with what is drawn into them."""

from __future__ import annotations

from pydantic import Field

from navviz.records import ViewKind
from navviz.views.player.schema_world import Part


class PictureEntry(Part):
    """A picture; its bytes are asked for under the document's `at` by its key."""

    name: str
    """The path that the log or the folder has for it."""
    fault: str | None = None
    """Why there is nothing to show, in one sentence."""
    key: str | None = None
    """Its name where the app serves it: the same in each document of a visitor, so that the browser
    fetches it once."""
    data: str | None = None
    """The picture itself as a data URL, where the document stands in a file."""


class ViewEntry(Part):
    """What a step could see."""

    kind: ViewKind
    pictures: list[int | None]
    """Indices into the document's pictures: one; a cube's six faces or the strip of them; 36
    views, ``null`` for those that are missing."""
    heading_deg: float | None = None
    elevation_deg: float | None = None
    field_deg: float | None = None
    label: str | None = None
    rotation: list[float] | None = None
    """Of a cube: rotation of its pose, 9 numbers row by row."""


class PlaceViewEntry(Part):
    """What lies there for a place, whoever stood at it."""

    node: int
    view: ViewEntry


class PromptPicture(Part):
    """A picture where it stood in a prompt."""

    picture: int
    detail: str | None = None
    mime: str | None = None
    width: int | None = None
    height: int | None = None
    size_bytes: int | None = None
    tokens: int | None = None
    """Estimated by the provider's published rule."""
    label: str | None = None


class DocumentPictures(Part):
    """All pictures of a document."""

    all: list[PictureEntry]
    at: str | None = None
    """Address under which the app serves them: ``AT/KEY?size=PIXELS``."""
    prompts: list[PromptPicture] = Field(default_factory=list)
    places: list[PlaceViewEntry] = Field(default_factory=list)
    """Panoramas, cubes and 36 views of places on and beside the walk and its reference."""

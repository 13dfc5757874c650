"""MSNav's two learned parts behind an address, for people who serve the real ones: Qwen-Sp, and
pictures.

``spatial=http`` posts ``{"instruction"}`` and takes ``{"direct_obj": [...], "potential_obj": [...],
"final_destination_spatial_relations": "..."}``, the names of the published files. ``views=http``
posts ``{"scan", "viewpoint", "view"}`` with the view from 0 to 35 and takes ``{"text"}``: what a
captioner or a detector says of that picture. Objects of the instruction are marked in it by name,
as in every text.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from navviz.errors import ModelError, SettingsError
from navviz.llm.served import ask_served
from navviz.systems.msnav.place_map.spatial import SpatialReading, spatial_of


@dataclass(frozen=True)
class ServedSpatial:
    """Reads instructions by a server; see `navviz.systems.msnav.spatial.Spatial`."""

    url: str

    def read(self, instruction: str) -> SpatialReading:
        """Ask the server; raises `ModelError` where it gives no reading."""
        _require(self.url, "spatial")
        reply = ask_served(self.url, {"instruction": instruction}, "spatial reader")
        reading = spatial_of(reply, f"served at {self.url}")
        if not reading.names and not reading.layout:
            raise ModelError(
                f"The spatial reader at {self.url} named no object and no layout; look at its log."
            )
        return reading


@dataclass(frozen=True)
class ServedViews:
    """Tells views by a server, each once; see `navviz.observations.view_text.ViewText`."""

    url: str
    scan: str
    texts: dict[tuple[str, int], str] = field(default_factory=dict)

    def of(self, viewpoint: str, view: int) -> str | None:
        """Ask the server; raises `ModelError` where it gives no text."""
        _require(self.url, "view")
        key = (viewpoint, view)
        if key not in self.texts:
            reply = ask_served(
                self.url, {"scan": self.scan, "viewpoint": viewpoint, "view": view}, "view teller"
            )
            text = reply.get("text")
            if not isinstance(text, str):
                raise ModelError(
                    f"The view teller at {self.url} answered without a text; look at its log."
                )
            self.texts[key] = " ".join(text.split())
        # an empty text says nothing, and the caller falls back on geometry
        return self.texts[key] or None


def _require(url: str, name: str) -> None:
    if not url:
        # the settings are called views and view_url
        setting = "views" if name == "view" else name
        raise SettingsError(
            f"{setting} = http needs the setting {name}_url: the address that your server"
            " answers at."
        )

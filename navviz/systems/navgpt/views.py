"""How finely NavGPT's model is shown what is around it (Zhou et al. 2023, Table 2).

The paper captions each view, and writes one sentence of the captions of a heading. The sentences
of 24 views are published; of 12 and 36 views LangNav's captions stand in, whose field is wider.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from navviz.observations.agent_pictures import AgentPictures, Camera
from navviz.observations.panorama import direction_labels, sector
from navviz.observations.view_text import ViewCaption
from navviz.records import Message, PicturePart

Granularity = Literal["fov60-12", "fov45-24", "fov30-36"]
PUBLISHED: Final = "fov45-24"
"""The granularity of the sentences that NavGPT's authors publish."""
_PIXELS: Final = 512
_ROWS: Final = {-30.0: "down", 0.0: "middle", 30.0: "top"}
_FUSE: Final = (
    "You are given short descriptions of what is seen in one direction from one place in a house,"
    " looking down, level and up. Say in one sentence what is there. Leave out what only repeats,"
    " add nothing, and write the sentence alone."
)


@dataclass(frozen=True, slots=True)
class ViewGrid:
    """The views around a place: squares of one field, in rows of even headings."""

    field_deg: float
    headings: int
    elevations_deg: tuple[float, ...]

    def captions(self, views: Mapping[int, ViewCaption]) -> list[str | None]:
        """Return the captions of each heading, clockwise from +y, out of those of the simulator's
        36 views; ``None`` where one is not told.
        """
        lines: list[str | None] = []
        for k in range(self.headings):
            # rows of the simulator: 0 to 11 look down, 12 to 23 level, 24 to 35 up
            seen = {row: views.get(12 * round(row / 30 + 1) + k) for row in self.elevations_deg}
            parts = [(_ROWS[row], view.caption) for row, view in seen.items() if view is not None]
            whole = len(parts) == len(seen)
            if len(seen) == 1:
                lines.append(parts[0][1] if whole else None)
            else:
                lines.append("; ".join(f"{row}: {text}" for row, text in parts) if whole else None)
        return lines

    def pictures(
        self, pictures: AgentPictures, node: str, heading_deg: float
    ) -> Iterator[tuple[str, PicturePart | None]]:
        """Yield each view with its label, clockwise from the front, as the text has them."""
        front, number = sector(heading_deg, self.headings), 0
        for k, label in enumerate(direction_labels(self.headings)):
            middle_deg = 360.0 / self.headings * (front + k) % 360.0
            for elevation_deg in self.elevations_deg:
                number += 1
                row = f", {_ROWS[elevation_deg]}" if elevation_deg else ""
                camera = Camera(middle_deg, elevation_deg, self.field_deg, _PIXELS, _PIXELS)
                yield f"Image {number} ({label}{row})", pictures.take(node, camera)


GRIDS: Final[Mapping[str, ViewGrid]] = {
    "fov60-12": ViewGrid(60.0, 12, (0.0,)),
    "fov45-24": ViewGrid(45.0, 8, (-30.0, 0.0, 30.0)),
    "fov30-36": ViewGrid(30.0, 12, (-30.0, 0.0, 30.0)),
}
"""The rows of Table 2."""


CAPTIONS: Final = (
    "Of each heading it reads LangNav's captions, whose views are 60 degrees high and 75 wide, in"
    " place of those that the paper made with BLIP-2."
)
"""What stands in for captions of 12 and 36 views."""


def fuse_messages(captions: str) -> tuple[Message, ...]:
    """Return the prompt that makes one sentence of a heading's captions."""
    return Message(role="system", text=_FUSE), Message(role="user", text=captions)


def is_described(lines: Sequence[str | None]) -> bool:
    """Whether anything is told of a place."""
    return any(line is not None for line in lines)

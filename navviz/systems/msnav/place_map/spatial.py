"""What is read from an instruction about objects and its destination, and how that is shown.

A reading comes from a model, from a file of extended instructions or from a log; panel and
landmarks are the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from navviz.records import Landmark, Panel, Trace
from navviz.systems.msnav.lenient_json import lenient_object

DIRECT = "direct object"
POTENTIAL = "potential object"
"""Categories of the landmarks that a reading becomes."""
TITLE = "Spatial reading"
FROM_LOG = "from the log"
"""Source of a reading that a log or a file beside it tells; a log prints no objects."""


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


def landmarks(reading: SpatialReading) -> tuple[Landmark, ...]:
    """Return the objects as landmarks, so that text and map show where they occur."""
    # a name in both lists is a direct object: one landmark, not two
    others = [name for name in reading.potential if name not in reading.direct]
    direct = [Landmark(name=name, category=DIRECT) for name in reading.direct]
    potential = [Landmark(name=name, category=POTENTIAL) for name in others]
    return (*direct, *potential)


def spatial_panel(reading: SpatialReading, marking: str) -> Panel:
    """Return the reading as a panel; `marking` says how objects are found in the views."""
    who = {"model": "asked of the language model", "file": "from a file", "off": "switched off"}
    # what a log does not print is not the same as none
    lacking = "not told" if reading.source == FROM_LOG and not reading.names else "none"
    entries = [
        {
            "label": "Direct objects",
            "text": "" if reading.direct else lacking,
            "objects": list(reading.direct),
        },
        {
            "label": "Potential objects",
            "text": "" if reading.potential else lacking,
            "objects": list(reading.potential),
        },
        {"label": "Destination", "text": reading.layout or "no guess"},
        {"label": "Source", "text": f"{who.get(reading.source, reading.source)}; {marking}"},
    ]
    data = {
        "directions": entries,
        "direct": list(reading.direct),
        "potential": list(reading.potential),
    }
    return Panel(
        kind="directions",
        title=TITLE,
        data=data | {"layout": reading.layout, "source": reading.source},
    )


def reading_of(trace: Trace) -> SpatialReading | None:
    """Return the reading that a trace holds in its panel; ``None`` where it has none."""
    data: Mapping[str, Any] | None = next(
        (p.data for p in trace.plan_panels if p.title == TITLE), None
    )
    if data is None:
        return None
    return SpatialReading(
        _strings(data.get("direct")),
        _strings(data.get("potential")),
        str(data.get("layout", "")),
        str(data.get("source")),
    )


def _strings(value: Iterable[object] | None) -> tuple[str, ...]:
    return tuple(str(item) for item in value or ())

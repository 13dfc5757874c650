"""What a world brings beside its graph: source, what to draw, and facts about a house."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from navviz.errors import Problems
from navviz.world.floor_pictures import FloorPicture
from navviz.world.house import HouseObservations
from navviz.world.house_objects import HouseObjects
from navviz.world.scene import Scene


@dataclass(frozen=True, kw_only=True)
class WorldInfo:
    """What a format adds to a `Graph`; what it lacks is empty or ``None``."""

    problems: Problems = field(default_factory=Problems)
    """What could not be read of the world's files."""
    source: str = ""
    """Folder or file it was read from."""
    files: tuple[Path, ...] = ()
    """The files that were read for it, texts of places that are looked up later left out."""
    attribution: str | None = None
    """What a map of it must name."""
    backdrop: Mapping[str, Any] | None = None
    """GeoJSON of what may be drawn behind the streets."""
    yaw_deg: NDArray[np.float64] | None = None
    """Panorama graphs: heading of each panorama, in node order."""
    node_splits: Sequence[str] = ()
    """Panorama graphs: ``seen`` or ``unseen`` for each node, in node order."""
    camera_height_m: Mapping[str, float] = field(default_factory=dict)
    """Houses: height of the camera above the floor, by node; may lack nodes."""
    rotations: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    """Houses: rotation of the camera's pose, 9 numbers row by row, by node; its skybox needs it."""
    excluded: Mapping[str, tuple[float, float, float]] = field(default_factory=dict)
    """Houses: viewpoints that the simulator leaves out, with ``(x, y, z)`` in metres."""
    floor_names: Sequence[str] = ()
    """Houses: from the lowest floor up."""
    rooms: Mapping[str, Any] | None = None
    """Room outlines of a house, ``{floors, rooms, doors}``; for drawing only, so not checked."""
    floor_pictures: Sequence[FloorPicture] = ()
    """Pictures of a house's floors; of several of one floor the best is drawn."""
    observations: HouseObservations | None = None
    """Houses: sentences and objects of each viewpoint."""
    visible_objects: HouseObjects | None = None
    """Houses: the true objects that each viewpoint sees, by view."""
    scene: Scene | None = None
    """Scenes without a navigation mesh: regions and objects."""
    distances: str | None = None
    """What distances in this world are to be called, where they are not along links."""
    feet_m: Mapping[str, float] = field(default_factory=dict)
    """Height of the floor at each node, where the camera's height is no help."""
    poses: frozenset[str] = frozenset()
    """Nodes that one walk brought: poses of an agent that walks freely, and its targets."""

"""Small pictures of our own, in the layouts that published code writes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from PIL import Image

from navviz.records import Episode, Step, Trace, TraceHeader

NODES = ("a1", "b2", "c3")
ROTATIONS = dict.fromkeys(NODES, (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0))


def paint(path: Path, size: tuple[int, int] = (32, 24), shade: int = 128) -> Path:
    """Write a plain picture, and its folders."""
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.new("RGB", size, (shade, 90, 40)).save(path)
    return path


def walk(*nodes: str, **first: object) -> Trace:
    """Return a walk over some nodes; `first` are fields of each of its steps."""
    episode = Episode(id="7", dataset="d", instruction="", world="scan", start=nodes[0])
    steps = [Step(index=k + 1, node=node, **first) for k, node in enumerate(nodes)]
    return Trace(header=TraceHeader(episode=episode, navigator="n"), steps=tuple(steps))


def write_gif(path: Path, count: int) -> None:
    """Write a film whose frame i has the shade 10 i."""
    path.parent.mkdir(parents=True, exist_ok=True)
    frames = [Image.new("L", (16, 12), 10 * k) for k in range(count)]
    frames[0].save(path, save_all=True, append_images=frames[1:], duration=40)


def write_mp4(path: Path, count: int) -> None:
    """Write a film whose frame i has the shade 20 i."""
    from imageio_ffmpeg import write_frames

    path.parent.mkdir(parents=True, exist_ok=True)
    writer = write_frames(str(path), (64, 48), fps=10, macro_block_size=2)
    writer.send(None)
    for k in range(count):
        writer.send(np.full((48, 64, 3), 20 * k, np.uint8).tobytes())
    writer.close()

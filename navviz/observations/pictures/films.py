"""Films of evaluations: found by their names, counted, and taken apart into frames once.

StreamVLN writes ``vis_EPOCH/SCAN_EP.mp4``, NaVid ``video/EP.gif``, VLN-CE
``episode=EP-ckpt=..-spl=...mp4``. Frame i is step i where the film has as many frames as steps, or
one more; else the frames are spread evenly, and the view says so.
"""

from __future__ import annotations

import io
import itertools
import re
import struct
import subprocess
import time
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import IO

from navviz.errors import InputError
from navviz.observations.pictures.files import PictureFile, PictureFolders
from navviz.observations.pictures.layouts import Seen
from navviz.records import StepView
from navviz.support.guarded import PICTURE_BYTES, decoded_picture, head_bytes, opened_bytes
from navviz.support.installation.extras import needs_extra

_FOLDERS = ("", "video", "videos")
_ENDINGS = (".mp4", ".gif")
_NAMED = re.compile(r"episode=(?P<episode>[^=]+?)-ckpt=")
_MOST_FRAMES = 5_000
_SECONDS = 120.0
"""For the frames of one film: 500 of 640 x 480 take 2 s."""
_GIF_EXTENSION, _GIF_FRAME = 0x21, 0x2C
_BOXES = {b"moov", b"trak", b"mdia", b"minf", b"stbl"}
_DO = "open the film in another program, or leave it out of the folder"


def film_of(folders: PictureFolders, episode: str, world: str) -> Path | None:
    """Find the film of an episode in the opened folders; ``None`` where there is none."""
    for root in folders.roots:
        for folder in _film_folders(root):
            # the folder's time is part of the key, so that a film that comes later is found
            films = _films(folder, folder.stat().st_mtime_ns)
            path = films.get(f"{world}_{episode}") or films.get(episode)
            if path is not None and folders.holds(path):
                return path
    return None


def _film_folders(root: Path) -> Iterator[Path]:
    for name in _FOLDERS:
        if (root / name).is_dir():
            yield root / name
    for folder in sorted(root.glob("vis_*")):
        if folder.is_dir():
            yield folder


@lru_cache(maxsize=64)
def _films(folder: Path, _mtime_ns: int) -> dict[str, Path]:
    """Films of a folder by episode, or by scan and episode."""
    films = {}
    for path in sorted(folder.iterdir()):
        if path.suffix.lower() in _ENDINGS:
            named = _NAMED.match(path.name)
            films[named["episode"] if named else path.stem] = path
    return films


def film_frame(path: Path, step: int, steps: int) -> Seen | None:
    """Return what a film shows of one step.

    Parameters
    ----------
    path
        The film.
    step
        Of the walk, counted from 0.
    steps
        Of the whole walk.

    Returns
    -------
    ``None`` where the film has no frames that can be counted.
    """
    count = frame_count(path, path.stat().st_mtime_ns)
    if not count:
        return None
    frame, label = step, None
    if count not in {steps, steps + 1}:
        # the first step gets the first frame, and the last step the last
        frame = round(step * (count - 1) / max(1, steps - 1))
        label = f"frame {frame + 1} of {count}, spread evenly over {steps} steps"
    view = StepView(source=path.name, kind="frame", frame=frame, label=label)
    return Seen(view, (PictureFile(path, frame),))


@lru_cache(maxsize=1024)
def frame_count(path: Path, _mtime_ns: int) -> int:
    """Return the number of frames of a film; 0 for what is no film, or has more than 5,000."""
    try:
        with opened_bytes(path) as file:
            head = file.read(12)
            if head[:4] == b"GIF8":
                return _gif_frames(file, path)
            file.seek(0, io.SEEK_END)
            size = file.tell()
            if head[4:8] != b"ftyp":
                return 0
            return _bounded(max(_samples(file, 0, size), default=0))
    except (InputError, OSError, struct.error):
        return 0


def _gif_frames(file: IO[bytes], path: Path) -> int:
    """Count the frames by their lengths alone: Pillow takes 28 s for the two million of 64 MB."""
    file.seek(0)
    # what no decoder takes is no film, whatever it counts
    raw = file.read(PICTURE_BYTES)
    decoded_picture(raw, path.name, most_px=1)
    at, count = _behind_colours(raw, 10, 13), 0
    while count <= _MOST_FRAMES and at < len(raw):
        kind = raw[at]
        if kind == _GIF_EXTENSION:
            at = _behind_blocks(raw, at + 2)
        elif kind == _GIF_FRAME:
            # one byte more: the first code's length
            at = _behind_blocks(raw, _behind_colours(raw, at + 9, at + 10) + 1)
            count += 1
        else:
            break
    return _bounded(count)


def _bounded(count: int) -> int:
    """Return no frames for a film of too many: spread over the steps, each would be a wrong one."""
    return count if count <= _MOST_FRAMES else 0


def _behind_colours(raw: bytes, flags: int, at: int) -> int:
    """Return where a table of colours ends that begins at `at`, if its flags say there is one."""
    if flags >= len(raw) or not raw[flags] & 0x80:
        return at
    return at + 3 * (2 << (raw[flags] & 7))


def _behind_blocks(raw: bytes, at: int) -> int:
    """Return where blocks end that each begin with their length; the last one is empty."""
    while at < len(raw) and raw[at]:
        at += 1 + raw[at]
    return at + 1


def _samples(file: IO[bytes], start: int, end: int) -> Iterator[int]:
    """Yield the number of samples of each track: an MP4 is boxes in boxes (ISO 14496-12)."""
    at = start
    while at + 8 <= end:
        file.seek(at)
        size, kind = struct.unpack(">I4s", file.read(8))
        body = at + 8
        # the size proper then follows in 8 bytes
        if size == 1:
            (size,) = struct.unpack(">Q", file.read(8))
            body = at + 16
        # 0 means up to the file's end, and less than a head is damaged: nothing follows either
        if size < 8:
            return
        if kind in _BOXES:
            yield from _samples(file, body, min(at + size, end))
        elif kind == b"hdlr":
            # it comes before the samples: those of a track of sound are no frames
            file.seek(body + 8)
            if file.read(4) != b"vide":
                return
        elif kind == b"stsz":
            # behind the version, the flags and the size that all samples may share
            file.seek(body + 8)
            yield struct.unpack(">I", file.read(4))[0]
        at += size


def frames_of(path: Path) -> Iterator[bytes]:
    """Yield all frames of a film as JPEG, in order.

    Raises
    ------
    InputError
        Where it is no film, or a damaged one.
    MissingExtraError
        For an MP4, where the extra ``film`` is not installed.
    """
    head = head_bytes(path, 12)
    if head[:4] == b"GIF8":
        yield from _gif_as_jpegs(path)
    elif head[4:8] == b"ftyp":
        yield from _mp4_as_jpegs(path)
    else:
        raise InputError("is no film (MP4 or GIF)", _DO, file=path.name)


def _gif_as_jpegs(path: Path) -> Iterator[bytes]:
    with opened_bytes(path) as opened:
        image = decoded_picture(opened.read(), path.name)
    ends = time.monotonic() + _SECONDS
    for frame in range(_MOST_FRAMES):
        try:
            image.seek(frame)
        except (EOFError, OSError, ValueError, SyntaxError):
            return
        # tiny frames on a canvas of 16 million pixels: 2 MB would take a quarter of an hour
        if time.monotonic() > ends:
            raise InputError("is a film that takes too long", _DO, file=path.name)
        file = io.BytesIO()
        image.convert("RGB").save(file, "JPEG", quality=85)
        yield file.getvalue()


def _mp4_as_jpegs(path: Path) -> Iterator[bytes]:
    with needs_extra("film"):
        from imageio_ffmpeg import get_ffmpeg_exe
    # the demuxer is named and other protocols are off: a film cannot have ffmpeg open anything else
    command = [
        *(get_ffmpeg_exe(), "-v", "error", "-nostdin", "-protocol_whitelist", "file,pipe"),
        *(
            "-f",
            "mov",
            "-i",
            f"file:{path}",
            "-frames:v",
            str(_MOST_FRAMES),
            "-fps_mode",
            "passthrough",
        ),
        *("-vf", "scale='min(1280,iw)':-2", "-f", "image2pipe", "-c:v", "mjpeg", "-q:v", "3", "-"),
    ]
    try:
        done = subprocess.run(command, capture_output=True, timeout=_SECONDS, check=False)  # noqa: S603
    except (OSError, subprocess.TimeoutExpired) as error:
        raise InputError("is a film that takes too long", _DO, file=path.name) from error
    # of a film that is cut off, the frames before the cut are good
    if done.returncode and not done.stdout:
        raise InputError("is a film that is damaged", _DO, file=path.name)
    # the pictures follow one another without their lengths; each begins with this marker
    begins = [match.start() for match in re.finditer(rb"\xff\xd8\xff", done.stdout)]
    for begin, end in itertools.pairwise([*begins, len(done.stdout)]):
        yield done.stdout[begin:end]

"""Films of evaluations: found by their names, counted, and taken apart into frames once.

StreamVLN writes ``vis_EPOCH/SCAN_EP.mp4``, NaVid ``video/EP.gif``, VLN-CE
``episode=EP-ckpt=..-spl=...mp4``. Frame i is step i where the film has as many frames as steps, or
one more; else the frames are spread evenly, and the view says so.
"""

from __future__ import annotations

import hashlib
import io
import itertools
import re
import struct
import subprocess
import threading
import time
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import IO

from navviz.errors import InputError
from navviz.observations.pictures.files import (
    FACES,
    VIEWS,
    PictureFile,
    PictureFolders,
    PictureHome,
    Seen,
    homes_of,
    views_at,
)
from navviz.records import PicturePart, Step, StepView, Trace
from navviz.support.guarded import (
    PICTURE_BYTES,
    PictureHead,
    decoded_picture,
    head_bytes,
    opened_bytes,
    path_inside,
    picture_head,
    read_picture,
    replacing,
)
from navviz.support.installation.extras import needs_extra
from navviz.support.installation.files import cache_folder
from navviz.support.installation.processes import child_environment

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

    `step`: of the walk, counted from 0. Returns ``None`` where the film has no frames that can be
    counted.
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
            file.seek(0, io.SEEK_END)
            size = file.tell()
            if head[4:8] != b"ftyp":
                return 0
            return _bounded(max(_samples(file, 0, size), default=0))
    except (InputError, OSError, struct.error):
        return 0


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

    Raises `InputError` where it is no film, or a damaged one; `MissingExtraError` for an MP4, where
    the extra ``film`` is not installed.
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
        done = subprocess.run(  # noqa: S603
            command, capture_output=True, timeout=_SECONDS, check=False, env=child_environment()
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise InputError("is a film that takes too long", _DO, file=path.name) from error
    # of a film that is cut off, the frames before the cut are good
    if done.returncode and not done.stdout:
        raise InputError("is a film that is damaged", _DO, file=path.name)
    # the pictures follow one another without their lengths; each begins with this marker
    begins = [match.start() for match in re.finditer(rb"\xff\xd8\xff", done.stdout)]
    for begin, end in itertools.pairwise([*begins, len(done.stdout)]):
        yield done.stdout[begin:end]


MOST_BYTES = 1_000_000_000

_TRIM_EVERY = 64
"""Files written between two looks at the size of the folder; a look at 20,000 takes 0.1 s."""

_QUALITY = 80

_KEEP_DO = "open the film again"


class PictureCache:
    """Copies by what they were made of, in one folder; safe in threads and processes.

    `folder`: where they lie; the user's cache folder if not given.
    """

    def __init__(self, folder: Path | None = None, most_bytes: int = MOST_BYTES) -> None:
        self._folder, self._most_bytes = folder, most_bytes
        self._written = 0
        self._films = threading.Lock()

    @property
    def folder(self) -> Path:
        """Where the copies lie."""
        return self._folder or cache_folder("pictures")

    def read(
        self, file: PictureFile, folders: PictureFolders, most_px: int | None = None
    ) -> tuple[bytes, PictureHead]:
        """Return the bytes of a picture, as they are or made smaller.

        `file`: a picture, or a frame of a film. `folders`: what was opened: nothing outside of it
        is read. `most_px`: longer side of the result, a WebP; ``None`` gives the file's own bytes.
        Raises `InputError` where it is no picture, a broken one, too large, or lies outside;
        `MissingExtraError` for a frame of an MP4, where the extra ``film`` is not installed.
        """
        copy = None
        if file.raw is not None:
            # no copy is kept: the next reading of the log brings the bytes again, and a log's
            # pictures are small
            raw, head = file.raw, picture_head(file.raw, file.path.name)
        elif file.frame is not None:
            raw = self._frame(file, folders)
            head = picture_head(raw, file.path.name)
        elif most_px is None:
            return read_picture(file.path, folders.roots)
        else:
            copy = self.folder / f"{_digest(file, folders)}-{most_px}.webp"
            kept = _content(copy)
            if kept is not None:
                return kept, picture_head(kept, file.path.name)
            raw, head = read_picture(file.path, folders.roots)
        if most_px is None or max(head.width, head.height) <= most_px:
            return raw, head
        image = decoded_picture(raw, file.path.name, most_px=most_px)
        buffer = io.BytesIO()
        # WebP has no other modes, such as palettes, of which one colour may be clear
        mode = "RGBA" if "transparency" in image.info else "RGB"
        small = image if image.mode in {"RGB", "RGBA"} else image.convert(mode)
        small.save(buffer, "WEBP", quality=_QUALITY, method=2)
        if copy is not None:
            self._keep(copy, buffer.getvalue())
        return buffer.getvalue(), PictureHead("image/webp", small.width, small.height)

    def _frame(self, file: PictureFile, folders: PictureFolders) -> bytes:
        """Return one frame of a film; the first one asked for has all of them taken out."""
        digest = _digest(PictureFile(file.path), folders)
        wanted = self.folder / f"{digest}-{file.frame:05d}.jpg"
        kept = _content(wanted)
        if kept is not None:
            return kept
        with self._films:  # frames that are asked for at once wait for the one that takes them out
            kept = _content(wanted)
            if kept is not None:
                return kept
            for number, frame in enumerate(frames_of(file.path)):
                if number == file.frame:
                    kept = frame
                self._keep(self.folder / f"{digest}-{number:05d}.jpg", frame)
        if kept is None:
            raise InputError(f"has no frame {file.frame}", _KEEP_DO, file=file.path.name)
        return kept

    def _keep(self, path: Path, raw: bytes) -> None:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with replacing(path) as part:
                part.touch(0o600)  # what a user opened is nobody else's
                part.write_bytes(raw)
        except OSError:  # a full disk: the picture is made again next time
            return
        self._written += 1
        if self._written % _TRIM_EVERY == 1:
            self.trim()

    def trim(self) -> None:
        """Remove the oldest files until the rest fits."""
        entries = []
        for path in self.folder.glob("*.*"):
            try:
                state = path.stat()
            except OSError:  # another process has removed it
                continue
            entries.append((state.st_mtime_ns, state.st_size, path))
        size = sum(length for _, length, _ in entries)
        for _, length, path in sorted(entries):
            if size <= self._most_bytes:
                return
            path.unlink(missing_ok=True)
            size -= length


def _digest(file: PictureFile, folders: PictureFolders) -> str:
    """Name a state of a file: another content has another name."""
    real = path_inside(file.path, folders.roots)
    state = real.stat()
    # "upright": copies of older versions lie sideways where a phone took the picture
    name = f"upright\0{real}\0{state.st_size}\0{state.st_mtime_ns}"
    return hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _content(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except OSError:
        return None


pictures = PictureCache()
"""The process's own."""


class WalkPictures:
    """Finds the pictures of one walk in the folders that were opened.

    `trace`: the walk; views that it names itself come first, then a film of its episode, then what
    lies there for its viewpoints. `rotations`: of the poses of the world's viewpoints, 9 numbers
    each (`WorldInfo.rotations`). `films`: whether a film of the episode shows what was seen. Who
    follows an instruction must not see the film of an agent that did.
    """

    def __init__(
        self,
        folders: PictureFolders,
        trace: Trace,
        rotations: Mapping[str, tuple[float, ...]] | None = None,
        *,
        films: bool = True,
    ) -> None:
        self.folders, self._trace = folders, trace
        self._rotations = rotations or {}
        self._found: dict[str, Path | None] = {}
        self._at: dict[str, list[Seen]] = {}
        self._homes: tuple[PictureHome, ...] | None = None
        episode = trace.episode
        self._film: Path | None = None
        if films and folders.roots and trace.steps:
            self._film = film_of(folders, episode.id, episode.world)

    def of_step(self, step: Step, number: int) -> list[Seen]:
        """Return what a step saw; `number` is its place in the walk, counted from 0."""
        logged = [self._logged(view) for view in step.views]
        # views that a trace names count only where a file of them was opened with it
        if any(any(seen.files) for seen in logged):
            return logged
        return self._beside(step, number) or logged

    def _beside(self, step: Step, number: int) -> list[Seen]:
        """Return what lies in the folders for a step whose own pictures are not there."""
        if self._film is not None:
            frame = film_frame(self._film, number, len(self._trace.steps))
            if frame is not None:
                return [frame]
        return self.at(step.node)

    def at(self, node: str | None) -> list[Seen]:
        """Return what lies there for a viewpoint, whoever stood at it."""
        if node is None or not self.folders.roots:
            return []
        if node not in self._at:
            world = self._trace.episode.world
            if self._homes is None:
                self._homes = homes_of(self.folders, world)
            rotation = self._rotations.get(node)
            self._at[node] = views_at(self.folders, world, node, rotation, self._homes)
        return self._at[node]

    def of_part(self, part: PicturePart) -> PictureFile | None:
        """Return the picture of a prompt; ``None`` where it is not there."""
        if part.raw is not None:  # of a log of another program, which held it itself
            return PictureFile.of_bytes(part.raw)
        path = self._named(part.source) if part.source else None
        return None if path is None else PictureFile(path)

    def _logged(self, view: StepView) -> Seen:
        """Return a view that the trace names, with its files; its folder holds faces or views."""
        if view.kind == "frame":
            path = self._named(view.source)
            return Seen(view, (None if path is None else PictureFile(path, view.frame or 0),))
        if view.kind in {"cube", "discrete"}:
            count = FACES if view.kind == "cube" else VIEWS
            names = [f"{view.source}/{number}" for number in range(count)]
            files = tuple(self._find_file(name) for name in names)
            return Seen(view, files, self._rotations.get(view.node or ""))
        path = self._named(view.source)
        return Seen(view, (None if path is None else PictureFile(path),))

    def _find_file(self, name: str) -> PictureFile | None:
        for ending in ("jpg", "webp", "png", "jpeg"):
            path = self._named(f"{name}.{ending}")
            if path is not None:
                return PictureFile(path)
        return None

    def _named(self, source: str) -> Path | None:
        if source not in self._found:
            self._found[source] = self.folders.named(source)
        return self._found[source]

"""Small copies of pictures and frames of films, kept in the cache folder: at most 1 GB."""

from __future__ import annotations

import hashlib
import io
import threading
from pathlib import Path

from navviz.errors import InputError
from navviz.observations.pictures.files import PictureFile, PictureFolders
from navviz.observations.pictures.films import frames_of
from navviz.support.guarded import (
    PictureHead,
    decoded_picture,
    path_inside,
    picture_head,
    read_picture,
    replacing,
)
from navviz.support.installation.cache import cache_folder

MOST_BYTES = 1_000_000_000
_TRIM_EVERY = 64
"""Files written between two looks at the size of the folder; a look at 20,000 takes 0.1 s."""
_QUALITY = 80
_DO = "open the film again"


class PictureCache:
    """Copies by what they were made of, in one folder; safe in threads and processes.

    Parameters
    ----------
    folder
        Where they lie; the user's cache folder if not given.
    most_bytes
        Of all files; the oldest go first.
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

        Parameters
        ----------
        file
            A picture, or a frame of a film.
        folders
            What was opened: nothing outside of it is read.
        most_px
            Longer side of the result, a WebP; ``None`` gives the file's own bytes.

        Raises
        ------
        InputError
            Where it is no picture, a broken one, too large, or lies outside.
        MissingExtraError
            For a frame of an MP4, where the extra ``film`` is not installed.
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
            raise InputError(f"has no frame {file.frame}", _DO, file=file.path.name)
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

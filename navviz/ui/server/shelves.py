"""The pictures that this server shows, under an address that only their visitor knows.

Each session has one shelf, whose address nobody can guess and which is good for this session alone.
A page puts the pictures of its document there. What is asked for is a name that the server made,
never a path. A picture keeps its name from document to document: a live run makes a new document
with each step, and the browser must not fetch the pictures of all earlier steps again.
"""

from __future__ import annotations

import hmac
import re
import secrets
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from navviz.errors import NavVizError
from navviz.observations.pictures.films import PictureCache, pictures
from navviz.ui.server.door import is_active
from navviz.ui.state.state import below_server

if TYPE_CHECKING:
    from navviz.views.player.pictures import Numbered

PREFIX = "/_navviz/pictures/"
_NAME = 32
"""Letters of a picture's name."""
_ADDRESS = re.compile(r"/_navviz/pictures/(?P<token>[0-9a-f]{64})/(?P<name>[0-9a-f]{32})/?")
_SIZE = re.compile(r"(?:^|&)size=(\d{1,4})(?:&|$)")
SIZES = (160, 512, 1280, 4096)
"""Longer sides of copies: a film strip, the pane, a large screen, a panorama to look around in;
another size takes the next.
"""
_MOST_PICTURES = 50_000
"""Of one session, the latest: 20 MB."""


@dataclass(frozen=True, slots=True)
class PictureResponse:
    """What a request for a picture gets."""

    status: int
    mime: str
    body: bytes


@dataclass(frozen=True, slots=True)
class _Shelf:
    session: str
    files: dict[str, Numbered]


class Shelves:
    """The pictures of each session by the address that its pages have; safe in threads."""

    def __init__(self, is_session: Callable[[str], bool], cache: PictureCache = pictures) -> None:
        self._is_session, self._cache = is_session, cache
        # whoever knows a session's id cannot work out an address without it
        self._secret = secrets.token_bytes(32)
        self._lock = threading.Lock()
        self._shelves: dict[str, _Shelf] = {}
        self.is_served = False
        """Whether requests reach this process's shelves: a plain Streamlit has no such address."""

    def put(self, session: str, files: Sequence[Numbered | None]) -> tuple[str, list[str | None]]:
        """Put pictures on the shelf of a session."""
        token = self._sign(session)
        names: list[str | None] = []
        with self._lock:
            ended = [
                token
                for token, shelf in self._shelves.items()
                if not self._is_session(shelf.session)
            ]
            for token in ended:
                del self._shelves[token]
            shelf = self._shelves.setdefault(token, _Shelf(session, {}))
            for picture in files:
                names.append(None if picture is None else self._place(shelf, picture))
            while len(shelf.files) > _MOST_PICTURES:
                del shelf.files[next(iter(shelf.files))]
        return f"{below_server(PREFIX)}{token}", names

    def _place(self, shelf: _Shelf, picture: Numbered) -> str:
        """Put one picture last on a shelf; the path within its name is signed, hence not read."""
        file, _ = picture
        name = self._sign(f"{shelf.session}\0{file.path}\0{file.frame}")[:_NAME]
        shelf.files.pop(name, None)
        shelf.files[name] = picture
        return name

    def _sign(self, text: str) -> str:
        raw = text.encode("utf-8", "surrogatepass")  # paths may hold bytes that are no text
        return hmac.digest(self._secret, raw, "sha256").hex()

    def answer(self, path: str, query: str) -> PictureResponse:
        """Return the picture that a request asks for, or one sentence about why there is none."""
        match = _ADDRESS.fullmatch(path)
        shelf = self._shelves.get(match["token"]) if match is not None else None
        if match is None or shelf is None or not self._is_session(shelf.session):
            return _sentence(404, "Open the page again: this picture belongs to a closed one.")
        picture = shelf.files.get(match["name"])
        if picture is None:
            return _sentence(404, "This picture is not in the opened folders.")
        try:
            raw, head = self._cache.read(*picture, most_px=_size(query))
        except NavVizError as error:
            return _sentence(422, str(error))
        return PictureResponse(200, head.mime, raw)


def _size(query: str) -> int | None:
    """Return the next larger size of copies; ``None`` for the picture as it is."""
    match = _SIZE.search(query)
    if match is None:
        return None
    return next((size for size in SIZES if size >= int(match[1])), None)


def _sentence(status: int, text: str) -> PictureResponse:
    return PictureResponse(status, "text/plain; charset=utf-8", text.encode("utf-8", "replace"))


shelves = Shelves(is_active)

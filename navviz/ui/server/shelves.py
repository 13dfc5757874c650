"""The pictures that this server shows, each set under an address that only its visitor knows.

A page puts the pictures of its document on a shelf and gives the player its address: 43 letters
that nobody can guess, and that are good for this session alone. What is asked for is a number on
the shelf, never a path.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from navviz.errors import NavVizError
from navviz.observations.pictures.kept import PictureCache, pictures
from navviz.ui.server.admitted import is_active

if TYPE_CHECKING:
    from navviz.views.player.pictures import Numbered

PREFIX = "/_navviz/pictures/"
_ADDRESS = re.compile(r"/_navviz/pictures/(?P<token>[0-9a-f]{64})/(?P<number>\d{1,6})/?")
_SIZE = re.compile(r"(?:^|&)size=(\d{1,4})(?:&|$)")
SIZES = (160, 512, 1280, 4096)
"""Longer sides of copies: a film strip, the pane, a large screen, a panorama to look around in;
another size takes the next.
"""
_MOST_SHELVES = 2_000
"""Of all sessions: a shelf of 500 pictures takes 0.2 MB."""


@dataclass(frozen=True, slots=True)
class PictureResponse:
    """What a request for a picture gets."""

    status: int
    mime: str
    body: bytes


@dataclass(frozen=True, slots=True)
class _Shelf:
    session: str
    files: Sequence[Numbered | None]


class Shelves:
    """Sets of pictures by the address that their page has; safe in threads.

    Parameters
    ----------
    is_session
        Whether a session is still there: its shelves go with it.
    cache
        Reads the pictures.
    """

    def __init__(self, is_session: Callable[[str], bool], cache: PictureCache = pictures) -> None:
        self._is_session, self._cache = is_session, cache
        self._secret = secrets.token_bytes(32)
        self._lock = threading.Lock()
        self._shelves: dict[str, _Shelf] = {}
        self.is_served = False
        """Whether requests reach this process's shelves: a plain Streamlit has no such address."""

    def put(self, session: str, digest: str, files: Sequence[Numbered | None]) -> str:
        """Put pictures on a shelf of a session; return its address, the same for the same ones."""
        text = f"{session}\0{digest}".encode()
        token = hmac.new(self._secret, text, hashlib.sha256).hexdigest()
        with self._lock:
            self._shelves.pop(token, None)
            self._shelves[token] = _Shelf(session, files)
            self._forget()
        return f"{PREFIX}{token}"

    def answer(self, path: str, query: str) -> PictureResponse:
        """Return the picture that a request asks for, or one sentence about why there is none."""
        match = _ADDRESS.fullmatch(path)
        shelf = self._shelves.get(match["token"]) if match is not None else None
        if match is None or shelf is None or not self._is_session(shelf.session):
            return _sentence(404, "Open the page again: this picture belongs to a closed one.")
        number = int(match["number"])
        picture = shelf.files[number] if number < len(shelf.files) else None
        if picture is None:
            return _sentence(404, "This picture is not in the opened folders.")
        try:
            raw, head = self._cache.read(*picture, most_px=_size(query))
        except NavVizError as error:
            return _sentence(422, str(error))
        return PictureResponse(200, head.mime, raw)

    def _forget(self) -> None:
        ended = [
            token for token, shelf in self._shelves.items() if not self._is_session(shelf.session)
        ]
        for token in ended:
            del self._shelves[token]
        while len(self._shelves) > _MOST_SHELVES:
            del self._shelves[next(iter(self._shelves))]


def _size(query: str) -> int | None:
    """Return the next larger size of copies; ``None`` for the picture as it is."""
    match = _SIZE.search(query)
    if match is None:
        return None
    return next((size for size in SIZES if size >= int(match[1])), None)


def _sentence(status: int, text: str) -> PictureResponse:
    return PictureResponse(status, "text/plain; charset=utf-8", text.encode("utf-8", "replace"))


shelves = Shelves(is_active)

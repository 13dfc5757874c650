"""Pictures that the server shows: to the session whose page has their address, and by number."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from navviz.observations.pictures.files import PictureFile, PictureFolders
from navviz.observations.pictures.kept import PictureCache
from navviz.support.installation.serving import Serving
from navviz.ui.server import guard as guarding
from navviz.ui.server.admitted import Admitted
from navviz.ui.server.guard import Guard
from navviz.ui.server.shelves import PREFIX, Shelves
from tests.observations.pictures.seen_runs import paint


@pytest.fixture
def sessions():
    return {"mine", "yours"}


@pytest.fixture
def shelves(tmp_path, sessions):
    return Shelves(sessions.__contains__, PictureCache(tmp_path / "cache"))


@pytest.fixture
def files(tmp_path):
    root = tmp_path / "run"
    paint(root / "a.jpg", (640, 480))
    (root / "b.jpg").write_text("<html><script>alert(1)</script>")
    folders = PictureFolders((root,))
    outside = PictureFile(paint(tmp_path / "secret.png"))
    return [
        (PictureFile(root / "a.jpg"), folders),
        None,
        (PictureFile(root / "b.jpg"), folders),
        (outside, folders),
    ]


def test_a_session_gets_its_pictures_by_number(shelves, files):
    at = shelves.put("mine", "digest", files)
    assert shelves.put("mine", "digest", files) == at
    whole = shelves.answer(f"{at}/0", "")
    assert (whole.status, whole.mime) == (200, "image/jpeg")
    small = shelves.answer(f"{at}/0", "size=150")
    assert (small.status, small.mime, len(small.body) < len(whole.body)) == (
        200,
        "image/webp",
        True,
    )


def test_sessions_and_documents_have_addresses_of_their_own(shelves, files):
    places = {
        shelves.put(session, digest, files)
        for session in ("mine", "yours")
        for digest in ("one", "two")
    }
    assert len(places) == 4


def test_a_closed_session_takes_its_pictures_along(shelves, files, sessions):
    at = shelves.put("mine", "digest", files)
    sessions.remove("mine")
    assert shelves.answer(f"{at}/0", "").status == 404


@pytest.mark.parametrize(
    "path",
    [
        "{at}",
        "{at}/",
        "{at}/9",
        "{at}/1",
        "{at}/-1",
        "{at}/0/1",
        "{at}/../0",
        "{at}/%2e%2e/0",
        "{at}/a.jpg",
        PREFIX + "0" * 64 + "/0",
        PREFIX + "/0",
        PREFIX,
    ],
)
def test_nothing_else_has_an_address(shelves, files, path):
    at = shelves.put("mine", "digest", files)
    answer = shelves.answer(path.format(at=at), "")
    assert (answer.status, answer.mime) == (404, "text/plain; charset=utf-8")


@pytest.mark.parametrize("number", [2, 3])
def test_what_is_no_picture_or_lies_outside_is_one_sentence(shelves, files, number):
    at = shelves.put("mine", "digest", files)
    for query in ("", "size=160"):
        answer = shelves.answer(f"{at}/{number}", query)
        assert (answer.status, answer.mime) == (422, "text/plain; charset=utf-8")
        assert b"<" not in answer.body
        assert answer.body.count(b".") <= 3


def _get(app: Guard, path: str, method: str = "GET") -> tuple[dict[str, Any], bytes]:
    sent: list[dict[str, Any]] = []

    async def send(message: Any) -> None:
        sent.append(message)

    async def receive() -> dict[str, Any]:
        return {"type": "http.disconnect"}

    scope = {"type": "http", "method": method, "path": path, "headers": [], "query_string": b""}
    # in a thread: the browser of other tests runs a loop in this one
    with ThreadPoolExecutor(1) as pool:
        pool.submit(asyncio.run, app(scope, receive, send)).result()
    return sent[0], sent[1]["body"]


async def _nobody(scope: Any, receive: Any, send: Any) -> None:
    del scope, receive
    await send({"type": "http.response.start", "status": 500, "headers": []})
    await send({"type": "http.response.body", "body": b"the app was asked"})


@pytest.mark.parametrize("rules", [None, Serving(door="password")])
def test_the_guard_serves_them_as_what_they_are_and_keeps_them_private(
    shelves, files, rules, monkeypatch
):
    monkeypatch.setattr(guarding, "shelves", shelves)
    app = Guard(_nobody, rules, Admitted(lambda session: True))
    at = shelves.put("mine", "digest", files)
    start, body = _get(app, f"{at}/0")
    headers = {name.decode(): value.decode() for name, value in start["headers"]}
    assert (start["status"], headers["content-type"]) == (200, "image/jpeg")
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["cache-control"].startswith("private")
    assert headers["cross-origin-resource-policy"] == "same-origin"
    assert body.startswith(b"\xff\xd8\xff")
    assert _get(app, f"{at}/0", "HEAD")[1] == b""
    assert _get(app, f"{at}/0", "POST")[0]["status"] == 405
    assert _get(app, f"{at}/2")[0]["status"] == 422

"""Pictures that the server shows: to the session whose page has their address, and by name."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from navviz.observations.pictures.files import PictureFile, PictureFolders
from navviz.observations.pictures.films import PictureCache
from navviz.support.installation.serving import Serving
from navviz.ui.server import serve as guarding
from navviz.ui.server import shelves as shelving
from navviz.ui.server.door import Admitted, StreamlitFiles
from navviz.ui.server.serve import Guard
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


def test_a_session_gets_its_pictures_by_name(shelves, files):
    at, names = shelves.put("mine", files)
    assert names[1] is None
    whole = shelves.answer(f"{at}/{names[0]}", "")
    assert (whole.status, whole.mime) == (200, "image/jpeg")
    small = shelves.answer(f"{at}/{names[0]}", "size=150")
    assert (small.status, small.mime, len(small.body) < len(whole.body)) == (
        200,
        "image/webp",
        True,
    )


def test_a_picture_keeps_its_address_as_a_run_grows(shelves, files):
    at, names = shelves.put("mine", files[:1])
    # a later document of the same session numbers its pictures anew
    assert shelves.put("mine", [files[2], None, files[0]])[1][2] == names[0]
    assert shelves.put("mine", files)[0] == at
    assert shelves.answer(f"{at}/{names[0]}", "").status == 200


def test_sessions_have_addresses_and_names_of_their_own(shelves, files):
    (mine, names), (yours, others) = shelves.put("mine", files), shelves.put("yours", files)
    assert mine != yours
    assert not set(filter(None, names)) & set(filter(None, others))
    assert shelves.answer(f"{yours}/{names[0]}", "").status == 404


def test_a_session_keeps_its_latest_pictures(shelves, files, monkeypatch):
    monkeypatch.setattr(shelving, "_MOST_PICTURES", 2)
    at, names = shelves.put("mine", files)
    states = [shelves.answer(f"{at}/{name}", "").status for name in names if name is not None]
    assert states == [404, 422, 422], "the first is forgotten; the others are no pictures"


def test_a_closed_session_takes_its_pictures_along(shelves, files, sessions):
    at, names = shelves.put("mine", files)
    sessions.remove("mine")
    assert shelves.answer(f"{at}/{names[0]}", "").status == 404


@pytest.mark.parametrize("path", [
    "{at}", "{at}/", "{at}/0", "{at}/{other}", "{at}/-1", "{at}/{name}/1", "{at}/../{name}",
    "{at}/%2e%2e/{name}", "{at}/a.jpg", PREFIX + "0" * 64 + "/{name}", PREFIX + "/{name}", PREFIX,
])  # fmt: skip
def test_nothing_else_has_an_address(shelves, files, path):
    at, names = shelves.put("mine", files)
    answer = shelves.answer(path.format(at=at, name=names[0], other="0" * 32), "")
    assert (answer.status, answer.mime) == (404, "text/plain; charset=utf-8")


@pytest.mark.parametrize("number", [2, 3])
def test_what_is_no_picture_or_lies_outside_is_one_sentence(shelves, files, number):
    at, names = shelves.put("mine", files)
    for query in ("", "size=160"):
        answer = shelves.answer(f"{at}/{names[number]}", query)
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
    app = Guard(_nobody, rules, Admitted(lambda session: True, StreamlitFiles()))
    at, names = shelves.put("mine", files)
    start, body = _get(app, f"{at}/{names[0]}")
    headers = {name.decode(): value.decode() for name, value in start["headers"]}
    assert (start["status"], headers["content-type"]) == (200, "image/jpeg")
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["cache-control"].startswith("private")
    assert headers["cross-origin-resource-policy"] == "same-origin"
    assert body.startswith(b"\xff\xd8\xff")
    assert _get(app, f"{at}/{names[0]}", "HEAD")[1] == b""
    assert _get(app, f"{at}/{names[0]}", "POST")[0]["status"] == 405
    assert _get(app, f"{at}/{names[2]}")[0]["status"] == 422
    # below a path of the host the pages ask for them there
    assert _get(app, f"/lab/navviz{at}/{names[0]}")[0]["status"] == 200

"""An invitation link in a real browser: nothing is typed, the token leaves the address and stands
nowhere else; a reload asks nothing.
"""

from __future__ import annotations

from urllib.parse import urlsplit

import pytest

from navviz.annotation.invitations import invite
from navviz.annotation.records import Item, Queue
from navviz.annotation.store import FILE_NAME, AnnotationStore
from tests.browser.server import serving
from tests.browser.waits import expect, kept_cookie, soon
from tests.worlds import write_states, write_world

pytestmark = pytest.mark.browser

KEPT = {True: "navviz_door", False: "navviz_annotator_"}
"""What the browser keeps, behind a door and without one."""


@pytest.fixture(scope="module", params=["door", "no door"])
def server(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp("invited")
    graph = write_world(folder)
    results = write_states(folder / "walks.json", {"1": {"json": ["s1", "x", "w1"]}})
    store = AnnotationStore(f"sqlite:///{folder / FILE_NAME}")
    study = store.study()
    item = Item(dataset="map2seq", episode="1")
    for name, task in (("first", "navigability"), ("second", "difficulty")):
        study.queues.create(Queue(name=name, task=task, items=(item,), source="walks"))
    invite(study.annotators, ["olga"], "http://h", is_lead=True)
    door = ("--address", "0.0.0.0", "--door", "tokens", "--operator", "olga")
    given = door if request.param == "door" else ()
    with serving(*given, "--graphs", str(graph), str(results), workspace=folder) as address:
        yield address, study, folder, request.param == "door"
    store.close()


def test_a_link_opens_its_queue_and_leaves_the_address(chromium, server):
    address, study, folder, is_door = server
    (made,) = invite(study.annotators, ["fox"], address, "second")
    token = made.link.rpartition(":")[2]
    asked: list[str] = []
    with chromium.new_context() as context:
        context.on("request", lambda request: asked.append(request.url))
        page = context.new_page()
        page.goto(made.link)
        expect(page.locator(".navviz-desk")).to_be_visible()
        assert soon(page, lambda: urlsplit(page.url).fragment, lambda left: left == "") == ""
        assert token not in page.url
        expect(page.get_by_text("Who is rating?")).to_have_count(0)
        assert "queue=second" in page.url
        kept_cookie(page, KEPT[is_door])
        page.reload()
        expect(page.locator(".navviz-desk")).to_be_visible()
    assert not any(token in url for url in asked)
    assert token not in (folder / "server.log").read_text()
    assert "fox" in study.annotators.seen()


def test_a_lead_sees_the_study_without_a_second_token_also_after_a_reload(chromium, server):
    address, study, _, is_door = server
    (made,) = invite(study.annotators, ["lead"], address, is_lead=True)
    with chromium.new_context() as context:
        page = context.new_page()
        page.goto(made.link)
        expect(page.get_by_text("Set up", exact=True)).to_be_visible()
        kept_cookie(page, KEPT[is_door])
        page.reload()
        expect(page.get_by_text("Set up", exact=True)).to_be_visible()
        expect(page.get_by_text("Researchers only")).to_have_count(0)


def test_a_link_that_was_taken_back_opens_nothing(chromium, server):
    address, study, *_ = server
    (made,) = invite(study.annotators, ["owl"], address, "second")
    study.annotators.revoke("owl")
    with chromium.new_context() as context:
        page = context.new_page()
        page.goto(made.link)
        expect(page.get_by_text("This link opens nothing here")).to_be_visible()

"""MSNav's learned parts behind an address: what is posted, what comes of the answer, and what fails
is named.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest

from navviz.errors import ModelError, SettingsError
from navviz.systems.msnav.settings import ServedSpatial, ServedViews
from tests.systems.msnav.scripts import follow, walk

Answer = Callable[[Mapping[str, Any]], object]
READING = {
    "direct_obj": ["gas stove"],
    "potential_obj": ["sink", 3],
    "final_destination_spatial_relations": "The destination is a kitchen.\nThe spatial layout ...",
}


@pytest.fixture
def serve():
    """Serve answers; gives the address and what is posted there."""
    servers: list[HTTPServer] = []

    def start(answer: Answer) -> tuple[str, list[dict[str, Any]]]:
        got: list[dict[str, Any]] = []

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                got.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
                self.send_response(200)
                self.end_headers()
                self.wfile.write(json.dumps(answer(got[-1])).encode())

            def log_message(self, *_: object) -> None:
                pass

        server = HTTPServer(("127.0.0.1", 0), Handler)
        servers.append(server)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        return f"http://127.0.0.1:{server.server_port}/", got

    yield start
    for server in servers:
        server.shutdown()
        server.server_close()


def test_a_served_reader_and_served_views_walk(episode, house, serve):
    reader, answer = serve(lambda _: READING)
    teller, seen = serve(lambda record: {"text": f"view {record['view']}\nwith a gas stove."})
    trace = walk(
        episode,
        house,
        follow(house, episode.reference_path),
        spatial="http",
        spatial_url=reader,
        views="http",
        view_url=teller,
    )
    assert trace.path == episode.reference_path
    assert answer == [{"instruction": episode.instruction}]
    assert trace.plan_calls == ()
    assert [mark.name for mark in trace.landmarks] == ["gas stove", "sink"]
    text = trace.steps[0].calls[-1].messages[-1].text
    assert "with a *gas stove*." in text
    assert (
        "(a guess, it may be wrong): The destination is a kitchen. The spatial layout ..." in text
    )
    assert f"the server at {teller}" in trace.plan_panels[0].data["text"]
    assert trace.plan_panels[0].data["text"].startswith("Text variant of MSNav")
    assert f"served at {reader}" in json.dumps(trace.plan_panels[1].data)
    asked_views = [(record["viewpoint"], record["view"]) for record in seen]
    assert len(asked_views) == len(set(asked_views)), "each view is asked for once"
    assert {record["scan"] for record in seen} == {house.name}
    assert all(0 <= view < 36 for _, view in asked_views)


def test_an_answer_that_tells_nothing_is_named(serve):
    url, _ = serve(lambda _: {})
    with pytest.raises(ModelError, match="named no object and no layout"):
        ServedSpatial(url).read("Go.")
    with pytest.raises(ModelError, match="answered without a text"):
        ServedViews(url, "scan").of("a", 3)


def test_an_address_is_needed_and_must_be_whole():
    with pytest.raises(SettingsError, match="spatial = http needs the setting spatial_url"):
        ServedSpatial("").read("Go.")
    with pytest.raises(SettingsError, match="views = http needs the setting view_url"):
        ServedViews("", "scan").of("a", 3)
    with pytest.raises(SettingsError, match="address is not whole"):
        ServedSpatial("qwen").read("Go.")

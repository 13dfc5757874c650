"""MSNav and MapGPT with pictures, against the client libraries' own requests."""

import base64
import io
import json

import numpy as np
import pytest
from PIL import Image

from navviz.errors import InputError
from navviz.llm.registry import close_model, make_model
from navviz.llm.retries import RetryPolicy
from navviz.llm.scripted import Scripted
from navviz.llm.streaming import ModelOptions
from navviz.observations.agent_pictures import pictures_of
from navviz.observations.discrete_views import candidate_views
from navviz.records import EndEvent, PlanEvent, TraceHeader
from navviz.records.trace_files import EventWriter, read_trace
from navviz.systems.msnav.navigator import PLACEHOLDER, Msnav
from navviz.systems.msnav.place_map.prompt import PlacePrompt
from navviz.systems.msnav.prompt import TAKEN_OFF, decide_messages
from navviz.systems.msnav.settings import MsnavSettings
from tests.fake_servers import Answer, FakeOpenAI
from tests.systems.msnav.scripts import HOUSE, OBJECTS, follow, reply

PICTURED = MsnavSettings(views="pictures", preset="mapgpt")


def picture_at(graph, node, view):
    part = pictures_of(graph).view(node, view)
    assert part is not None
    return part.raw


def shown(episode, graph, server_answers, make):
    """Walk with a real client library; return the requests' bodies."""
    with server_answers as server:
        llm = make(server)
        events = list(Msnav().navigate(episode, graph, llm, PICTURED))
        close_model(llm)
        return events, [request.body for request in server.requests]


def of_openai(server):
    options = ModelOptions(retry=RetryPolicy(attempts=1), timeout_s=30)
    return make_model(f"openai:gpt-4o@{server.url}", options)


def answers():
    return [Answer(reply("A")), Answer(reply("A")), Answer("no json")]


def test_openai_is_sent_the_view_of_each_place_with_its_number(episode, house):
    _, bodies = shown(episode, house, FakeOpenAI(answers()), of_openai)
    content = bodies[0]["messages"][-1]["content"]
    ways = candidate_views(house, episode.start)
    assert [part["type"] for part in content] == ["text", "image_url"] * len(ways) + ["text"]
    for place, way in enumerate(ways, start=1):
        label, picture = content[2 * place - 2], content[2 * place - 1]["image_url"]
        assert label["text"] == f"Image {place}:"
        assert picture["detail"] == "low"
        head, _, code = picture["url"].partition(",")
        assert head == "data:image/jpeg;base64"
        assert base64.b64decode(code) == picture_at(house, episode.start, way.view)
    assert content[-1]["text"].lstrip().startswith("Instruction: ")
    assert "Action Options (step 0)" in content[-1]["text"]


def test_later_prompts_repeat_the_pictures_of_places_seen_before(episode, house):
    _, bodies = shown(episode, house, FakeOpenAI(answers()), of_openai)
    first, second = (body["messages"][-1]["content"] for body in bodies[:2])
    labels = [part["text"] for part in second if part.get("text", "").startswith("Image")]
    numbers = [int(label.removeprefix("Image ").rstrip(":")) for label in labels]
    assert numbers == sorted(numbers)
    assert len(numbers) > (len(first) - 1) / 2
    sent_before = {part["image_url"]["url"] for part in first if "image_url" in part}
    assert sent_before & {part["image_url"]["url"] for part in second if "image_url" in part}


def test_the_trace_keeps_the_bytes_that_were_sent_beside_it(episode, house, tmp_path):
    path = tmp_path / "run" / "101_0.trace.jsonl"
    llm = Scripted(follow(house, episode.reference_path))
    with EventWriter(path) as writer:
        writer.write(TraceHeader(navigator="msnav", episode=episode))
        for event in Msnav().navigate(episode, house, llm, PICTURED):
            writer.write(event)
    trace = read_trace(path)
    assert trace.path == episode.reference_path
    (message,) = (m for m in trace.steps[0].calls[0].messages if m.role == "user")
    way = candidate_views(house, episode.start)[0]
    kept = path.parent / message.pictures[0].source
    assert kept.parent.name == "101_0.views"
    assert kept.read_bytes() == picture_at(house, episode.start, way.view)
    assert (message.pictures[0].label, message.pictures[0].detail) == ("Image 1", "low")
    assert path.read_text().count("base64") == 0
    assert Image.open(io.BytesIO(kept.read_bytes())).size == (640, 480)


def test_it_says_that_it_is_the_paper_s_agent(episode, house):
    llm = Scripted(follow(house, episode.reference_path))
    events = list(Msnav().navigate(episode, house, llm, PICTURED))
    plan = next(event for event in events if isinstance(event, PlanEvent))
    assert "MapGPT with pictures" in plan.panels[0].data["text"]
    assert PICTURED.variant == "pictures"
    assert MsnavSettings().variant.startswith("text variant")
    assert MsnavSettings(variant="pictures").variant.startswith("text variant")
    assert (PICTURED.image_limit, MsnavSettings(views="pictures").image_limit) == (20, 35)


def test_mapgpt_stops_without_a_call_where_it_knows_more_places_than_pictures(episode, house):
    requests = []
    llm = Scripted(lambda request: requests.append(request) or OBJECTS)
    settings = PICTURED.model_copy(update={"image_limit": 1})
    *_, end = Msnav().navigate(episode, house, llm, settings)
    assert isinstance(end, EndEvent)
    assert "more than 1 places" in (end.reason or "")
    assert requests == []


def test_a_place_that_was_taken_off_has_no_picture():
    prompt = PlacePrompt(0, "Go.", "", "", "", "", "", ())
    _, user = decide_messages(
        prompt,
        PLACEHOLDER,
        pruned=True,
        marked=False,
        remote=False,
        outdoors=False,
        images={3: None},
    )
    assert user.parts == (f"Image 3:{TAKEN_OFF}\n{prompt}",)


def test_a_house_without_pictures_is_one_sentence(episode, house, tmp_path):
    settings = MsnavSettings(views="pictures", view_files=str(tmp_path))
    with pytest.raises(InputError, match="there are no pictures of scan NavVizHouse"):
        list(Msnav().navigate(episode, house, Scripted(lambda _: OBJECTS), settings))


def test_views_on_the_disk_are_sent_as_they_are(episode, house, tmp_path):
    way = candidate_views(house, episode.start)[0]
    folder = tmp_path / house.name / episode.start
    folder.mkdir(parents=True)
    noise = np.random.default_rng(1).integers(0, 255, (480, 640, 3), dtype=np.uint8)
    Image.fromarray(noise).save(folder / f"{way.view}.jpg")
    part = pictures_of(house, str(tmp_path)).view(episode.start, way.view)
    assert part.raw == (folder / f"{way.view}.jpg").read_bytes()
    assert pictures_of(house, str(tmp_path)).view(episode.start, (way.view + 1) % 36) is None
    # a model turns nothing: what a phone keeps upside down is sent as a person sees it
    dark_above = np.zeros((480, 640, 3), np.uint8)
    dark_above[240:] = 255
    notes = Image.Exif()
    notes[0x0112] = 3
    Image.fromarray(dark_above[::-1]).save(folder / f"{way.view}.jpg", exif=notes)
    part = pictures_of(house, str(tmp_path)).view(episode.start, way.view)
    sent = Image.open(io.BytesIO(part.raw))
    assert sent.getexif().get(0x0112) is None
    assert sent.getpixel((9, 9)) < (50, 50, 50)
    assert sent.getpixel((9, 470)) > (200, 200, 200)


def test_settings_of_a_recorded_run_are_read_again():
    assert MsnavSettings(**json.loads(PICTURED.model_dump_json())) == PICTURED


def test_the_sample_run_holds_what_was_sent_and_is_small():
    run = HOUSE / "runs" / "mapgpt-pictures-by-hand"
    for path in run.glob("*.trace.jsonl"):
        trace = read_trace(path)
        assert trace.header.model == "openai:written-by-hand"
        assert trace.header.settings["variant"] == "pictures"
        for step in trace.steps:
            pictures = step.calls[0].messages[-1].pictures
            assert pictures
            assert all((run / picture.source).is_file() for picture in pictures)
    drawn = [*HOUSE.rglob("*.webp"), *run.rglob("*.jpg"), *HOUSE.rglob("*.png")]
    assert sum(file.stat().st_size for file in drawn) < 3_000_000


def test_every_viewpoint_of_the_sample_house_has_its_pictures(house):
    pictures = pictures_of(house)
    assert all(pictures.has(node) for node in house.ids)
    assert {picture.file.stem for picture in house.info.floor_pictures} == {
        "NavVizHouse_floor1",
        "NavVizHouse_floor2",
    }

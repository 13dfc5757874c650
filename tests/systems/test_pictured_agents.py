"""NavGPT, MGDM and SkillNav's localiser with pictures: what their prompts hold, and what it costs."""

import base64
import io
import re
from itertools import product

import numpy as np
import pytest
from PIL import Image

from navviz.errors import InputError, ModelError
from navviz.formats import open_episodes
from navviz.llm.pictures import OPENAI_LOW
from navviz.llm.registry import close_model, make_model
from navviz.llm.retries import RetryPolicy
from navviz.llm.scripted import Scripted
from navviz.llm.streaming import ModelOptions
from navviz.observations.agent_pictures import Camera, pictures_of
from navviz.observations.panorama import DIRECTIONS
from navviz.runner.estimate import estimate_run
from navviz.support.guarded import picture_head
from navviz.systems.registry import get_navigator
from tests.fake_servers import FakeGemini, FakeOpenAI
from tests.paths import SAMPLES

HOUSE = SAMPLES / "house"
PICTURED = {
    "navgpt": {"views": "pictures"},
    "mgdm": {"views": "pictures", "cot_every": 0},
    "skillnav": {"localiser_views": "pictures", "reorder": "rules", "router": "rules", "agents": "rules"},
    "msnav": {"views": "pictures", "spatial": "off"},
}  # fmt: skip


@pytest.fixture(scope="module")
def episode():
    return open_episodes(HOUSE / "R2R_sample.json").episodes["101_0"]


def settings_of(name, **more):
    return get_navigator(name).settings_type(**(PICTURED[name] | more))


def first_prompt(name, episode, house, **more):
    """The last message of the first prompt that holds pictures."""
    requests = []

    def answer(request):
        requests.append(request)
        if request.messages[-1].pictures:
            raise ModelError("Enough was seen.")
        return "{}"

    with pytest.raises(ModelError):
        list(
            get_navigator(name).navigate(
                episode, house, Scripted(answer), settings_of(name, **more)
            )
        )
    return requests[-1].messages[-1]


def labels(message):
    assert all(part.detail == "low" and part.raw for part in message.pictures)
    texts = [part for part in message.parts if isinstance(part, str)]
    assert [type(part).__name__ for part in message.parts] == ["str", "PicturePart"] * (
        len(texts) - 1
    ) + ["str"]
    assert [text.removesuffix(":") for text in texts[:-1]] == [
        part.label for part in message.pictures
    ]
    return texts


@pytest.mark.parametrize(("granularity", "count"), [("fov45-24", 24), ("fov60-12", 12)])
def test_navgpt_sees_the_views_of_its_granularity_before_its_text(
    episode, house, granularity, count
):
    message = first_prompt("navgpt", episode, house, granularity=granularity)
    texts = labels(message)
    heads = {24: ["Front, down", "Front", "Front, top"], 12: ["Front", "Front Right"]}[count]
    assert texts[: len(heads)] == [f"Image {k} ({head}):" for k, head in enumerate(heads, start=1)]
    assert len(texts) == count + 1
    assert {(part.width, part.height) for part in message.pictures} == {(512, 512)}
    assert "range (left" in texts[-1]


def test_mgdm_sees_left_front_and_right_60_degrees_apart(episode, house):
    message = first_prompt("mgdm", episode, house)
    assert labels(message)[:3] == ["Image 1 (left):", "Image 2 (front):", "Image 3 (right):"]
    heading = episode.start_heading_deg
    for part, angle in zip(message.pictures, (-60, 0, 60), strict=True):
        camera = Camera((heading + angle) % 360, 0, 60, 512, 512)
        assert part.raw == pictures_of(house).take(episode.start, camera).raw
    left, front = (np.asarray(Image.open(io.BytesIO(part.raw))) for part in message.pictures[:2])
    # the cameras meet: the right edge of the left picture shows what the front's left edge shows
    seam = np.abs(left[:, -1].astype(int) - front[:, 0].astype(int))
    assert np.median(seam) < 12


def test_skillnav_s_localiser_sees_the_viewpoints_passed(episode, house):
    texts = labels(first_prompt("skillnav", episode, house))
    assert texts[0] == "View 1:"
    assert len(texts) > 2
    assert f"View {len(texts) - 1}: " in texts[-1], "each picture has its line in the text"


@pytest.mark.parametrize("name", PICTURED)
def test_a_house_without_pictures_is_one_sentence(name, episode, house, tmp_path):
    key = "view_files" if name == "msnav" else "picture_files"
    settings = settings_of(name, **{key: str(tmp_path)})
    with pytest.raises(InputError, match="there are no pictures of scan NavVizHouse"):
        list(get_navigator(name).navigate(episode, house, Scripted(lambda _: "{}"), settings))


def test_the_estimate_counts_pictures_as_the_provider_does(episode, house):
    navigator = get_navigator("mgdm")

    def tokens(model, **settings):
        options = settings_of("mgdm", **settings)
        return estimate_run(navigator, options, episode, house, model=model).prompt_tokens

    plain, low, tiles = tokens("openai:m", views="text"), tokens("openai:m"), tokens("gemini:m")
    pictures = 3 * 7
    assert low - plain == pytest.approx(pictures * OPENAI_LOW, rel=0.2)
    assert tiles - low == pytest.approx(pictures * (4 * 258 - OPENAI_LOW), rel=0.2)


SENT = {
    "navgpt": [
        f"Image {k} ({name}{row}):"
        for k, (name, row) in enumerate(product(DIRECTIONS, (", down", "", ", top")), start=1)
    ],
    "mgdm": ["Image 1 (left):", "Image 2 (front):", "Image 3 (right):"],
    "skillnav": None,
    "msnav": None,
}
"""Labels before the pictures, where they do not depend on the place."""


def openai_parts(body):
    content = body["messages"][-1]["content"]
    if isinstance(content, str):
        return None
    parts = []
    for part in content:
        if part["type"] == "text":
            parts.append(part["text"])
            continue
        head, _, code = part["image_url"]["url"].partition(",")
        assert part["image_url"]["detail"] == "low"
        parts.append((head, base64.b64decode(code, validate=True)))
    return parts


def gemini_parts(body):
    parts = []
    for part in body["contents"][-1]["parts"]:
        blob = part.get("inlineData")
        if blob is None:
            parts.append(part["text"])
        else:
            mime = blob.get("mimeType", blob.get("mime_type"))
            head = f"data:{mime};base64"
            parts.append((head, base64.urlsafe_b64decode(blob["data"])))
    return parts if any(isinstance(part, tuple) for part in parts) else None


def sent(name, server, llm, read, episode, house):
    """Return the parts of the first request with pictures, as they went over the wire."""
    walk = get_navigator(name).navigate(episode, house, llm, settings_of(name))
    try:
        for _ in walk:
            for request in server.requests:
                parts = read(request.body)
                if parts is not None:
                    return parts
    finally:
        walk.close()
        close_model(llm)
    raise AssertionError("no request held a picture")


@pytest.mark.parametrize("name", SENT)
def test_the_bytes_of_a_request_are_the_same_pictures_for_both_providers(name, episode, house):
    quick = {"retry": RetryPolicy(attempts=1), "timeout_s": 60}
    with FakeOpenAI(["{}"] * 20) as server:
        llm = make_model(f"openai:m@{server.url}", ModelOptions(**quick))
        openai = sent(name, server, llm, openai_parts, episode, house)
    with FakeGemini(["{}"] * 20) as server:
        llm = make_model("gemini:m", ModelOptions(base_url=server.address, **quick), key="AIza-t")
        gemini = sent(name, server, llm, gemini_parts, episode, house)
    assert openai == gemini
    *pairs, prompt = openai
    assert isinstance(prompt, str)
    assert "data:" not in prompt
    labels_, pictures = pairs[::2], pairs[1::2]
    assert all(isinstance(label, str) for label in labels_)
    assert len(labels_) == len(pictures) <= 24
    for head, raw in pictures:
        picture = picture_head(raw, "sent")
        assert head == f"data:{picture.mime};base64", "the kind is what the bytes are"
        assert picture.width >= 512
    texts = [label.strip() for label in labels_]
    word = "View" if name == "skillnav" else "Image"
    assert all(re.match(rf"{word} \d+\b", text) for text in texts)
    assert SENT[name] is None or texts == SENT[name]

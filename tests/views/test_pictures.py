"""The pictures of a player's document: numbered, named where they are missing, and held by files."""

import base64
import io
import json
import re

from PIL import Image

from navviz.errors import Problems
from navviz.formats import open_graph
from navviz.formats.mapping.engine import read_log
from navviz.formats.mapping.model import mapping_of
from navviz.metrics.walked import walked_graph
from navviz.observations.pictures.files import PictureFolders
from navviz.observations.pictures.films import PictureCache, WalkPictures
from navviz.records import Call, Message, PicturePart, Step, StepView
from navviz.views.player.document import replay_document
from navviz.views.player.html import film_page, illustrated_page
from navviz.views.player.pick import pick_document
from navviz.views.player.pictures import PictureTable, ground_of, with_data
from navviz.world.floors import find_floors
from tests.grids import corridor
from tests.observations.pictures.seen_runs import paint
from tests.paths import SAMPLES
from tests.replays import full_trace, tiny_graph


def _trace(root):
    """Return a trace whose first step has a picture, one that is missing, and one in its prompt."""
    trace = full_trace()
    paint(root / "views/1.png", (640, 480))
    message = Message.of_parts(
        "user",
        [
            "Image 1:",
            PicturePart(at=0, source="views/1.png", detail="low", width=640, height=480),
            "Image 2:",
            PicturePart(at=0, source="views/none.png", mime="image/png"),
            "Where to?",
        ],
    )
    views = (StepView(source="views/1.png", heading_deg=90.0), StepView(source="views/none.png"))
    step = trace.steps[0].model_copy(
        update={"views": views, "calls": (Call(messages=(message,), model="gpt-4o"),)}
    )
    return trace.model_copy(update={"steps": (step, *trace.steps[1:])})


def _made(root):
    trace, graph = _trace(root), tiny_graph()
    table = PictureTable(WalkPictures(PictureFolders((root,)), trace))
    return replay_document(trace, graph, pictures=table), table


def test_a_step_names_its_pictures_by_number(tmp_path):
    document, table = _made(tmp_path)
    first, second = document["steps"][0]["views"]
    value = document["pictures"]
    assert (first["kind"], first["heading_deg"], first["pictures"]) == ("picture", 90.0, [0])
    assert value["all"][0] == {"name": "views/1.png"}
    assert value["all"][second["pictures"][0]] == {
        "name": "views/none.png",
        "fault": "This picture is not in the opened folders.",
    }
    assert table.files[0][0].path == tmp_path / "views/1.png"
    assert table.files[1] is None


def test_a_step_lends_its_heading_only_to_a_lone_picture_of_the_agent(tmp_path):
    paint(tmp_path / "views/1.png")
    first = full_trace().steps[0].model_copy(update={"heading_deg": 40.0})
    paint(tmp_path / f"{first.node}.png")
    paint(tmp_path / "film.png")
    lone = StepView(source="views/1.png")
    cases = [
        ((lone,), [40.0]),
        ((lone.model_copy(update={"heading_deg": 0.0}),), [0.0]),
        ((lone, lone), [None, None]),
        ((lone.model_copy(update={"label": "3 before"}),), [None]),
        # of the place, whoever stood there
        ((), [None]),
        # in published films a map stands beside the view
        ((StepView(source="film.png", kind="frame", frame=0),), [None]),
    ]
    for views, headings in cases:
        step = first.model_copy(update={"views": views})
        walk = full_trace().model_copy(update={"steps": (step,)})
        table = PictureTable(WalkPictures(PictureFolders((tmp_path,)), walk))
        assert [entry.heading_deg for entry in table.step(step, 0)] == headings, views


def test_a_sentence_says_how_much_of_what_the_steps_saw_is_missing(tmp_path):
    views = tuple(StepView(source=f"views/{k}.png") for k in (1, 2))
    steps = tuple(Step(index=k + 1, node="a", views=views) for k in range(3))
    trace = full_trace()
    trace = trace.model_copy(update={"steps": (*steps, Step(index=4, node="a"))})

    def notes(given=()):
        table = PictureTable(WalkPictures(PictureFolders((tmp_path,), given=given), trace))
        return replay_document(trace, tiny_graph(), pictures=table)["notes"]

    assert notes() == [
        "The pictures that the log names are not in the opened folders: open theirs."
    ]
    paint(tmp_path / "views/1.png")
    assert notes() == [
        "Not in the opened folders: what 1 of 4 steps saw, and 3 of 6 pictures of the others."
    ]
    trace = trace.model_copy(update={"steps": steps})
    assert notes() == ["Not in the opened folders: 3 of 6 pictures that the steps saw."]
    paint(tmp_path / "views/2.png")
    assert notes() == []
    trace = trace.model_copy(update={"steps": (Step(index=1, node="a"),)})
    assert notes() == []
    named = tmp_path / "seen"
    assert notes((named,)) == ["No step of this walk has a picture in the folder “seen”."]


def test_a_prompt_has_its_pictures_where_they_stood(tmp_path):
    document, _ = _made(tmp_path)
    parts = document["steps"][0]["calls"][0]["messages"][0]["parts"]
    assert [kind for kind, _ in parts].count("picture") == 2
    words = [
        document["strings"][index] if kind != "picture" else f"<{index}>" for kind, index in parts
    ]
    assert "".join(words) == "Image 1:<0>Image 2:<1>Where to?"
    assert document["pictures"]["prompts"] == [
        {"picture": 0, "detail": "low", "width": 640, "height": 480, "tokens": 85},
        {"picture": 1, "mime": "image/png"},
    ]


def test_a_walk_without_pictures_has_the_document_it_had():
    document = replay_document(full_trace(), tiny_graph())
    assert "pictures" not in document
    assert all("views" not in step for step in document["steps"])


def test_a_prompt_has_named_boxes_where_no_folder_is_open(tmp_path):
    document = replay_document(_trace(tmp_path), tiny_graph())
    assert [entry["name"] for entry in document["pictures"]["all"]] == [
        "views/1.png",
        "views/none.png",
    ]
    assert all("fault" in entry for entry in document["pictures"]["all"])


def test_a_file_holds_small_copies_as_webp(tmp_path):
    document, table = _made(tmp_path)
    result = with_data(document, table, 10**6, PictureCache(tmp_path / "cache"))
    kind, _, data = result["pictures"]["all"][0]["data"].partition(",")
    assert kind == "data:image/webp;base64"
    with Image.open(io.BytesIO(base64.b64decode(data))) as image:
        assert image.size == (512, 384)
    assert "data" not in document["pictures"]["all"][0]


def test_a_file_says_what_it_leaves_out(tmp_path):
    document, table = _made(tmp_path)
    result = with_data(document, table, 100, PictureCache(tmp_path / "cache"))
    assert result["pictures"]["all"][0]["fault"].startswith("This picture is left out")
    assert result["notes"][-1].startswith("1 of 2 pictures are left out: the file would have more")


def test_a_film_shows_its_pictures_in_full_where_they_fit(tmp_path, monkeypatch):
    monkeypatch.setattr("navviz.observations.pictures.films.cache_folder", lambda _: tmp_path / "c")
    document, table = _made(tmp_path)
    raw = base64.b64encode((tmp_path / "views/1.png").read_bytes()).decode()
    assert raw in film_page(document, table)
    assert raw not in illustrated_page(document, table)
    monkeypatch.setattr("navviz.views.player.html.FILE_BYTES", 10)
    assert "are left out" in film_page(document, table)


def test_a_broken_picture_is_named_in_the_file(tmp_path):
    document, table = _made(tmp_path)
    (tmp_path / "views/1.png").write_bytes(b"<svg onload=alert(1)>")
    result = with_data(document, table, 10**6, PictureCache(tmp_path / "cache"))
    assert result["pictures"]["all"][0]["fault"].startswith("1.png: is no JPEG, PNG, WebP or GIF")


def test_a_page_has_its_pictures_and_asks_nobody_for_them(tmp_path):
    page = illustrated_page(*_made(tmp_path), scene=False)
    text = re.search(r'id="navviz-document">(.*?)</script>', page, re.DOTALL)[1]
    assert json.loads(text)["pictures"]["all"][0]["data"].startswith("data:image/webp")
    assert str(tmp_path) not in page


def _foreign_log(folder, prompts):
    """Write a log of another program, and return what reads it."""
    walk = {"positions": ["steps[*].pose"], "frame": "enu", "prompts": "steps[*].sent"}
    steps = [{"pose": [k, 0, 0], "sent": prompt} for k, prompt in enumerate(prompts)]
    log = {"runs": [{"no": 7, "said": "Go on.", "steps": [*steps, {"pose": [9, 0, 0]}]}]}
    path = folder / "log.json"
    path.write_text(json.dumps(log), encoding="utf-8")
    episode = {"id": "no", "instruction": "said"}
    fields = {"name": "made", "episodes": "runs[*]", "episode": episode, "walk": walk}
    return path, mapping_of(fields, "made")


def test_the_pictures_of_a_foreign_log_show_in_its_prompts(tmp_path):
    raw = paint(tmp_path / "one.jpg", (640, 480)).read_bytes()
    code = base64.b64encode(raw).decode()
    anthropic = {"type": "base64", "media_type": "image/jpeg", "data": code}
    prompts = [
        [{"type": "image_url", "image_url": {"url": f"data:image/jpeg;base64,{code}"}}, "Where?"],
        [{"role": "user", "parts": [{"inlineData": {"data": code}}, {"text": "Where?"}]}],
        [{"role": "user", "content": [{"type": "image", "source": anthropic}, "Where?"]}],
        f"data:image/jpeg;base64,{code} Where?",
        [{"type": "image_url", "image_url": {"url": "data:image/jpeg;base64,PHNjcmlwdD4="}}],
    ]
    path, mapping = _foreign_log(tmp_path, prompts)
    (trace,) = read_log(mapping, path, None, None, Problems()).values()
    table = PictureTable()
    document = replay_document(trace, walked_graph(trace, corridor("ab")), pictures=table)
    for step in document["steps"][:4]:
        (message,) = step["calls"][0]["messages"]
        assert [kind for kind, _ in message["parts"]] == ["picture", "text"]
    sound, broken = document["pictures"]["all"]  # four times the same one, and what is none
    assert "fault" not in sound
    assert broken["fault"].startswith("The log holds this as data that is no JPEG")
    assert code[:30] not in json.dumps(document)
    result = with_data(document, table, 10**6, PictureCache(tmp_path / "cache"))
    assert result["pictures"]["all"][0]["data"].startswith("data:image/webp;base64")
    read = PictureCache(tmp_path / "cache").read(*table.files[0])
    assert read[0] == raw


def test_a_floor_with_a_picture_is_chosen_from_on_its_picture():
    world = open_graph(SAMPLES / "house" / "connectivity")
    floors = find_floors(world)
    document = pick_document(world, world.ids[0])
    picture = document["picture"]
    assert picture["url"].startswith("data:image/webp;base64,")
    (south, west), (north, east) = picture["corners"]
    inside = [west <= x <= east and south <= y <= north for y, x in document["at"]]
    assert all(inside)
    assert picture == ground_of(world, floors, floors.of[world.ids[0]])


def test_what_looks_level_is_taken_out_of_a_strip_with_its_heading(tmp_path):
    scans = tmp_path / "scan/matterport_skybox_images"
    paint(scans / "a1_skybox_small.jpg", (48, 8))
    trace = full_trace()
    world = trace.episode.model_copy(update={"world": "scan"})
    header = trace.header.model_copy(update={"episode": world})
    walk = WalkPictures(
        PictureFolders((tmp_path,)),
        trace.model_copy(update={"header": header}),
        # no turn: the middle of image 3 looks along z, up here, and of image 2 against x
        {"a1": (1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, -1.0, 0.0)},
    )
    views = PictureTable(walk).level("a1")
    assert [view.picture for view in views] == [0, 0, 0, 0]
    assert [round(view.cut[0] * 6 / 100) for view in views] == [1, 2, 3, 4]
    assert all(round(view.cut[1], 3) == 16.667 for view in views)
    # R's third column is (0, 1, 0): north, and turning right from image 3 one meets 4, 1, 2
    assert [round(view.heading_deg) for view in views] == [180, 270, 0, 90]

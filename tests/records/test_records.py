"""Records: episodes, views, findings, walkers, and what is said of them."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

import navviz
from navviz.errors import InputError, Problem, Problems, RecordError
from navviz.records import (
    Call,
    EndEvent,
    Episode,
    Explanation,
    Message,
    PicturePart,
    PlanEvent,
    Quote,
    RepairPlan,
    Step,
    StepView,
    Trace,
    TraceHeader,
    Usage,
)
from navviz.records.base import plural
from navviz.records.trace_files import read_trace
from navviz.records.walker import eyes, is_unwalked, same_walker, walker_changes
from navviz.runner import Budget
from navviz.runs.tables import EpisodeRow, episode_columns
from navviz.systems.lhvln.mgdm.navigator import MgdmSettings
from navviz.systems.msnav.settings import MsnavSettings
from navviz.systems.navgpt.navigator import NavGptSettings
from navviz.systems.skillnav.settings import SkillNavSettings
from navviz.views.player.document import replay_document
from navviz.views.player.writer import Tally
from tests.grids import episode, grid, straight, trace
from tests.records.test_trace_files import GOLDEN


def test_records_are_frozen_and_strict():
    own_episode = episode(straight())
    with pytest.raises(RecordError, match="Episode does not change; make another"):
        own_episode.id = "other"
    with pytest.raises(RecordError, match="field colour: is no field of Episode; choose among: id"):
        Episode(id="1", dataset="d", instruction="", start="a", colour="red")
    with pytest.raises(RecordError):
        PlanEvent(sub_goals=[{"description": "x", "status": "MAYBE"}])


def test_defaults_are_missing_and_not_zero():
    call = Call()
    assert (call.usage, call.seconds, call.cost_usd, call.reply, call.thoughts) == (None,) * 5
    step = Step(index=1, node=None)
    assert (step.heading_deg, step.sub_goal, step.decision, step.observation) == (None,) * 4


@pytest.mark.parametrize(
    ("usage", "tokens"),
    [
        (None, None),
        (Usage(prompt_tokens=100, thoughts_tokens=20, output_tokens=5, cached_tokens=90), 125),
        (Usage(prompt_tokens=100, output_tokens=5), 105),
        (Usage(prompt_tokens=100, thoughts_tokens=20), None),
        (Usage(thoughts_tokens=20, output_tokens=5), None),
        (Usage(prompt_tokens=100, thoughts_tokens=20).with_total(120), 120),
        (Usage(prompt_tokens=100).with_total(107), 107),
        (Usage(prompt_tokens=100, output_tokens=5).with_total(999), 105),
        (Usage(output_tokens=5).with_total(999), None),
        (Usage(prompt_tokens=100).with_total(None), None),
    ],
)
def test_the_tokens_of_a_call_are_the_same_everywhere(usage, tokens):
    call = Call(usage=usage)
    assert call.tokens == tokens
    budget = Budget(tokens=10_000)
    budget.charge([call])
    assert budget.spent_tokens == (tokens or 0)
    tally = Tally()
    tally.add(call)
    assert (tally.tokens, tally.partial) == (tokens, tokens is None)
    walked = Trace(
        header=TraceHeader(episode=episode(straight()), navigator="n"), plan_calls=(call,)
    )
    column = episode_columns()["tokens"]
    assert column.value(EpisodeRow(walked, {}, None, None)) == tokens


def test_the_path_joins_moves_and_stays():
    made = trace(episode(straight()), [straight(0, 0, 2), (), straight(0, 2, 3)])
    assert made.path == straight(0, 0, 3)
    assert trace(episode(straight()), []).path == ("r0c0",)
    hole = Trace(header=made.header, steps=(Step(index=1, node=None), Step(index=2, node="r0c1")))
    assert hole.path == ("r0c0", "r0c1")


def test_calls_come_in_order():
    plan, act = Call(purpose="plan"), Call(purpose="decide")
    header = TraceHeader(episode=episode(straight()), navigator="n")
    made = Trace(
        header=header, plan_calls=(plan,), steps=(Step(index=1, node="r0c0", calls=(act, act)),)
    )
    assert [call.purpose for call in made.calls] == ["plan", "decide", "decide"]


def test_json_and_back():
    made = trace(episode(straight(), extra={"a": [1, {"b": None}]}), [straight()])
    assert Trace.model_validate_json(made.model_dump_json()) == made


def test_a_problem_is_one_sentence():
    assert str(Problem("is empty")) == "is empty."
    assert (
        str(Problem("is empty", "fill it", "a.json", "7", "path"))
        == "a.json, episode 7, field path: is empty; fill it."
    )
    assert str(InputError("is empty", file="a.json")) == "a.json: is empty."


def test_problems_are_counted_beyond_what_is_kept():
    problems = Problems(limit=2)
    for number in range(5):
        problems.add(Problem(str(number)))
    assert (problems.count, [problem.what for problem in problems.kept]) == (5, ["0", "1"])


WAY = straight(0, 0, 2)


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        (MsnavSettings(), "text variant"),
        (MsnavSettings(views="pictures"), "pictures"),
        (MgdmSettings(), "text variant"),
        (MgdmSettings(views="pictures"), "pictures"),
        # whatever a user writes there, it follows from what is shown
        (MgdmSettings.model_validate({"variant": "pictures", "views": "text"}), "text variant"),
        (NavGptSettings(views="pictures"), "pictures"),
        # NavGPT on texts is the paper's own agent
        (NavGptSettings(), None),
        (SkillNavSettings(localiser_views="pictures"), "pictures"),
    ],
)
def test_settings_say_what_the_model_was_shown(settings, said):
    header = TraceHeader(
        episode=episode(WAY), navigator="any", settings=settings.model_dump(mode="json")
    )
    assert eyes(header) == said
    walked = trace(episode(WAY), [WAY[:2], WAY[1:3]]).model_copy(update={"header": header})
    assert replay_document(walked, grid()).get("eyes") == said


def _quote(**changes):
    return Quote(source="thoughts", text="not in view", step=2, call=0, start=4, end=15, **changes)


def _cause(*quotes):
    return Explanation(
        id="landmark-never-shown",
        name="Landmark never shown",
        sentence="The bakery, landmark of this turn, was never in the prompt.",
        step=2,
        sub_goal=1,
        quotes=quotes,
        repair=RepairPlan(kind="show_landmark", step=2, parameters={"name": "bakery"}),
    )


def test_json_gives_back_the_same_cause():
    place = Quote(source="map", text="bakery, 12 m", poi="p7", position=(40.7, -74.0))
    cause = _cause(_quote(), place)
    assert Explanation.model_validate_json(cause.model_dump_json()) == cause


def test_a_cause_without_a_quote_is_refused():
    with pytest.raises(RecordError, match="quotes"):
        _cause()


@pytest.mark.parametrize(("start", "end"), [(3, None), (None, 3), (5, 5), (-1, 3)])
def test_a_quote_needs_both_ends_in_order(start, end):
    with pytest.raises(RecordError, match="start and an end"):
        Quote(source="reply", text="x", start=start, end=end)


def test_a_quote_without_words_is_refused():
    with pytest.raises(RecordError, match="text"):
        Quote(source="reply", text="")


@pytest.mark.parametrize(
    ("count", "message"),
    [(0, "0 shared episodes"), (1, "1 shared episode"), (2, "2 shared episodes")],
)
def test_one_is_singular(count, message):
    assert plural(count, "shared episode") == message


EPISODE = Episode(id="1", dataset="tiny", instruction="Walk.", start="a")


def walk(
    navigator: str = "rules", *, status: str | None = None, steps: int = 1, **header: Any
) -> Trace:
    return Trace(
        header=TraceHeader(episode=EPISODE, navigator=navigator, **header),
        steps=tuple(Step(index=k, node="a") for k in range(1, steps + 1)),
        end=None if status is None else EndEvent(status=status),
    )


@pytest.mark.parametrize(
    ("before", "after", "messages"),
    [
        (walk("groke"), walk("rules"), ("The navigator is rules instead of groke.",)),
        (
            walk("groke", model="a"),
            walk("rules", settings={"k": 1}),
            ("The navigator is rules instead of groke.",),
        ),
        (walk(model="a"), walk(model="b"), ("The model is b instead of a.",)),
        (
            walk(model="a@http://x/v1"),
            walk(model="b@http://x/v1"),
            ("The model is b instead of a.",),
        ),
        (
            walk(model="a@http://x"),
            walk(model="a@http://y"),
            ("The model is a@http://y instead of a@http://x.",),
        ),
        (walk(model="a"), walk(), ("The model is none instead of a.",)),
        (
            walk(settings={"k": 1, "q": "x", "same": 0}),
            walk(settings={"k": 2, "q": None, "same": 0}),
            ("The settings differ: k 2 instead of 1, q none instead of x.",),
        ),
        (
            walk(settings=dict.fromkeys("abcde", 1)),
            walk(settings=dict.fromkeys("abcde", 2)),
            ("The settings differ: a 2 instead of 1, b 2 instead of 1, c 2 instead of 1, 2 more.",),
        ),
        (
            walk(settings={"model_options": {"temperature": 0.5}}),
            walk(settings={"model_options": {"thinking": "low"}}),
            (
                "The settings differ: model temperature default instead of 0.5, model thinking low instead of default.",
            ),
        ),
        (
            walk(source="states.json"),
            walk(settings={"k": 1}),
            ("The log does not name the settings, so they may differ.",),
        ),
        (
            walk(source="states.json"),
            walk(model="a"),
            ("The log names neither model nor settings, so both may differ.",),
        ),
        (walk(source="log.jsonl", model="b"), walk(model="a"), ("The model is a instead of b.",)),
        (
            walk(source="x.json", settings={"m": "grid"}),
            walk(source="x.json", settings={"m": "grid"}),
            (),
        ),
        (walk(settings={"k": 1}), walk(settings={"k": 1}), ()),
        (walk(settings={"k": 1}), walk(settings={"k": 1, "new": 5}), ()),
    ],
)
def test_what_differs_between_two_walkers_is_named(before, after, messages):
    assert walker_changes(before, after) == messages
    assert same_walker(before, after) is (not messages)


@pytest.mark.parametrize(
    ("trace", "unwalked"),
    [
        (walk(steps=0), True),
        (walk(steps=0, status="error"), True),
        (walk(steps=0, status="stopped"), True),
        (walk(steps=0, status="budget"), True),
        (walk(steps=0, status="done"), False),
        (walk(steps=0, status="error", source="log.jsonl"), False),
        (walk(steps=1, status="error"), False),
    ],
)
def test_a_walk_of_ours_without_a_step_tells_nothing(trace, unwalked):
    assert is_unwalked(trace) is unwalked


def test_pictures_of_version_3_become_views():
    (view,) = read_trace(GOLDEN / "version_3.trace.jsonl").steps[0].views
    assert view == StepView(source="17.views/0001.png", kind="picture")


def test_version_4_keeps_views_and_the_pictures_of_messages():
    step = read_trace(GOLDEN / "version_4.trace.jsonl").steps[0]
    assert [view.kind for view in step.views] == [
        "picture",
        "picture",
        "frame",
        "panorama",
        "cube",
        "discrete",
    ]
    assert (step.views[1].heading_deg, step.views[1].elevation_deg, step.views[1].width) == (
        90.0,
        -30.0,
        640,
    )
    message = step.calls[0].messages[1]
    first, _, second, *_ = message.parts[1:], None, message.parts[3]
    assert (message.parts[0], first[0].source, second.source) == (
        "Image 1:",
        "views/b/12.jpg",
        None,
    )
    assert message.parts[-1] == "Where to?"


_PART = st.one_of(st.text(max_size=5), st.builds(PicturePart, at=st.just(0), source=st.text()))


@given(st.lists(_PART, max_size=8))
def test_a_message_gives_back_its_parts_in_order(parts):
    message = Message.of_parts("user", parts)
    assert message.text == "".join(part for part in parts if isinstance(part, str))
    pictures = [part.source for part in parts if isinstance(part, PicturePart)]
    assert [picture.source for picture in message.pictures] == pictures
    again = Message.model_validate_json(message.model_dump_json())
    assert Message.of_parts("user", again.parts) == message


def test_a_message_without_pictures_is_written_as_before():
    assert Message(role="user", text="Go").model_dump_json() == '{"role":"user","text":"Go"}'


def _jpeg(colour):
    file = io.BytesIO()
    Image.new("RGB", (64, 48), colour).save(file, "JPEG")
    return file.getvalue()


def test_the_writer_keeps_each_picture_once_beside_the_trace(tmp_path):
    path, raw = tmp_path / "7.trace.jsonl", _jpeg((200, 30, 30))
    (tmp_path / "a.jpg").write_bytes(raw)
    floats = np.zeros((48, 64, 3))
    floats[..., 2] = 1.0
    images = [raw, tmp_path / "a.jpg", Image.new("L", (8, 6), 128), floats]
    with navviz.TraceWriter(path, episode(straight()), "mine") as trace:
        trace.step("r0c0", heading_deg=90.0, images=images, views=[StepView(source="film.mp4")])
    *views, film = read_trace(path).steps[0].views
    assert [(view.width, view.height, view.heading_deg) for view in views] == [
        (64, 48, 90.0),
        (64, 48, 90.0),
        (8, 6, 90.0),
        (64, 48, 90.0),
    ]
    assert film.source == "film.mp4"
    assert views[0].source == views[1].source
    names = {view.source.removeprefix("7.views/") for view in views}
    assert {found.name for found in (tmp_path / "7.views").iterdir()} == names
    with Image.open(tmp_path / views[3].source) as blue:
        assert blue.format == "WEBP"
        assert blue.convert("RGB").getpixel((5, 5))[2] > 200


@pytest.mark.parametrize("image", [b"<svg/>", b"", np.zeros((2, 2, 2)), np.zeros(7), "none.jpg"])
def test_what_is_no_picture_is_refused_before_the_step_is_written(tmp_path, image):
    path = tmp_path / "7.trace.jsonl"
    trace = navviz.TraceWriter(path, episode(straight()), "mine")
    with pytest.raises(InputError):
        trace.step("r0c0", images=[image])
    trace.close()
    assert read_trace(path).steps == ()

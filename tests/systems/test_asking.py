"""Asking a model, reading its reply, and the settings of navigators."""

from __future__ import annotations

import inspect

import pytest

from navviz.errors import ModelError, NavVizError, SettingsError
from navviz.formats import open_episodes, open_graph
from navviz.llm.base import Request
from navviz.llm.scripted import Reply, Scripted
from navviz.records import Call, CallEvent, DeltaEvent, Message
from navviz.runner.budget import MeteredModel
from navviz.systems.asking import ask, ask_now, end_status, listen, needed, parse_object
from navviz.systems.base import Navigator, Settings
from navviz.systems.registry import get_navigator, navigator_names
from navviz.systems.spatial import lenient_object
from tests.paths import SAMPLES

REQUEST = Request((Message(role="user", text="Where?"),), schema={"type": "object"})


def reply_of(llm, request=REQUEST):
    """The events and the call that came back."""
    events, asking = [], ask(llm, request)
    while True:
        try:
            events.append(next(asking))
        except StopIteration as stop:
            return events, stop.value


def test_pieces_come_first_then_the_call():
    events, call = reply_of(Scripted([Reply(thoughts="let me see", reply='{"a": 1}')]))
    assert all(isinstance(event, DeltaEvent) for event in events[:-1])
    assert (
        "".join(event.text for event in events[:-1] if event.channel == "thoughts") == "let me see"
    )
    assert events[-1] == CallEvent(call=call)
    assert call.parsed == {"a": 1}


def test_a_reply_that_is_no_json_has_the_reason():
    _, call = reply_of(Scripted(["I would go left."]))
    assert call.parsed is None
    assert call.parse_error.startswith("the reply is no JSON")


def test_free_text_is_not_parsed():
    _, call = reply_of(Scripted(["I would go left."]), Request(REQUEST.messages))
    assert (call.parsed, call.parse_error) == (None, None)


def test_a_failed_call_is_handed_back():
    _, call = reply_of(Scripted([Reply(error="no answer in 60 s")]))
    assert call.error == "no answer in 60 s"
    assert call.parse_error is None
    assert end_status(call) == "error"
    assert end_status(Call(error="stopped")) == "stopped"


def test_a_backend_without_an_answer_is_an_error():
    class Silent:
        name = "silent"

        def stream(self, request, cancel=None):
            yield from ()

    with pytest.raises(ModelError, match="The model silent ended without an answer"):
        reply_of(Silent())


@pytest.mark.parametrize(
    "reply",
    [
        '{"a": 1}',
        ' {"a": 1}\n',
        '```json\n{"a": 1}\n```',
        'Here it is:\n```\n{"a": 1}\n```\nGood?',
        'So: {"a": 1}.',
    ],
)
def test_a_fence_and_words_around_are_forgiven(reply):
    assert parse_object(reply) == {"a": 1}


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        (None, "empty"),
        ("  ", "empty"),
        ("[1, 2]", "no JSON object"),
        ('{"a": "\\ud800"}', "characters that are none"),
        ('{"a": 1', "no JSON"),
        ("{" * 100_000, "no JSON"),
        ('{"a":' * 100_000 + "1" + "}" * 100_000, "no JSON"),
    ],
)
def test_what_is_no_object_says_why(reply, why):
    with pytest.raises(ValueError, match=why):
        parse_object(reply)


def test_a_model_is_needed():
    llm = Scripted([])
    assert needed(llm, "groke") is llm
    with pytest.raises(SettingsError, match="The navigator groke needs a language model"):
        needed(None, "groke")


def test_a_model_that_is_asked_by_a_method_says_how_to_ask():
    model = Scripted(["left"])
    for each in (model, MeteredModel(model, None)):
        with pytest.raises(
            NavVizError, match="no method ask: in `navigate` write `call = yield from"
        ):
            each.ask(REQUEST)


def test_a_call_that_nobody_ran_says_so_and_asks_nobody():
    def never(_request):
        raise AssertionError("it was asked")

    for begin in (ask, listen):
        call = begin(Scripted(never), REQUEST)
        with pytest.raises(
            NavVizError, match="not asked, so there is no parsed: in `navigate` write"
        ):
            print(call.parsed)
        assert not hasattr(call, "reply")
    with pytest.raises(NavVizError, match="takes a Request, not str: write Request"):
        ask_now(Scripted(["left"]), "Where?")


def test_outside_of_a_walk_it_answers_at_once():
    assert ask_now(Scripted(['{"go": "left"}']), REQUEST).parsed == {"go": "left"}
    failed = ask_now(Scripted([Reply(error="No answer.")]), REQUEST)
    assert failed.error == "No answer."


def test_a_walk_that_is_left_in_the_middle_closes_the_model():
    closed = []

    class Slow:
        name = "slow"

        def stream(self, request, cancel=None):
            try:
                yield from Scripted(["a long reply"]).stream(request, cancel)
            finally:
                closed.append(True)

    def walk():
        yield from ask(Slow(), REQUEST)

    events = walk()
    next(events)
    events.close()
    assert closed == [True]
    events = walk()
    next(events)
    with pytest.raises(KeyError):
        events.throw(KeyError("x"))
    assert closed == [True, True]


@pytest.mark.parametrize(
    "reply",
    [
        '{"a": ["x", "y"]}',
        'Sure!\n```json\n{"a": ["x", "y"]}\n```\nDone {not this}',
        'Here: {"a": ["x", "y"]} and {"b": 1}',
        '{"a": ["x", "y",],}',
        '{"a": ["x", "y"',
        '{"a": ["x", "y"}',
        '```\n{"a": ["x", "y"]',
        '{"a": ["x", "y"]]}',
    ],
)
def test_it_is_mended(reply):
    assert lenient_object(reply) == {"a": ["x", "y"]}


def test_brackets_inside_strings_are_left_alone():
    assert lenient_object('x {"a": "b } ] {", "c": ["}"]') == {"a": "b } ] {", "c": ["}"]}


@pytest.mark.parametrize("reply", [None, "", "none", "[1, 2]", "{", "{a}", "{" * 5000])
def test_what_cannot_be_read_is_none(reply):
    assert lenient_object(reply) in (None, {})


class Strange(Settings):
    """Settings of nobody."""

    colour: str = "red"


@pytest.mark.parametrize("name", [*navigator_names(), "staged(rules-local)"])
def test_the_settings_of_another_navigator_are_refused(name):
    navigator = get_navigator(name)
    outdoors = "geo" in navigator.frames
    graph = open_graph(
        SAMPLES / "harbour" / "osm" / "graph" if outdoors else SAMPLES / "house" / "connectivity"
    )
    file = (
        SAMPLES / "harbour" / "splits" / "sample.json"
        if outdoors
        else SAMPLES / "house" / "R2R_sample.json"
    )
    episode = next(iter(open_episodes(file).episodes.values()))
    with pytest.raises(SettingsError, match=r"takes \w+Settings, not Strange"):
        next(iter(navigator.navigate(episode, graph, Scripted(["go"]), Strange(), None)))


@pytest.mark.parametrize("name", [*navigator_names(), "staged(rules-local)"])
def test_every_navigator_has_the_one_signature(name):
    kind = type(get_navigator(name))
    assert Navigator in kind.__mro__, "mypy holds to the signature who says what it is"
    assert _parameters(kind.navigate) == _parameters(Navigator.navigate)


def _parameters(navigate):
    # mypy compares the types; here names, order and defaults, which a call by position relies on
    parameters = inspect.signature(navigate).parameters.values()
    return [(each.name, each.kind, each.default) for each in parameters]


@pytest.mark.parametrize("name", navigator_names())
def test_every_setting_is_described_and_has_a_default(name):
    navigator = get_navigator(name)
    assert navigator.name == name
    assert navigator.summary
    assert "\n" not in navigator.summary
    assert all(field.description for field in navigator.settings_type.model_fields.values())
    assert not navigator.settings_type.model_json_schema().get("required")

"""Prompts as texts that users edit: their fields, their check, and what a walk makes of them."""

import json

import pytest

from navviz.cli.run import parsed_settings
from navviz.errors import SettingsError
from navviz.formats import open_graph
from navviz.llm.scripted import Scripted
from navviz.records import Episode, Message
from navviz.records.trace_files import read_trace
from navviz.runner import WalkRequest, run_episode, trace_path
from navviz.systems.base import PromptedSettings, prompt_kind, shipped_prompt
from navviz.systems.prompts import PromptText, check_prompt, prompt_hash
from navviz.systems.registry import get_navigator, settings_from
from tests.worlds import write_world

EPISODE = Episode(id="1", dataset="tiny", instruction="Go on.", start="s1", start_heading_deg=90.0)
NAMES = ("groke", "navgpt", "msnav", "skillnav", "mgdm")


@pytest.mark.parametrize("name", NAMES)
def test_the_shipped_prompt_passes_its_own_check_and_uses_every_field(name):
    navigator = get_navigator(name)
    kind = prompt_kind(navigator)
    assert kind is not None
    text = shipped_prompt(settings_from(navigator))
    check_prompt(text, kind)
    assert str(PromptText.parse(text)) == text
    shipped = [each.name for each in kind.fields if not each.for_published]
    unused = [each for each in shipped if f"{{{each}}}" not in text]
    assert unused == []
    assert any(each.is_needed for each in kind.fields)
    assert all(each.about and not each.about.endswith(".") for each in kind.fields)


@pytest.mark.parametrize("name", NAMES)
def test_an_edited_prompt_that_says_the_same_is_the_shipped_one(name):
    navigator = get_navigator(name)
    plain = settings_from(navigator)
    edited = settings_from(navigator, {"prompt": shipped_prompt(plain)})
    assert isinstance(plain, PromptedSettings)
    assert isinstance(edited, PromptedSettings)
    assert edited.prompt_text == plain.prompt_text
    # traces from before there was a choice have no such setting
    assert "prompt" not in plain.model_dump(mode="json")
    assert edited.model_dump(mode="json")["prompt"] == shipped_prompt(plain)


def test_an_unknown_field_is_one_sentence_with_the_likely_name():
    with pytest.raises(
        SettingsError, match=r"unknown field \{sub_gaol\}: did you mean \{sub_goal\}"
    ):
        settings_from(get_navigator("groke"), {"prompt": "{sub_gaol} {map}"})
    with pytest.raises(SettingsError, match=r"unknown field \{weather\}: the fields are \{instr"):
        settings_from(get_navigator("groke"), {"prompt": "{sub_goal} {map} {weather}"})


def test_a_missing_field_is_one_sentence_that_says_what_it_is():
    with pytest.raises(SettingsError, match=r"lacks the field \{map\} \(the visible area"):
        settings_from(get_navigator("groke"), {"prompt": "Go. {sub_goal}"})
    with pytest.raises(SettingsError, match="50,001 characters"):
        settings_from(get_navigator("groke"), {"prompt": "x" * 50_001})


def test_what_is_filled_in_is_not_searched_for_fields():
    text = PromptText.parse('Be brief. {"a": 1} {{b}}\n=== user ===\n{instruction}: {map}')
    messages = text.fill({"instruction": "see {map}", "map": "M"}, " Again.")
    assert messages == (
        Message(role="system", text='Be brief. {"a": 1} {b}'),
        Message(role="user", text="see {map}: M Again."),
    )
    assert PromptText.parse("{map}").fill({"map": "M"}) == (Message(role="user", text="M"),)


def test_two_prompts_at_once_are_refused():
    with pytest.raises(SettingsError, match="prompt or prompt_file, not both"):
        settings_from(
            get_navigator("groke"), {"prompt": "{sub_goal} {map}", "prompt_file": "x.txt"}
        )


def test_the_command_line_reads_a_prompt_from_a_file(tmp_path):
    path = tmp_path / "mine.txt"
    path.write_text("123 {sub_goal} {map}")
    assert parsed_settings([f"prompt=@{path}", "units=2"]) == (
        {"prompt": "123 {sub_goal} {map}", "units": 2},
        {},
    )
    assert parsed_settings(["prompt=[1]"])[0] == {"prompt": "[1]"}


def test_a_visitor_may_set_a_prompt_since_it_names_no_file(monkeypatch):
    monkeypatch.setattr("navviz.systems.base.is_allowed", lambda _right: False)
    settings = settings_from(get_navigator("groke"), {"prompt": "@/etc/passwd {sub_goal} {map}"})
    assert isinstance(settings, PromptedSettings)
    assert settings.prompt_text.user == "@/etc/passwd {sub_goal} {map}"
    assert settings.resolved(EPISODE) == {"prompt_sha256": prompt_hash(settings.prompt)}


def test_the_header_of_a_trace_holds_the_prompt_and_its_hash(tmp_path):
    write_world(tmp_path)
    groke = get_navigator("groke")
    prompt = "Short: {sub_goal}\n{map}"
    plan = json.dumps(
        {
            "landmarks": [],
            "sub_goals": [{"action": "MOVE_FORWARD", "description": "Move on", "status": "TODO"}],
        }
    )
    request = WalkRequest(
        navigator=groke,
        settings=settings_from(groke, {"prompt": prompt}),
        episode=EPISODE,
        graph=open_graph(tmp_path / "osm" / "graph"),
        run="r",
        out=tmp_path,
        llm=Scripted([plan, json.dumps({"subplan_status": "COMPLETED", "next_place": "x"})]),
    )
    list(run_episode(request))
    trace = read_trace(trace_path(tmp_path, "r", "1"))
    assert trace.header.settings["prompt"] == prompt
    assert trace.header.resolved == {"prompt_sha256": prompt_hash(prompt)}
    assert trace.steps[0].calls[0].messages[0].text.startswith("Short: MOVE_FORWARD Move on\n")

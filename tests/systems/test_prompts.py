"""Prompts as texts that users edit, out of checkouts, and in our own words."""

from __future__ import annotations

import json
import re

import pytest

from navviz.cli.run import parsed_settings
from navviz.errors import InputError, SettingsError
from navviz.formats import open_graph
from navviz.llm.scripted import Scripted
from navviz.records import Episode, Message, SubGoal
from navviz.records.trace_files import read_trace
from navviz.runner import WalkRequest, run_episode, trace_path
from navviz.runner.prompt_versions import keep_published, prompt_of, published_prompt
from navviz.systems.base import PromptedSettings, prompt_kind, shipped_prompt
from navviz.systems.groke import FORMATS
from navviz.systems.groke.logs.calls import read_prompt
from navviz.systems.groke.prompts.prompt import plan_messages, published_line, step_messages
from navviz.systems.prompt_sources import literals, read_prompts
from navviz.systems.prompts import PromptText, check_prompt, prompt_hash
from navviz.systems.registry import get_navigator, settings_from
from tests.systems.groke.prompts.published import published_calls
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


CODE = '''
import nothing_that_exists
MAKE_ACTION_TOOL_DESCRIPTION = "go to {x}"
VLN_GPT4_PROMPT = """Tools: {tool_descriptions} [{tool_names}], answer {{"a": 1}}.
""" + "Task: {action_plan} Seen: {init_observation} Then: {agent_scratchpad}"
raise SystemExit("this is never run")
'''


@pytest.fixture
def checkout(tmp_path, monkeypatch):
    monkeypatch.setenv("NAVVIZ_WORKSPACE", str(tmp_path / "workspace"))
    file = tmp_path / "checkout" / "nav_src" / "prompt" / "planner_prompt.py"
    file.parent.mkdir(parents=True)
    file.write_text(CODE)
    git = tmp_path / "checkout" / ".git"
    (git / "refs" / "heads").mkdir(parents=True)
    (git / "HEAD").write_text("ref: refs/heads/main\n")
    (git / "refs" / "heads" / "main").write_text("a" * 40 + "\n")
    return tmp_path / "checkout"


def test_f_strings_and_sums_are_texts_with_named_holes():
    code = (
        "class A:\n def f(self):\n  a = 'x'\n  b = f'{a} {{k}} {self.n[0]}'\n  b += 'end'\nC = 3\n"
    )
    assert literals(code) == {"A.f.a": "x", "A.f.b": "{a} {{k}} {self.n[0]}end"}
    with pytest.raises(InputError, match="is no Python"):
        literals("def")


def test_a_checkout_becomes_prompts_by_name(checkout):
    kept, missing = keep_published("navgpt", checkout)
    assert [version.name for version in kept] == ["navgpt-gpt-4"]
    assert "holds no constant VLN_GPT35_PROMPT" in missing[0]
    version = prompt_of("navgpt", "navgpt-gpt-4")
    assert version.text == (
        'Tools: action_maker: go to {{x}} [action_maker], answer {"a": 1}.\n'
        "Task: {task} Seen: {observation} Then: {turns}"
    )
    assert (version.commit, prompt_of("navgpt", version.sha256[:8])) == ("a" * 40, version)
    assert published_prompt("navgpt", {"granularity": "fov45-24"}) == version
    assert published_prompt("navgpt", {"granularity": "fov60-12"}) is None
    with pytest.raises(SettingsError, match=r"No prompt 'x' of navgpt .* navgpt-gpt-4"):
        prompt_of("navgpt", "x")


def test_what_cannot_be_had_is_said(checkout, tmp_path):
    with pytest.raises(SettingsError, match="places for embeddings"):
        read_prompts("lhvln", checkout)
    with pytest.raises(SettingsError, match="no published prompts of 'rules'"):
        read_prompts("rules", checkout)
    with pytest.raises(InputError, match="there is no such file"):
        read_prompts("groke", checkout)
    file = checkout / "nav_src" / "prompt" / "planner_prompt.py"
    file.write_text(CODE.replace("{action_plan}", "{something_new}"))
    with pytest.raises(InputError, match="which no field of ours fills"):
        read_prompts("navgpt", checkout)


@pytest.mark.data
def test_groke_s_prompt_filled_by_us_is_that_of_every_published_call(data_dir):
    """Letter by letter, but for the line break at its end."""
    folder = data_dir.resolve().parent / "checkouts" / "groke"
    if not folder.is_dir():
        pytest.skip("no checkout of fuzsh/groke beside the data")
    published, missing = read_prompts("groke", folder)
    assert [sentence.partition(":")[0] for sentence in missing] == ["groke-grid"]
    template = PromptText.parse(published[0].text)
    compared = 0
    for calls in published_calls(data_dir).values():
        for call in calls:
            parts = read_prompt(call.prompt)
            line = re.search(r"^Landmark: .*$", call.prompt, re.MULTILINE)
            plan = map(published_line, range(1, len(parts.plan) + 1), parts.plan)
            values = {
                "instruction": parts.instruction,
                "sub_goal": parts.plan[parts.sub_goal].description,
                "landmark_line": line[0] if line else "",
                "published_plan": "\n".join(plan),
                "map": parts.context,
            }
            assert template.fill(values)[-1].text == call.prompt.strip()
            compared += 1
    assert compared == 576


WORDS = 6
"""Longest run of words that may coincide."""


def runs(text: str) -> set[tuple[str, ...]]:
    words = re.findall(r"[a-z0-9]+", text.lower())
    return {tuple(words[i : i + WORDS]) for i in range(len(words) - WORDS + 1)}


def ours() -> set[tuple[str, ...]]:
    texts = [message.text for message in plan_messages("")]
    for name in FORMATS:
        messages = step_messages(
            name=name,
            instruction="",
            plan=[SubGoal(description="")],
            current=0,
            landmarks=[],
            context="",
            fault="x",
        )
        texts += [message.text for message in messages]
    return set().union(*map(runs, texts))


@pytest.mark.data
def test_no_sentence_is_taken_over(data_dir):
    folder = data_dir / "groke" / "paper_results"
    theirs = runs(next(iter(published_calls(data_dir).values()))[0].prompt)
    with (folder / "main_test_seen_instructions.jsonl").open(encoding="utf-8") as file:
        theirs |= runs(
            json.loads(file.readline())["request"]["systemInstruction"]["parts"][0]["text"]
        )
    shared = {" ".join(run) for run in ours() & theirs}
    assert not shared, shared

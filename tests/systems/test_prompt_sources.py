"""Prompts out of checkouts: read without running anything, filled without `format`, kept by name."""

from __future__ import annotations

import re

import pytest

from navviz.errors import InputError, SettingsError
from navviz.runner.prompt_versions import keep_published, prompt_of, published_prompt
from navviz.systems.groke.logs.calls import read_prompt
from navviz.systems.groke.prompts.prompt import published_line
from navviz.systems.prompt_sources import literals, read_prompts
from navviz.systems.prompts import PromptText
from tests.systems.groke.prompts.published import published_calls

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

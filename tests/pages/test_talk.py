"""The talk below the player: its slides change in the file of the workspace; visitors have none."""

from __future__ import annotations

import pytest

from navviz.analysis.site.talk import TALK_FILE, Talk, kept_talk
from navviz.runs.opened import open_run, workspace_dir
from navviz.support.guarded import write_whole
from navviz.support.installation.serving import SERVER_VARIABLE, Serving
from navviz.ui.components.player import PlayerAction
from navviz.ui.replay import page as replay_page
from navviz.ui.replay import talk
from tests.paths import SAMPLES


def _kept() -> list[tuple[int, str]]:
    return [(one.step, one.caption) for one in kept_talk(workspace_dir() / TALK_FILE).slides]


def _opened(page):
    slides = [
        {"run": "walks/json", "episode": "1", "step": step, "caption": f"*{step}*"}
        for step in (1, 2)
    ]
    kept = Talk.model_validate({"slides": slides})
    write_whole(workspace_dir() / TALK_FILE, kept.model_dump_json())
    at = page("replay", run="walks/json", episode="1")
    at.session_state["replay_talk"] = True
    return at.run()


@pytest.mark.usefixtures("opened")
def test_slides_are_ordered_worded_and_removed(page):
    at = _opened(page)
    assert [field.label for field in at.text_input if field.label.startswith("Slide")] == [
        "Slide 1: walks/json, episode 1, step 1",
        "Slide 2: walks/json, episode 1, step 2",
    ]
    next(each for each in at.button if each.label == "Later").click().run()
    assert _kept() == [(2, "*2*"), (1, "*1*")]
    field = next(each for each in at.text_input if each.value == "*1*")
    field.set_value("<b>Here</b>").run()
    assert _kept() == [(2, "*2*"), (1, "<b>Here</b>")]
    next(each for each in at.button if each.label == "Remove").click().run()
    assert _kept() == [(1, "<b>Here</b>")]
    assert not at.exception


def test_the_player_adds_the_step_it_shows_but_not_for_visitors(monkeypatch):
    run = open_run(SAMPLES / "harbour" / "runs" / "rules-local")
    pressed = PlayerAction(talk.ADD.name, 3)
    replay_page._turn(run, "4", pressed)
    ((step, caption),) = _kept()
    assert step == 3
    assert "was not made at the first intersection" in caption
    monkeypatch.setenv(SERVER_VARIABLE, Serving(door="open").model_dump_json())
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(replay_page, "turn", lambda *_: None)
        patched.setattr(replay_page, "place_in_list", lambda *_: None)
        replay_page._turn(run, "4", pressed)
    assert len(_kept()) == 1

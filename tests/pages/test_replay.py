"""Replay: the verdict, the player's document, and links."""

from __future__ import annotations

import gzip
import json
from typing import Any

import pytest

from navviz.records import Trace
from navviz.runs.episode_list import ListPosition
from navviz.runs.opened import open_run
from navviz.ui.components.player import PlayerAction, run_index
from navviz.ui.data import cache
from navviz.ui.replay import page as figure_form
from navviz.ui.replay import page as replay_page
from navviz.ui.state import state
from navviz.views.figures.figure_panels import FigureEpisode
from tests.paths import SAMPLES


@pytest.mark.usefixtures("opened")
def test_next_episode_is_one_click_away(page):
    at = page("replay", run="walks/json", episode="1", step="2")
    at.button(key="replay_next").click().run()
    assert at.selectbox(key="pickers_episode").value == "2"
    assert at.query_params["episode"] in ("2", ["2"])
    assert "step" not in at.query_params


@pytest.mark.usefixtures("opened")
def test_document_and_scores_are_made_once_however_often_the_page_runs(page, monkeypatch):
    made: list[str] = []
    for name in ("replay_document", "score_trace"):
        whole = getattr(cache, name)

        def counted(
            trace: Trace, *given: Any, _whole: Any = whole, _name: str = name, **options: Any
        ) -> Any:
            made.append(f"{_name} {trace.episode.id}")
            return _whole(trace, *given, **options)

        monkeypatch.setattr(cache, name, counted)
    at = page("replay", run="walks/json", episode="1")
    at.run()
    at.button(key="replay_next").click().run()
    at.button(key="replay_previous").click().run()
    assert sorted(made) == [
        "replay_document 1",
        "replay_document 2",
        "score_trace 1",
        "score_trace 2",
    ]


@pytest.mark.usefixtures("opened")
def test_an_unknown_episode_is_told_and_the_first_is_shown(page):
    at = page("replay", run="walks/json", episode="77")
    assert any("no episode “77”" in warning.value for warning in at.warning)
    assert at.selectbox(key="pickers_episode").value == "1"


@pytest.mark.usefixtures("opened")
def test_everything_can_be_taken_along(page):
    at = page("replay", run="walks/json", episode="1")
    labels = {button.label for button in at.get("download_button")}
    assert {"Replay as one HTML file", "Figure (SVG)", "Figure (PNG)", "Trace"} <= labels


@pytest.mark.usefixtures("opened")
@pytest.mark.parametrize("hint", [None, "Films need a package."])
def test_a_film_is_offered_where_one_can_be_made(page, monkeypatch, hint):
    monkeypatch.setattr(replay_page, "film_hint", lambda: hint)
    at = page("replay", run="walks/json", episode="1")
    assert ("Film (MP4)" in {button.label for button in at.get("download_button")}) is (
        hint is None
    )


@pytest.mark.usefixtures("opened")
@pytest.mark.parametrize("hint", [None, "Films need a package."])
def test_letters_without_a_font_are_named_before_the_download(page, monkeypatch, hint):
    pytest.importorskip("matplotlib")
    monkeypatch.setattr(replay_page, "film_hint", lambda: hint)
    plain_walk = page("replay", run="walks/json", episode="1")
    assert not any("No installed font" in caption.value for caption in plain_walk.caption)
    whole = replay_page.cache.illustrated

    def strange(*given: Any, **options: Any) -> Any:
        document, pictures = whole(*given, **options)
        return {**document, "title": "\ue000"}, pictures

    monkeypatch.setattr(replay_page.cache, "illustrated", strange)
    at = page("replay", run="walks/json", episode="1")
    [said] = [caption.value for caption in at.caption if "No installed font" in caption.value]
    assert "U+E000" in said
    assert ("a film shows boxes" in said) is (hint is None)
    assert "HTML file" in said


@pytest.mark.parametrize(("wanted", "shown"), [("2", "2"), ("nobody", None), (None, None)])
def test_only_an_episode_of_the_run_can_be_opened(monkeypatch, wanted, shown):
    went: list[str] = []
    monkeypatch.setattr(state, "select", lambda *, episode: went.append(episode))
    monkeypatch.setattr(
        replay_page, "place_in_list", lambda _run, _episode: ListPosition(0, 1, None, None)
    )
    replay_page._turn(
        open_run(SAMPLES / "harbour" / "runs" / "rules"), "1", PlayerAction("open", 3, wanted)
    )
    assert went == ([shown] if shown else [])


def test_the_index_of_a_long_run_is_small():
    run = open_run(SAMPLES / "harbour" / "runs" / "rules")
    values = [trace.episode.instruction for trace in run.traces.values()]
    episodes = [
        (str(k), f"{values[k % len(values)]} Then pass number {k * 7919 % 1000}.")
        for k in range(700)
    ]
    packed = run_index(episodes)
    assert unpacked(packed) == [list(episode) for episode in episodes]
    assert run_index(episodes) == packed, "the same run is sent once"
    assert len(packed) < 100_000


def unpacked(index: bytes) -> Any:
    return json.loads(gzip.decompress(index.partition(b"\n")[2]))


@pytest.mark.usefixtures("opened")
def test_the_figure_is_what_the_form_says(page, monkeypatch):
    requests: list[tuple[FigureEpisode, str]] = []
    monkeypatch.setattr(
        figure_form,
        "_drawn",
        lambda shown, _kind, width, _views: requests.append((shown(), width)) or bytes,
    )
    at = page("replay", run="harbour/rules", episode="10")
    assert (requests[-1][0].steps, requests[-1][0].only, requests[-1][1]) == ((), None, "single")
    at.segmented_control(key="replay_figure_width").set_value("double").run()
    at.text_input(key="replay_figure_steps").set_value("2, 1").run()
    labels = at.multiselect(key="replay_figure_labels_harbour/rules_10")
    assert "doctor" in labels.options
    labels.set_value(["doctor"]).run()
    assert not at.exception
    assert (requests[-1][0].steps, requests[-1][0].only, requests[-1][1]) == (
        (1, 2),
        frozenset({"doctor"}),
        "double",
    )


@pytest.mark.usefixtures("opened")
def test_a_link_without_a_run_means_the_first_one(page):
    at = page("replay", episode="2", step="2")
    assert at.selectbox(key="pickers_episode").value == "2"
    assert at.query_params["run"] in ("walks/json", ["walks/json"])
    assert at.query_params["step"] in ("2", ["2"])


def test_msnavs_memory_is_laid_over_an_indoor_walk(page):
    at = page("replay", run="house/rules-indoors", episode="101_0")
    assert at.radio(key="replay_memory_choice").value == "off"
    at.radio(key="replay_memory_choice").set_value("paper").run()
    assert not at.exception
    assert at.radio(key="replay_memory_choice").value == "paper"


def test_a_walk_with_a_map_of_its_own_has_no_such_choice(page):
    at = page("replay", run="house/msnav-by-hand", episode="102_0")
    assert not at.radio


@pytest.mark.usefixtures("opened")
def test_outdoors_there_is_no_such_choice(page):
    assert not page("replay", run="walks/json", episode="1").radio


@pytest.mark.usefixtures("opened")
def test_next_follows_the_list_of_the_link(page):
    at = page("replay", run="walks/json", episode="2", sort="-NE")
    assert "1 of 2 episodes, by NE, highest first" in [text.value for text in at.text]
    assert at.button(key="replay_previous").disabled
    at.button(key="replay_next").click().run()
    assert at.selectbox(key="pickers_episode").value == "1"
    assert at.query_params["sort"] in ("-NE", ["-NE"])
    assert at.button(key="replay_next").disabled


@pytest.mark.usefixtures("opened")
def test_an_episode_outside_the_list_says_so_and_next_leads_into_it(page):
    at = page("replay", run="walks/json", episode="1", outcome="failure")
    assert "not among the 1 failure" in [text.value for text in at.text]
    at.button(key="replay_next").click().run()
    assert at.selectbox(key="pickers_episode").value == "2"
    assert "1 of 1 failure" in [text.value for text in at.text]

"""Granularity of Table 2: what stands in, what is refused, and what stays the same."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from navviz.errors import InputError, Problems, SettingsError
from navviz.formats import open_episodes
from navviz.formats.houses import read_captions, read_observations
from navviz.formats.matterport import find_scans, read_scan
from navviz.observations.panorama import direction_labels, format_views, look_around, parse_views
from navviz.systems.navgpt.extras import align, scaled_error_m, turned_alike, with_reference
from navviz.systems.navgpt.views import GRIDS
from tests.systems.navgpt.test_navigator import DONE, HOUSE, go, prompt, walk

SCAN = "17DRP5sb8fy"


@pytest.fixture
def episode():
    return open_episodes(HOUSE / "R2R_sample.json").episodes["101_0"]


def captions_of(house, folder):
    """A folder of captions for all views but those of one place."""

    views = {str(k): {"global_cap": f"view {k}", "dense_cap": []} for k in range(36)}
    (folder / f"{house.name}.json").write_text(json.dumps(dict.fromkeys(house.ids, views)))
    return str(folder)


@pytest.mark.data
@pytest.mark.parametrize("name", GRIDS)
def test_objects_and_ways_are_the_same_at_each_granularity(data_dir, name):
    seen = read_observations(data_dir / "navgpt_text", SCAN, Problems())
    captions = read_captions(data_dir / "langnav", SCAN, Problems())
    graph = read_scan(find_scans(data_dir / "mp3d_all")[SCAN])
    grid = GRIDS[name]
    for node in graph.ids:
        lines = grid.captions(captions.views[node])
        views = look_around(graph, node, 100.0, seen, lines)
        assert len(views) == grid.headings
        things = Counter(thing.name for view in views for thing in view.objects)
        eight = look_around(graph, node, 100.0, seen)
        assert things == Counter(thing.name for view in eight for thing in view.objects)
        ways = [way.node for view in views for way in view.candidates]
        assert sorted(ways) == sorted(graph.neighbours(node))
        assert all(line is not None for line in lines)
        for view in views:
            turned = [way.angle_deg - view.from_deg for way in view.candidates]
            assert all(0 <= angle % 360 <= 360 / grid.headings + 0.01 for angle in turned)


def test_twelve_directions_have_the_nearest_of_eight_labels():
    labels = direction_labels(12)
    assert labels[:5] == ("Front", "Front Right", "Front Right", "Right", "Rear Right")
    assert len(set(labels)) == 8


@pytest.mark.parametrize(
    ("granularity", "first"),
    [("fov60-12", "view 12."), ("fov30-36", "down: view 0; middle: view 12; top: view 24")],
)
def test_captions_stand_in_and_are_named(episode, house, tmp_path, granularity, first):
    folder = captions_of(house, tmp_path)
    still = episode.model_copy(update={"start_heading_deg": 0.0})
    trace = walk(still, house, [go(episode.reference_path[1]), DONE], granularity=granularity,
                 caption_files=folder)  # fmt: skip
    text = trace.steps[0].observation.text
    views = parse_views(text)
    assert len(views) == 12
    assert views[0].scene == first.removesuffix(".")
    assert format_views(views) == text, "read again it is the same"
    assert "LangNav" in trace.plan_panels[0].data["text"]
    assert "you read twelve directions" in prompt(trace, 0)


def test_the_model_joins_three_captions_once_a_place(episode, house, tmp_path):
    path = episode.reference_path

    def reply(request):
        if request.purpose == "fuse-views":
            return f"Joined {request.messages[-1].text[6:12]}."
        if request.purpose == "summarise":
            return "spot."
        return DONE if "Action Input" in request.messages[-1].text else go(path[1])

    trace = walk(episode, house, reply, granularity="fov30-36", summariser="model",
                 caption_files=captions_of(house, tmp_path))  # fmt: skip
    purposes = Counter(call.purpose for step in trace.steps for call in step.calls)
    assert purposes["fuse-views"] == 24
    assert "Joined view 0" in trace.steps[0].observation.text


def test_what_a_source_cannot_give_is_refused_before_a_call(episode, house):
    bare = house.subgraph(house.ids)
    bare.info = replace(house.info, source="")
    with pytest.raises(InputError, match=r"no captions of scan .* caption_files"):
        walk(episode, bare, [], granularity="fov30-36")
    with pytest.raises(SettingsError, match="leave out one of the two"):
        walk(episode, house, [], granularity="fov60-12", as_published=True)


def test_a_guess_of_the_destination_stands_behind_the_instruction(episode, house):
    guess = "The destination is a kitchen.\nThe spatial layout of the destination is narrow."
    trace = walk(episode, house, [guess, go(episode.reference_path[1]), DONE], spatial="model")
    plain = walk(episode, house, [go(episode.reference_path[1]), DONE])
    line = f"Possible destination (a guess, it may be wrong): {' '.join(guess.split())}"
    assert prompt(trace, 0).replace(f"\n\n{line}", "") == prompt(plain, 0)
    assert line in prompt(trace, 1)
    assert "Asked of the language model" in trace.plan_panels[1].data["text"]
    past = trace.model_copy(update={"steps": trace.steps[:1], "end": None})
    fork = walk(episode, house, [DONE], past, spatial="model")
    assert prompt(fork, 0) == prompt(trace, 1)


def test_the_written_instruction_stands_beside_the_episode_s(episode, house):
    path = episode.reference_path
    moves = [*(go(node) for node in path[1:]), DONE, episode.instruction]
    trace = walk(episode, house, moves, write_instruction=True)
    entries = with_reference(trace, house).steps[-1].panels[-1].data["directions"]
    assert entries[1]["text"] == episode.instruction
    assert entries[2]["text"].startswith("BLEU 100.0, ROUGE-1 1.00")
    short = walk(episode, house, [go(path[1]), DONE, "Go in."], write_instruction=True)
    entries = with_reference(short, house).steps[-1].panels[-1].data["directions"]
    assert "another path" in entries[2]["text"]


def test_a_map_is_scored_by_metres_scale_and_sides():
    true = np.array([[0, 0], [0, 2], [3, 2], [3, 5]], dtype=float)
    moved, error_m = align(true * 2, true)
    assert error_m > 1
    assert scaled_error_m(moved, true) == pytest.approx(0, abs=1e-9)
    assert turned_alike(true, true) == (2, 2)
    assert turned_alike(true * [-1, 1], true) == (0, 2)

"""The tree of an episode's variants, and saving one as an episode."""

from __future__ import annotations

from pathlib import Path

import pytest

from navviz.errors import SettingsError
from navviz.formats import open_episodes
from navviz.records import Fork, Trace
from navviz.records.trace_files import write_trace
from navviz.runner import RunConfig, write_config
from navviz.runner.episode import trace_path
from navviz.runner.variants import Variant, keep_episode, recorded, variant_tree
from navviz.views.compare import outcome_words, variant_words
from tests.replays import full_trace


def walk(run: str, text: str, created: str, fork: Fork | None = None) -> Trace:
    trace = full_trace()
    episode = trace.episode.model_copy(update={"instruction": text})
    header = trace.header.model_copy(
        update={"run": run, "episode": episode, "created": created, "forked_from": fork}
    )
    return trace.model_copy(update={"header": header})


def record(folder: Path, trace: Trace, came_from: str | None = None) -> None:
    run = trace.header.run
    write_config(folder / run, RunConfig(run=run, navigator="rules", came_from=came_from))
    write_trace(trace, trace_path(folder, run, trace.episode.id))


def test_edits_of_edits_and_forks_stand_below_what_they_came_from(tmp_path):
    fork = Fork(run="first", episode="1", step=2, changes=("instruction", "decision in step 2"))
    record(tmp_path, walk("second", "Go left now.", "2026-01-02"), came_from="first")
    record(tmp_path, walk("first", "Go left.", "2026-01-01"), came_from="published")
    record(tmp_path, walk("forked", "Go left.", "2026-01-03", fork))
    record(tmp_path, walk("lost", "Go on.", "2026-01-04"), came_from="a run that was deleted")
    original = Variant("published", full_trace())
    tree = variant_tree(original, recorded(tmp_path, original.trace.episode))
    assert [(one.name, one.depth) for one in tree] == [
        ("published", 0),
        ("first", 1),
        ("second", 2),
        ("forked", 2),
        ("lost", 1),
    ]


def test_walks_of_another_episode_and_broken_files_are_left_out(tmp_path):
    episode = full_trace().episode
    record(tmp_path, walk("good", "Go.", "2026"))
    other = full_trace()
    elsewhere = other.episode.model_copy(update={"dataset": "another"})
    record(
        tmp_path,
        other.model_copy(
            update={"header": other.header.model_copy(update={"run": "x", "episode": elsewhere})}
        ),
    )
    broken = trace_path(tmp_path, "broken", episode.id)
    broken.parent.mkdir()
    broken.write_text("no trace")
    assert [one.name for one in recorded(tmp_path, episode)] == ["good"]
    assert recorded(tmp_path / "nowhere", episode) == []


def test_walks_without_an_original_are_roots(tmp_path):
    record(tmp_path, walk("a", "Go.", "2026-1"))
    record(tmp_path, walk("b", "Go on.", "2026-2"), came_from="a")
    assert [
        (one.name, one.depth)
        for one in variant_tree(None, recorded(tmp_path, full_trace().episode))
    ] == [("a", 0), ("b", 1)]


def test_what_was_changed_is_told_in_words():
    before, after = (
        walk("a", "Turn left at the light.", ""),
        walk("b", "Turn right at the light.", ""),
    )
    assert variant_words(before, after) == "− left; + right"
    assert variant_words(before, before) == "nothing"
    fork = Fork(run="a", episode="1", step=2, changes=("instruction", "decision in step 2"))
    assert (
        variant_words(before, walk("c", "Turn left at the light.", "", fork))
        == "decision in step 2"
    )
    assert (
        outcome_words(before.model_copy(update={"end": None}), {"SR": 1.0, "NE": 8.2})
        == "success · 8 m"
    )


def test_an_instruction_becomes_an_episode_once(tmp_path):
    episode = full_trace().episode.model_copy(update={"instruction": "Turn <b>left</b>."})
    path, kept = keep_episode(episode, tmp_path, "my edits")
    again, same = keep_episode(episode, tmp_path, "my edits")
    _, second = keep_episode(
        episode.model_copy(update={"instruction": "Turn right."}), tmp_path, "my edits"
    )
    assert (again, same) == (path, kept)
    assert list(open_episodes(path).episodes) == [kept.id, second.id]
    assert open_episodes(path).episodes[kept.id].instruction == "Turn <b>left</b>."


@pytest.mark.parametrize("name", ["", "../up", ".hidden", "a/b"])
def test_a_name_that_is_none_is_refused(tmp_path, name):
    with pytest.raises(SettingsError, match="choose another"):
        keep_episode(full_trace().episode, tmp_path, name)

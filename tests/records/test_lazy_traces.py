"""Traces that are read when they are asked for."""

from __future__ import annotations

import gc

import pytest

from navviz.records import Trace, TraceHeader
from navviz.records.lazy_traces import LazyTraces, outlines
from tests.grids import episode, straight


def _trace(key: str, run: str) -> Trace:
    return Trace(header=TraceHeader(run=run, episode=episode(straight(), key), navigator="x"))


class _Reading:
    def __init__(self) -> None:
        self.keys: list[str] = []

    def __call__(self, key: str) -> Trace:
        self.keys.append(key)
        return _trace(key, "whole")


@pytest.fixture
def reading():
    return _Reading()


@pytest.fixture
def traces(reading):
    small = {key: _trace(key, "outline") for key in "abcd"}
    return LazyTraces(small, dict.fromkeys("abcd", 10), reading, held_bytes=25)


def test_nothing_is_read_to_list_them(traces, reading):
    assert (list(traces), len(traces), "b" in traces, "x" in traces) == (
        ["a", "b", "c", "d"],
        4,
        True,
        False,
    )
    assert [trace.header.run for trace in outlines(traces).values()] == ["outline"] * 4
    assert reading.keys == []


def test_a_trace_is_read_once_while_it_is_kept(traces, reading):
    assert traces["b"].header.run == "whole"
    assert traces["b"] is traces["b"]
    assert reading.keys == ["b"]


def test_those_not_asked_for_the_longest_are_dropped(traces, reading):
    for key in "abac":
        _ = traces[key]
    assert reading.keys == ["a", "b", "c"]
    _ = traces["a"]
    assert reading.keys == ["a", "b", "c"], "a was asked for after b"
    _ = traces["b"]
    assert reading.keys == ["a", "b", "c", "b"]


def test_one_that_is_larger_than_the_room_is_kept_alone(reading):
    traces = LazyTraces(
        {key: _trace(key, "outline") for key in "ab"}, {"a": 5, "b": 500}, reading, held_bytes=25
    )
    assert traces["b"] is traces["b"]
    assert [key for key, _ in traces.items()] == ["a", "b"]
    assert reading.keys == ["b", "a", "b"]


def test_memory_of_dropped_traces_is_given_back(traces):
    from weakref import ref

    kept = [ref(traces[key]) for key in "abcd"]
    gc.collect()
    assert [each() is not None for each in kept] == [False, False, True, True]


def test_an_unknown_episode_is_a_key_error(traces):
    with pytest.raises(KeyError, match="x"):
        _ = traces["x"]
    assert traces.get("x") is None


def test_some_of_them_are_as_lazy(traces, reading):
    some = traces.only(["d", "b"])
    assert list(some) == ["b", "d"]
    assert reading.keys == []
    assert some["d"].header.run == "whole"
    assert "a" not in some


def test_who_asked_hears_of_every_trace_that_is_read(traces):
    heard: list[str] = []
    traces.tell(lambda trace: heard.append(trace.episode.id))
    _ = traces["a"], traces["a"], traces["c"]
    assert heard == ["a", "c"]


def test_whole_traces_are_their_own_outlines():
    whole = {"a": _trace("a", "whole")}
    assert outlines(whole) is whole

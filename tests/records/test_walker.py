"""Who walked: like walks are compared, unlike ones are named; a walk without a step tells
nothing.
"""

from __future__ import annotations

from typing import Any

import pytest

from navviz.records import EndEvent, Episode, Step, Trace, TraceHeader
from navviz.records.walker import is_unwalked, same_walker, walker_changes

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
        (walk("groke"), walk("rules"), ("Other navigator: rules instead of groke.",)),
        (
            walk("groke", model="a"),
            walk("rules", settings={"k": 1}),
            ("Other navigator: rules instead of groke.",),
        ),
        (walk(model="a"), walk(model="b"), ("Other model: b instead of a.",)),
        (
            walk(model="a@http://x/v1"),
            walk(model="b@http://x/v1"),
            ("Other model: b instead of a.",),
        ),
        (
            walk(model="a@http://x"),
            walk(model="a@http://y"),
            ("Other model: a@http://y instead of a@http://x.",),
        ),
        (walk(model="a"), walk(), ("Other model: none instead of a.",)),
        (
            walk(settings={"k": 1, "q": "x", "same": 0}),
            walk(settings={"k": 2, "q": None, "same": 0}),
            ("Other settings: k 2 instead of 1, q none instead of x.",),
        ),
        (
            walk(settings=dict.fromkeys("abcde", 1)),
            walk(settings=dict.fromkeys("abcde", 2)),
            ("Other settings: a 2 instead of 1, b 2 instead of 1, c 2 instead of 1, 2 more.",),
        ),
        (
            walk(settings={"model_options": {"temperature": 0.5}}),
            walk(settings={"model_options": {"thinking": "low"}}),
            (
                "Other settings: model temperature default instead of 0.5, model thinking low instead of default.",
            ),
        ),
        (
            walk(source="states.json"),
            walk(settings={"k": 1}),
            ("Perhaps other settings: the log does not name them.",),
        ),
        (
            walk(source="states.json"),
            walk(model="a"),
            ("Perhaps another model or other settings: the log names neither.",),
        ),
        (walk(source="log.jsonl", model="b"), walk(model="a"), ("Other model: a instead of b.",)),
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

"""What a call is charged with: what its server counted, else what went over the wire."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from navviz.errors import BudgetError, ModelRefusedError
from navviz.llm.base import LanguageModel, ModelDelta, Request
from navviz.records import Call, EndStatus, Message, Usage
from navviz.runner.budget import MeteredModel

ASKED = Request((Message(role="user", text="x" * 400),))


class _Share:
    def __init__(self, limit: int = 10**9) -> None:
        self.limit = limit
        self.charged: list[int] = []
        self.under_way = 0

    def begin(self, expected: int) -> None:
        if sum(self.charged) >= self.limit:
            raise BudgetError("used up")
        self.under_way += expected

    def end(self, expected: int) -> None:
        self.under_way -= expected

    def charge(self, tokens: int) -> None:
        self.charged.append(tokens)


class _Model:
    name = "m"

    def __init__(self, *items: ModelDelta | Call | Exception) -> None:
        self.items, self.asked = items, 0

    def stream(
        self, request: Request, cancel: threading.Event | None = None
    ) -> Iterator[ModelDelta | Call]:
        del request, cancel
        self.asked += 1
        for item in self.items:
            if isinstance(item, Exception):
                raise item
            yield item


def _charged(*items: ModelDelta | Call | Exception) -> list[int]:
    share = _Share()
    list(MeteredModel(_Model(*items), share).stream(ASKED))
    assert share.under_way == 0
    return share.charged


def _counted(prompt: int, output: int) -> Usage:
    return Usage(prompt_tokens=prompt, output_tokens=output)


@pytest.mark.parametrize(
    ("call", "tokens"),
    [
        (Call(reply="yes", usage=_counted(100, 7)), 107),
        (Call(reply="y" * 40), 110),
        (Call(reply="y", usage=_counted(-5000, 0)), 0),
        (Call(error=EndStatus.STOPPED), 100),
        (Call(error=EndStatus.STOPPED, usage=_counted(30, 2)), 32),
        (Call(error="503"), 0),
        (Call(error="503", usage=Usage(prompt_tokens=100)), 100),
    ],
)
def test_a_call_is_charged_by_its_servers_count_or_by_its_length(call, tokens):
    assert _charged(call) == [tokens]


def test_what_streamed_in_before_a_stop_is_charged():
    """Who presses Stop just before the end of each answer pays for it."""
    assert _charged(ModelDelta("thoughts", "t" * 200), Call(error=EndStatus.STOPPED)) == [150]


def test_an_answer_that_is_left_in_the_middle_is_charged():
    share = _Share()
    walk = MeteredModel(_Model(ModelDelta("reply", "r" * 80), Call(reply="r")), share).stream(ASKED)
    next(walk)
    assert share.under_way == 100
    walk.close()  # type: ignore[attr-defined]
    assert (share.charged, share.under_way) == ([120], 0)


def test_a_page_that_is_ended_while_it_asks_pays(monkeypatch):
    share = _Share()
    with pytest.raises(TimeoutError):
        list(MeteredModel(_Model(TimeoutError()), share).stream(ASKED))
    assert share.charged == [100]


def test_a_call_that_was_refused_costs_nothing():
    share = _Share()
    with pytest.raises(ModelRefusedError):
        list(MeteredModel(_Model(ModelRefusedError("wrong key")), share).stream(ASKED))
    assert share.charged == []
    stopped = threading.Event()
    stopped.set()
    list(MeteredModel(_Model(Call(error=EndStatus.STOPPED)), share).stream(ASKED, stopped))
    assert share.charged == [0]


def test_nobody_is_asked_once_the_share_is_used_up():
    model, share = _Model(Call(reply="yes", usage=_counted(100, 7))), _Share(limit=150)
    metered: LanguageModel = MeteredModel(model, share)
    list(metered.stream(ASKED))
    list(metered.stream(ASKED))
    with pytest.raises(BudgetError):
        list(metered.stream(ASKED))
    assert model.asked == 2


def test_a_call_is_charged_before_anybody_can_write_it_down():
    share = _Share()
    for item in MeteredModel(_Model(Call(reply="yes", usage=_counted(1, 1))), share).stream(ASKED):
        assert isinstance(item, Call)
        assert (share.charged, share.under_way) == ([2], 0)

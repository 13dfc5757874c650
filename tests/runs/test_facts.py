"""What tables ask of a walk's calls: sums that say nothing where a part is not known."""

from __future__ import annotations

import pytest

from navviz.metrics.divergence import find_divergence
from navviz.records import Call, Usage
from navviz.runs.facts import facts_of
from navviz.runs.tables import episode_columns, episode_row
from tests.grids import episode, grid, straight, trace

GRID = grid()
WHOLE = Call(
    reply="on", model="gpt-4o", usage=Usage(prompt_tokens=100, output_tokens=10), cost_usd=0.5
)
UNPRICED = WHOLE.model_copy(update={"cost_usd": None})
UNCOUNTED = Call(reply="on", model="gpt-4o")
FAILED = Call(error="The server sent nothing for 180 seconds.")


@pytest.mark.parametrize(
    ("calls", "tokens", "cost_usd", "list_price_usd"),
    [
        ((WHOLE, WHOLE), 220, 1.0, None),
        ((UNPRICED,), 110, None, 0.00035),
        # a sum over the others would pass for what the walk took
        ((WHOLE, UNCOUNTED), None, None, None),
        ((WHOLE, UNPRICED), 220, None, None),
        ((WHOLE, FAILED), 110, 0.5, None),
        ((FAILED,), None, None, None),
        ((), None, None, None),
    ],
)
def test_sums_over_calls(
    calls: tuple[Call, ...],
    tokens: int | None,
    cost_usd: float | None,
    list_price_usd: float | None,
) -> None:
    walk = trace(episode(straight(), "1"), [straight()])
    [first, *rest] = walk.steps
    walk = walk.model_copy(update={"steps": (first.model_copy(update={"calls": calls}), *rest)})
    facts = facts_of(walk)
    row = episode_row(walk, GRID, {}, find_divergence(walk, GRID))
    columns = {name: column.value(row) for name, column in episode_columns().items()}
    shown = {name: columns[name] for name in ("tokens", "cost_usd", "list_price_usd")}
    assert shown == {
        "tokens": tokens,
        "cost_usd": cost_usd,
        "list_price_usd": pytest.approx(list_price_usd),
    }
    assert facts.tokens == tokens
    if WHOLE in calls and UNPRICED in calls:
        assert facts.cost_usd == pytest.approx(0.50035), "own prices and list prices add up"
    else:
        assert facts.cost_usd == pytest.approx(cost_usd or list_price_usd)

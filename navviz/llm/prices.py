"""What models cost: list prices that the user can edit, and the cost of a call.

A workspace's ``prices.json`` has the form ``{"MODEL": {"prompt_usd": 2.0, "output_usd": 12.0,
"cached_usd": 0.2}}``, US dollars for a million tokens; its entries replace the bundled ones. A
model in neither has no cost (``None``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from navviz.errors import InputError
from navviz.records import Call, Price, Usage
from navviz.support.guarded import is_there, read_json

LIST_PRICES_AS_OF = "2026-03"
LIST_PRICES_SOURCE = (
    "list prices of https://ai.google.dev/gemini-api/docs/pricing and"
    f" https://openai.com/api/pricing as of {LIST_PRICES_AS_OF}, standard tier, prompts up to"
    " 200,000 tokens; edit prices.json if yours differ"
)

LIST_PRICES: Mapping[str, Price] = {
    "gemini-3.5-flash": Price(prompt_usd=1.50, output_usd=9.00),
    "gemini-3.1-pro-preview": Price(prompt_usd=2.00, output_usd=12.00, cached_usd=0.20),
    "gemini-3-pro-preview": Price(prompt_usd=2.00, output_usd=12.00, cached_usd=0.20),
    "gemini-3.1-flash-lite": Price(prompt_usd=0.25, output_usd=1.50),
    "gemini-3-flash-preview": Price(prompt_usd=0.50, output_usd=3.00, cached_usd=0.05),
    "gemini-2.5-pro": Price(prompt_usd=1.25, output_usd=10.00, cached_usd=0.125),
    "gemini-2.5-flash": Price(prompt_usd=0.30, output_usd=2.50, cached_usd=0.03),
    "gemini-2.5-flash-lite": Price(prompt_usd=0.10, output_usd=0.40, cached_usd=0.01),
    "gpt-5": Price(prompt_usd=1.25, output_usd=10.00, cached_usd=0.125),
    "gpt-5-mini": Price(prompt_usd=0.25, output_usd=2.00, cached_usd=0.025),
    "gpt-5-nano": Price(prompt_usd=0.05, output_usd=0.40, cached_usd=0.005),
    "gpt-4.1": Price(prompt_usd=2.00, output_usd=8.00, cached_usd=0.50),
    "gpt-4.1-mini": Price(prompt_usd=0.40, output_usd=1.60, cached_usd=0.10),
    "gpt-4o": Price(prompt_usd=2.50, output_usd=10.00, cached_usd=1.25),
    "gpt-4o-mini": Price(prompt_usd=0.15, output_usd=0.60, cached_usd=0.075),
}
"""US dollars for a million tokens; see `LIST_PRICES_SOURCE`."""

_TABLE: TypeAdapter[dict[str, Price]] = TypeAdapter(dict[str, Price])
# -09-2025, -2025-08-07, -05-06 and -001: the ways in which providers mark versions of a model
_DATED = re.compile(r"(-\d{2}-\d{4}|-\d{4}-\d{2}-\d{2}|-\d{2}-\d{2}|-\d{3})$")


def load_prices(path: Path | None = None) -> dict[str, Price]:
    """Bundled prices, overridden by those of a file where it exists.

    Raises `InputError` when the file is not a table of prices.
    """
    if path is None or not is_there(path):
        return dict(LIST_PRICES)
    try:
        own = _TABLE.validate_python(read_json(path))
    except (InputError, ValidationError) as error:
        what = _fault(error) if isinstance(error, ValidationError) else error.problem.what
        do = 'write {"MODEL": {"prompt_usd": 2.0, "output_usd": 12.0}}, or delete the file'
        raise InputError(f"is no table of prices ({what})", do, file=path) from error
    return {**LIST_PRICES, **own}


def _fault(error: ValidationError) -> str:
    fault = error.errors()[0]
    return (
        f"{'.'.join(map(str, fault['loc']))}: {fault['msg'].lower()}"
        if fault["loc"]
        else fault["msg"]
    )


def price_of(model: str, prices: Mapping[str, Price]) -> Price | None:
    """Price of a model by its bare name, without ``models/`` and a date at the end."""
    bare = model.rpartition("/")[2]
    # from the exact name to the loosest, so that the price of a dated version comes first
    for name in (model, bare, _DATED.sub("", bare), _DATED.sub("", bare).removesuffix("-preview")):
        if name in prices:
            return prices[name]
    return None


def list_price_usd(call: Call) -> float | None:
    """Cost of a call at list price, for logs without prices; ``None`` where it is unknown."""
    if call.cost_usd is not None or call.model is None:
        return None
    return cost_usd(call.usage, price_of(call.model.rpartition(":")[2], LIST_PRICES))


def usd_of(calls: Iterable[Call]) -> float | None:
    """Cost of calls together, recorded or else at list price; ``None`` where one has neither."""
    total = 0.0
    for call in calls:
        usd = list_price_usd(call) if call.cost_usd is None else call.cost_usd
        if usd is None:
            return None
        total += usd
    return total


def about_usd(usd: float | None) -> str:
    """Say what something is likely to cost, in the one way for all pages and commands."""
    if usd is None:
        return "cost not known"
    return "less than $0.01" if 0 < usd < 0.005 else f"about ${usd:.2f}"


def cost_usd(usage: Usage | None, price: Price | None) -> float | None:
    """Cost of a call in US dollars; ``None`` where price or token counts are not known.

    Cached prompt tokens are part of the prompt tokens and billed at `Price.cached_usd`, or as
    others where that is not known; thoughts are billed as output.
    """
    if usage is None or price is None or usage.prompt_tokens is None or usage.output_tokens is None:
        return None
    # more cached tokens than the prompt has would make the rest, and its cost, negative
    cached = min(usage.cached_tokens or 0, usage.prompt_tokens)
    cached_price = price.prompt_usd if price.cached_usd is None else price.cached_usd
    output = usage.output_tokens + (usage.thoughts_tokens or 0)
    return (
        (usage.prompt_tokens - cached) * price.prompt_usd
        + cached * cached_price
        + output * price.output_usd
    ) / 1e6

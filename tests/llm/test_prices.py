"""Prices and costs: what is not known is not zero."""

import pytest

from navviz.errors import InputError
from navviz.llm.prices import (
    LIST_PRICES,
    LIST_PRICES_SOURCE,
    cost_usd,
    list_price_usd,
    load_prices,
    price_of,
)
from navviz.records import Call, Price, Usage

PRICE = Price(prompt_usd=2.0, output_usd=12.0)


def test_thoughts_are_billed_as_output_and_cached_tokens_once():
    usage = Usage(
        prompt_tokens=1_000_000,
        thoughts_tokens=500_000,
        output_tokens=500_000,
        cached_tokens=400_000,
    )
    assert cost_usd(usage, PRICE) == pytest.approx(14.0)
    cheaper = PRICE.model_copy(update={"cached_usd": 0.2})
    assert cost_usd(usage, cheaper) == pytest.approx(0.6 * 2 + 0.4 * 0.2 + 12)


@pytest.mark.parametrize("usage", [None, Usage(), Usage(prompt_tokens=5), Usage(output_tokens=5)])
def test_unknown_counts_have_no_cost(usage):
    assert cost_usd(usage, PRICE) is None


def test_an_unknown_model_has_no_cost():
    assert price_of("my-own-finetune", LIST_PRICES) is None
    assert cost_usd(Usage(prompt_tokens=1, output_tokens=1), None) is None


def test_dated_names_have_the_price_of_their_model_and_smaller_ones_do_not():
    assert price_of("models/gemini-2.5-flash-001", LIST_PRICES) == LIST_PRICES["gemini-2.5-flash"]
    assert price_of("gpt-4o-2024-08-06", LIST_PRICES) == LIST_PRICES["gpt-4o"]
    assert price_of("gpt-4o-mini", LIST_PRICES) == LIST_PRICES["gpt-4o-mini"]
    assert price_of("gpt-4o-audio", LIST_PRICES) is None


def test_the_users_own_prices_win(tmp_path):
    file = tmp_path / "prices.json"
    assert load_prices(file) == dict(LIST_PRICES)
    file.write_text(
        '{"gpt-5": {"prompt_usd": 1, "output_usd": 2}, "mine": {"prompt_usd": 0, "output_usd": 0}}'
    )
    prices = load_prices(file)
    assert prices["gpt-5"].output_usd == 2
    assert cost_usd(Usage(prompt_tokens=9, output_tokens=9), price_of("mine", prices)) == 0
    assert prices["gpt-4o"] == LIST_PRICES["gpt-4o"]


@pytest.mark.parametrize(
    "text", ["", "[]", '{"gpt-5": 3}', '{"gpt-5": {"prompt_usd": "dear", "output_usd": 1}}']
)
def test_a_broken_table_is_named(tmp_path, text):
    file = tmp_path / "prices.json"
    file.write_text(text)
    with pytest.raises(InputError, match=r"prices\.json.*delete the file"):
        load_prices(file)


def test_the_source_says_its_date_and_that_it_can_be_edited():
    assert "2026-03" in LIST_PRICES_SOURCE
    assert "edit" in LIST_PRICES_SOURCE


def test_a_log_without_costs_gets_the_list_price():
    usage = Usage(prompt_tokens=1_000_000, thoughts_tokens=500_000, output_tokens=500_000)
    call = Call(model="models/gemini-3-pro-preview", usage=usage)
    assert list_price_usd(call) == 14.0
    assert list_price_usd(call.model_copy(update={"cost_usd": 1.0})) is None
    assert list_price_usd(call.model_copy(update={"usage": None})) is None
    assert list_price_usd(call.model_copy(update={"model": "somebody's own"})) is None

"""Which episodes one looks at, in which order: as a value, a link, words."""

from __future__ import annotations

import pandas as pd
import pytest

from navviz.records.act import HOWS, slug_of
from navviz.runs.episode_list import EpisodeList, list_keys

TABLE = pd.DataFrame(
    {
        "episode": ["2", "10", "1", "7"],
        "outcome": ["failure", "failure", "success", "failure"],
        "act": ["went-on", "too-early", None, "too-early"],
        "NE": [30.0, 80.0, 2.0, float("nan")],
        "instruction": ["Go to the Bus stop", "Turn left", "Turn right at the bus", "Stop"],
    }
)


def _ids(**query: str) -> list[str]:
    return EpisodeList.from_query(query).apply(TABLE)["episode"].tolist()


def test_the_empty_list_shows_all_in_file_order() -> None:
    assert _ids() == ["2", "10", "1", "7"]
    assert not EpisodeList().filtered
    assert EpisodeList().to_query() == {}


@pytest.mark.parametrize(
    ("query", "ids"),
    [
        ({"outcome": "failure"}, ["2", "10", "7"]),
        ({"act": "too-early,went-on", "sort": "-NE"}, ["10", "2", "7"]),
        ({"sort": "NE"}, ["1", "2", "10", "7"]),
        ({"sort": "episode"}, ["1", "2", "7", "10"]),
        ({"sort": "-episode"}, ["10", "7", "2", "1"]),
        ({"q": "BUS"}, ["2", "1"]),
        ({"q": "turn bus"}, ["1"]),
        ({"NE": "10,50"}, ["2"]),
        ({"outcome": "unknown"}, []),
    ],
)
def test_filters_and_sort(query: dict[str, str], ids: list[str]) -> None:
    assert _ids(**query) == ids
    assert EpisodeList.from_query(query).to_query() == query


@pytest.mark.parametrize(
    "query", [{"NE": "50,10"}, {"NE": "a,b"}, {"NE": "nan,1"}, {"sort": "-nothing"}, {"sort": "x"}]
)
def test_what_a_link_says_wrongly_is_passed_over(query: dict[str, str]) -> None:
    assert EpisodeList.from_query(query) == EpisodeList()


def test_the_place_in_the_list_in_words() -> None:
    shown = EpisodeList.from_query({"outcome": "failure", "sort": "-NE"})
    order = shown.apply(TABLE)["episode"].tolist()
    place = shown.place(order, "2")
    assert (place.previous, place.next) == ("10", "7")
    assert shown.describe(place) == "2 of 3 failures, by NE, highest first"
    assert shown.describe(shown.place(order, "1")) == "not among the 3 failures"
    assert shown.place(order, "1").next == "10"
    assert EpisodeList().describe(EpisodeList().place(["4"], "4")) == "1 of 1 episode"
    assert shown.place([], "1").next is None


@pytest.mark.parametrize("search", ["", "a&b=c d", "50 % + #1 <é>"])
@pytest.mark.parametrize("acts", [(), ("too-early",), tuple(map(slug_of, HOWS))])
@pytest.mark.parametrize("limits", [None, (0.0, 3.5)])
@pytest.mark.parametrize("sort", [None, "NE", "episode"])
def test_a_link_gives_the_list_back(
    search: str, acts: tuple[str, ...], limits: tuple[float, float] | None, sort: str | None
) -> None:
    made = EpisodeList(search=search, sort=sort, descending=sort == "NE").with_choice("act", acts)
    made = made.with_range("NE", limits)
    query = made.to_query()
    assert set(query) <= set(list_keys())
    assert EpisodeList.from_query(query) == made


def test_tags_pass_where_a_row_has_all_of_them() -> None:
    table = TABLE.assign(skills=[["Turn", "Stop"], ["Turn"], [], ["Stop"]])
    assert EpisodeList.from_query({"skills": "Turn,Stop"}).apply(table)["episode"].tolist() == ["2"]
    assert EpisodeList.from_query({"sort": "skills"}) == EpisodeList()

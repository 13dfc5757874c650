"""A talk: its file, and the one HTML page that plays it."""

from __future__ import annotations

import base64
import gzip
import json
import re
from pathlib import Path

import pytest

import navviz
from navviz.analysis.site.talk import Slide, Talk, kept_talk, talk_html
from navviz.errors import InputError
from navviz.runs.opened import OpenRun

RUN = "harbour/rules-local"


@pytest.fixture(scope="module")
def run() -> OpenRun:
    return navviz.open_run(navviz.samples_dir() / "harbour" / "runs" / "rules-local")


def _talk(*slides: tuple[str, int, str]) -> Talk:
    return Talk(
        slides=tuple(
            Slide(run=RUN, episode=key, step=at, caption=text) for key, at, text in slides
        ),
    )


def test_a_page_holds_the_slides_in_order_and_each_walk_once(run: OpenRun) -> None:
    first, second = list(run.traces)[:2]
    caption = "</script><script>alert(1)</script> & “so”"
    talk = _talk((second, 2, caption), (first, 1, "then"), (second, 0, ""))
    page = talk_html(talk, {RUN: run}.__getitem__)
    data = re.search(r'id="navviz-document">(.*?)</script>', page, re.DOTALL)
    assert data is not None
    read = json.loads(data[1])
    slides = [(one["document"], one["step"], one["caption"]) for one in read["slides"]]
    assert slides == [(0, 2, caption), (1, 1, "then"), (0, 0, "")]
    documents = [json.loads(gzip.decompress(base64.b64decode(one))) for one in read["documents"]]
    assert [one["episode"]["id"] for one in documents] == [second, first]
    # what a walk of `rules-local` may become after other links stands in the page, too
    assert documents[0]["what_if"]["cells"]
    assert "alert(1)</script>" not in page


def test_25_episodes_take_8_mb_at_most(run: OpenRun) -> None:
    keys = list(run.traces)
    slides = [
        Slide(run=str(number), episode=keys[number % len(keys)], step=1) for number in range(25)
    ]
    # the same few walks under 25 names stand in the page 25 times
    assert len(talk_html(Talk(slides=tuple(slides)), lambda _: run).encode()) <= 8_000_000


def test_a_talk_is_kept_as_it_is_and_a_damaged_one_is_named(tmp_path: Path) -> None:
    path = tmp_path / "new" / "talk.json"
    assert kept_talk(path) == Talk()
    talk = _talk(("1", 1, "é\n“x”"))
    path.parent.mkdir()
    path.write_text(talk.model_dump_json(), encoding="utf-8")
    assert kept_talk(path) == talk
    path.write_text('{"slides": [{"run": "a", "episode": "1", "step": -1}]}')
    with pytest.raises(InputError, match=r"slides\.0\.step"):
        kept_talk(path)


def test_a_step_that_a_walk_does_not_have_is_refused(run: OpenRun) -> None:
    talk = _talk((next(iter(run.traces)), 9_999, ""))
    with pytest.raises(InputError, match="no step 9999"):
        talk_html(talk, {RUN: run}.__getitem__)

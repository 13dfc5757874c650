"""A live run belongs to the visitor who started it: its link opens it to nobody else."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from navviz.ui.live.chosen import live_folder
from tests.attack.conftest import OpenAs, Serve
from tests.attack.reading import everything
from tests.pages.conftest import ran

WORDS = "Walk to the light and turn right. Stop by the orchid cellar."


@pytest.fixture
def live(visit: OpenAs, serve: Serve, workspace: Path) -> str:
    """Ann's live run of her own words; returns its name."""
    serve(allow={"keep", "batches"})
    at = visit("ann", "live", run="walks/json", episode="1")
    area = next(area for area in at.text_area if area.label == "Instruction")
    area.set_value(WORDS).run()
    at.button(key="live_start").click().run()
    _until_shown(at)
    [folder] = live_folder().iterdir()
    return folder.name


def _until_shown(at: AppTest) -> None:
    for _ in range(200):
        if not any(button.key == "live_stop" for button in at.button):
            return
        time.sleep(0)
        at.run()


def test_a_name_holds_64_random_bits(live: str) -> None:
    assert re.fullmatch(r".*-[0-9a-f]{16}", live)


def test_anothers_link_shows_nothing(live: str, visit: OpenAs) -> None:
    at = visit("bob", "live", run="walks/json", episode="1", live=live)
    assert "orchid" not in everything(at)
    assert "orchid" in everything(visit("ann", "live", run="walks/json", episode="1", live=live))


def test_variants_and_estimates_leave_out_the_walks_of_others(live: str, visit: OpenAs) -> None:
    at = visit("bob", "live", run="walks/json", episode="1")
    assert not [frame for frame in at.dataframe if frame.key == "live_variants_table"]
    mine = visit("ann", "live", run="walks/json", episode="1")
    assert [frame for frame in mine.dataframe if frame.key == "live_variants_table"]


def test_a_fork_of_anothers_walk_is_refused(live: str, visit: OpenAs) -> None:
    at = visit(
        "bob", "live", run="walks/json", episode="1", fork_run=live, fork_episode="1", fork_step="1"
    )
    assert "orchid" not in everything(at)


def test_a_link_to_anothers_walk_says_so(live: str, visit: OpenAs) -> None:
    at = visit("bob", "live", run="walks/json", episode="1", live=live)
    assert any("another visitor's, or is gone" in text.value for text in at.text)
    at = visit("ann", "live", run="walks/json", episode="2", live=live)
    assert any("of this link is of episode 1" in text.value for text in at.text)


def test_names_lead_to_no_other_folder(live: str, visit: OpenAs, workspace: Path) -> None:
    (workspace / "1.trace.jsonl").write_text((live_folder() / live / "1.trace.jsonl").read_text())
    for name in ("..", ".", f"../live/{live}", f"{live}/"):
        assert "orchid" not in everything(
            visit("bob", "live", run="walks/json", episode="1", live=name)
        ), name


def test_a_kept_run_and_a_kept_episode_are_the_keepers(
    live: str, visit: OpenAs, workspace: Path
) -> None:
    at = visit("ann", "live", run="walks/json", episode="1", live=live)
    at.text_input(key=f"live_keep_{live}").set_value("kept here").run()
    at.button(key="live_keep_button").click().run()
    ran(at.button(key="live_variants_save").click())
    assert (workspace / "runs" / "kept here" / "1.trace.jsonl").exists()
    assert any(
        "no run named" in warning.value
        for warning in visit("bob", "explore", run="kept here").warning
    )
    assert not visit("ann", "explore", run="kept here").warning
    theirs = visit("bob", "live", run="walks/json", episode="1")
    area = next(area for area in theirs.text_area if area.label == "Instruction")
    area.set_value("Walk to the light and turn left.").run()
    theirs.button(key="live_start").click().run()
    _until_shown(theirs)
    theirs.button(key="live_variants_save").click().run()
    assert "orchid" not in everything(visit("bob", "explore", run="edited"))
    name = theirs.session_state["navviz"].live.run
    theirs.text_input(key=f"live_keep_{name}").set_value("kept here").run()
    theirs.button(key="live_keep_button").click().run()
    assert any("not yours" in error.value for error in theirs.error)


def test_a_run_without_an_owner_is_the_operators(live: str, visit: OpenAs) -> None:
    (live_folder() / live / ".batch" / "owner.json").unlink()
    assert "orchid" not in everything(
        visit("bob", "live", run="walks/json", episode="1", live=live)
    )

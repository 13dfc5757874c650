"""A trial is a batch: its right is checked where it is started, and a link opens only one's own."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from navviz.errors import SettingsError
from navviz.language.edits import EditedEpisodes, TextEdit
from navviz.runner.batches import Batch, all_batches
from navviz.runner.plan import BatchPlan
from navviz.runs.owners import Ownership, claim, owner_of
from navviz.ui.live import trial as live_trial
from navviz.ui.state.session import RunForm
from tests.attack.conftest import OpenAs, Serve
from tests.attack.reading import everything
from tests.pages.test_batches import EPISODES
from tests.pages.test_trial import walk_here

SECRET = "try-with-acme"


@pytest.fixture
def runs(serve: Serve, workspace: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A server; what a page starts is walked in the page's own thread."""
    serve(allow={"batches"})
    monkeypatch.setattr(Batch, "start", walk_here)
    return workspace / "runs"


def test_a_link_to_anothers_trial_shows_nothing(runs: Path, visit: OpenAs) -> None:
    plan = BatchPlan(run=SECRET, navigator="rules", edits=("replace:a=>umbrella",), chosen="x")
    batch = Batch(runs, plan, EPISODES)
    claim(batch.folder, Ownership(owner="annotator:ann", payer="annotator:ann"))
    batch.save()
    query = {"run": "walks/json", "episode": "2", "trial": SECRET}
    for name in ("bob", "cleo"):
        assert "umbrella" not in _told(visit(name, "live", **query))
    assert "umbrella" in _told(visit("ann", "live", **query))


def _told(at: AppTest) -> str:
    texts = [*at.markdown, *at.caption, *at.text]
    return everything(at) + " ".join(str(each.value) for each in texts)


def test_whoever_starts_a_trial_owns_it(runs: Path, visit: OpenAs) -> None:
    at = visit("cleo", "live", run="walks/json", episode="2")
    at.text_area[0].set_value(f"{at.text_area[0].value} Stop.").run()
    at.toggle(key="live_trial_open").set_value(True).run()
    at.button_group(key="live_trial_episodes_False_True").set_value("all").run()
    at.button(key="live_trial_start").click().run()
    assert not at.error, at.error[0].value
    made = all_batches(runs)
    assert {owner_of(batch.folder) for batch in made} == {"annotator:cleo"}
    assert len(made) == 2


def test_without_the_right_nothing_is_offered_and_nothing_starts(
    runs: Path, serve: Serve, visit: OpenAs
) -> None:
    serve(allow=set())
    at = visit("cleo", "live", run="walks/json", episode="2")
    assert not [toggle for toggle in at.toggle if toggle.key == "live_trial_open"]
    edited = EditedEpisodes(tuple(EPISODES), ())
    form = RunForm("Go.", "rules", {})
    rule = (TextEdit("append", "Stop."),)
    made = live_trial.EditTrial(form, rule, edited, tuple(EPISODES), "3 episodes", is_walked=False)
    with pytest.raises(SettingsError, match="batches"):
        live_trial.start(made, "walks/json", ())
    assert not all_batches(runs)

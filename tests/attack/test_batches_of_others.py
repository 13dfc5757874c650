"""A batch and its results belong to the visitor who started it, and to the operator."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from navviz.errors import ConflictError, NavVizError
from navviz.runner.batches import Batch
from navviz.runner.plan import BatchPlan
from navviz.runner.walking import walk_batch
from navviz.runs.owners import Ownership, Viewer, claim, may_open, owner_of
from navviz.support.installation.serving import Right
from navviz.ui.live.batches import form as batches_form
from navviz.ui.live.batches import page as batches_page
from navviz.ui.state.session import Session
from tests.attack.conftest import OpenAs, Serve
from tests.attack.reading import buttons, everything
from tests.observations.pictures.seen_runs import paint
from tests.worlds import tiny_episode

SECRET = "merger-with-acme"


@pytest.fixture
def batch(serve: Serve, workspace: Path, monkeypatch: pytest.MonkeyPatch) -> Batch:
    """Ann's batch with two walks of each episode; what a page starts is walked in the page's own
    thread.
    """
    serve(allow={"batches", "keep", "paths"})
    monkeypatch.setattr(
        Batch, "start", lambda self, **more: walk_batch(self, pilot=more.get("pilot", 0)) and None
    )
    graph = str(workspace.parent / "osm" / "graph")
    plan = BatchPlan(run=SECRET, navigator="random-walker", graphs=(graph,), samples=2)
    made = Batch(workspace / "runs", plan, [tiny_episode()])
    claim(made.folder, Ownership(owner="annotator:ann", payer="annotator:ann"))
    walk_batch(made)
    return made


def test_who_starts_a_batch_on_the_page_owns_it(batch: Batch, visit: OpenAs) -> None:
    at = visit("cleo", "live", part="many", run="walks/json")
    at.text_input(key="batches_name").set_value("mine").run()
    at.selectbox(key="batches_navigator").set_value("random-walker").run()
    at.number_input(key="batches_workers").set_value(1).run()
    at.button(key="batches_start").click().run()
    assert not at.error, at.error[0].value
    assert owner_of(batch.root / "mine") == "annotator:cleo"
    again = everything(visit("cleo", "live", part="many", run="walks/json"))
    assert "mine" in again
    assert SECRET not in again


def test_a_link_to_many_episodes_gives_nobody_the_right_to_start_them(
    batch: Batch, visit: OpenAs, serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page is open to all; the right is asked for at the action, by link and by call."""
    serve(allow={"keep"})
    at = visit("ann", "live", part="many", run="walks/json", batch=SECRET)
    assert at.error[0].value.startswith("Visitors of this server may not walk many episodes")
    assert not buttons(at) & {"batches_start", "explore_run_over"}
    assert not any(str(box.key).startswith("batches_") for box in at.selectbox)
    session = Session(admitted=True, visitor="ann")
    monkeypatch.setattr("navviz.ui.server.identity.current", lambda: session)
    before = sorted(path.name for path in batch.root.iterdir())
    plan = batch.plan.model_copy(update={"run": "", "samples": 1})
    for action in (
        lambda: batches_page.go_on(batch),
        lambda: batches_form._started(plan, "mine", batch.episodes, None),
    ):
        with pytest.raises(NavVizError, match="may not walk many episodes"):
            action()
    assert sorted(path.name for path in batch.root.iterdir()) == before


@pytest.mark.parametrize("lost", ["batches", "models", "paths"])
def test_a_right_that_was_taken_away_is_asked_for_by_go_on(
    batch: Batch, serve: Serve, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, lost: Right
) -> None:
    """The batch was begun with it; the server was started anew since, and the message of the
    button is the old one.
    """
    session = Session(admitted=True, visitor="ann")
    for module in ("server.identity", "server.visitor", "live.batches.page"):
        monkeypatch.setattr(f"navviz.ui.{module}.current", lambda: session)
    begun: list[str] = []
    monkeypatch.setattr(Batch, "start", lambda self, **_: begun.append(self.name))
    rights: set[Right] = {"batches", "models", "paths"}
    graphs = batch.plan.graphs
    if lost == "paths":
        # named by its path, and in nobody's list
        shutil.copytree(graphs[0], tmp_path / "elsewhere" / "graph")
        graphs = (str(tmp_path / "elsewhere" / "graph"),)
    model = "openai:m" if lost == "models" else None
    plan = batch.plan.model_copy(update={"graphs": graphs, "model": model})
    batch = Batch(batch.root, plan, batch.episodes)
    batch.save()
    # the note of the recorded run names the file, too: what one has oneself is no right to it
    note = batch.folder / "run.json"
    note.write_text(json.dumps(json.loads(note.read_text()) | {"graphs": graphs}))
    serve(allow=rights - {lost})
    with pytest.raises(NavVizError, match=f"--allow {lost}"):
        batches_page.go_on(batch)
    assert begun == []
    serve(allow=rights)
    batches_page.go_on(batch)
    assert begun == [SECRET]


def test_anothers_batch_is_not_listed_and_has_no_buttons(batch: Batch, visit: OpenAs) -> None:
    for query in ({"batch": "other"}, {"batch": SECRET}):
        at = visit("bob", "live", part="many", run="walks/json", **query)
        del at.query_params["batch"]
        assert SECRET not in everything(at)
        assert not buttons(at) & {"batches_go_on", "batches_pause", "batches_stop", "batches_open"}


def test_an_old_button_of_anothers_batch_does_nothing(
    batch: Batch, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The rule holds at the action: whoever gets hold of the batch by another way still cannot
    steer it.
    """
    session = Session(admitted=True, visitor="bob")
    monkeypatch.setattr("navviz.ui.server.identity.current", lambda: session)
    monkeypatch.setattr(batches_page, "current", lambda: session)
    for action in (lambda: batches_page.steer(batch, "stop"), lambda: batches_page.go_on(batch)):
        with pytest.raises(NavVizError, match="is not here"):
            action()
    assert batch.wish() is None


@pytest.mark.parametrize("page", ["explore", "compare"])
def test_the_results_of_anothers_batch_are_in_no_list_and_behind_no_link(
    batch: Batch, visit: OpenAs, page: str
) -> None:
    run = f"{SECRET}-sample-2" if page == "explore" else SECRET
    at = visit("bob", page, run=run, episode="1")
    listed = [option for box in (*at.selectbox, *at.multiselect) for option in box.options]
    assert not [option for option in listed if SECRET in option]
    assert any("no run named" in warning.value for warning in at.warning)
    assert "s0" not in [text.value for text in at.text]


def test_the_owner_opens_the_results_and_every_sample_without_the_right_to_keep(
    batch: Batch, visit: OpenAs, serve: Serve
) -> None:
    serve(allow={"batches"})
    for run in (SECRET, f"{SECRET}-sample-2"):
        at = visit("ann", "explore", run=run)
        assert not at.warning
        assert at.metric[0].label


def test_a_path_into_the_workspace_is_no_way_around(
    batch: Batch, visit: OpenAs, workspace: Path
) -> None:
    bob = Viewer("annotator:bob", sees_recorded=True)
    for place in ("", "/runs", f"/runs/{SECRET}", f"/runs/{SECRET}/.batch/episodes.jsonl", "/live"):
        assert not may_open(bob, Path(f"{workspace}{place}")), place
    at = visit("bob", "explore", run="walks/json")
    at.button(key="pickers_open").click().run()
    at.text_input(key="pickers_path").set_value(f"{workspace}/runs/{SECRET}")
    at.session_state["navviz"].asks_to_open = True
    at.run()
    at.session_state["navviz"].asks_to_open = True
    at.button(key="pickers_open_path").click().run()
    assert not at.exception
    assert at.error
    assert not at.session_state["navviz"].opened


def test_pictures_of_somebody_else_are_no_folder_to_open(batch: Batch, visit: OpenAs) -> None:
    paint(batch.folder / "s1.jpg")
    at = visit("bob", "explore", run="walks/json")
    at.button(key="pickers_open").click().run()
    at.text_input(key="pickers_pictures").set_value(str(batch.folder))
    at.session_state["navviz"].asks_to_open = True
    at.run()
    at.session_state["navviz"].asks_to_open = True
    at.button(key="pickers_open_path").click().run()
    assert not at.exception
    assert "is not here" in at.error[0].value
    assert not at.session_state["navviz"].opened


def test_a_link_beside_the_workspace_is_no_way_around(
    batch: Batch, workspace: Path, tmp_path: Path
) -> None:
    way = tmp_path / "harmless"
    way.symlink_to(batch.folder, target_is_directory=True)
    bob = Viewer("annotator:bob", sees_recorded=True)
    assert not may_open(bob, way)
    assert may_open(Viewer("annotator:ann"), way)


def test_a_run_name_of_somebody_else_is_not_written_into(batch: Batch) -> None:
    """Bob names a batch as a further sample of Ann's would be named; hers then refuses his
    folder.
    """
    theirs = batch.root / f"{SECRET}-sample-3"
    claim(theirs, Ownership(owner="annotator:bob"))
    more = Batch(batch.root, batch.plan.model_copy(update={"samples": 3}), batch.episodes)
    with pytest.raises(ConflictError, match="not yours"):
        walk_batch(more)
    assert not list(theirs.glob("*.trace.jsonl"))
    with pytest.raises(ConflictError, match="not yours"):
        claim(batch.folder, Ownership(owner="annotator:bob"))


def test_the_operators_run_is_not_claimed_by_a_visitor(batch: Batch) -> None:
    of_operator = batch.root / "old"
    of_operator.mkdir()
    (of_operator / "1.trace.jsonl").write_text("")
    with pytest.raises(ConflictError, match="not yours"):
        claim(of_operator, Ownership(owner="annotator:bob"))
    assert owner_of(of_operator) is None


def test_an_owners_note_that_is_damaged_opens_to_the_operator_alone(batch: Batch) -> None:
    (batch.folder / ".batch" / "owner.json").write_text("{")
    for name in ("annotator:ann", "annotator:bob"):
        assert not may_open(Viewer(name, sees_recorded=True), batch.folder)
    assert may_open(Viewer(operator=True), batch.folder)


def test_the_operator_sees_and_steers_all(batch: Batch, visit: OpenAs, serve: Serve) -> None:
    serve(allow={"batches"}, operators={"olga"})
    at = visit("olga", "live", part="many", run="walks/json")
    assert SECRET in everything(at)
    serve(allow={"batches"})
    assert SECRET not in everything(visit("olga", "live", part="many", run="walks/json"))

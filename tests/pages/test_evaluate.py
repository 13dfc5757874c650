"""Evaluate: agreement, disagreements and settling, difficulty, correlation, landmarks, studies,
files.
"""

from __future__ import annotations

import json
import os
from shutil import copyfile
from urllib.parse import parse_qs, urlsplit

import pytest
from streamlit.testing.v1 import AppTest

from navviz.annotation.records import (
    Difficulty,
    FailureLabel,
    Failures,
    Item,
    Mention,
    Mentions,
    Navigability,
    Queue,
    Rating,
)
from navviz.annotation.store import FILE_NAME, AnnotationStore, Study, database_url
from navviz.runs.opened import OPEN_VARIABLE, workspace_dir
from navviz.ui.state.state import replay_url
from tests.pages.conftest import press, ran, study_part
from tests.worlds import write_states, write_world

RUN = "walks/json"
ANSWERS = {"fox": [True, True, False, True], "owl": [True, False, False, True]}


def item(episode: int, run: str = "") -> Item:
    return Item(dataset="map2seq", episode=str(episode), run=run)


@pytest.fixture
def store(tmp_path, monkeypatch, request):
    """Four episodes, of which the agent reaches two; with `study`, rated by two annotators."""
    graph = write_world(tmp_path)
    good, bad = ["s1", "x", "e1"], ["s1", "x", "w1"]
    walks = {str(n): {"json": good if n in (1, 4) else bad, "grid": good} for n in (1, 2, 3, 4)}
    results = write_states(
        tmp_path / "walks.json", walks, instruction="Walk to the <b>light</b> and turn right."
    )
    monkeypatch.setenv(OPEN_VARIABLE, json.dumps({"graphs": str(graph), "results": str(results)}))
    if "study" in request.fixturenames:
        copyfile(request.getfixturevalue("rated"), workspace_dir() / FILE_NAME)
    store = AnnotationStore(database_url(workspace_dir()))
    yield store
    store.close()


@pytest.fixture
def study(store):
    return store.study()


@pytest.fixture(scope="module")
def rated(tmp_path_factory):
    """A database with the ratings of `study`, of which each test gets a copy."""
    path = tmp_path_factory.mktemp("rated") / FILE_NAME
    store = AnnotationStore(f"sqlite:///{path}")
    study = store.study()
    items = tuple(item(n) for n in (1, 2, 3, 4))
    study.queues.create(Queue(name="pilot", task="navigability", items=items, source=RUN))
    for name, answers in ANSWERS.items():
        desk = store.sign_in(name)
        for number, answer in enumerate(answers, start=1):
            desk.save(item(number), Navigability(navigable=answer, comment="<i>hm</i>"), seen=0)
            level = number * 2
            desk.save(
                item(number),
                Difficulty(linguistic=level, topological=level, operational=level),
                seen=0,
            )
        labels = (
            FailureLabel(code="E1.1"),
            *((FailureLabel(code="A3.1"),) if name == "fox" else ()),
        )
        failures = Failures(taxonomy="navviz-failures", taxonomy_version=1, labels=labels)
        desk.save(item(2, RUN), failures, seen=0)
        desk.save(item(3, RUN), failures.model_copy(update={"labels": ()}), seen=0)
        mentions = Mentions(mentions=(Mention(start=15, end=20, text="light"),))
        desk.save(item(1), mentions, seen=0)
    store.close()
    return path


def column(at: AppTest, name: str, table: int = 0) -> list[object]:
    return list(at.dataframe[table].value[name])


def tiles(at: AppTest) -> dict[str, str]:
    return {metric.label: metric.value for metric in at.metric}


def ratings(study: Study, task: str) -> list[Rating]:
    return study.ratings(task)


def test_an_empty_study_says_what_to_do(page, store):
    at = page("study")
    for name in ("progress", "agreement", "difficulty", "relations", "landmarks"):
        study_part(at, name)
        shown = [text.value for text in at.markdown if "Here you will see" in text.value]
        assert ["\n\n- " in text for text in shown] == [True], name
        assert [button for button in at.button if button.label == "Load the sample study"], name
        assert not [*at.info, *at.error], "it is said once"
    for name in ("queues", "exchange"):
        study_part(at, name)
        assert not [text for text in at.markdown if "Here you will see" in text.value], name
        assert not at.error


@pytest.mark.usefixtures("study")
@pytest.mark.parametrize(
    ("address", "place"),
    [
        ({}, ("progress", None)),
        ({"group": "results"}, ("results", "agreement")),
        ({"group": "set-up", "part": "exchange"}, ("set-up", "exchange")),
        ({"part": "relations"}, ("results", "relations")),
        ({"part": "tables"}, ("results", "tables")),
        ({"group": "<b>", "part": "nowhere"}, ("progress", None)),
        ({"group": "results", "part": "gold"}, ("set-up", "gold")),
    ],
)
def test_a_link_opens_its_part_as_the_first_request(page, address, place):
    at = page("study", **address)
    group, part = place
    assert at.button_group(key="study_group").value == group
    if part is not None:
        assert at.button_group(key=f"study_part_{group}").value == part
    assert not at.error


@pytest.mark.usefixtures("study")
def test_what_is_chosen_stands_in_the_address(page):
    at = page("study", part="relations")
    at.button_group(key="study_group").set_value("set-up").run()
    assert at.query_params["part"] == "queues"
    at.button_group(key="study_part_set-up").set_value("gold").run()
    assert at.query_params["part"] == "gold"


@pytest.mark.usefixtures("study")
def test_a_bare_address_comes_back_to_the_part_that_was_chosen_last(page):
    at = page("study", part="relations")
    at.button_group(key="study_part_results").set_value("difficulty").run()
    at.query_params.clear()
    at.session_state["navviz"].page = "explore"  # the menu leads here from another page
    at.run()
    assert at.button_group(key="study_part_results").value == "difficulty"
    at.query_params.clear()  # as the back button does
    at.run()
    assert at.button_group(key="study_group").value == "progress"


@pytest.mark.usefixtures("study")
def test_choices_of_a_part_stand_in_the_address(page):
    at = page("study", part="agreement")
    other = at.selectbox(key="study_question").options[1]
    linked = page("study", part="agreement", study_question=other)
    assert linked.selectbox(key="study_question").value == other
    unknown = page("study", part="agreement", study_question="<b>nobody asks</b>")
    assert unknown.selectbox(key="study_question").value == at.selectbox[0].value
    cut = page("study", part="charts", study_charts="One metric by one grouping")
    assert cut.selectbox(key="study_chart_metric").value == "NE"


@pytest.mark.usefixtures("study")
def test_agreement_and_where_they_disagree(page):
    at = study_part(page("study"), "agreement")
    assert tiles(at) == {
        "Annotators": "2",
        "Items": "4",
        "Rated by two or more": "4",
        "Disagree": "1",
    }
    values = dict(zip(column(at, "Statistic"), column(at, "Value"), strict=True))
    assert values["Cohen's kappa: fox and owl"] == "0.500"  # po 3/4, pe 1/2
    assert values["Krippendorff's alpha (nominal)"] == "0.533"  # 1 - (2/8) / (2 * 5 * 3 / (8 * 7))
    assert column(at, "Episode", 1) == ["2"]
    assert column(at, "Replay", 1) == ["/replay?run=walks/json&episode=2"]
    low, high = dict(zip(column(at, "Statistic"), column(at, "95 % interval"), strict=True))[
        "Cohen's kappa: fox and owl"
    ].split(" to ")
    # the same resamples on the page that the lead watches
    at = study_part(at, "progress")
    cell = at.dataframe[1].value.to_dict("records")[0]["owl"]
    assert cell == f"1 of 4 · κ 0.50 [{float(low):.2f}, {float(high):.2f}] (few)"


def test_settling_a_disagreement(page, study):
    at = study_part(page("study"), "agreement")
    buttons = [button for button in at.button if button.label == "Settle on this"]
    buttons[1].click().run()
    assert "is settled: not navigable" in at.success[0].value
    [settled] = study.adjudicated()
    assert settled.value.navigable is False
    assert study.history(item(2), "navigability")[-1].who == "researcher"
    assert column(at, "Settled", 1) == ["not navigable: <i>hm</i>"]


@pytest.mark.usefixtures("study")
def test_failure_labels_are_compared_as_sets_at_each_level(page):
    at = study_part(page("study"), "agreement")
    at.selectbox(key="study_question").set_value("Failure labels: dimension").run()
    assert column(at, "Statistic")[0] == "Krippendorff's alpha (sets, MASI distance)"
    assert column(at, "fox", 1) == ["A, E"]
    assert column(at, "owl", 1) == ["E"]


@pytest.mark.usefixtures("study")
def test_difficulty_bands_follow_the_cut_points(page):
    at = study_part(page("study"), "difficulty")
    assert tiles(at) == {"Easy": "2", "Medium": "0", "Hard": "2"}  # 0, 1/3, 2/3, 1
    at.slider(key="study_cuts").set_value((0.3, 0.7)).run()
    assert tiles(at) == {"Easy": "1", "Medium": "2", "Hard": "1"}


@pytest.mark.usefixtures("study")
def test_correlation_with_the_runs_metrics(page):
    at = study_part(page("study"), "relations")
    table = at.dataframe[0].value.set_index(["Metric", "Method"])
    # People: 1, 1/2, 0, 1; success: 1, 0, 0, 1.
    assert table.loc[("SR", "pearson"), "Value"] == pytest.approx(0.9045, abs=5e-5)
    assert set(table["n"]) == {4}
    # people say yes in 1 and 4 and no in 3, as the agent ends; in 2 they are divided
    assert "Cohen's kappa 1.000" in " ".join(caption.value for caption in at.caption)
    ran(at.toggle(key="evaluate_rules").set_value(True))
    assert any(text.value.startswith("Pearson") for text in at.text)


@pytest.mark.usefixtures("study")
def test_what_the_rules_say_follows_the_file(page, tmp_path):
    at = study_part(page("study"), "relations")
    at.toggle(key="evaluate_rules").set_value(True).run()
    before = column(at, "Rules", 1)
    results = tmp_path / "walks.json"
    text = results.read_text()
    results.write_text(text.replace("Walk to the <b>light</b> and turn right.", "Go."))
    assert results.read_text() != text
    later_ns = results.stat().st_mtime_ns + 1_000_000_000
    os.utime(results, ns=(later_ns, later_ns))
    at.run()
    assert column(at, "Rules", 1) != before


def test_links_survive_what_people_type():
    for name in ("try 1 & 2", "a+b", "50 %", "x#y=z", "walks/json"):
        address = urlsplit(replay_url(name, "3 <b>&"))
        assert address.path == "/replay"
        assert parse_qs(address.query, strict_parsing=True) == {
            "run": [name],
            "episode": ["3 <b>&"],
        }


@pytest.mark.usefixtures("study")
def test_too_few_ratings_for_a_correlation_are_told(page):
    at = study_part(page("study"), "relations")
    at.button_group(key="study_rating").set_value("followed it to the goal").run()
    assert "at least three" in at.info[0].value


@pytest.mark.usefixtures("study")
def test_extractors_against_marks_and_a_fault_in_one_is_told(page):
    at = study_part(page("study"), "landmarks")
    assert any("Table 8 cannot be recomputed" in caption.value for caption in at.caption)
    table = at.dataframe[0].value.set_index("Extractor")
    assert table.loc["rules grammar", "Recall"] == 1.0
    assert table.loc[f"plan of {RUN}", "Precision"] == 1.0
    upload = at.get("file_uploader")[0]
    upload.upload("found.json", b'{"1": [{"name": "light"}, {"no": 1}]}', "application/json").run()
    table = at.dataframe[0].value.set_index("Extractor")
    assert table.loc["found.json", "F1"] == 1.0


def test_making_a_queue_of_failures_and_deleting_it(page, study):
    at = study_part(page("study"), "queues")
    # they rated its items without coming to the queue
    [row] = at.dataframe[0].value.to_dict("records")
    assert (row["Rated"], row["Annotators"]) == ("8 of 8", 2)
    assert row["Link"] == "/annotate?queue=pilot"
    at.button_group(key="evaluate_how").set_value("Failures of this run").run()
    at.button_group(key="evaluate_task").set_value("Failure labels").run()
    at.text_input(key="evaluate_queue_name").set_value("why").run()
    press(at, "Make the queue")
    queue = study.queues.all()[-1]
    assert [one.episode for one in queue.items] == ["2", "3"]
    assert {one.run for one in queue.items} == {RUN}
    assert queue.source == RUN
    at.selectbox(key="evaluate_delete_name").set_value("why").run()
    press(at, "Delete")
    assert [one.name for one in study.queues.all()] == ["pilot"]


def test_a_random_sample_is_seeded(page, study):
    at = study_part(page("study"), "queues")
    at.button_group(key="evaluate_how").set_value("A random sample").run()
    at.number_input(key="evaluate_size").set_value(2)
    assert at.number_input(key="evaluate_seed_1").value == 1, "another one than the pilot's"
    at.number_input(key="evaluate_seed_1").set_value(7).run()
    at.text_input(key="evaluate_queue_name").set_value("some").run()
    press(at, "Make the queue")
    queue = study.queues.all()[-1]
    assert (len(queue.items), queue.seed) == (2, 7)


def test_a_walk_of_what_was_shown_is_warned_of(page, store):
    items = tuple(item(n) for n in (1, 2, 3))
    shown = Queue(name="shown", task="difficulty", items=items, annotators=("*fox",))
    store.study().queues.create(shown)
    at = study_part(page("study"), "queues")
    assert not at.warning
    at.button_group(key="evaluate_task").set_value("follow").run()
    [warning] = at.warning
    assert warning.value.startswith("3 of 4 episodes were shown with their route")
    assert warning.value.endswith(r"in other queues: \*fox (3). They walk these from memory.")


def test_suggestions_are_off_unless_the_lead_turns_them_on(page, study):
    at = study_part(page("study"), "queues")
    at.button_group(key="evaluate_task").set_value("failure").run()
    for name, on in (("blind", False), ("helped", True)):
        at.toggle(key="evaluate_suggestions").set_value(on).run()
        at.text_input(key="evaluate_queue_name").set_value(name).run()
        press(at, "Make the queue")
    kept = {queue.name: queue.suggestions for queue in study.queues.all()}
    assert kept == {"pilot": False, "blind": False, "helped": True}


def test_a_file_says_which_episodes_a_queue_holds_and_in_which_order(page, study):
    at = study_part(page("study"), "queues")
    at.button_group(key="evaluate_how").set_value("Those of a file").run()
    assert at.button(key="evaluate_make").disabled
    at.get("file_uploader")[0].upload(
        "error_analysis.json", b'\xef\xbb\xbf{"3": {}, "99": {}, "1": {}}', "application/json"
    ).run()
    assert any("1 of 3 are not in this run: 99" in caption.value for caption in at.caption)
    at.text_input(key="evaluate_queue_name").set_value("listed").run()
    press(at, "Make the queue")
    assert [one.episode for one in study.queues.all()[-1].items] == ["3", "1"]


REQUIRED = "Require a token to sign in"


def test_tokens_close_the_study_for_everybody_else(page, store, study):
    at = study_part(page("study"), "queues")
    next(each for each in at.toggle if each.label == REQUIRED).set_value(True).run()
    assert "Make a link for a lead first" in at.error[0].value
    at.text_area(key="evaluate_invite_names").set_value("lead")
    at.toggle(key="evaluate_invite_lead").set_value(True)
    press(at, "Make links")
    name, _, token = at.code[0].value.partition("#invite=")[2].partition(":")
    assert name == "lead"
    next(each for each in at.toggle if each.label == REQUIRED).set_value(True).run()
    assert store.tokens_required
    other = study_part(page("study"), "agreement")
    other.text_input(key="evaluate_name").set_value("fox")
    other.text_input(key="evaluate_secret").set_value("guess")
    press(other, "Open the study")
    assert "not right" in other.error[0].value
    other.text_input(key="evaluate_name").set_value("lead")
    other.text_input(key="evaluate_secret").set_value(token)
    press(other, "Open the study")
    assert "Annotators" in tiles(other)


def test_ratings_come_in_from_a_file_with_their_faults_told(page, study):
    at = study_part(page("study"), "exchange")
    at.selectbox(key="evaluate_import_format").set_value("CSV table").run()
    table = "episode,task,annotator,navigable\n1,navigability,crow,yes\n9,navigability,crow,yes\n1,navigability,fox,no\n"
    at.get("file_uploader")[0].upload("more.csv", table.encode("utf-16"), "text/csv").run()
    assert any("2 ratings by 2 annotators" in text.value for text in at.text)
    assert any("episode 9" in text.value for text in at.text)
    press(at, "Take them in")
    assert "Taken in: 1 rating." in at.success[0].value
    assert {rating.annotator for rating in ratings(study, "navigability")} == {"fox", "owl", "crow"}

"""The bundled sample study: it loads whole, once, and fits the sample runs."""

import pytest

from navviz.annotation.exchange import SAMPLE_QUEUES, load_sample_study, sample_ratings
from navviz.annotation.progress import queue_counts, queue_report
from navviz.annotation.store import AnnotationStore, database_url
from navviz.annotation.taxonomy import workspace_taxonomy
from navviz.runs.opened import load
from navviz.runs.sources import samples
from tests.paths import ROOT


@pytest.fixture(scope="module")
def runs():
    wanted = {source for _, source in SAMPLE_QUEUES.values()}
    return {source.name: load(source) for source in samples() if source.name in wanted}


def test_it_loads_whole_and_a_second_time_changes_nothing(tmp_path):
    study = AnnotationStore(database_url(tmp_path)).study()
    count = load_sample_study(study)
    assert count == len(study.ratings()) == len(sample_ratings())
    assert {queue.name for queue in study.queues.all()} == {
        name for name, _ in SAMPLE_QUEUES.values()
    }
    assert load_sample_study(study) == count
    assert len(study.queues.all()) == len(SAMPLE_QUEUES)


def test_its_queues_tell_how_far_the_invented_annotators_got_and_how_fast(tmp_path):
    study = AnnotationStore(database_url(tmp_path)).study()
    load_sample_study(study)
    for queue in study.queues.all():
        counts = queue_counts(study, queue)
        assert [(one.rated, one.total) for one in counts] == [
            (len(queue.items), len(queue.items))
        ] * len(counts)
        assert len(counts) >= 2
        people = queue_report(study, queue).annotators
        assert [one.annotator for one in counts] == [one.annotator for one in people]
        assert all(one.work_pace and len(one.seconds) == one.rated for one in people)
    assert any(one.value.comment for one in study.ratings("navigability"))


def test_every_item_is_an_episode_of_the_run_that_shows_it(runs, tmp_path):
    study = AnnotationStore(database_url(tmp_path)).study()
    load_sample_study(study)
    for queue in study.queues.all():
        traces = runs[queue.source].traces
        for item in queue.items:
            assert traces[item.episode].episode.dataset == item.dataset
            assert item.run in ("", queue.source)


def test_labels_are_codes_of_the_taxonomy_at_steps_of_the_trace(runs, tmp_path):
    codes = {label.code for label in workspace_taxonomy(tmp_path).labels()}
    for one in sample_ratings():
        if one.value.task != "failure":
            continue
        assert runs[one.item.run].scores.rows[one.item.episode]["SR"] == 0
        for label in one.value.labels:
            assert label.code in codes
            assert (label.step or 1) <= len(runs[one.item.run].traces[one.item.episode].steps)


def test_mentions_are_words_of_the_instruction(runs):
    marked = [one for one in sample_ratings() if one.value.task == "mentions"]
    assert marked
    for one in marked:
        text = runs["harbour/rules"].episodes[one.item.episode].instruction
        assert all(text[m.start : m.end] == m.text for m in one.value.mentions)


def test_it_says_that_it_is_invented():
    assert (
        "Invented" in (ROOT / "assets/samples/harbour/study.jsonl").read_text().partition("\n")[0]
    )
    assert {one.annotator for one in sample_ratings()} == {
        "sample-heron",
        "sample-otter",
        "sample-wren",
    }

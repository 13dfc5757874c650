"""Where metrics stand unasked is said by each metric itself."""

from navviz.metrics.registry import PLACES, all_metrics, shown_in


def test_metrics_name_places_that_there_are_and_no_place_is_empty():
    named = {place for metric in all_metrics() for place in metric.shown}
    assert named == set(PLACES)


def test_success_comes_first_at_the_top_of_each_kind_of_run():
    assert [metric.name for metric in shown_in("dialogue")][:4] == ["SR", "OSR", "GP", "NE"]
    assert shown_in("recorded")[0].name == "SR_rec"

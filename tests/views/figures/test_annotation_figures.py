"""Figures of the annotation pages: what they show, and that names in them are escaped."""

import numpy as np

from navviz.metrics.agreement import correlation_table
from navviz.views.figures.plots import confusion_figure, forest_figure


def test_names_from_data_are_escaped():
    assert "<b>x" not in confusion_figure(np.array([[1]]), ["<b>x"], "<b>x", "y", "black").to_json()


def test_confusion_and_forest_show_their_numbers():
    figure = confusion_figure(np.array([[3, 1], [0, 4]]), ["no", "yes"], "fox", "owl", "black")
    assert [note.text for note in figure.layout.annotations] == ["3", "1", "0", "4"]
    human = {str(i): float(i % 2) for i in range(12)}
    table = correlation_table(
        human, {"SR": {str(i): float(i % 3) for i in range(12)}, "OSR": dict.fromkeys(human, 1.0)}
    )
    forest = forest_figure(table, {"SR": "success"})
    assert forest.layout.yaxis.ticktext == ("success (n 12)", "OSR (n 12)")
    assert [len(trace.x) for trace in forest.data] == [1, 1]

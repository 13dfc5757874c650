"""The list of slices as markup: escaped, pressed, and every mark inside its picture."""

import re

from navviz.views.figures.lists import SliceRow, slice_list_html


def test_rows_are_escaped_buttons():
    row = SliceRow("word: <b>", "Instructions with “<b>” fail.", 2.0, 1.1, 400.0, strong=True)
    drawn = slice_list_html([row], {"word: <b>"})
    assert "<b>" not in drawn
    assert 'data-value="word: &lt;b&gt;" aria-pressed="true"' in drawn
    assert 'class="row strong worse"' in drawn
    assert 'aria-label="odds ratio 2.0, from 1.1 to 400.0"' in drawn


def test_marks_stay_inside_and_grow_with_the_ratio():
    rows = [
        SliceRow(str(ratio), "", ratio, ratio / 1000, ratio * 1000, strong=False)
        for ratio in (0.1, 1.0, 5.0, 90.0)
    ]
    places = [float(x) for x in re.findall(r'<circle cx="([\d.]+)"', slice_list_html(rows))]
    assert places == sorted(places)
    assert all(0 <= float(x) <= 220 for x in re.findall(r'x[12]="([\d.]+)"', slice_list_html(rows)))

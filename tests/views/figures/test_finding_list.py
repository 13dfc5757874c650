"""The list of findings as markup: grouped, folded, escaped, and what filters in sight."""

from navviz.views.figures.lists import FindingGroup, FindingRow, finding_list_html

HOSTILE = '"><img src=x onerror=alert(1)>'


def _row(value: str, *, failures: float = 0.5, successes: float | None = None) -> FindingRow:
    points: dict[str, object] = {"r": [1.0, 2.0, 3.0, 4.0], "a": [1.0, 2.0]}
    thumbs = [(points, "failure")]
    shares = (failures, successes)
    return FindingRow(
        value, value, value, shares, value, value, hint=False, strong=False, thumbs=thumbs
    )


def test_a_row_that_filters_stands_open_and_the_rest_is_folded():
    rows = [_row("a"), _row("b"), _row("c")]
    drawn = finding_list_html([FindingGroup("Acts", rows, 1)], 7, ["c"])
    opened, folded = drawn.split("<details>")
    assert 'data-value="a" aria-pressed="false"' in opened
    assert 'data-value="c" aria-pressed="true"' in opened
    assert 'data-value="b"' in folded
    assert "1 more about acts" in folded


def test_bars_are_shares_of_failures_and_of_successes():
    drawn = finding_list_html([FindingGroup("Words", [_row("a", successes=0.25)], 1)], 7)
    assert 'class="failure" style="width:50%"' in drawn
    assert 'class="success" style="width:25%"' in drawn


def test_what_data_and_models_wrote_is_no_markup():
    drawn = finding_list_html([FindingGroup(HOSTILE, [_row(HOSTILE)], 1)], 7, [], [HOSTILE])
    assert "<img" not in drawn
    assert "&lt;img" in drawn

"""Groups of failures as rows: counts and bars, what filters, and texts that stay texts."""

from navviz.views.figures.lists import ClusterRow, cluster_list_html


def test_rows_have_their_bars_and_what_filters_is_pressed():
    rows = [
        ClusterRow("bank-left", "bank, left", 8, "8 of 12", "7: At the bank"),
        ClusterRow("park", "park", 4, "4 of 12", "3: In the park"),
    ]
    drawn = cluster_list_html(rows, ["park"])
    assert 'data-value="bank-left" aria-pressed="false"' in drawn
    assert 'data-value="park" aria-pressed="true"' in drawn
    assert "width:100%" in drawn
    assert "width:50%" in drawn


def test_what_data_and_models_wrote_is_no_markup():
    hostile = '"><img src=x onerror=alert(1)>'
    drawn = cluster_list_html([ClusterRow(hostile, hostile, 1, hostile, hostile)])
    assert "<img" not in drawn
    assert drawn.count("&lt;img") == 5

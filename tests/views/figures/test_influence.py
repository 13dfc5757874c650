"""The shaded instruction: escaped, whole, and the strongest part on top."""

import re
from html import unescape

from navviz.views.figures.marked_text import ShadedPart, shaded_html


def test_overlaps_show_the_strongest_and_the_text_stays_whole():
    text = "Go <on> & turn left."
    parts = [
        ShadedPart(0, 7, 0.0, "a"),
        ShadedPart(10, 19, 0.5, "b"),
        ShadedPart(15, 19, 1.0, 'c "quoted"'),
    ]
    drawn = shaded_html(text, parts)
    assert unescape(re.sub(r"<[^>]*>", "", drawn)) == text
    assert re.findall(r'data-weight="([\d.]+)"', drawn) == ["0.00", "0.50", "1.00"]
    assert 'title="c &quot;quoted&quot;\nb"' in drawn
    assert "dotted" in drawn

"""The figures that papers print, and what the same runs give here: GROKE (Shami et al. 2026).

This is the only list of them; tests and ``navviz diagnose verify --paper`` read it. A figure stands
here as it is printed, under the heading of its column. Rows whose printed figures are not at hand
have none, and are said to have no data.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from navviz.analysis.measures import Treatment


@dataclass(frozen=True, slots=True)
class PublishedRow:
    """One row of a table."""

    name: str
    file: str
    """State file in the authors' ``paper_results``."""
    method: str = "json"
    figures: Mapping[str, str] = field(default_factory=dict)
    """As printed, by heading; empty where the print is not at hand."""
    band: str = ""
    """Difficulty band; empty for all episodes."""


@dataclass(frozen=True, slots=True)
class PublishedTable:
    """One table."""

    name: str
    columns: Mapping[str, str]
    """Measure of each heading (`navviz.analysis.measures`)."""
    rows: tuple[PublishedRow, ...]
    """Empty where neither its print nor its runs are at hand."""
    treatment: Treatment = "authors"
    correlations: bool = False
    """Whether its figures are correlations of the columns with the human annotation, a coefficient
    a row.
    """
    note: str = ""


_BANDED: Final = {"NE": "NE", "SR": "SR", "OSR": "OSR", "nDTW": "SDTW_groke"}
"""Tables 5, 7, 9 and 10 head the column of SDTW nDTW."""
_HEADED: Final = "the column headed nDTW holds SDTW"


def _row(
    name: str, file: str, figures: str = "", *, method: str = "json", band: str = ""
) -> PublishedRow:
    headings = ("NE", "SR", "OSR", "nDTW")
    return PublishedRow(
        name,
        file,
        method,
        # not strict: some rows are known by their first figures alone
        dict(zip(headings, figures.split(), strict=False)),
        band,
    )


GROKE: Final = (
    PublishedTable(
        "Table 2",
        {"NE": "NE", "SR": "SR", "OSR": "OSR", "SDTW": "SDTW_groke"},
        (
            PublishedRow(
                "GROKE, test_seen",
                "main_test_seen.json",
                figures={"NE": "56.8", "SR": "66.4", "OSR": "78.4", "SDTW": "0.634"},
            ),
            PublishedRow("GROKE, test_unseen", "main_test_unseen.json"),
        ),
    ),
    PublishedTable("Table 3", _BANDED, ()),
    PublishedTable(
        "Table 4",
        {"SR": "SR", "OSR": "OSR", "SDTW": "SDTW_groke", "nDTW": "nDTW_groke", "NE": "NE"},
        (
            PublishedRow(
                "Pearson",
                "test_seen_json.json",
                figures={
                    "SR": "0.2865",
                    "OSR": "0.1860",
                    "SDTW": "0.2799",
                    "nDTW": "0.2457",
                    "NE": "-0.3096",
                },
            ),
            PublishedRow(
                "Spearman",
                "test_seen_json.json",
                figures={
                    "SR": "0.2865",
                    "OSR": "0.1860",
                    "SDTW": "0.2860",
                    "nDTW": "0.2895",
                    "NE": "-0.3184",
                },
            ),
        ),
        correlations=True,
    ),
    PublishedTable(
        "Table 5",
        _BANDED,
        (
            _row("JSON", "test_seen.json"),
            _row("textual", "test_seen.json", method="textual"),
            _row("graph", "test_seen.json", method="graph_vis"),
            _row("grid", "test_seen.json", method="grid"),
        ),
        note=_HEADED,
    ),
    PublishedTable("Table 7", _BANDED, (), note=_HEADED),
    PublishedTable("Table 9", _BANDED, (), note=_HEADED),
    PublishedTable(
        "Table 10",
        _BANDED,
        (
            _row("Auto, easy", "test_seen_json.json", "35.6 77.6 85.7 0.762", band="easy"),
            _row("Auto, medium", "test_seen_json.json", "30.9 76.3 84.2 0.715", band="medium"),
            _row("Auto, hard", "test_seen_json.json", "93.3 53.8 61.5 0.527", band="hard"),
            _row("Auto, all", "test_seen_json.json", "41.3 74.0 82.0 0.714"),
            _row("Low", "test_seen_low.json"),
            _row("High", "test_seen_high.json"),
            _row("None", "test_seen_none.json"),
        ),
        note=f"{_HEADED}; the rows by band are those of the authors' results_by_difficulty.json",
    ),
    PublishedTable(
        "Appendix A.1",
        {"NE": "NE", "SR": "SR", "OSR": "OSR", "nDTW": "nDTW_groke"},
        (
            _row("JSON", "test_seen.json", "68.4 63.0 74.0 0.643"),
            _row("textual", "test_seen.json", "70.8 61.0 67.0 0.633", method="textual"),
            _row("graph", "test_seen.json", "96.7 40.0", method="graph_vis"),
            PublishedRow(
                "grid", "test_seen.json", "grid", {"NE": "175.4", "SR": "10.0", "nDTW": "0.169"}
            ),
        ),
        note="GROKE's scripts leave episodes that never moved out of NE and count them as nDTW 1",
    ),
)
"""Shami et al. 2026, with the state file of each run in the authors' repository
(github.com/fuzsh/groke).
"""

PAPERS: Final[Mapping[str, tuple[PublishedTable, ...]]] = {"groke": GROKE}
"""Tables by paper."""

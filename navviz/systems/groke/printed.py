"""The figures that GROKE's paper prints (Shami et al. 2026), with the published run of each.

This is the only list of them; ``navviz diagnose verify --paper groke`` and tests read it. Runs
have the names of the authors' folder ``paper_results`` (github.com/fuzsh/groke).
"""

from __future__ import annotations

from typing import Final

from navviz.support.systems import PaperRow, PaperTable

_SDTW: Final = {"NE": "NE", "SR": "SR", "OSR": "OSR", "SDTW": "SDTW_groke"}
_HEADED_NDTW: Final = {"NE": "NE", "SR": "SR", "OSR": "OSR", "nDTW": "SDTW_groke"}
"""Tables 5, 7, 9 and 10 head the column of SDTW nDTW."""
_NOTE: Final = "the column headed nDTW holds SDTW"
_BANDS: Final = {"easy": 49, "medium": 38, "hard": 13}
"""Episodes of each band, of 100 in all."""


def _banded(
    name: str, run: str, figures: tuple[str, str, str], method: str = "json"
) -> tuple[PaperRow, ...]:
    """Return the rows of a run for easy, medium and hard episodes."""
    rows = []
    for (band, episodes), printed in zip(_BANDS.items(), figures, strict=True):
        rows.append(PaperRow(f"{name}, {band}", run, printed, episodes, method=method, band=band))
    return tuple(rows)


# the same run in three tables
_AUTO: Final = ("35.6 77.6 85.7 0.762", "30.9 76.3 84.2 0.715", "93.3 53.8 61.5 0.527")
_RUN: Final = "test_seen_json.json"

TABLES: Final = (
    PaperTable(
        "Table 2",
        _SDTW,
        (
            PaperRow("Random Walker, test_seen", "", "259.0 4.4 5.7 0.026", 700),
            PaperRow("Random Walker, test_unseen", "", "244.3 6.1 7.1 0.029", 700),
            PaperRow("Action Sampling, test_seen", "", "250.1 5.1 6.0 0.037", 700),
            PaperRow("Action Sampling, test_unseen", "", "241.6 7.4 8.1 0.039", 700),
            PaperRow("Heuristic Agent, test_seen", "", "180.6 18.0 18.9 0.155", 700),
            PaperRow("Heuristic Agent, test_unseen", "", "173.0 17.9 19.1 0.159", 700),
            PaperRow("GROKE, test_seen", "main_test_seen.json", "56.8 66.4 78.4 0.634", 700),
            PaperRow("GROKE, test_unseen", "main_test_unseen.json", "59.8 63.3 78.0 0.609", 700),
        ),
        preset="groke-2",
    ),
    PaperTable(
        "Table 3",
        {
            "steps": "steps",
            "thoughts tokens": "thoughts_tokens",
            "total tokens": "tokens",
        },
        (
            PaperRow(
                "GROKE, test_seen", "", "5.91 23,044 44,438", 700, logs="the main run on test_seen"
            ),
            PaperRow(
                "GROKE, test_unseen",
                "",
                "6.15 24,000 46,305",
                700,
                logs="the main run on test_unseen",
            ),
        ),
        preset="groke-3",
    ),
    PaperTable(
        "Table 4",
        {
            "Pearson": "pearson",
            "Pearson p": "pearson_p",
            "Spearman": "spearman",
            "Spearman p": "spearman_p",
        },
        (
            PaperRow("SR", _RUN, "0.2865 0.0039 0.2865 0.0039", 100, correlated="SR"),
            PaperRow("OSR", _RUN, "0.1860 0.0639 0.1860 0.0639", 100, correlated="OSR"),
            PaperRow("SDTW", _RUN, "0.2799 0.0048 0.2860 0.0039", 100, correlated="SDTW_groke"),
            PaperRow("nDTW", _RUN, "0.2457 0.0138 0.2895 0.0035", 100, correlated="nDTW_groke"),
            PaperRow("NE", _RUN, "-0.3096 0.0017 -0.3184 0.0012", 100, correlated="NE"),
        ),
        note="correlations with the human annotation of navigability",
    ),
    PaperTable(
        "Table 5",
        _HEADED_NDTW,
        (
            *_banded(
                "textual",
                "test_seen.json",
                ("71.3 61.2 69.4 0.602", "56.6 68.4 71.1 0.637", "110.6 38.5 46.2 0.380"),
                "textual",
            ),
            *_banded(
                "json",
                "test_seen.json",
                ("62.1 61.2 75.5 0.603", "61.2 68.4 78.9 0.637", "112.9 53.8 53.8 0.525"),
            ),
            *_banded(
                "graph_vis",
                "test_seen.json",
                ("90.4 40.8 53.1 0.401", "87.8 47.4 52.6 0.453", "146.5 15.4 30.8 0.151"),
                "graph_vis",
            ),
            *_banded(
                "grid",
                "test_seen.json",
                ("186.7 6.1 8.2 0.060", "160.3 13.2 13.2 0.128", "176.6 15.4 23.1 0.141"),
                "grid",
            ),
            *_banded("optimised json", _RUN, _AUTO),
        ),
        preset="groke-5",
        note=_NOTE,
    ),
    PaperTable(
        "Table 7",
        _HEADED_NDTW,
        (
            *_banded(
                "complete instruction",
                "test_seen_none.json",
                ("49.6 59.2 65.3 0.581", "71.3 50.0 52.6 0.477", "157.9 23.1 23.1 0.229"),
            ),
            *_banded(
                "rule-based split",
                "test_seen_divider.json",
                ("58.9 49.0 69.4 0.478", "40.7 65.8 78.9 0.592", "108.2 38.5 38.5 0.382"),
            ),
            *_banded("LLM divider", _RUN, _AUTO),
        ),
        preset="groke-7",
        note=_NOTE,
    ),
    PaperTable(
        "Table 9",
        _HEADED_NDTW,
        (
            *_banded(
                "low",
                "test_seen_low.json",
                ("46.6 73.5 81.6 0.721", "42.1 68.4 81.6 0.638", "86.1 53.8 61.5 0.525"),
            ),
            *_banded(
                "high",
                "test_seen_high.json",
                ("28.2 81.6 89.8 0.801", "52.5 71.1 81.6 0.633", "78.1 61.5 76.9 0.602"),
            ),
            *_banded("auto", _RUN, _AUTO),
        ),
        preset="groke-9",
        note=_NOTE,
    ),
    PaperTable(
        "Table 10",
        {
            **_HEADED_NDTW,
            "steps": "steps",
            "total tokens": "tokens",
            "thoughts tokens": "thoughts_tokens",
            "prompt tokens": "prompt_tokens",
        },
        (
            PaperRow(
                "low",
                "test_seen_low.json",
                "50.0 69.0 79.0 0.664 5.51 33,236 13,010 19,956",
                100,
                logs="ablation_study_low",
            ),
            PaperRow(
                "high",
                "test_seen_high.json",
                "43.9 75.0 85.0 0.711 5.50 41,347 21,146 19,933",
                100,
                logs="ablation_study_high",
            ),
            PaperRow(
                "auto",
                _RUN,
                "41.3 74.0 82.0 0.714 5.76 43,700 22,335 21,098",
                100,
                logs="ablation_study_json",
            ),
        ),
        preset="groke-10",
        note=_NOTE,
    ),
    PaperTable(
        "Figure 5",
        {"NE": "NE", "SR": "SR", "OSR": "OSR", "nDTW": "nDTW_groke"},
        (
            PaperRow("json", "test_seen.json", "68.4 63.0 74.0 0.643", 100),
            PaperRow("textual", "test_seen.json", "70.8 61.0 67.0 0.633", 100, method="textual"),
            PaperRow("graph_vis", "test_seen.json", "96.7 40.0 – –", 100, method="graph_vis"),
            PaperRow("grid", "test_seen.json", "175.4 10.0 – 0.169", 100, method="grid"),
        ),
        preset="groke-a1",
        note="GROKE's scripts leave episodes that never moved out of NE and count them as nDTW 1",
    ),
)

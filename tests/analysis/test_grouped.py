"""Grouped tables: groups, figures of a group, what is printed, and in which format."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from statistics import fmean

import pytest

from navviz.analysis.grouped import ALL, TableSpec, grouped_table
from navviz.analysis.measures import measure
from navviz.analysis.tables import Format, best_cells, printed_table, table_bytes, write_grouped
from navviz.analysis.walks import Difficulties, grouping, read_difficulties, walks_of
from navviz.errors import InputError, SettingsError
from navviz.runs.opened import open_run
from tests.paths import SAMPLES

HARBOUR = SAMPLES / "harbour" / "runs"


@pytest.fixture(scope="module")
def runs():
    return {name: open_run(HARBOUR / name) for name in ("rules", "rules-local")}


@pytest.fixture(scope="module")
def walks(runs):
    keys = list(runs["rules"].traces)
    bands = {key: "easy" if k < 8 else "hard" for k, key in enumerate(keys[:12])}
    return walks_of(runs, Difficulties(bands, "by hand"))


def spec(rows, metrics, columns=None, **more):
    measures = tuple(measure(name) for name in metrics)
    return TableSpec(
        tuple(grouping(name) for name in rows),
        measures,
        grouping(columns) if columns else None,
        **more,
    )


def test_a_cell_is_the_mean_of_its_group_and_all_is_of_rated_episodes(runs, walks):
    table = grouped_table(walks, spec(["run", "difficulty"], ["SR", "NE", "episodes"]))
    rows = runs["rules-local"].scores.rows
    keys = list(rows)
    assert table.rows == tuple((run, band) for run in runs for band in ("easy", "hard", ALL))
    assert table.cell(("rules-local", "easy"), "SR").value == pytest.approx(
        fmean(rows[k]["SR"] for k in keys[:8])
    )
    assert table.cell(("rules-local", "hard"), "NE").value == pytest.approx(
        fmean(rows[k]["NE"] for k in keys[8:12])
    )
    assert table.cell(("rules-local", ALL), "episodes").value == 12
    assert table.notes == ("4 of 28 walks have no difficulty and are left out",)


def test_groups_beside_each_other_hold_the_same_figures(walks):
    tall = grouped_table(walks, spec(["run", "difficulty"], ["SR", "NE"]))
    wide = grouped_table(walks, spec(["run"], ["SR", "NE"], "difficulty"))
    assert wide.groups == ("easy", "hard", ALL)
    for run, band in tall.rows:
        assert wide.cell((run,), "NE", band) == tall.cell((run, band), "NE")
    assert wide.columns[:2] == ("easy SR (%)", "easy NE (m)")


def test_one_episode_counts_in_each_of_its_tags(walks):
    table = grouped_table(walks, spec(["skill"], ["episodes"]))
    counts = {row[0]: table.cell(row, "episodes").value for row in table.rows}
    assert counts[ALL] == 28
    assert sum(counts.values()) - counts[ALL] > 28


def test_bands_of_numbers_are_in_order(walks):
    table = grouped_table(walks, spec(["length"], ["episodes"], totals=False))
    labels = [row[0] for row in table.rows]
    assert labels == sorted(labels, key=lambda label: 0 if "under" in label else int(label[:3]))
    assert sum(cells[0].value for cells in table.cells) == 28


def test_intervals_of_few_rates_are_exact_and_bootstrap_for_the_rest(walks):
    table = grouped_table(walks, spec(["run"], ["SR", "NE"], intervals=True))
    rate, error = table.cell(("rules",), "SR"), table.cell(("rules",), "NE")
    # 10 of 14, Clopper and Pearson 1934
    assert (rate.low, rate.high) == pytest.approx((0.4190, 0.9161), abs=1e-4)
    assert error.low < error.value < error.high
    assert f"{rate.text} [41.9, 91.6]" in write_grouped(table, Format.TABLE)


def test_figures_are_written_the_same_in_every_format(walks):
    table = grouped_table(walks, spec(["run"], ["SR", "NE"], "difficulty"), title="A title")
    printed = {cell.text for cells in table.cells for cell in cells}
    for form in Format:
        text = write_grouped(table, form)
        assert all(one in text for one in printed), form
    rows = list(csv.reader(io.StringIO(write_grouped(table, Format.CSV))))
    assert rows[0][:4] == ["Run", "easy SR (%)", "easy SR (%) n", "easy NE (m)"]
    assert rows[2][2] == "8"
    document = json.loads(write_grouped(table, Format.JSON))
    assert (
        document["rows"][1]["figures"][0]["value"]
        == table.cell(("rules-local",), "SR", "easy").value
    )
    assert document["rows"][1]["figures"][0]["episodes"] == 8


def test_latex_has_rules_groups_and_escaped_text(runs):
    table = grouped_table(
        walks_of({"a_b & c": runs["rules"]}),
        spec(["run"], ["SR"], "skill"),
        title="100 %\n\\input{x}",
    )
    text = write_grouped(table, Format.LATEX)
    assert r"a\_b \& c" in text
    assert text.splitlines()[0] == r"% 100 % \input{x}"
    assert all(
        rule in text for rule in (r"\toprule", r"\midrule", r"\bottomrule", r"\cmidrule(lr){2-3}")
    )
    body = text[text.index(r"\midrule") :].splitlines()[1]
    # one n a group
    assert body.count("&") - body.count(r"\&") == len(table.columns) + len(table.groups)


def test_the_best_run_of_a_band_is_bold(walks):
    table = grouped_table(walks, spec(["run", "difficulty"], ["NE", "TL"]))
    better = [
        table.cell(("rules", band), "NE").value < table.cell(("rules-local", band), "NE").value
        for band in table_bands(table)
    ]
    assert better == [True] * 3
    assert best_cells(table) == {(0, 0), (1, 0), (2, 0)}  # no direction of TL is better
    assert write_grouped(table, Format.LATEX, best=True).count(r"\textbf") == 3
    assert write_grouped(table, Format.MARKDOWN, best=True).count("**") == 6


def test_nothing_is_bold_across_different_episodes(walks):
    fewer = [walk for walk in walks if walk.run == "rules" or walk.key != walks[0].key]
    table = grouped_table(fewer, spec(["run"], ["NE", "SR", "TL"]))
    assert best_cells(table) == set()
    for form in (Format.LATEX, Format.MARKDOWN):
        text = write_grouped(table, form, best=True)
        assert r"\textbf" not in text
        assert "**" not in text
        assert (
            "nothing is bold where rows are over different episodes: NE (m), SR (%)"
            in text.replace("\\", "")
        )
    assert "nothing is bold" not in write_grouped(table, Format.MARKDOWN)
    by_band = grouped_table(walks, spec(["difficulty"], ["NE"]))
    assert best_cells(by_band) == set(), "bands are of different episodes"


def test_each_figure_stands_beside_its_number_of_episodes(walks):
    blind = [
        replace(walk, scores={**walk.scores, "NE": None}) if k % 7 == 0 else walk
        for k, walk in enumerate(walks)
    ]
    table = grouped_table(blind, spec(["run"], ["NE", "SR", "TL"]))
    printed = printed_table(table)
    assert printed.heads == ("Run", "NE (m) ↓", "SR (%) ↑", "TL (m)", "n")
    assert printed.rows[0][-1] == "14"
    assert printed.rows[0][1] == f"{table.cells[0][0].text} (n 12)"
    assert printed.rows[0][2] == table.cells[0][1].text
    for form in (Format.TABLE, Format.MARKDOWN, Format.LATEX):
        assert "(n 12)" in write_grouped(table, form), form
    counted = printed_table(grouped_table(blind, spec(["run"], ["episodes", "NE"])))
    assert counted.heads == ("Run", "Episodes", "NE (m) ↓")
    assert counted.rows[0][1:] == ("14", f"{table.cells[0][0].text} (n 12)")


def table_bands(table):
    return list(dict.fromkeys(row[1] for row in table.rows))


def test_the_drawn_table_holds_every_text_and_comes_out_the_same_again(walks):
    table = grouped_table(walks, spec(["run"], ["SR", "NE"], "difficulty"))
    drawn = table_bytes(table, "svg", best=True)
    assert drawn == table_bytes(table, "svg", best=True)
    text = drawn.decode()
    assert all(
        f">{one}<" in text for one in ("rules-local", "easy", "SR (%) ↑", table.cells[0][0].text)
    )


def test_per_cent_and_digits_can_be_asked_for():
    assert measure("nDTW%").text(0.12345) == "12.3"
    assert measure("SR:2").text(0.12345) == "12.35"  # 12.345 in binary lies above
    assert measure("tokens").text(43700.0) == "43,700"
    for wrong in ("SR:x", "SR:9"):
        with pytest.raises(SettingsError, match="digits"):
            measure(wrong)
    with pytest.raises(SettingsError, match="no metric 'nope'"):
        measure("nope")


def test_what_cannot_be_grouped_is_a_sentence(runs):
    plain = walks_of(runs)
    with pytest.raises(InputError, match="no episode has a difficulty; give a file of ratings"):
        grouped_table(plain, spec(["difficulty"], ["SR"]))
    with pytest.raises(SettingsError, match="no grouping 'colour'"):
        grouping("colour")
    with pytest.raises(SettingsError, match="needs something"):
        grouped_table(plain, spec(["run"], []))


def test_ratings_that_are_not_whole_are_refused(tmp_path):
    path = tmp_path / "correctness_hardness.json"
    path.write_text('{"7": {"complexity": {"cognitive": 5, "spatial": null, "execution": 2}}}')
    with pytest.raises(InputError, match=r"7.*not rated on all three axes"):
        read_difficulties(path)
    path.write_text('{"7": {"human_annotation": "1"}}')
    with pytest.raises(InputError, match=r"7.*not rated on all three axes"):
        read_difficulties(path)

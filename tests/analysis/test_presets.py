"""Tables of papers: GROKE's to the printed digit as far as its runs are public, R2R's and LH-VLN's
by their rules.

The printed figures stand in `navviz.systems.groke.printed`, which `tests.analysis.test_paper_check`
holds against the paper. Of figure 7, 8,136 tokens of thoughts for 6.1 m are 1,334 tokens or 1.60
cents a metre; the other three bars (1,356, 1,356, 1,731) stand in ``plot_tradeoff.py`` of
github.com/fuzsh/groke at 228a20f. The data here have one of its two runs only, so two made runs
with these differences hold the arithmetic.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest

from navviz.analysis.charts import marginal_costs, marginal_table
from navviz.analysis.grouped import preset, preset_table, presets, spec_of
from navviz.analysis.walks import difficulties_beside, walks_of
from navviz.errors import InputError, SettingsError
from navviz.formats import open_graph
from navviz.records import Call, Usage
from navviz.runs.facts import facts_of
from navviz.runs.opened import load_all, open_run
from navviz.runs.sources import Source
from navviz.systems.groke.printed import TABLES
from navviz.systems.lhvln.logs.scenes import bare_scene
from tests.paths import SAMPLES
from tests.systems.lhvln.logs.easi_run import SUMMARY, write_run


@pytest.fixture(scope="module")
def published(data_dir):
    folder, streets = data_dir / "groke" / "paper_results", data_dir / "map2seq"
    graph = open_graph(streets)  # once for all runs; none of them changes it

    @cache
    def methods(file):
        return load_all(Source(file, "opened", (streets,), None, folder / file), graph=graph)

    def run(file, method):
        return next(one for one in methods(file) if method in {None, one.run.method})

    def walks(**runs):
        opened = {name: run(*each) for name, each in runs.items()}
        return walks_of(opened, difficulties_beside([folder]))

    return walks


def printed(table, *row):
    return [cell.text for cell in table.cells[table.rows.index(row)]]


ROWS = [
    pytest.param(table, row, id=f"{table.name}, {row.name}")
    for table in TABLES
    for row in table.rows
    # the whole runs among the data; only logs of calls have tokens
    if (row.logs or row.run) in {"ablation_study_json", "test_seen.json", "test_seen_json.json"}
    and table.preset
]


@pytest.mark.data
@pytest.mark.parametrize(("table", "row"), ROWS)
def test_a_preset_of_groke_prints_what_its_paper_prints(published, table, row):
    walks = published(it=(row.logs or row.run, row.method))
    made = preset_table(walks, table.preset)
    names = [one.name for one in made.measures]
    cells = printed(made, "it", row.band or "all") if len(made.heads) > 1 else printed(made, "it")
    figures = table.printed(row)
    assert {column: cells[names.index(table.columns[column])] for column in figures} == figures


@pytest.mark.nightly
@pytest.mark.data
def test_groke_table_2(published):
    table = preset_table(published(GROKE=("main_test_seen.json", None)), "groke-2")
    assert printed(table, "GROKE") == ["56.8", "66.4", "78.4", "0.634"]


@pytest.mark.data
def test_groke_table_5_says_what_the_scripts_leave_out_of_the_grid_s_error(published):
    methods = {name: ("test_seen.json", name) for name in ("json", "grid")}
    table = preset_table(published(**methods), "groke-5")
    assert printed(table, "grid", "all")[0] == "175.4"
    [note] = [note for note in table.notes if "never moved" in note]
    assert (
        note
        == "grid: 2 episodes never moved, which GROKE's scripts leave out of NE (176.7 with them)"
    )


@pytest.mark.data
def test_a_state_file_has_no_tokens_for_table_10(published):
    table = preset_table(published(Auto=("test_seen_json.json", None)), "groke-10")
    assert table.heads == ("Run", "Difficulty")
    assert any("no run here has Tokens" in note for note in table.notes)


@pytest.mark.nightly
@pytest.mark.data
def test_groke_table_3_has_effort_beside_success(published):
    table = preset_table(
        published(JSON=("ablation_study_json", None), main=("main_test_seen.json", None)), "groke-3"
    )
    assert printed(table, "JSON") == [
        "41.3",
        "74.0",
        "82.0",
        "0.714",
        "5.76",
        "43,700",
        "22,335",
        "0.3118",
    ]
    assert printed(table, "main")[5:] == ["–", "–", "–"]


@pytest.fixture(scope="module")
def harbour():
    return walks_of({"a run": open_run(SAMPLES / "harbour" / "runs" / "rules")})


def made(walks, run, thoughts, *, prompt=0, **scores):
    """Walks of a made run: one call with so many tokens of thoughts, and scores."""
    usage = Usage(prompt_tokens=prompt, thoughts_tokens=thoughts, output_tokens=0)
    call = Call(model="gemini-3-pro-preview", usage=usage)
    traces = [walk.trace.model_copy(update={"plan_calls": (call,), "steps": ()}) for walk in walks]
    return [
        replace(walk, run=run, facts=facts_of(trace), scores=scores)
        for walk, trace in zip(walks, traces, strict=True)
    ]


def test_groke_figure_7(harbour):
    cheap = made(harbour, "less", 14_199, NE=47.4, SR=0.68, OSR=0.76, nDTW_groke=0.7)
    dear = made(harbour, "more", 22_335, NE=41.3, SR=0.74, OSR=0.82, nDTW_groke=0.747)
    costs = {one.metric: one for one in marginal_costs(dear, cheap)}
    assert [f"{costs[name].tokens:,.0f}" for name in ("NE", "SR", "OSR", "nDTW_groke")] == [
        "1,334",
        "1,356",
        "1,356",
        "1,731",
    ]
    assert f"{costs['NE'].gain:.1f}" == "6.1"
    assert f"{costs['NE'].cents_as_output:.2f}" == "1.60"
    # nothing but output was spent
    assert costs["NE"].cents == pytest.approx(costs["NE"].cents_as_output)
    table = marginal_table(dear, cheap)
    assert table.notes[0] == "more spends 8,136 tokens of thoughts an episode more than less"
    assert printed(table, "NE", "1 m less") == ["6.1", "1,334", "1.60", "1.60"]
    longer = made(
        harbour, "more", 22_335, prompt=50_000, NE=41.3, SR=0.74, OSR=0.82, nDTW_groke=0.747
    )
    assert printed(marginal_table(longer, cheap), "NE", "1 m less")[:3] == [
        "6.1",
        "1,334",
        "1.60",
    ], "of thoughts alone"


def test_no_gain_has_no_price_and_the_dearer_run_comes_first(harbour):
    cheap = made(harbour, "less", 100, NE=10.0, SR=1.0)
    dear = made(harbour, "more", 200, NE=20.0, SR=1.0)
    costs = {one.metric: one for one in marginal_costs(dear, cheap)}
    assert (costs["NE"].gain, costs["NE"].tokens, costs["SR"].tokens, costs["OSR"].gain) == (
        -10.0,
        None,
        None,
        None,
    )
    with pytest.raises(
        InputError,
        match="less spends no more tokens on thoughts than more; name the run that spends more first",
    ):
        marginal_costs(cheap, dear)
    with pytest.raises(InputError, match="no episode with counted thoughts"):
        marginal_costs(harbour, dear)


def test_lhvln_is_pooled_as_its_code_does(tmp_path):
    run = open_run(write_run(tmp_path), graphs=bare_scene("HM3D"))
    table = preset_table(walks_of({"EASI": run}), "lhvln")
    assert table.groups == ("2 sub-tasks", "3 sub-tasks", "all")
    for name in ("SR", "NE", "ISR", "CSR", "CGT", "TAR"):
        assert table.cell(("EASI",), name, "all").value == pytest.approx(
            SUMMARY["base"][name], abs=6e-5
        )
    assert table.cell(("EASI",), "episodes", "2 sub-tasks").text == "2"


@pytest.mark.nightly
@pytest.mark.data
def test_r2r_is_by_split(data_dir):
    run = open_run(data_dir / "r2r" / "val_seen_random_walk.json", graphs=data_dir / "mp3d_all")
    table = preset_table(walks_of({"random": run}), "r2r")
    assert table.groups == ("val_seen",)
    assert [one.name for one in table.measures] == [
        "TL",
        "NE",
        "OSR",
        "SR",
        "SPL",
        "nDTW",
        "SDTW",
        "CLS",
    ]
    assert table.cell(("random",), "SR", "val_seen").value == pytest.approx(run.scores.means["SR"])


def test_msnav_has_its_map_efficiency_in_per_cent():
    house = SAMPLES / "house"
    table = preset_table(
        walks_of({"ours": open_run(house / "runs" / "msnav-by-hand", graphs=house)}), "msnav"
    )
    shown = {one.name: table.cell(("ours",), one.name).text for one in table.measures}
    assert shown == {
        "episodes": "4",
        "SR": "50.0",
        "SPL": "37.9",
        "OSR": "50.0",
        "NE": "5.41",
        "ME": "50.4",
    }


def test_a_preset_without_split_shows_all(harbour):
    header = harbour[0].trace.header
    episode = header.episode.model_copy(update={"split": ""})
    trace = harbour[0].trace.model_copy(
        update={"header": header.model_copy(update={"episode": episode})}
    )
    table = preset_table([replace(harbour[0], facts=facts_of(trace))], "r2r")
    assert table.groups == ("",)
    assert "no episode states its split" in table.notes


def test_every_preset_can_be_asked_for_and_others_not():
    assert all(spec_of(one).measures for one in presets().values())
    with pytest.raises(SettingsError, match="no preset 'groke-1'"):
        preset("groke-1")


def test_printed_rows_stand_below_a_user_s_runs():
    run = open_run(SAMPLES / "house" / "runs" / "navgpt-by-hand")
    table = preset_table(walks_of({"mine": run}), "msnav-5")
    assert table.rows[0] == ("mine",)
    assert printed(table, "paper: MapGPT + Spatial") == ["216", "48.1", "39.6", "58.3", "5.11"]
    assert table.cell(("paper: MapGPT + Spatial",), "SPL").value == pytest.approx(0.396)

"""What has to be said beside the figures of a run, wherever it is shown."""

import json

import pytest

import navviz
from navviz.analysis.report import report_document, report_markdown, report_of
from navviz.runs.marks import RunMark, part_marks
from tests.command import invoke
from tests.fake_servers import FakeOpenAI
from tests.worlds import write_world

PART = "3 of 5 walked; these means are over them."
MARK = {
    "id": "partial", "label": "3 of 5 walked", "sentence": PART, "count": 3, "of": 5, "figures": {},
}  # fmt: skip


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """The folder of a run with three walks of five episodes."""
    folder = tmp_path_factory.mktemp("marks")
    write_world(folder)
    split = folder / "splits" / "tiny.json"
    [entry] = json.loads(split.read_text())
    split.write_text(json.dumps([entry | {"instructions_id": number} for number in range(1, 6)]))
    options = ["--navigator", "random-walker", "--episodes", str(split)]
    options += ["--graphs", str(folder / "osm" / "graph"), "--out", str(folder / "out")]
    assert invoke("run", "whole", *options, "--limit", "3").exit_code == 0
    assert invoke("run", "half", *options).exit_code == 0
    for name in ("4", "5"):
        (folder / "out" / "half" / f"{name}.trace.jsonl").unlink()
    return folder / "out" / "half"


def test_a_part_of_a_run_is_marked_in_python(run):
    opened = navviz.open_run(run)
    assert [mark.sentence for mark in opened.marks] == [PART]
    assert opened.table().attrs["marks"] == [MARK]
    assert PART in opened._repr_html_()
    assert navviz.open_run(run.parent / "whole").marks == ()


def test_a_part_of_a_run_is_marked_in_each_command(run):
    whole = str(run.parent / "whole")
    assert json.loads(invoke("score", str(run), "--format", "json").stdout)["marks"] == [MARK]
    assert json.loads(invoke("score", whole, "--format", "json").stdout)["marks"] == []
    for form in ("table", "csv", "md", "tex"):
        printed = invoke("score", str(run), "--format", form).stdout
        assert PART in " ".join(printed.split())
    compared = invoke("compare", str(run), whole, "--format", "json").stdout
    assert json.loads(compared)["marks"] == {"half": [MARK], "whole": []}
    assert PART in invoke("compare", str(run), whole).stdout
    assert PART in invoke("table", str(run)).stdout


def test_a_part_of_a_run_is_marked_in_its_report(run):
    report = report_of("half", navviz.open_run(run))
    assert report_document(report)["marks"] == [MARK]
    assert f"**{PART}**" in report_markdown(report)


@pytest.mark.parametrize(
    ("walked", "whole", "errors", "sentences"),
    [
        (5, 5, 0, []),
        (0, 1, 0, []),
        (12, 20, 0, ["12 of 20 walked; these means are over them."]),
        (12, 20, 2, ["12 of 20 walked; these means are over 10 of them, 2 ended in an error."]),
    ],
)
def test_what_a_part_says(walked, whole, errors, sentences):
    assert [mark.sentence for mark in part_marks(walked, whole, errors)] == sentences


def test_a_batch_without_budget_ends_with_3(run):
    folder = run.parents[1]
    options = ["--navigator", "groke", "--episodes", str(folder / "splits" / "tiny.json")]
    options += ["--graphs", str(folder / "osm" / "graph"), "--out", str(folder / "out")]
    with FakeOpenAI() as server:
        done = invoke(
            "run", "poor", *options, "--llm", f"openai:m@{server.url}", "--budget-tokens", "0"
        )
    assert done.exit_code == 3
    assert "0 of 5 walked" in done.stdout
    [mark] = navviz.open_run(folder / "out" / "poor").marks
    assert mark == RunMark(
        "partial", "0 of 5 walked", "0 of 5 walked; these means are over them.", 0, 5
    )

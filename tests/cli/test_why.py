"""``navviz why``: counts, one episode with its quotes, one cause, four formats."""

import json
import shutil

from typer.testing import CliRunner

from navviz.cli import application
from navviz.support.installation.files import samples_dir

RUN = str(samples_dir() / "harbour" / "runs" / "groke-by-hand")


def _why(*arguments, code=0):
    done = CliRunner().invoke(application(("why", "diagnose")), ["why", *arguments])
    assert done.exit_code == code, done.output
    return done.stdout if code == 0 else done.output


def test_counts_stand_side_by_side_with_n_and_interval():
    text = _why(RUN)
    assert "in failures" in text
    assert "label-contradicts" in text
    assert text.startswith("act not done")
    assert "two-ways" in text


def test_an_episode_has_its_causes_with_quotes():
    text = _why(RUN, "7")
    assert text.startswith("step 2, two ways (hint): “The street half right after it” was not")
    assert "step 2, hint: In step 2 the prompt calls both" in text
    assert "prompt, step 2, characters" in text


def test_json_holds_positions_and_is_the_same_from_the_cache():
    first = _why(RUN, "--format", "json")
    rows = json.loads(first)
    seven = next(row for row in rows if row["episode"] == "7")
    assert seven["causes"][seven["leading"]]["id"] == "label-contradicts"
    assert seven["causes"][0]["quotes"][0]["start"] > 0
    assert (seven["act"]["how"], seven["act"]["step"]) == ("two-ways", 2)
    assert next(row for row in rows if row["success"])["act"] is None
    assert _why(RUN, "--format", "json") == first


def test_one_cause_lists_its_episodes():
    text = _why(RUN, "--cause", "illegal-reply", "--format", "csv")
    assert text.splitlines()[0].startswith("episode,success,act,step")
    assert [line.split(",")[0] for line in text.splitlines()[1:]] == ["10"]


def test_an_episode_of_a_technical_error_is_said_to_count_here_alone(tmp_path):
    folder = tmp_path / "run"
    shutil.copytree(RUN, folder)
    trace = folder / "7.trace.jsonl"
    *before, last = trace.read_text(encoding="utf-8").splitlines()
    ended = json.dumps(json.loads(last) | {"status": "error", "reason": "The server was away."})
    trace.write_text("\n".join([*before, ended, ""]), encoding="utf-8")
    about = "Here 1 episode of a technical error counts, too; means such as SR leave them out."
    assert about in _why(str(folder))
    assert "technical error" not in _why(RUN)


def test_latex_escapes_what_stands_in_data():
    assert "\\begin{tabular}" in _why(RUN, "--format", "tex")


def test_an_unknown_cause_is_refused_before_a_run_is_read():
    text = _why("nowhere", "--cause", "nothing", code=2)
    assert "There is no cause" in text

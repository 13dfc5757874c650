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

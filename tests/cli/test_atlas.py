"""``navviz atlas`` on the sample runs."""

from functools import partial

from tests.command import invoke
from tests.paths import SAMPLES

HARBOUR = str(SAMPLES / "harbour" / "runs" / "rules")
HOUSE = (str(SAMPLES / "house" / "runs" / "rules-indoors"), "--graphs", str(SAMPLES / "house"))


call = partial(invoke, "atlas")


def test_one_file_that_stands_alone(tmp_path):
    out = tmp_path / "atlas.html"
    result = call(HARBOUR, "--out", str(out))
    assert result.exit_code == 0, result.output
    page = out.read_text(encoding="utf-8")
    assert "NavVizAtlas.draw" in page
    assert 'src="http' not in page
    assert f"{out}: " in result.stdout


def test_a_house_names_its_floors(tmp_path):
    result = call(*HOUSE, "--out", str(tmp_path / "house.html"), "--floor", "1")
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith("Floor 1 of: 1 (")


def test_what_is_not_there_is_said_in_one_sentence(tmp_path):
    wrong = call(HARBOUR, "--out", str(tmp_path / "a.html"), "--world", "Atlantis")
    assert wrong.exit_code != 0
    assert "no episode lies in Atlantis" in wrong.output
    high = call(*HOUSE, "--out", str(tmp_path / "a.html"), "--floor", "99")
    assert high.exit_code != 0
    assert "no floor 99" in high.output
    assert not (tmp_path / "a.html").exists()

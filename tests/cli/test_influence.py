"""``navviz diagnose influence`` on a sample run, and with a model only after a question."""

from functools import partial

from navviz.analysis.influence import ChangeEffect
from navviz.cli import influence
from navviz.metrics.intervals import Interval
from tests.command import invoke
from tests.paths import SAMPLES

RUN = str(SAMPLES / "harbour" / "runs" / "rules")


call = partial(invoke, "diagnose", "influence")


def test_means_stand_with_their_intervals():
    other, success = Interval(0.4, 0.25, 0.55, 9), Interval(-0.125, -0.5, 0.0, 9)
    line = influence._mean_line(ChangeEffect("side", 20, 9, other, success, None))
    assert line == (
        "side: 20 variants in 9 episodes; other walk 40 % [25, 55]; success -12.5 points [-50.0,"
        " +0.0]; navigation error –"
    )


def test_a_model_is_asked_for_first(tmp_path):
    script = tmp_path / "script.json"
    script.write_text("[]")
    given = (RUN, "1", "--navigator", "groke", "--llm", f"scripted:{script}")
    result = call(*given, typed="n\n")
    assert result.exit_code == 1
    assert "walks, at a cost that this run does not state. Go on?" in result.output
    assert call(RUN, "1", "--navigator", "groke").exit_code == 2

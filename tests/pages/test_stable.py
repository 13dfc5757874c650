"""Replay's part on samples: shown where a run has them, with agreement, bundle and junctions."""

import shutil

import pytest

from navviz.runner import RunConfig, write_config
from tests.paths import SAMPLES


@pytest.fixture
def sampled(tmp_path, monkeypatch):
    """A run of the sample town with a second sample that walks otherwise."""
    monkeypatch.setenv("NAVVIZ_WORKSPACE", str(tmp_path))
    graphs = (str(SAMPLES / "harbour" / "osm" / "graph"),)
    for name, walked_by in (("mine", "rules"), ("mine-sample-2", "rules-local")):
        folder = tmp_path / "runs" / name
        folder.mkdir(parents=True)
        for trace in (SAMPLES / "harbour" / "runs" / walked_by).glob("*.trace.jsonl"):
            shutil.copy(trace, folder)
        write_config(folder, RunConfig(run=name, navigator=walked_by, graphs=graphs))


@pytest.mark.usefixtures("sampled")
def test_samples_are_compared(page):
    at = page("replay", run="mine", episode="2")
    at.session_state["replay_stable"] = True
    at.run()
    assert not at.exception, at.exception[0].message
    values = {metric.label: metric.value for metric in at.metric}
    assert values["Walks"] == "2"
    assert values["Entropy"].endswith(" bits")
    if values["Same path"] == "0 %":
        assert list(at.dataframe[0].value["bits"])


@pytest.mark.usefixtures("sampled")
def test_a_run_without_samples_has_no_such_part(page):
    at = page("replay", run="harbour/rules", episode="2")
    assert "Do the samples agree?" not in [box.label for box in at.expander]

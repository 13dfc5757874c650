"""Anyone can learn the weights again: the script reads the split `val` only, and chance plays no
part.
"""

import json

import numpy as np
import pytest

from navviz.language.placing import features as f
from tools.training.train import main, mirror_groups, penalty


@pytest.fixture(scope="module", params=[2, pytest.param(10, marks=pytest.mark.nightly)])
def little_data(data_dir, tmp_path_factory, request):
    """The map, and a few episodes of `val` alone."""
    folder = tmp_path_factory.mktemp("map2seq")
    (folder / "osm").symlink_to(data_dir / "map2seq" / "osm")
    (folder / "splits").mkdir()
    split = json.loads((data_dir / "map2seq" / "splits" / "val.json").read_text("utf-8"))
    (folder / "splits" / "val.json").write_text(
        json.dumps(split[: request.param]), encoding="utf-8"
    )
    return folder


@pytest.mark.nightly
@pytest.mark.data
def test_learning_needs_val_only_and_repeats_itself(little_data, tmp_path, capsys):
    files = [tmp_path / f"weights{k}.json" for k in range(2)]
    for out in files:
        main(["--data", str(little_data), "--out", str(out)])
    first, second = (json.loads(out.read_text("utf-8")) for out in files)
    assert first == second
    assert set(first["weights"]) == {"length-prior", "no-length-prior"}
    assert not any(name.startswith("length:") for name in first["weights"]["no-length-prior"])
    assert "% on val itself" in capsys.readouterr().out


def test_mirror_images_share_a_weight():
    groups = mirror_groups()
    assert groups[f.INDEX["turn:left>right"]] == groups[f.INDEX["turn:right>left"]]
    assert groups[f.INDEX["turn:left>left"]] != groups[f.INDEX["turn:left>right"]]


def test_the_gradient_of_the_penalty_is_its_derivative():
    """Search by a gradient that is not one stops where its steps no longer lower the value."""
    rng = np.random.default_rng(7)
    w, centre, lengths = rng.normal(size=12), rng.normal(size=12), np.arange(5, 12)
    _, gradient = penalty(w, centre, lengths, 0.35)
    steps = np.eye(12) * 1e-6
    ends = [
        [penalty(w + sign * step, centre, lengths, 0.35)[0] for sign in (1, -1)] for step in steps
    ]
    assert gradient == pytest.approx([(up - down) / 2e-6 for up, down in ends], rel=1e-6, abs=1e-8)


def test_hand_set_weights_prefer_what_was_said():
    weights = f.initial_weights()
    for turn in ("straight", "left", "right"):
        scores = {
            angle: weights[f.INDEX[f"turn:{turn}>{angle}"]]
            for angle in ("left", "straight", "right")
        }
        assert max(scores, key=scores.__getitem__) == turn


def test_feature_tables_have_the_shape_of_their_axes():
    table = f.lookup("turn:{}>{}", f.TURNS, ("left", "right"))
    assert table.shape == (len(f.TURNS), 2)
    assert f.FEATURES[table[1, 0]] == "turn:left>left"
    assert len(np.unique(table)) == table.size

"""Episodes that stress a skill: filters, texts by rules, checks, and authors that break them."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import pairwise

import pytest
from typer.testing import CliRunner

from navviz.cli import application
from navviz.errors import Problems
from navviz.formats import open_episodes, open_worlds
from navviz.formats.houses import read_observations
from navviz.llm.scripted import Scripted
from navviz.systems.skillnav.synthesis import (
    KINDS,
    TEMPORAL,
    HouseWords,
    faults_of,
    rules_text,
    synthesize,
)
from tests.paths import SAMPLES

HOUSE = SAMPLES / "house"


@pytest.fixture(scope="module")
def house():
    return open_worlds(HOUSE)()


@pytest.mark.parametrize("kind", KINDS)
def test_the_sample_house_yields_each_skill(house, kind):
    drafts = list(synthesize(house, kind, 3, seed=1))
    assert [draft.faults for draft in drafts] == [()] * 3
    assert len({draft.path.nodes for draft in drafts}) == 3
    assert [draft.text for draft in synthesize(house, kind, 3, seed=1)] == [d.text for d in drafts]
    for draft in drafts:
        assert 4 <= len(draft.path.nodes) <= 7
        assert all(house.has_link(a, b) for a, b in pairwise(draft.path.nodes))


def test_each_filter_holds_what_it_names(house):
    path = {kind: next(synthesize(house, kind, 1)).path for kind in KINDS}
    assert sum(30 <= abs(turn) <= 120 for turn in path["Direction"].turns_deg) >= 2
    assert abs(path["Vertical"].climb_m) >= 2
    assert path["Landmark"].landmark in HouseWords(house).counts
    assert len(set(path["Region"].rooms)) > 1
    last, before = set(path["Stop"].things[-1]), set(path["Stop"].things[-2])
    assert len(last & before) / len(last | before) >= 0.5


@pytest.mark.parametrize(
    ("kind", "text", "fault"),
    [
        ("Direction", "Turn left. " + "word " * 24, "no single sentence"),
        ("Direction", "Go on along the way " + "and on " * 10, "it turns nowhere"),
        ("Vertical", "Walk up and down the stairs " + "again " * 18, "the other way on the stairs"),
        ("Landmark", "Walk on along the long quiet way " + "on " * 18, "does not name the"),
        ("Stop", "Stop here at once and walk on " + "and on " * 9, "does not stop or wait"),
        (TEMPORAL, "Walk on, then " + "go " * 40, "it says 'then'"),
        ("Region", "I'm sorry, I cannot " + "do that " * 10, "it refuses"),
        ("Region", "Too short.", "words, not 20 to 30"),
    ],
)
def test_what_must_hold_is_seen_to_fail(house, kind, text, fault):
    path = next(synthesize(house, kind, 1)).path
    assert any(fault in each for each in faults_of(text, path)), faults_of(text, path)


def test_a_model_is_asked_again_with_the_reason(house):
    path = next(synthesize(house, "Landmark", 1)).path
    replies = iter(["Go.", rules_text(path)])
    draft = next(synthesize(house, "Landmark", 1, llm=Scripted(lambda _: next(replies))))
    assert draft.accepted
    assert len(draft.calls) == 2
    assert "words, not 20 to 30" in draft.calls[1].messages[-1].text
    assert "view 1 of" in draft.calls[0].messages[1].text
    never = next(synthesize(house, "Landmark", 1, llm=Scripted(lambda _: "Go.")))
    assert (len(never.calls), never.accepted) == (3, False)


def test_the_command_writes_r2r_s_form_and_pays_nothing_twice(tmp_path):
    out, drafts = tmp_path / "skills.json", tmp_path / "drafts.jsonl"
    line = ["skillnav", "synthesize", "--graphs", str(HOUSE / "connectivity"), "--out", str(out),
            "--drafts", str(drafts)]  # fmt: skip
    done = CliRunner().invoke(application(), line)
    assert done.exit_code == 0, done.output
    episodes = open_episodes(out).episodes
    assert {each.extra["skill"] for each in episodes.values()} == set(KINDS)
    changed = drafts.read_text().replace("Leave the", "Now leave the", 1)
    drafts.write_text(changed)
    assert CliRunner().invoke(application(), line).exit_code == 0
    assert drafts.read_text() == changed, "what stands there is not written again"
    assert CliRunner().invoke(application(), [*line, "--skill", "Stop"]).exit_code == 0
    assert drafts.read_text() == changed, "nor are the other skills thrown away"
    wrong = CliRunner().invoke(application(), [*line, "--skill", "x"])
    assert "is no skill" in wrong.output
    assert json.loads(drafts.read_text().splitlines()[0])["author"] == "rules"


@pytest.mark.data
def test_a_real_house_yields_the_skills_that_its_places_have(data_dir):
    graph = open_worlds(data_dir / "mp3d_all")("17DRP5sb8fy")
    seen = read_observations(data_dir / "navgpt_text", graph.name, Problems())
    graph.info = replace(graph.info, observations=seen)
    kinds = {kind: next(synthesize(graph, kind, 1)) for kind in KINDS}
    assert kinds["Direction"].accepted
    assert kinds["Landmark"].accepted
    assert kinds["Vertical"].path is not None or kinds["Vertical"].failed

"""``navviz annotate``: a queue of causes, a model that judges them, and the table of agreement."""

from __future__ import annotations

import json
import re
from functools import partial

import pytest

from navviz.annotation.records import CauseVerdict, Item, Navigability
from navviz.annotation.store import FILE_NAME, AnnotationStore, database_url
from tests.command import invoke
from tests.fake_servers import FakeOpenAI
from tests.paths import SAMPLES

RUN = str(SAMPLES / "harbour" / "runs" / "groke-by-hand")


@pytest.fixture(autouse=True)
def workspace(tmp_path, monkeypatch):
    monkeypatch.setenv("NAVVIZ_WORKSPACE", str(tmp_path))
    return tmp_path


call = partial(invoke, "annotate")


def test_people_and_a_served_model_judge_the_same_causes(workspace):
    made = call("causes", RUN, "--queue", "why", "--source", "a/b", "--seed", "3")
    assert made.exit_code == 0, made.output
    store = AnnotationStore(database_url(workspace))
    study = store.study()
    [queue] = study.queues.all()
    claims = study.claims.all()
    placebos = [claim for claim in claims.values() if claim.placebo]
    assert made.stdout == (
        f"why: {len(claims) - len(placebos)} causes and {len(placebos)} placebos of a/b.\n"
    )
    assert (queue.source, {item.claim for item in queue.items}) == ("a/b", set(claims))
    desk = store.sign_in("fox")
    for item in queue.items:
        answer = "no" if claims[item.claim].placebo else "yes"
        desk.save(item, CauseVerdict.model_validate({"answer": answer}), seen=0)

    def reply(_: object) -> str:
        return json.dumps({"answer": "yes", "why": "It says so."})

    with FakeOpenAI(reply) as server:
        judge = ("judge", RUN, "--llm", f"openai:judge@{server.url}", "--source", "a/b")
        result = call(*judge)
        assert result.exit_code == 0, result.output
        outcome = json.dumps([request.body for request in server.requests])
        assert len(server.requests) == len(claims)
        again = call(*judge)
        assert len(server.requests) == len(claims), "what is judged is not paid for twice"
    assert "0 causes of" in again.stderr
    for claim in claims.values():
        assert claim.cause.id not in outcome, "the model is as blind as people"
    assert "placebo" not in outcome.lower()
    ratings = study.ratings("cause")
    store.close()
    assert {rating.annotator.partition("-")[0] for rating in ratings} == {"fox", "model openai"}

    table = json.loads(call("agreement", "--format", "json").stdout)
    rows = {(row["id"], row["by"].partition("-")[0]): row for row in table}
    n = len(placebos)
    people, model = rows["placebos", "people"], rows["placebos", "model openai"]
    assert (people["yes"], people["yes_n"], model["yes"], model["yes_n"]) == (0.0, n, 1.0, n)
    found = len(claims) - n
    people, model = rows["all detectors", "people"], rows["all detectors", "model openai"]
    assert (people["yes"], people["yes_n"], model["kappa_n"]) == (1.0, found, found)
    text = call("agreement")
    assert "Yes or partly, by rater:" in text.stdout
    assert "\\begin{tabular}" in call("agreement", "--format", "tex").stdout


def test_a_reply_without_an_answer_is_one_sentence(tmp_path):
    assert call("causes", RUN, "--queue", "why").exit_code == 0
    script = tmp_path / "script.json"
    script.write_text(json.dumps({"replies": ['{"answer": "maybe"}'], "loop": True}))
    result = call("judge", RUN, "--llm", f"scripted:{script}")
    assert result.exit_code != 0
    assert "the reply says 'maybe', not one of yes, partly, no, cannot tell" in result.output


def test_merge_shows_what_differs_side_by_side_and_takes_a_study_once(workspace, tmp_path):
    other = tmp_path / "laptop"
    for folder, navigable in ((workspace, True), (other, False)):
        folder.mkdir(exist_ok=True)
        store = AnnotationStore(f"sqlite:///{folder / FILE_NAME}")
        value = Navigability(navigable=navigable)
        for name in ("fox", folder.name[:6]):
            store.sign_in(name).save(Item(dataset="s", episode="7"), value, seen=0)
        store.close()
    first = call("merge", str(workspace), str(other))
    assert first.exit_code == 0, first.output
    assert re.fullmatch(
        r"episode 7, navigability by fox: navigable: true \(.+, fox\) \| navigable: false \(.+, fox\);"
        r" navigable: false \(.+, fox\) stands\.\n",
        first.stdout,
    )
    assert f"{workspace}: 3 ratings, 2 new changes, 1 conflict." in first.stderr
    again = call("merge", str(workspace), str(other / FILE_NAME), "--format", "json")
    assert json.loads(again.stdout) == []
    assert "3 ratings, 0 new changes, 0 conflicts." in again.stderr
    missing = call("merge", str(workspace), str(tmp_path / "typo"))
    assert missing.exit_code == 2
    assert "typo: is no workspace with ratings; name its folder." in missing.stderr
    assert not (tmp_path / "typo").exists()

"""``navviz diagnose scan`` on sample runs, by rules and by a scripted model."""

import json
from functools import partial

from navviz.annotation.store import AnnotationStore, database_url
from tests.command import invoke
from tests.paths import SAMPLES

RUN = str(SAMPLES / "harbour" / "runs" / "rules-local")


call = partial(invoke, "diagnose", "scan")


def test_a_model_fills_the_taxonomy(tmp_path, monkeypatch):
    monkeypatch.setenv("NAVVIZ_WORKSPACE", str(tmp_path))
    script = tmp_path / "script.json"
    script.write_text(
        json.dumps(
            {"replies": [json.dumps({"labels": [{"code": "E1.1", "step": 1}]})], "loop": True}
        )
    )
    result = call(RUN, "--llm", f"scripted:{script}", "--limit", "2", "--keep")
    assert result.exit_code == 0, result.output
    assert len(result.stdout.splitlines()) == 2
    assert "E1.1 Execution / Turning / Wrong way out" in result.stdout
    assert "No annotator has labelled these walks" in result.stderr
    store = AnnotationStore(database_url(tmp_path))
    kept = store.study().ratings("failure")
    store.close()
    assert [rating.annotator for rating in kept] == [
        "model scripted-" + kept[0].annotator.partition("scripted-")[2]
    ] * 2

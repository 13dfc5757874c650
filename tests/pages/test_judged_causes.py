"""The task *Is this the cause?*: a queue made in Study, blind sheets, results."""

import json

from navviz.annotation.records import CauseVerdict
from navviz.ui.annotate import desk as desk_module
from navviz.ui.annotate.session import Work, run_of
from navviz.ui.data.finding import cause_findings
from tests.pages.conftest import study_part

RUN = "harbour/groke-by-hand"


def test_causes_are_judged_blind_and_compared_with_their_detectors(page, store):
    study = store.study()
    at = study_part(page("study", run=RUN), "causes")
    assert "Nobody has judged a cause yet" in at.markdown[0].value
    at.button(key="evaluate_causes_start").click().run()
    assert at.button_group(key="evaluate_task").value == "cause"
    for finding in list(cause_findings()._by_run.values()):  # a busy machine is still at it
        assert finding.ended.wait(60)
    at.run()
    at.slider(key="evaluate_cause_placebos").set_value(30).run()
    at.text_input(key="evaluate_queue_name").set_value("why").run()
    at.button(key="evaluate_make").click().run()
    assert not at.exception, at.exception[0].message
    [queue], claims = study.queues.all(), study.claims.all()
    placebos = [claim for claim in claims.values() if claim.placebo]
    assert len(placebos) > 1
    assert {item.claim for item in queue.items} == set(claims)
    assert {item.run for item in queue.items} == {RUN}

    desk = store.sign_in("fox")
    work = Work(desk, queue, desk.items("why"), run_of(queue), store.study_id)
    for position, entry in enumerate(work.entries):
        claim = claims[entry.item.claim]
        sheet = desk_module._sheet(work, position, None)
        assert sheet["claim"]["sentence"] == claim.cause.sentence
        text = json.dumps(sheet, ensure_ascii=False)
        assert f'"{claim.cause.id}"' not in text
        assert claim.cause.name not in text.replace(claim.cause.sentence, "")
        assert "placebo" not in text
        assert sheet["document"].get("divergence") is None
        answer = "no" if claim.placebo else "partly"
        desk.save(entry.item, CauseVerdict.model_validate({"answer": answer}), seen=0)
    assert "placebo" not in json.dumps(desk_module._desk(work, "x"))

    at = study_part(page("study"), "causes")
    table, raters = (frame.value for frame in at.dataframe[:2])
    whole = table.set_index("Cause").loc["All detectors"]
    found = len(claims) - len(placebos)
    assert whole["Yes"].startswith(f"0 of {found} ")
    assert whole["Yes or partly"].startswith(f"{found} of {found} ")
    assert raters.iloc[0]["Yes or partly, placebos"].startswith(f"0 of {len(placebos)} ")
    at = study_part(page("study"), "agreement")
    assert at.selectbox(key="study_question").value == "Is this the cause?"


def test_a_sheet_without_its_cause_says_so(store, page):
    at = study_part(page("study", run=RUN), "queues")
    at.button_group(key="evaluate_task").set_value("cause").run()
    at.text_input(key="evaluate_queue_name").set_value("why").run()
    at.button(key="evaluate_make").click().run()
    [queue] = store.study().queues.all()
    desk = store.sign_in("fox")
    work = Work(desk, queue, desk.items("why"), run_of(queue), store.study_id)
    desk.claim = lambda _: None  # type: ignore[method-assign]
    sheet = desk_module._sheet(work, 0, None)
    assert sheet["document"] is None
    assert "is not in this database" in sheet["note"]

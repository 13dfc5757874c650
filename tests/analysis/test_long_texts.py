"""A text of 400,000 characters, in any field, holds up no analysis: the work is bounded."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

import pytest

from navviz.analysis.causes.engine import causes_document, explain_episode
from navviz.analysis.contradictions import contradictions
from navviz.analysis.repairs import suggest_repairs
from navviz.analysis.replays import explained_document, with_findings
from navviz.analysis.scanners.registry import get_scanners, scan_run
from navviz.analysis.slices import run_features
from navviz.language.mentions import LONGEST_ANSWER, readable_trace
from navviz.records import Call, Landmark, SubGoal
from navviz.records.episode import LONGEST_INSTRUCTION
from navviz.runs.run import OpenRun
from navviz.support.cut_texts import LONGEST_NAME
from navviz.world.graph import Poi
from tests.replays import full_trace, tiny_graph
from tests.sites import tiny_run

LENGTH = 400_000
TEXTS = {
    "blanks": "the" + " " * LENGTH + "light",
    "breaks": "\n" * LENGTH,
    "letter": "a" * LENGTH,
    "words": "turn left at the first bank, then " * (LENGTH // 34),
    "ids": "w0 e0 x " * (LENGTH // 8),
}
LIMIT_S = 10.0
"""Processor time: each of these takes about one second, and took minutes where a part of the work
grew with the square of a text.
"""


def _why(run: OpenRun) -> None:
    for key, trace in run.traces.items():
        causes_document(explain_episode(trace, run.graph(key)))


def _replay(run: OpenRun) -> None:
    for key, trace in run.traces.items():
        explained_document(with_findings(trace, run.graph(key)), run.graph(key))


def _repairs(run: OpenRun) -> None:
    for key, trace in run.traces.items():
        suggest_repairs(trace.episode, run.graph(key))
        contradictions(trace.episode, run.graph(key))


ANALYSES: dict[str, Callable[[OpenRun], object]] = {
    "score": lambda run: run.scores,
    "why": _why,
    "scan": lambda run: scan_run(run.traces, run.graph_of, get_scanners()),
    "slices": lambda run: run_features(run.traces, run.graph_of),
    "replay": _replay,
    "repairs": _repairs,
}


class _TooLongError(Exception):
    """The limit of processor time is met."""


def _spin() -> None:
    while True:
        pass


@contextmanager
def limited() -> Iterator[None]:
    """End what takes more than the limit of this process's own time, however busy the machine."""

    def stop(_number: int, _frame: FrameType | None) -> None:
        raise _TooLongError

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, LIMIT_S)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
@pytest.mark.parametrize("analysis", ANALYSES.values(), ids=ANALYSES)
def test_a_long_text_in_every_field_is_analysed(
    text: str, analysis: Callable[[OpenRun], object]
) -> None:
    run = tiny_run(text=text)
    ((key, trace),) = run.run.traces.items()
    landmarks = (*trace.landmarks, Landmark(name=f"the {text}"))
    run.run.traces[key] = trace.model_copy(update={"landmarks": landmarks})
    with limited():
        analysis(run)


def test_a_limit_ends_what_takes_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(f"{__name__}.LIMIT_S", 0.05)
    with pytest.raises(_TooLongError), limited():
        _spin()


def test_answers_are_cut_for_analysis_and_kept_in_the_record() -> None:
    text = "left " * 100_000
    trace = full_trace()
    steps = (
        trace.steps[0].model_copy(update={"calls": (Call(thoughts=text, reply=text),)}),
        *trace.steps[1:],
    )
    long = trace.model_copy(update={"steps": steps})
    read = readable_trace(long).steps[0].calls[0]
    cut = "… [cut: of 500,000 characters the first 50,000 are read]"
    for part in (read.thoughts, read.reply):
        assert part is not None
        assert len(part) == LONGEST_ANSWER
        assert part.endswith(cut)
    assert long.steps[0].calls[0].thoughts == text
    assert readable_trace(trace) is trace
    explained = explain_episode(long, tiny_graph())
    assert explained.is_cut
    said = causes_document(explained)["unchecked"]
    assert said.endswith("the first 50,000 characters are read; the rest is cut.")
    assert not explain_episode(trace, tiny_graph()).is_cut


def test_names_and_plans_are_cut_and_say_so() -> None:
    text = "bank " * 80_000
    assert len(Landmark(name=text).name) == LONGEST_NAME
    poi = Poi("p", (0.0, 0.0), {"name": text, "amenity": "bank"})
    assert poi.name.endswith("… [cut: of 400,000 characters the first 1,000 are read]")
    assert poi.tags["amenity"] == "bank"
    assert len(SubGoal(description=text).description) == LONGEST_INSTRUCTION

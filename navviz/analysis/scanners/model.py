"""A language model as a scanner: it reads a failed walk and fills the failure taxonomy, as an
annotator would.

Its labels are annotations like any other (annotator ``model:NAME``), so that agreement with people
is told by the same statistics. It never reads what people said.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Final, get_args

from navviz.annotation.guidelines import DEFAULT_GUIDELINES
from navviz.annotation.records import Answer, CauseVerdict, FailureLabel, Failures, Item, Rating
from navviz.annotation.taxonomy import Level, Taxonomy
from navviz.errors import ModelError
from navviz.llm.base import LanguageModel, Request
from navviz.metrics.agreement import cohen_kappa
from navviz.records import Call, Explanation, Message, Step, Trace
from navviz.systems.asking import parse_object

_LONGEST_THOUGHTS: Final = 600
"""Characters of a step's thoughts in the prompt: the beginning of a summary says what was decided.
"""

_MOST_LABELS: Final = 4


@dataclass(frozen=True, slots=True)
class Labelled:
    """What a model said of one walk."""

    failures: Failures
    call: Call
    unknown: tuple[str, ...] = ()
    """Codes that it named and the taxonomy does not have."""


@dataclass(frozen=True, slots=True)
class ModelKappa:
    """How well a model agrees with one annotator."""

    annotator: str
    level: Level
    kappa: float | None
    """Cohen's kappa over all pairs of a walk and a code, each used or not; ``None`` where nothing
    varies.
    """
    walks: int
    """Walks that both labelled."""


def model_prompt(trace: Trace, explained: str, taxonomy: Taxonomy) -> tuple[Message, ...]:
    """Write the prompt: codes with their help, instruction, plan, steps, and the walk's end."""
    lines = []
    for label in taxonomy.labels():
        if label.level == "subcategory":
            lines.append(f"{label.code}: {' / '.join(label.titles)}. {label.help}")
    codes = "\n".join(lines)
    task = (
        "You read the log of an agent that followed walking directions and missed the goal. Say"
        f" why, with codes of this list. Name one to {_MOST_LABELS} codes, the most important"
        f" first, each with the step where it shows, or null.\n\n{codes}\n\nReply with JSON only:"
        ' {"labels": [{"code": "...", "step": 1, "why": "one short sentence"}]}'
    )
    walk = f"{walk_text(trace)}\n\nEnd: {explained}"
    return (Message(role="system", text=task), Message(role="user", text=walk))


def walk_text(trace: Trace) -> str:
    """Return what a model reads of a walk: directions, plan, and a line for each step."""
    goals = [f"{k}. {goal.description}" for k, goal in enumerate(trace.sub_goals, 1)]
    plan = "\n".join(goals) or "none"
    steps = "\n".join(_step_line(step, trace) for step in trace.steps) or "none"
    return f"Directions: {trace.episode.instruction}\n\nPlan:\n{plan}\n\nSteps:\n{steps}"


def _step_line(step: Step, trace: Trace) -> str:
    plan = step.plan or trace.sub_goals
    due = (
        plan[step.sub_goal].description
        if step.sub_goal is not None and step.sub_goal < len(plan)
        else ""
    )
    thoughts = " ".join(" ".join(call.thoughts or "" for call in step.calls).split())[
        :_LONGEST_THOUGHTS
    ]
    decision = step.decision
    did = (
        "no decision"
        if decision is None
        else f"target {decision.target}, status {decision.sub_goal_status}"
    )
    illegal = (
        f" (not carried out: {decision.reason})"
        if decision is not None and not decision.legal
        else ""
    )
    return (
        f"{step.index}. sub-goal “{due}”; {did}{illegal}; moved over {len(step.path)} nodes."
        f" {thoughts}".rstrip()
    )


def label_failures(
    trace: Trace, explained: str, llm: LanguageModel, taxonomy: Taxonomy
) -> Labelled:
    """Ask a model for the failure codes of one walk.

    Raises `ModelError` when the call fails or the reply cannot be read; the reason is in the text.
    """
    request = Request(
        model_prompt(trace, explained, taxonomy), purpose="label failures", schema=_schema(taxonomy)
    )
    call = next((piece for piece in llm.stream(request) if isinstance(piece, Call)), None)
    if call is None or call.error is not None:
        raise ModelError(
            f"Episode {trace.episode.id}:"
            f" {call.error if call is not None else 'the model said nothing'}."
        )
    try:
        entries = parse_object(call.reply)["labels"]
        labels = []
        for entry in entries:
            note = str(entry.get("why", ""))
            labels.append(FailureLabel(code=entry["code"], step=entry.get("step"), note=note))
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise ModelError(
            f"Episode {trace.episode.id}: the reply holds no labels ({error})."
        ) from error
    codes = {label.code for label in taxonomy.labels()}
    kept = {label.code: label for label in reversed(labels) if label.code in codes}
    unknown = tuple(label.code for label in labels if label.code not in codes)
    failures = Failures(
        taxonomy=taxonomy.name,
        taxonomy_version=taxonomy.version,
        labels=tuple(reversed(kept.values())),
    )
    return Labelled(failures, call, unknown)


def _schema(taxonomy: Taxonomy) -> dict[str, Any]:
    codes = [label.code for label in taxonomy.labels() if label.level == "subcategory"]
    label = {
        "type": "object",
        "properties": {
            "code": {"type": "string", "enum": codes},
            "step": {"type": "integer", "minimum": 1, "nullable": True},
            "why": {"type": "string"},
        },
        "required": ["code"],
    }
    return {
        "type": "object",
        "properties": {"labels": {"type": "array", "items": label}},
        "required": ["labels"],
    }


def kappa_against(
    labelled: Mapping[Item, Failures],
    ratings: Iterable[Rating],
    taxonomy: Taxonomy,
    level: Level = "category",
    codes: Sequence[str] = (),
) -> list[ModelKappa]:
    """Compare a model's labels with those of annotators, by Cohen's kappa over walks and codes."""
    every = tuple(codes) or tuple(label.code for label in taxonomy.labels() if label.level == level)
    given = sorted(
        (one for one in ratings if isinstance(one.value, Failures) and one.item in labelled),
        key=_annotator,
    )
    agreements = []
    for name, own in groupby(given, key=_annotator):
        pairs = [(labelled[one.item], one.value) for one in own if isinstance(one.value, Failures)]
        ours, theirs = (
            list(_used(side, every, level, taxonomy)) for side in zip(*pairs, strict=True)
        )
        agreements.append(ModelKappa(name, level, cohen_kappa(ours, theirs), len(pairs)))
    return agreements


def _annotator(rating: Rating) -> str:
    return rating.annotator


def _used(
    side: Iterable[Failures], codes: Sequence[str], level: Level, taxonomy: Taxonomy
) -> Iterator[bool]:
    """Tell whether each walk and code was used; labels of an earlier taxonomy are translated."""
    for one in side:
        now = one if one.taxonomy_version == taxonomy.version else taxonomy.translate(one)[0]
        used = taxonomy.at_level(now.codes, level)
        yield from (code in used for code in codes)


_LONGEST_QUOTE: Final = 1200
"""Characters of a quote in the prompt: a quoted prompt may be as long as all else together."""

_ANSWERS: Final[tuple[str, ...]] = get_args(Answer)


def judge_prompt(trace: Trace, cause: Explanation) -> tuple[Message, ...]:
    """Write the prompt: how to judge, the walk, the cause with its quotes."""
    reply = '{"answer": "yes | partly | no | cannot tell", "why": "one short sentence"}'
    task = (
        "You read the log of an agent that followed directions and failed, and a sentence that is"
        f" said to name the cause.\n\n{DEFAULT_GUIDELINES['cause']}\nReply with JSON only: {reply}"
    )
    quotes = []
    for quote in cause.quotes:
        where = quote.source if quote.step is None else f"{quote.source}, step {quote.step}"
        quotes.append(f"- {where}: {' '.join(quote.text.split())[:_LONGEST_QUOTE]}")
    claim = f"Said to be the cause, at step {cause.step}: {cause.sentence}\n" + "\n".join(quotes)
    return (
        Message(role="system", text=task),
        Message(role="user", text=f"{walk_text(trace)}\n\n{claim}"),
    )


def judge_cause(trace: Trace, cause: Explanation, llm: LanguageModel) -> CauseVerdict:
    """Ask a model whether a cause holds.

    Raises `ModelError` when the call fails or the reply holds none of the four answers.
    """
    request = Request(judge_prompt(trace, cause), purpose="judge a cause", schema=_judge_schema())
    call = next((piece for piece in llm.stream(request) if isinstance(piece, Call)), None)
    if call is None or call.error is not None:
        reason = "the model said nothing" if call is None else call.error
        raise ModelError(f"Episode {trace.episode.id}: {reason}.")
    try:
        reply = parse_object(call.reply)
        answer, why = str(reply["answer"]).strip().lower(), str(reply.get("why", ""))
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise ModelError(f"Episode {trace.episode.id}: the reply holds no answer.") from error
    if answer not in _ANSWERS:
        raise ModelError(
            f"Episode {trace.episode.id}: the reply says {answer[:40]!r}, not one of"
            f" {', '.join(_ANSWERS)}."
        )
    return CauseVerdict.model_validate({"answer": answer, "comment": why})


def _judge_schema() -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {
            "answer": {"type": "string", "enum": list(_ANSWERS)},
            "why": {"type": "string"},
        },
        "required": ["answer"],
    }

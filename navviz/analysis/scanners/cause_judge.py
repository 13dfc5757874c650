"""A language model as a judge of causes: it reads what annotators read, and answers as they do.

Its verdicts are annotations of ``model NAME``, so that they stand in the same table. It never reads
which detector found a cause, which causes are placebos, or what people said.
"""

from __future__ import annotations

from typing import Any, Final, get_args

from navviz.analysis.scanners.model import walk_text
from navviz.annotation.guidelines import DEFAULT_GUIDELINES
from navviz.annotation.records import Answer, CauseVerdict
from navviz.errors import ModelError
from navviz.llm.base import LanguageModel, Request
from navviz.records import Call, Cause, Message, Trace
from navviz.systems.asking import parse_object

_LONGEST_QUOTE: Final = 1200
"""Characters of a quote in the prompt: a quoted prompt may be as long as all else together."""
_ANSWERS: Final[tuple[str, ...]] = get_args(Answer)


def judge_prompt(trace: Trace, cause: Cause) -> tuple[Message, ...]:
    """Write the prompt: how to judge, the walk, the cause with its quotes.

    Parameters
    ----------
    trace
        The walk, with its texts.
    cause
        As annotators see it (`navviz.annotation.claims.CauseClaim.blind`).
    """
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


def judge_cause(trace: Trace, cause: Cause, llm: LanguageModel) -> CauseVerdict:
    """Ask a model whether a cause holds.

    Raises
    ------
    ModelError
        When the call fails or the reply holds none of the four answers.
    """
    request = Request(judge_prompt(trace, cause), purpose="judge a cause", schema=_schema())
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


def _schema() -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {
            "answer": {"type": "string", "enum": list(_ANSWERS)},
            "why": {"type": "string"},
        },
        "required": ["answer"],
    }

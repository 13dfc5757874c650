"""The wire format of OpenAI's chat completions, as vLLM, Ollama and hosted servers speak it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal

from tests.fake_servers.base import Action, Answer, FakeServer, Fault, Recorded, in_pieces

_FINISH = {"STOP": "stop", "MAX_TOKENS": "length", "SAFETY": "content_filter"}


class FakeOpenAI(FakeServer):
    """Give its `url` after the ``@`` of a model name.

    Parameters
    ----------
    actions
        As in `FakeServer`.
    reasoning
        The field in which thoughts are streamed; ``think`` puts them into the reply between tags.
    formats
        Response formats that the server knows; others are refused with 400.
    """

    def __init__(
        self,
        actions: Sequence[Action | str] | Callable[[Recorded], Action | str] = ("{}",),
        *,
        reasoning: Literal["reasoning_content", "reasoning", "think"] = "reasoning_content",
        formats: Sequence[str] = ("json_schema", "json_object"),
    ) -> None:
        self._reasoning, self._formats = reasoning, formats
        super().__init__(actions)

    @property
    def url(self) -> str:
        """Base URL with the version, as users write it."""
        return f"{self.address}/v1"

    def next_action(self, request: Recorded) -> Action:
        kind = (request.body.get("response_format") or {}).get("type")
        if kind is not None and kind not in self._formats:
            self.requests.append(request)
            return Fault(400, f"response_format {kind} is not supported")
        return super().next_action(request)

    def key_of(self, request: Recorded) -> str:
        return request.headers.get("authorization", "").removeprefix("Bearer ")

    def streams(self, request: Recorded) -> bool:
        return bool(request.body.get("stream"))

    def chunks(self, answer: Answer, request: Recorded) -> Iterator[str]:
        if answer.raw is not None:
            yield json.dumps(answer.raw)
            return
        yield json.dumps(_chunk(request, {"role": "assistant", "content": ""}))
        for delta in self._deltas(answer):
            yield json.dumps(_chunk(request, delta))
        if answer.finish is not None:
            yield json.dumps(_chunk(request, {}, _FINISH.get(answer.finish, answer.finish)))
        if answer.usage and (request.body.get("stream_options") or {}).get("include_usage"):
            yield json.dumps(_chunk(request, None) | {"usage": _usage(answer)})
        yield "[DONE]"

    def _deltas(self, answer: Answer) -> Iterator[dict[str, str]]:
        text, thoughts = answer.text, answer.thoughts
        if self._reasoning == "think" and thoughts:
            text, thoughts = f"<think>\n{thoughts}</think>\n\n{text}", ""
        for piece in in_pieces(thoughts, answer.pieces):
            yield {self._reasoning: piece}
        for piece in in_pieces(text, answer.pieces):
            yield {"content": piece}

    def whole(self, answer: Answer, request: Recorded) -> dict[str, Any]:
        message = {"role": "assistant", "content": answer.text, self._reasoning: answer.thoughts}
        finish = _FINISH.get(answer.finish or "", answer.finish)
        choice = {"index": 0, "message": message, "finish_reason": finish}
        return _chunk(request, None) | {
            "object": "chat.completion",
            "choices": [choice],
            "usage": _usage(answer),
        }

    def error(self, fault: Fault, message: str) -> dict[str, Any]:
        return {
            "error": {"message": message, "type": "fake_error", "param": None, "code": fault.reason}
        }


def _chunk(
    request: Recorded, delta: dict[str, str] | None, finish: str | None = None
) -> dict[str, Any]:
    choices = [] if delta is None else [{"index": 0, "delta": delta, "finish_reason": finish}]
    model = request.body.get("model", "")
    return {
        "id": "fake",
        "object": "chat.completion.chunk",
        "created": 0,
        "model": model,
        "choices": choices,
    }


def _usage(answer: Answer) -> dict[str, Any]:
    completion = answer.output_tokens + (answer.thoughts_tokens or 0)
    usage: dict[str, Any] = {
        "prompt_tokens": answer.prompt_tokens,
        "completion_tokens": completion,
        "total_tokens": answer.prompt_tokens + completion,
    }
    if answer.thoughts_tokens is not None:
        usage["completion_tokens_details"] = {"reasoning_tokens": answer.thoughts_tokens}
    if answer.cached_tokens is not None:
        usage["prompt_tokens_details"] = {"cached_tokens": answer.cached_tokens}
    return usage

"""The wire format of the Gemini API: ``models/MODEL:streamGenerateContent?alt=sse`` and
``:generateContent``.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from tests.fake_servers.base import Answer, FakeServer, Fault, Recorded, in_pieces

_STATUS = {
    400: "INVALID_ARGUMENT",
    401: "UNAUTHENTICATED",
    403: "PERMISSION_DENIED",
    404: "NOT_FOUND",
}
_STATUS |= {
    429: "RESOURCE_EXHAUSTED",
    500: "INTERNAL",
    503: "UNAVAILABLE",
    504: "DEADLINE_EXCEEDED",
}


class FakeGemini(FakeServer):
    """Give its `address` as ``ModelOptions.base_url`` or in ``GOOGLE_GEMINI_BASE_URL``."""

    def key_of(self, request: Recorded) -> str:
        return request.headers.get("x-goog-api-key", "")

    def streams(self, request: Recorded) -> bool:
        return "streamGenerateContent" in request.path

    def chunks(self, answer: Answer, request: Recorded) -> Iterator[str]:
        if answer.raw is not None:
            yield json.dumps(answer.raw)
            return
        if answer.blocked is not None:
            feedback = {
                "promptFeedback": {"blockReason": answer.blocked},
                "usageMetadata": {"promptTokenCount": 5},
            }
            yield json.dumps(feedback)
            return
        for piece in in_pieces(answer.thoughts, answer.pieces):
            yield json.dumps(
                _chunk(request, [{"text": piece, "thought": True}], _usage(answer, last=False))
            )
        for piece in in_pieces(answer.text, answer.pieces):
            yield json.dumps(_chunk(request, [{"text": piece}], _usage(answer, last=False)))
        last = _chunk(request, [{"text": ""}], _usage(answer, last=True))
        if answer.finish is not None:
            last["candidates"][0]["finishReason"] = answer.finish
        yield json.dumps(last)

    def whole(self, answer: Answer, request: Recorded) -> dict[str, Any]:
        if answer.raw is not None:
            return answer.raw
        thoughts = [{"text": answer.thoughts, "thought": True}] if answer.thoughts else []
        body = _chunk(request, [*thoughts, {"text": answer.text}], _usage(answer, last=True))
        body["candidates"][0]["finishReason"] = answer.finish
        return body

    def error(self, fault: Fault, message: str) -> dict[str, Any]:
        details: list[dict[str, Any]] = []
        if fault.reason is not None:
            kind = "type.googleapis.com/google.rpc.ErrorInfo"
            details.append({"@type": kind, "reason": fault.reason, "domain": "googleapis.com"})
        if fault.retry_delay is not None:
            kind = "type.googleapis.com/google.rpc.RetryInfo"
            details.append({"@type": kind, "retryDelay": fault.retry_delay})
        status = _STATUS.get(fault.status, "UNKNOWN")
        return {
            "error": {
                "code": fault.status,
                "message": message,
                "status": status,
                "details": details,
            }
        }


def _chunk(
    request: Recorded, parts: list[dict[str, Any]], usage: dict[str, int] | None
) -> dict[str, Any]:
    model = request.path.rpartition("models/")[2].partition(":")[0]
    body: dict[str, Any] = {
        "candidates": [{"content": {"parts": parts, "role": "model"}, "index": 0}],
        "modelVersion": model,
        "responseId": "fake",
    }
    return body if usage is None else body | {"usageMetadata": usage}


def _usage(answer: Answer, *, last: bool) -> dict[str, int] | None:
    if not answer.usage:
        return None
    if not last:
        return {"promptTokenCount": answer.prompt_tokens, "totalTokenCount": answer.prompt_tokens}
    counts = {
        "promptTokenCount": answer.prompt_tokens,
        "candidatesTokenCount": answer.output_tokens,
        "thoughtsTokenCount": answer.thoughts_tokens,
        "cachedContentTokenCount": answer.cached_tokens,
    }
    known = {name: count for name, count in counts.items() if count is not None}
    total = answer.prompt_tokens + answer.output_tokens + (answer.thoughts_tokens or 0)
    return known | {"totalTokenCount": total}

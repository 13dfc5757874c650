"""Gemini through google-genai: streaming, thoughts, thinking level, JSON schema, tokens."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Mapping
from typing import Any

from google import genai
from google.genai import errors, types
from pydantic import SecretStr

from navviz.llm import streaming
from navviz.llm.addresses import key_label
from navviz.llm.base import Request
from navviz.llm.pictures import missing_text
from navviz.llm.retries import connection_fault, parse_retry_after_s, parse_retry_info_s, redirected
from navviz.llm.streaming import ModelOptions, StreamingModel, StreamPiece
from navviz.records import Message, Price, ToolCall, Usage
from navviz.records.provider_messages import fault_of_code

_THINKING_BUDGETS = {"low": 1024, "high": 24576}
"""Tokens for models before Gemini 3, which know budgets instead of levels."""


class Gemini(StreamingModel):
    """A Gemini model of the Gemini Developer API.

    `model`: name as Google writes it: ``gemini-3.1-pro-preview``. `options`: thinking level,
    temperature, time limit, retries; `ModelOptions.base_url` is for proxies and tests. `price`: for
    the cost of the calls; ``None`` where it is not known. `typed_in`: whether the key was typed in
    rather than found in the environment (for error texts).
    """

    vendor = "Gemini"

    def __init__(
        self,
        model: str,
        key: SecretStr,
        options: ModelOptions,
        price: Price | None = None,
        *,
        typed_in: bool = False,
    ) -> None:
        super().__init__(f"gemini:{model}", options, key, price)
        self.model = model
        self._key_label = key_label("gemini", key if typed_in else None)
        # one attempt and no time limit of the client: `StreamingModel` asks again itself, so that a
        # stop ends the waits too, and `loop.iterate` limits the silence, not the length of an
        # answer
        http = types.HttpOptions(
            base_url=options.base_url,
            retry_options=types.HttpRetryOptions(attempts=1),
            timeout=None,
            # a redirect would take the key along to another host; httpx and aiohttp, whichever is
            # there, know one of these names each, and the client leaves out the other
            client_args={"follow_redirects": False},
            async_client_args={"follow_redirects": False, "allow_redirects": False},
        )
        self._client = genai.Client(
            api_key=key.get_secret_value(), vertexai=False, http_options=http
        )
        self._may_think = True

    def close(self) -> None:
        """Close the connections; the model can be used no more."""
        with contextlib.suppress(TimeoutError):
            streaming.run(self._client.aio.aclose())
        self._client.close()

    async def _pieces(self, request: Request) -> AsyncIterator[StreamPiece]:
        try:
            async for piece in self._stream_of(request):
                yield piece
        except errors.ClientError as error:
            # a level that the user chose is never dropped
            may_think = self._may_think and self.options.thinking == "default"
            if not (may_think and error.code == 400 and "think" in str(error.message).lower()):
                raise
            self._may_think = False
            async for piece in self._stream_of(request):
                yield piece

    async def _stream_of(self, request: Request) -> AsyncIterator[StreamPiece]:
        chunks = await self._client.aio.models.generate_content_stream(
            model=self.model, contents=contents_of(request.messages), config=self._config(request)
        )
        async for chunk in chunks:
            yield piece_of(chunk)

    def _config(self, request: Request) -> types.GenerateContentConfig:
        system = "\n\n".join(
            message.text for message in request.messages if message.role == "system"
        )
        options = self.options
        limit = (
            request.max_output_tokens
            if options.max_output_tokens is None
            else options.max_output_tokens
        )
        return types.GenerateContentConfig(
            system_instruction=system or None,
            temperature=request.temperature if options.temperature is None else options.temperature,
            max_output_tokens=limit,
            stop_sequences=list(request.stop) or None,
            response_mime_type="application/json" if request.schema is not None else None,
            response_json_schema=request.schema,
            thinking_config=self._thinking() if self._may_think else None,
            automatic_function_calling=types.AutomaticFunctionCallingConfig(disable=True),
            automatic_continuation=False,
        )

    def _thinking(self) -> types.ThinkingConfig:
        level = self.options.thinking
        if level == "default":
            return types.ThinkingConfig(include_thoughts=True)
        if self.model.rpartition("/")[2].startswith("gemini-2"):
            return types.ThinkingConfig(
                include_thoughts=True, thinking_budget=_THINKING_BUDGETS[level]
            )
        return types.ThinkingConfig(
            include_thoughts=True, thinking_level=types.ThinkingLevel(level.upper())
        )

    def _sorted_fault(self, error: Exception) -> Exception:
        if isinstance(error, errors.APIError):
            return self._status_fault(error)
        if isinstance(error, errors.UnknownApiResponseError):
            return self._transient("Gemini answered with something that is no JSON.")
        where = self.options.base_url or "its address"
        return connection_fault(error, f"Gemini cannot be reached at {where}") or error

    def _status_fault(self, error: errors.APIError) -> Exception:
        # the texts of faults end with a full stop or not; the sentence around it has its own
        code, message = int(error.code or 0), self._told(error.message or "")
        if code in {401, 403} or (
            code == 400
            and ("API_KEY" in str(error.details) or "api key" in (error.message or "").lower())
        ):
            return self._refused(
                f"Gemini refused {self._key_label} ({code}: {message}); check the key, and that it"
                f" may use {self.model}."
            )
        if 300 <= code < 400:
            return self._refused(redirected("Gemini", code))
        if code == 404:
            return self._refused(
                f"Gemini does not know the model {self.model!r} ({message}); check its name."
            )
        if code == 429:
            server_wait_s = parse_retry_info_s(error.details)
            if server_wait_s is None:
                server_wait_s = parse_retry_after_s(_headers(error))
            wait = "" if server_wait_s is None else f" for {server_wait_s:g} seconds"
            sentence = f"Gemini asks to wait{wait} (429: {message})."
            return self._transient(sentence, server_wait_s, "quota (429)")
        if code >= 500 or code in {0, 408, 499}:
            return self._transient(
                f"Gemini had a fault of its own ({code}: {message}).",
                parse_retry_after_s(_headers(error)),
                fault_of_code(code) or "no answer",
            )
        return self._refused(f"Gemini refused the request ({code}: {message}).")


def _headers(error: errors.APIError) -> Mapping[str, str]:
    headers: Any = getattr(error.response, "headers", None)
    return dict(headers) if headers is not None else {}


def contents_of(messages: tuple[Message, ...]) -> list[types.ContentUnion]:
    """Return messages in Google's form, but for the system's, which belong to the configuration."""
    roles = {"user": "user", "assistant": "model"}
    contents: list[types.ContentUnion] = []
    for message in messages:
        # system messages go into the configuration of the call
        if message.role in roles:
            parts = _parts(message)
            contents.append(types.Content(role=roles[message.role], parts=parts))
    return contents


def _parts(message: Message) -> list[types.Part]:
    """Return texts and pictures in the order in which they stand in a message."""
    if not message.pictures:
        return [types.Part(text=message.text)]
    parts = []
    for part in message.parts:
        if isinstance(part, str):
            parts.append(types.Part(text=part))
        elif part.raw is None:
            parts.append(types.Part(text=missing_text(part)))
        else:
            blob = types.Blob(mime_type=part.mime or "image/jpeg", data=part.raw)
            parts.append(types.Part(inline_data=blob))
    return parts


def piece_of(chunk: types.GenerateContentResponse) -> StreamPiece:
    """Return what a chunk of a stream tells, or a whole answer."""
    candidate = chunk.candidates[0] if chunk.candidates else None
    content = candidate.content if candidate is not None else None
    parts = (content.parts if content is not None else None) or []
    finish = candidate.finish_reason if candidate is not None else None
    feedback = chunk.prompt_feedback
    block = feedback.block_reason if feedback is not None else None
    message = candidate.finish_message if candidate is not None else None
    if message is None and feedback is not None:
        message = feedback.block_reason_message
    called = [part.function_call for part in parts if part.function_call is not None]
    return StreamPiece(
        thoughts="".join(part.text or "" for part in parts if part.thought),
        reply="".join(part.text or "" for part in parts if not part.thought),
        usage=_usage(chunk.usage_metadata, ended=finish is not None),
        finish=finish.name if finish is not None else None,
        model=chunk.model_version,
        blocked=None
        if block is None
        else f"Gemini will not answer this prompt (block reason {block.name}).",
        tool_calls=tuple(ToolCall(name=each.name or "", args=each.args or {}) for each in called),
        finish_message=message or None,
        block_reason=None if block is None else block.name,
    )


def _usage(
    counts: types.GenerateContentResponseUsageMetadata | None, *, ended: bool
) -> Usage | None:
    if counts is None:
        return None
    usage = Usage(
        prompt_tokens=counts.prompt_token_count,
        thoughts_tokens=counts.thoughts_token_count,
        output_tokens=counts.candidates_token_count,
        cached_tokens=counts.cached_content_token_count,
    )
    return usage.with_total(counts.total_token_count) if ended else usage

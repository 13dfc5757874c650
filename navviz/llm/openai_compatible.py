"""Any server with OpenAI's chat completions (vLLM, Ollama, hosted), through openai."""

from __future__ import annotations

import contextlib
import math
from collections.abc import AsyncIterator, Mapping
from dataclasses import replace
from typing import Any, Literal, cast

import openai
from openai.types.chat import ChatCompletionChunk
from openai.types.chat.chat_completion_chunk import Choice, ChoiceDelta
from openai.types.completion_usage import CompletionUsage
from pydantic import SecretStr

from navviz.llm import streaming
from navviz.llm.addresses import ADDRESSES_VARIABLE, key_label
from navviz.llm.base import Request, schema_note
from navviz.llm.pictures import openai_content
from navviz.llm.retries import connection_fault, parse_retry_after_s, redirected
from navviz.llm.streaming import ModelOptions, StreamingModel, StreamPiece
from navviz.records import Message, Price, ToolCall, Usage
from navviz.records.provider_messages import called_functions, fault_of_code
from navviz.support.guarded import decode_reply, natural
from navviz.support.notes import warn

_OPEN, _CLOSE = "<think>", "</think>"


class ThinkTags:
    """Splits a streaming reply that begins with ``<think>``; other replies pass unchanged."""

    def __init__(self) -> None:
        self._waiting = ""
        self._state = "start"

    def split(self, text: str) -> tuple[str, str]:
        """Take the next piece; return what it adds to (thoughts, reply)."""
        if self._state == "after":  # blank lines between thoughts and reply belong to neither
            text = text.lstrip("\n")
            self._state = "reply" if text else "after"
        if self._state in {"reply", "after"} or not text:
            return "", text
        self._waiting += text
        if self._state == "start" and not self._begin():
            return "", ""
        return self._inside() if self._state == "inside" else ("", self._release())

    def _begin(self) -> bool:
        """Leave the state ``start`` once it is clear how the reply begins."""
        begin = self._waiting.lstrip()
        if begin.startswith(_OPEN):
            self._state, self._waiting = "inside", begin[len(_OPEN) :].lstrip("\n")
        # a piece may end within the tag, so the state stays open as long as a tag is possible
        elif not _OPEN.startswith(begin):
            self._state = "reply"
        return self._state != "start"

    def _inside(self) -> tuple[str, str]:
        thoughts, tag, reply = self._waiting.partition(_CLOSE)
        if tag:
            reply = reply.lstrip("\n")
            self._state, self._waiting = ("reply" if reply else "after"), ""
            return thoughts, reply
        # the piece may end with the first letters of the closing tag; they wait for the next piece
        keep = next(
            (n for n in range(len(_CLOSE) - 1, 0, -1) if self._waiting.endswith(_CLOSE[:n])), 0
        )
        cut = len(self._waiting) - keep
        thoughts, self._waiting = self._waiting[:cut], self._waiting[cut:]
        return thoughts, ""

    def _release(self) -> str:
        text, self._waiting = self._waiting, ""
        return text

    def rest(self) -> tuple[str, str]:
        """Return what was held back when the stream ended, as (thoughts, reply)."""
        text = self._release()
        return (text, "") if self._state == "inside" else ("", text)


SchemaMode = Literal["json_schema", "json_object", "plain"]

_SCHEMA_MODES: tuple[SchemaMode, ...] = ("json_schema", "json_object", "plain")
"""Ways to ask for a reply that follows a schema, the strictest first."""

_NO_KEY = "none"

_GIVE_KEY = "set OPENAI_API_KEY, or type the key into the Live page"

_GIVE_KEY_TO_ADDRESS = (
    "type the key into the Live page, or set OPENAI_API_KEY and list the address in"
    f" {ADDRESSES_VARIABLE}"
)


class OpenAICompatible(StreamingModel):
    """A model behind an OpenAI-compatible server.

    `url`: base URL (``http://localhost:11434/v1``); ``None`` for OpenAI itself. `options`: thinking
    level (sent as ``reasoning_effort``), temperature, time limit, retries. `price`: for the cost of
    the calls; ``None`` where it is not known. `typed_in`: whether the key was typed in rather than
    found in the environment (for error texts).
    """

    def __init__(
        self,
        model: str,
        url: str | None,
        key: SecretStr | None,
        options: ModelOptions,
        price: Price | None = None,
        *,
        typed_in: bool = False,
    ) -> None:
        super().__init__(f"openai:{model}" + (f"@{url}" if url else ""), options, key, price)
        self.model, self.url = model, url
        self.vendor = f"The server at {url}" if url else "OpenAI"
        self._key_label = "a request without a key"
        if key:
            self._key_label = key_label("openai", key if typed_in else None)
        self._mode: SchemaMode = "json_schema"
        self._tells_logprobs = True
        self._is_whole = False
        # Another address learns nothing of the environment: the client would send the account's
        # names along.
        hidden = {}
        if url is not None:
            hidden = {"OpenAI-Organization": openai.Omit(), "OpenAI-Project": openai.Omit()}
        self._client = openai.AsyncOpenAI(
            # without a key the client would take OPENAI_API_KEY and send it to any address
            api_key=key.get_secret_value() if key else _NO_KEY,
            base_url=url,
            # `StreamingModel` asks again itself, and limits the silence of the server
            max_retries=0,
            timeout=None,
            # a redirect would take prompts, and on the same host the key, to another place
            http_client=openai.DefaultAsyncHttpxClient(follow_redirects=False, timeout=None),
            default_headers=cast("Mapping[str, str]", hidden),
        )

    def close(self) -> None:
        """Close the connections; the model can be used no more."""
        with contextlib.suppress(TimeoutError):
            streaming.run(self._client.close())

    async def _pieces(self, request: Request) -> AsyncIterator[StreamPiece]:
        """Ask; where the server refuses probabilities with 400, remember that and ask without."""
        if request.logprobs and self._tells_logprobs:
            try:
                async for piece in self._stream_by_mode(request):
                    yield piece
            except openai.APIStatusError as error:
                # servers built on FastAPI answer 422 to a field that they do not take
                if error.status_code not in {400, 422} or _is_about_key(error):
                    raise
            else:
                return
        without = replace(request, logprobs=False)
        async for piece in self._stream_by_mode(without):
            yield piece
        if request.logprobs:
            # only now: the same prompt went through without them, so they were the reason
            self._tells_logprobs = False

    async def _stream_by_mode(self, request: Request) -> AsyncIterator[StreamPiece]:
        """Ask; where the server refuses the schema with 400, remember that and ask more loosely."""
        modes = (
            _SCHEMA_MODES[_SCHEMA_MODES.index(self._mode) :]
            if request.schema is not None
            else ("plain",)
        )
        first_error: openai.APIStatusError | None = None
        for mode in modes:
            try:
                async for piece in self._stream_of(request, mode):
                    yield piece
            except openai.APIStatusError as error:
                # where all ways fail, the first error is about the request as it was meant
                first_error = first_error or error
                if error.status_code not in {400, 422} or _is_about_key(error):
                    raise
            else:
                if request.schema is not None:
                    self._mode = mode
                return
        if first_error is not None:
            raise first_error

    async def _stream_of(self, request: Request, mode: SchemaMode) -> AsyncIterator[StreamPiece]:
        messages = list(request.messages)
        if request.schema is not None and mode != "json_schema":
            note = schema_note(request.schema)
            messages.append(note)
            # the trace must show the prompt as it was sent
            yield StreamPiece(note=note)
        chunks = self._chunks(
            await self._client.chat.completions.create(**self._arguments(request, messages, mode))
        )
        tags, calls, refusal = ThinkTags(), _CalledFunctions(), ""
        async for chunk in chunks:
            yield _piece(chunk, tags)
            delta = chunk.choices[0].delta if chunk.choices else None
            calls.add(delta)
            refusal += (delta.refusal or "") if delta is not None else ""
        thoughts, reply = tags.rest()
        called = calls.whole()
        if thoughts or reply or called or refusal:
            yield StreamPiece(
                thoughts=thoughts,
                reply=reply,
                tool_calls=called,
                finish_message=refusal or None,
                block_reason="refusal" if refusal else None,
            )

    async def _chunks(
        self, stream: openai.AsyncStream[ChatCompletionChunk]
    ) -> AsyncIterator[ChatCompletionChunk]:
        """Yield a stream's chunks; an answer that came whole, as some proxies give it, is one."""
        if "json" not in stream.response.headers.get("content-type", ""):
            async for chunk in stream:
                yield chunk
            return
        body = decode_reply((await stream.response.aread()).decode("utf-8", "replace"))
        if not isinstance(body, dict) or "choices" not in body:
            raise openai.APIError("an answer without choices", stream.response.request, body=body)
        if not self._is_whole:
            self._is_whole = True
            warn([f"{self.vendor} streams no replies: each is shown when it is whole"])
        for choice in body["choices"]:
            choice["delta"] = choice.pop("message")
            for index, call in enumerate(choice["delta"].get("tool_calls") or ()):
                call["index"] = index
        yield ChatCompletionChunk.construct(**body)

    def _arguments(
        self, request: Request, messages: list[Message], mode: SchemaMode
    ) -> dict[str, Any]:
        options = self.options
        limit = (
            request.max_output_tokens
            if options.max_output_tokens is None
            else options.max_output_tokens
        )
        arguments: dict[str, Any] = {
            "model": self.model,
            "messages": [
                {"role": message.role, "content": openai_content(message)} for message in messages
            ],
            "stream": True,
            "stream_options": {"include_usage": True},
            "temperature": (
                request.temperature if options.temperature is None else options.temperature
            ),
            # OpenAI's reasoning models refuse max_tokens, which other servers know alone
            "max_completion_tokens" if self.url is None else "max_tokens": limit,
            "reasoning_effort": None if options.thinking == "default" else options.thinking,
            "stop": list(request.stop) or None,
            "response_format": _response_format(request.schema, mode),
            "logprobs": request.logprobs or None,
        }
        return {name: value for name, value in arguments.items() if value is not None}

    def _sorted_fault(self, error: Exception) -> Exception:
        if isinstance(error, openai.APIStatusError):
            return self._status_fault(
                error.status_code,
                self._told(_message(error)),
                parse_retry_after_s(dict(error.response.headers)),
            )
        if isinstance(error, openai.APIConnectionError):
            cause = error.__cause__ or error
            sentence = f"{self.vendor} cannot be reached"
            return connection_fault(cause, sentence) or self._transient(
                f"{sentence}; check the address and the network."
            )
        if isinstance(error, openai.APIError):  # an error event within the stream
            code = natural(str(error.code or ""))
            if code is not None and 400 <= code < 500:
                return self._status_fault(code, self._told(_message(error)), None)
            message = self._told(_message(error))
            return self._transient(f"{self.vendor} broke off with an error ({message}).")
        if isinstance(error, ValueError):
            return self._transient(f"{self.vendor} answered with something that is no JSON.")
        return connection_fault(error, f"{self.vendor} cannot be reached") or error

    def _status_fault(self, code: int, message: str, server_wait_s: float | None) -> Exception:
        if code in {401, 403}:
            do = "check the key"
            if not self._key:
                do = _GIVE_KEY if self.url is None else _GIVE_KEY_TO_ADDRESS
            return self._refused(
                f"{self.vendor} refused {self._key_label} ({code}: {message}); {do}."
            )
        if code == 404:
            return self._refused(
                f"{self.vendor} does not know the model {self.model!r} ({code}: {message}); check"
                " name and address."
            )
        # OpenAI answers 429 to an empty account too, where no wait helps
        if code == 429 and "quota" in message.lower() and server_wait_s is None:
            what = f"{self.vendor}: the quota of {self._key_label} is used up ({message})."
            return self._transient(what, math.inf, "quota (429)")
        if code == 429:
            wait = "" if server_wait_s is None else f" for {server_wait_s:g} seconds"
            return self._transient(
                f"{self.vendor} asks to wait{wait} (429: {message}).", server_wait_s, "quota (429)"
            )
        if code >= 500 or code in {408, 409}:
            return self._transient(
                f"{self.vendor} had a fault of its own ({code}: {message}).",
                server_wait_s,
                fault_of_code(code) or f"fault of the server ({code})",
            )
        sentence = f"{self.vendor} refused the request ({code}: {message})."
        return self._refused(redirected(self.vendor, code) if 300 <= code < 400 else sentence)


def _message(error: openai.APIError) -> str:
    body = error.body
    # OpenAI wraps the fields of an error; some servers send them bare
    inner = body.get("error", body) if isinstance(body, dict) else body
    text = inner.get("message") if isinstance(inner, dict) else inner
    return str(text or error.message)


def _is_about_key(error: openai.APIStatusError) -> bool:
    return "api key" in _message(error).lower() or str(error.code) == "invalid_api_key"


def _response_format(schema: Mapping[str, Any] | None, mode: SchemaMode) -> dict[str, Any] | None:
    if schema is None or mode == "plain":
        return None
    if mode == "json_object":
        return {"type": "json_object"}
    return {"type": "json_schema", "json_schema": {"name": "reply", "schema": schema}}


def _piece(chunk: ChatCompletionChunk, tags: ThinkTags) -> StreamPiece:
    # with include_usage the last chunk holds the counts and no choice
    choice = chunk.choices[0] if chunk.choices else None
    delta = choice.delta if choice is not None else None
    extra = (delta.model_extra or {}) if delta is not None else {}
    # no field of OpenAI's own API: servers of open models use either name for the thoughts
    reasoning = extra.get("reasoning_content") or extra.get("reasoning") or ""
    thoughts, reply = tags.split((delta.content if delta is not None else None) or "")
    return StreamPiece(
        thoughts=(reasoning if isinstance(reasoning, str) else "") + thoughts,
        reply=reply,
        usage=_usage(chunk.usage),
        finish=choice.finish_reason if choice is not None else None,
        model=chunk.model or None,
        logprobs=_logprobs(choice),
    )


class _CalledFunctions:
    """Functions that a model calls: name and arguments stream in pieces."""

    def __init__(self) -> None:
        self._pieces: dict[int, dict[str, str]] = {}

    def add(self, delta: ChoiceDelta | None) -> None:
        """Take the pieces of a chunk."""
        for called in (delta.tool_calls if delta is not None else None) or ():
            function = called.function
            if function is None:
                continue
            piece = self._pieces.setdefault(called.index, {"name": "", "arguments": ""})
            piece["name"] += function.name or ""
            piece["arguments"] += function.arguments or ""

    def whole(self) -> tuple[ToolCall, ...]:
        """Return the calls, in the order in which they were made."""
        listed = [{"function": piece} for _, piece in sorted(self._pieces.items())]
        return called_functions({"tool_calls": listed})


def _logprobs(choice: Choice | None) -> tuple[tuple[str, float], ...]:
    tokens = choice.logprobs.content if choice is not None and choice.logprobs is not None else None
    # a trace is JSON, which has no infinity
    return tuple((each.token, each.logprob) for each in tokens or () if math.isfinite(each.logprob))


def _usage(counts: CompletionUsage | None) -> Usage | None:
    """Return the token counts of a server; what it leaves out is not known."""
    # OpenAI counts reasoning within the completion, `Usage` does not. Others (xAI) count it beside
    # the completion; their total says so
    if counts is None:
        return None
    # the client fills what a server leaves out with None, against its own types
    prompt: int | None = counts.prompt_tokens
    completion: int | None = counts.completion_tokens
    details = counts.completion_tokens_details
    thoughts = details.reasoning_tokens if details is not None else None
    output = completion
    if completion is not None and thoughts:
        apart = (
            thoughts > completion or counts.total_tokens == (prompt or 0) + completion + thoughts
        )
        output = completion if apart else completion - thoughts
    return Usage(
        prompt_tokens=prompt,
        thoughts_tokens=thoughts,
        output_tokens=output,
        cached_tokens=_cached(counts),
    )


_CACHED = ("prompt_cache_hit_tokens", "cached_tokens")
"""Where DeepSeek and Moonshot write what OpenAI writes into the details of the prompt."""


def _cached(counts: CompletionUsage) -> int | None:
    details = counts.prompt_tokens_details
    if details is not None and details.cached_tokens is not None:
        return details.cached_tokens
    extra = counts.model_extra or {}
    return next((extra[name] for name in _CACHED if isinstance(extra.get(name), int)), None)

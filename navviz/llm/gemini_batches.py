"""Gemini's batch mode: calls go as jobs, at half the price, and are answered within a day.

A job is noted in a file before it is sent, and its replies when they are there. So a process that
is killed loses no reply and pays for none twice: the next one walks on, asks for the same, and
finds it.
"""

from __future__ import annotations

import asyncio
import hashlib
import secrets
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from google import genai
from google.genai import errors, types
from pydantic import BaseModel, SecretStr, ValidationError

from navviz.llm import streaming
from navviz.llm.base import ModelDelta, Request
from navviz.llm.gemini import Gemini, contents_of, piece_of
from navviz.llm.streaming import ModelOptions, StreamPiece
from navviz.records import Call, Price
from navviz.support.guarded import FILE_BYTES, read_text, write_whole

if TYPE_CHECKING:
    import threading

_QUIET_S: Final = 2.0
"""A job is sent once no further call has come for so long: all walks take a step at a time."""
_POLL_S: Final = 30.0
_PATIENCE_S: Final = 30 * 86_400.0
_JOB_BYTES: Final = 15_000_000
"""Google takes 20 MB with the requests in the job itself."""
_TRIES: Final = 5
_ENDED: Final = frozenset({"SUCCEEDED", "PARTIALLY_SUCCEEDED", "FAILED", "CANCELLED", "EXPIRED"})
_STATUS: Final = {3: 400, 4: 504, 7: 403, 8: 429, 14: 503}
"""From codes of gRPC, which stand in the replies of a job, to those of HTTP."""

_Inquiry = tuple[str, types.InlinedRequest]


class _Job(BaseModel):
    """One job, as its file keeps it."""

    id: str
    """Its name of ours, by which it is found where we were killed before Google's name came."""
    keys: tuple[str, ...]
    name: str | None = None
    replies: tuple[dict[str, Any], ...] | None = None


class BatchedGemini(Gemini):
    """A Gemini model whose calls are gathered into jobs.

    `model` and `key` and `options` and `typed_in`: as for `Gemini`; no time limit holds, since a
    job may wait for a day.
    """

    def __init__(
        self,
        model: str,
        key: SecretStr,
        options: ModelOptions,
        price: Price | None,
        folder: Path,
        *,
        typed_in: bool = False,
    ) -> None:
        patient = options.model_copy(update={"timeout_s": _PATIENCE_S})
        half = price
        if price is not None:
            cached = None if price.cached_usd is None else price.cached_usd / 2
            half = Price(
                prompt_usd=price.prompt_usd / 2, output_usd=price.output_usd / 2, cached_usd=cached
            )
        super().__init__(model, key, patient, half, typed_in=typed_in)
        self._jobs = _Jobs(self._client, model, folder)

    def for_walk(self, walk: str, calls: int) -> _OfWalk:
        """Return the model for one walk, which has had so many calls: what it asks is then known
        again by a process that goes on with it.
        """
        return _OfWalk(self, walk, calls)

    def close(self) -> None:
        """Close the connections; jobs go on at Google."""
        streaming.run(self._jobs.leave())
        super().close()

    async def _stream_of(self, request: Request) -> AsyncIterator[StreamPiece]:
        inquiry = types.InlinedRequest(
            contents=contents_of(request.messages), config=self._config(request)
        )
        digest = hashlib.sha256(inquiry.model_dump_json(exclude_none=True).encode()).hexdigest()
        key = f"{request.extra.get('call', '')} {digest[:16]}"
        yield piece_of(await self._jobs.reply(key, inquiry))


class _OfWalk:
    """A model that numbers the calls of one walk."""

    def __init__(self, model: BatchedGemini, walk: str, calls: int) -> None:
        self.name = model.name
        self._model, self._walk, self._calls = model, walk, calls

    def stream(
        self, request: Request, cancel: threading.Event | None = None
    ) -> Iterator[ModelDelta | Call]:
        """Ask; see `navviz.llm.base.LanguageModel.stream`."""
        self._calls += 1
        call = f"{self._walk} {self._calls}"
        yield from self._model.stream(
            replace(request, extra={**request.extra, "call": call}), cancel
        )


class _Jobs:
    """The jobs of one model; all but the constructor runs on the clients' loop."""

    def __init__(self, client: genai.Client, model: str, folder: Path) -> None:
        self._client, self._model, self._folder = client, model, folder
        self._replies: dict[str, asyncio.Future[dict[str, Any]]] = {}
        self._waiting: list[_Inquiry] = []
        self._asked_s = 0.0
        self._tasks: set[asyncio.Task[None]] = set()
        self._sender: asyncio.Task[None] | None = None
        self._found: asyncio.Task[None] | None = None

    async def reply(self, key: str, inquiry: types.InlinedRequest) -> types.GenerateContentResponse:
        if self._found is None or (self._found.done() and self._found.exception() is not None):
            self._found = asyncio.create_task(self._find())
        # one walk that is stopped ends neither what others wait for nor the job
        await asyncio.shield(self._found)
        if key not in self._replies:
            self._replies[key] = asyncio.get_running_loop().create_future()
            self._waiting.append((key, inquiry))
            self._asked_s = time.monotonic()
            if self._sender is None or self._sender.done():
                self._sender = self._begin(self._send())
        try:
            reply = await asyncio.shield(self._replies[key])
        except Exception:
            # the next try is a call of another job
            self._replies.pop(key, None)
            raise
        if error := reply.get("error"):
            self._replies.pop(key, None)
            status = _STATUS.get(int(error.get("code") or 0), 500)
            raise errors.APIError(status, {"error": {**error, "code": status}})
        return types.GenerateContentResponse.model_validate(reply["response"])

    def _begin(self, work: Any) -> asyncio.Task[None]:  # noqa: ANN401 - a coroutine
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _find(self) -> None:
        """Take up what an earlier process has sent."""
        jobs = []
        for path in sorted(self._folder.glob("*.json")):
            try:
                jobs.append(_Job.model_validate_json(read_text(path, FILE_BYTES)))
            except ValidationError:
                path.unlink()  # nothing of it can be known
        for job in jobs:
            known = job
            if job.name is None:
                name = await self._named(job)
                if name is None:
                    self._path(job).unlink()
                    continue
                known = job.model_copy(update={"name": name})
                self._save(known)
            for key in known.keys:
                if key not in self._replies:
                    self._replies[key] = asyncio.get_running_loop().create_future()
            if known.replies is None:
                self._begin(self._wait(known))
            else:
                self._hand_out(known)

    async def _named(self, job: _Job) -> str | None:
        """Return Google's name of a job; ``None`` where it was never sent."""
        async for each in await self._client.aio.batches.list():
            if each.display_name == job.id:
                return each.name
        return None

    async def _send(self) -> None:
        while (quiet_s := time.monotonic() - self._asked_s) < _QUIET_S:
            await asyncio.sleep(_QUIET_S - quiet_s)
        waiting, self._waiting = self._waiting, []
        part: list[_Inquiry] = []
        size = 0
        for each in waiting:
            length = len(each[1].model_dump_json(exclude_none=True))
            if part and size + length > _JOB_BYTES:
                self._begin(self._submit(part))
                part, size = [], 0
            part.append(each)
            size += length
        self._begin(self._submit(part))

    async def _submit(self, inquiry: Sequence[_Inquiry]) -> None:
        job = _Job(id=f"navviz-{secrets.token_hex(8)}", keys=tuple(key for key, _ in inquiry))
        self._save(job)
        name = None
        for left in range(_TRIES - 1, -1, -1):
            try:
                # after a lost answer: the job may be there
                name = await self._named(job) if left < _TRIES - 1 else None
                if name is None:
                    made = await self._client.aio.batches.create(
                        model=self._model,
                        src=[each for _, each in inquiry],
                        config=types.CreateBatchJobConfig(display_name=job.id),
                    )
                    name = made.name
                break
            except errors.APIError as error:
                self._fail(job, error)
                return
            except Exception as error:  # noqa: BLE001 - of the transport, which the model sorts
                if not left:
                    self._fail(job, error)
                    return
                await asyncio.sleep(min(1.0, _POLL_S))
        job = job.model_copy(update={"name": name})
        self._save(job)
        await self._wait(job)

    async def _wait(self, job: _Job) -> None:
        """Look at a job until it has ended; a network that is gone for hours ends nothing."""
        while True:
            try:
                state = await self._client.aio.batches.get(name=job.name or "")
            except errors.APIError as error:
                if int(error.code or 0) < 500 and error.code != 429:
                    self._fail(job, error)
                    return
            except Exception:  # noqa: BLE001, S110 - of the transport
                pass
            else:
                if _word(state) in _ENDED:
                    break
            await asyncio.sleep(_POLL_S)
        came = (state.dest.inlined_responses if state.dest is not None else None) or []
        if len(came) != len(job.keys):
            message = f"the batch job {job.name} ended as {_word(state)}"
            self._fail(job, errors.APIError(500, {"error": {"code": 500, "message": message}}))
            return
        replies = [each.model_dump(mode="json", exclude_none=True) for each in came]
        job = job.model_copy(update={"replies": tuple(replies)})
        self._save(job)
        self._hand_out(job)

    def _hand_out(self, job: _Job) -> None:
        for key, reply in zip(job.keys, job.replies or (), strict=True):
            future = self._replies.get(key)
            # a later job answered what an earlier one could not
            if future is not None and future.done() and "error" not in reply:
                future = self._replies[key] = asyncio.get_running_loop().create_future()
            if future is not None and not future.done():
                future.set_result(reply)

    def _fail(self, job: _Job, error: Exception) -> None:
        self._path(job).unlink(missing_ok=True)
        for key in job.keys:
            future = self._replies.get(key)
            if future is not None and not future.done():
                future.set_exception(error)

    def _path(self, job: _Job) -> Path:
        return self._folder / f"{job.id}.json"

    def _save(self, job: _Job) -> None:
        write_whole(self._path(job), job.model_dump_json())

    async def leave(self) -> None:
        for task in self._tasks:
            task.cancel()
        for future in self._replies.values():
            future.cancel()


def _word(job: types.BatchJob) -> str:
    """Return a job's state: Google writes it with two prefixes."""
    return "" if job.state is None else job.state.name.rpartition("STATE_")[2]

"""Gemini's batch mode: ``models/MODEL:batchGenerateContent``, and ``batches/NAME`` as operations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tests.fake_servers.base import Action, Answer, Fault, Recorded
from tests.fake_servers.gemini import FakeGemini


class FakeGeminiBatches(FakeGemini):
    """Answers the requests of a job as the actions say, after it was looked at `looks` times."""

    def __init__(
        self,
        actions: Sequence[Action | str] | Callable[[Recorded], Action | str] = ("{}",),
        looks: int = 2,
    ) -> None:
        self.jobs: list[dict[str, Any]] = []
        """As they were sent, with ``looks`` that are left."""
        self.looks = looks
        super().__init__(actions)

    @property
    def paid(self) -> int:
        """Requests in all jobs."""
        return sum(len(job["requests"]) for job in self.jobs)

    def next_action(self, request: Recorded) -> Action:
        if ":batchGenerateContent" not in request.path:
            return super().next_action(request)
        batch = request.body["batch"]
        asked = batch["inputConfig"]["requests"]["requests"]
        model = request.path.rpartition("models/")[2].partition(":")[0]
        with self._lock:
            name = f"batches/job{len(self.jobs)}"
            job = {
                "name": name,
                "display": batch["displayName"],
                "requests": asked,
                "looks": self.looks,
                "replies": [],
            }
            self.jobs.append(job)
        for each in asked:
            one = Recorded(f"/models/{model}:generateContent", request.headers, each["request"])
            action = super().next_action(one)
            if isinstance(action, Fault):
                job["replies"].append({"error": {"code": action.status, "message": action.message}})
            else:
                assert isinstance(action, Answer)
                job["replies"].append({"response": self.whole(action, one)})
        return Answer(raw=self._operation(job))

    def streams(self, request: Recorded) -> bool:
        return ":batchGenerateContent" not in request.path and super().streams(request)

    def get(self, path: str) -> tuple[int, dict[str, Any]]:
        """Answer a look at one job, or at all."""
        name = path.partition("?")[0].rpartition("/batches")[2]
        if not name:
            return 200, {"operations": [self._operation(job) for job in self.jobs]}
        job = next((job for job in self.jobs if job["name"] == f"batches{name}"), None)
        if job is None:
            return 404, {"error": {"code": 404, "message": "no such job", "status": "NOT_FOUND"}}
        job["looks"] -= 1
        return 200, self._operation(job)

    def _operation(self, job: dict[str, Any]) -> dict[str, Any]:
        ended = job["looks"] <= 0
        state = "BATCH_STATE_SUCCEEDED" if ended else "BATCH_STATE_RUNNING"
        metadata = {"displayName": job["display"], "state": state}
        if ended:
            metadata["output"] = {"inlinedResponses": {"inlinedResponses": job["replies"]}}
        return {"name": job["name"], "metadata": metadata, "done": ended}

"""A skill's agent behind an HTTP address: the way in for the real DUET models.

It posts one JSON record::

    {"skill", "sub_goal", "instruction", "options": [node id ... or "stop"],
     "place": {"scan", "node", "heading_deg", "summary", "near": [name],
               "ways": [{"node", "heading_deg", "angle_deg", "rise_m", "distance_m", "path",
               "text"}]},
     "memory": {"visited": [node], "seen": [node], "links": [[a, b]], "stop_prob": {node:
     probability}}}

and takes ``{"scores": {option: number}}``, or the two branches of DUET, ``{"global": {...},
"local": {...}, "sigma"}``, which it fuses itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from navviz.errors import InputError, ModelError, Problems, SettingsError
from navviz.language.skills import Skill
from navviz.llm.base import Request
from navviz.llm.served import ask_served
from navviz.records import Call
from navviz.support.guarded import is_regular
from navviz.systems.asking import listen
from navviz.systems.skillnav.agents import BACKBONE, Scores, fuse
from navviz.systems.skillnav.logs.predictions import Prediction, read_predictions
from navviz.systems.skillnav.memory import (
    STOP,
    GlobalMap,
    Place,
    normalised,
    option_scores,
    options,
)
from navviz.systems.skillnav.prompts import agent_messages

if TYPE_CHECKING:
    from navviz.llm.base import LanguageModel


@dataclass
class ServedAgent:
    """An agent behind an address."""

    skill: Skill | None
    url: str
    scan: str = ""
    action_space: str = "global"
    timeout_s: float = 60.0

    @property
    def name(self) -> str:
        """Name of its skill."""
        return self.skill.value if self.skill is not None else BACKBONE

    def score(
        self, place: Place, sub_goal: str, instruction: str, memory: GlobalMap
    ) -> dict[str, float]:
        """Ask the server.

        Raises `SettingsError` where no address is given; `ModelError` where the server does not
        answer, or with something that is no scores; the sentence says which.
        """
        if not self.url.startswith(("http://", "https://")):
            raise SettingsError(
                "agents=http needs the setting url: the address that your server answers at (http://...)."
            )
        allowed = options(place, memory, self.action_space)
        record = {
            "skill": self.name,
            "sub_goal": sub_goal,
            "instruction": instruction,
            "options": list(allowed),
            "place": {
                "scan": self.scan,
                "node": place.node,
                "heading_deg": place.heading_deg,
                "summary": place.summary,
                "near": list(place.near),
                "ways": [asdict(way) for way in place.ways],
            },
            "memory": {
                "visited": list(memory.visited),
                "seen": list(memory.frontier),
                "links": [list(pair) for pair in memory.pairs()],
                "stop_prob": dict(memory.stop_prob),
            },
        }
        reply = ask_served(self.url, record, "agent", self.timeout_s)
        return _read(reply, allowed, memory, self.url)


def _read(reply: Mapping[str, Any], allowed: Sequence[str], memory: GlobalMap, url: str) -> Scores:
    globally, local, sigma = _part(reply, "global"), _part(reply, "local"), reply.get("sigma")
    if globally and local and isinstance(sigma, int | float):
        # a server may know more places than this walk offers
        offered = {node: value for node, value in globally.items() if node in allowed}
        fused = normalised(fuse(offered, local, float(sigma), memory), allowed)
        return Scores(fused, local=local, globally=offered, sigma=float(sigma))
    scores = _part(reply, "scores")
    if not any(value > 0 for node, value in scores.items() if node in allowed):
        raise ModelError(
            f"The agent at {url} gave no score above 0 for any of the {len(allowed)} options."
        )
    return Scores(normalised(scores, allowed), local=local or None, globally=globally or None)


def _part(reply: Mapping[str, Any], name: str) -> dict[str, float]:
    raw = reply.get(name)
    if not isinstance(raw, dict):
        return {}
    return option_scores(raw.items())


SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"scores": {"type": "object", "additionalProperties": {"type": "number"}}},
    "required": ["scores"],
}
"""JSON Schema of a reply."""


@dataclass
class AskedAgent:
    """A language model in place of one of the five agents.

    `request` and `read` are for walks, which show the reply as it streams in; `score` does both at
    once.
    """

    skill: Skill
    model: LanguageModel
    action_space: str = "global"
    prompt: str = ""
    """An edited prompt; the shipped one if empty."""

    @property
    def name(self) -> str:
        """Name of its skill."""
        return self.skill.value

    def request(self, place: Place, sub_goal: str, instruction: str, memory: GlobalMap) -> Request:
        """Return the request to the model."""
        allowed = options(place, memory, self.action_space)
        return Request(
            agent_messages(self.skill, place, sub_goal, instruction, memory, allowed, self.prompt),
            purpose="act",
            schema=SCHEMA,
        )

    def read(self, call: Call, place: Place, memory: GlobalMap) -> Scores:
        """Return the options' scores, which sum to 1; equal, with a note, where there are none."""
        allowed = options(place, memory, self.action_space)
        # an object, or a list of ``{id, score}``
        raw = (call.parsed or {}).get("scores")
        pairs: Sequence[tuple[object, object]] = ()
        if isinstance(raw, dict):
            pairs = list(raw.items())
        elif isinstance(raw, list):
            pairs = [(item.get("id"), item.get("score")) for item in raw if isinstance(item, dict)]
        replied = option_scores(pairs)
        scores = {node: replied[node] for node in allowed if node in replied}
        invented = [node for node in replied if node not in allowed]
        # zeros alone choose nothing, just like a reply that cannot be read
        if not any(value > 0 for value in scores.values()):
            note = "the reply scores none of the options: all count alike"
            return Scores(normalised({}, allowed), note=note)
        if invented:
            note = f"{len(invented)} scores are for ids that were not offered"
            return Scores(normalised(scores, allowed), note=note)
        return Scores(normalised(scores, allowed))

    def score(
        self, place: Place, sub_goal: str, instruction: str, memory: GlobalMap
    ) -> dict[str, float]:
        """Ask at once; raises `ModelError` where the model does not answer."""
        pieces = listen(self.model, self.request(place, sub_goal, instruction, memory))
        # the pieces of the reply are dropped: the value with which the generator ends is the whole
        # call
        while True:
            try:
                next(pieces)
            except StopIteration as end:
                call: Call = end.value
                break
        if call.error is not None:
            raise ModelError(call.error)
        return self.read(call, place, memory)


@dataclass(frozen=True)
class ImportedAgent:
    """Does what a prediction did at this point of its walk."""

    skill: Skill | None
    walk: tuple[str, ...]
    stop_prob: Mapping[str, float]
    episode: str
    action_space: str = "global"

    @property
    def name(self) -> str:
        """Name of its skill."""
        return self.skill.value if self.skill is not None else BACKBONE

    def score(
        self,
        place: Place,
        sub_goal: str,  # noqa: ARG002
        instruction: str,  # noqa: ARG002
        memory: GlobalMap,
    ) -> dict[str, float]:
        """All weight on the viewpoint that came next in the prediction, beside its stop
        probability.

        Raises `InputError` where the walk has left the prediction (after a fork, for example).
        """
        visits = [k for k, node in enumerate(self.walk) if node == place.node]
        if not visits:
            raise InputError(
                f"the prediction never was at {place.node}",
                "fork with agents=rules instead",
                episode=self.episode,
            )
        # a way back leads over places that were visited: the next new one is where the prediction
        # went
        ahead = next(
            (node for node in self.walk[visits[0] + 1 :] if node not in memory.visited), None
        )
        stop = self.stop_prob.get(place.node)
        if ahead is None:
            return Scores({STOP: 1.0}, note="the prediction ends here")
        # it went on there all the same: a stored probability that high would end this walk
        if stop is None or stop >= 0.5:
            return Scores(
                {ahead: 1.0},
                note="as the prediction went on" + ("" if stop is None else f" (stop {stop:.2f})"),
            )
        return Scores({ahead: 1.0 - stop, STOP: stop}, note="as the prediction went on")


def imported_agent(file: str, episode: str, skill: Skill | None) -> ImportedAgent:
    """Return the agent for one episode; raises `InputError` where the file does not hold it."""
    path = Path(file).expanduser()
    if not file or not is_regular(path):
        raise InputError(
            "agents=imported needs a predictions file",
            "name one in the setting predictions",
            file=file,
        )
    prediction = _predictions(path, path.stat().st_mtime_ns).get(episode)
    if prediction is None or not prediction.walk:
        raise InputError(
            "holds no trajectory of this episode",
            "choose the file of its split",
            file=path,
            episode=episode,
        )
    return ImportedAgent(skill, prediction.walk, prediction.stop_prob, episode)


# the time of change is part of the key: a file that was written anew is read anew
@lru_cache(maxsize=4)
def _predictions(path: Path, _mtime_ns: int) -> Mapping[str, Prediction]:
    """Read a file once for all its episodes."""
    return read_predictions(path, Problems())

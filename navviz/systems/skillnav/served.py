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
from typing import Any

from navviz.errors import ModelError, SettingsError
from navviz.language.skills import Skill
from navviz.llm.served import ask_served
from navviz.systems.skillnav.agents import BACKBONE, Scores, fuse
from navviz.systems.skillnav.memory import GlobalMap, Place, normalised, option_scores, options


@dataclass
class ServedAgent:
    """An agent behind an address.

    Parameters
    ----------
    skill
        Which of the five is asked.
    url
        Where to post.
    scan
        Name of the house, for features that lie on the server.
    """

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

        Raises
        ------
        SettingsError
            Where no address is given.
        ModelError
            Where the server does not answer, or with something that is no scores; the sentence says
            which.
        """
        if not self.url.startswith(("http://", "https://")):
            raise SettingsError(
                "agents=http needs the setting url: the address that your server answers at (http://...)."
            )
        allowed = options(place, memory, self.action_space)
        record = self._record(place, sub_goal, instruction, memory, allowed)
        reply = ask_served(self.url, record, "agent", self.timeout_s)
        return _read(reply, allowed, memory, self.url)

    def _record(
        self,
        place: Place,
        sub_goal: str,
        instruction: str,
        memory: GlobalMap,
        allowed: Sequence[str],
    ) -> dict[str, Any]:
        return {
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

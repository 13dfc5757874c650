"""A skill's agent that repeats a predictions file: what was done elsewhere, with its stop
probabilities.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from navviz.errors import InputError, Problems
from navviz.language.skills import Skill
from navviz.support.guarded import is_regular
from navviz.systems.skillnav.agents import BACKBONE, Scores
from navviz.systems.skillnav.logs.predictions import Prediction, read_predictions
from navviz.systems.skillnav.memory import STOP, GlobalMap, Place


@dataclass(frozen=True)
class ImportedAgent:
    """Does what a prediction did at this point of its walk.

    Parameters
    ----------
    skill
        Under whose name it acts.
    walk
        The prediction's viewpoints, repeated neighbours merged.
    stop_prob
        By viewpoint.
    """

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

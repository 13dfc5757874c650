"""Walk several sets of episodes in the same way: for experiments on instructions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from navviz.llm.base import LanguageModel
from navviz.records import Episode, Trace
from navviz.records.trace_files import read_trace
from navviz.runner.batch import OnProgress, run_batch
from navviz.runner.config import RunConfig, write_config
from navviz.runner.episode import trace_path
from navviz.runner.same_episodes import changed_episodes
from navviz.runner.store import TraceStore
from navviz.runner.walk import GraphOf
from navviz.systems.base import Navigator, Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class SetWalker:
    """Who walks sets of episodes, and how; each becomes a run of its own in `out`."""

    navigator: Navigator
    settings: Settings
    graph_of: GraphOf
    graphs: Path | None
    """Graph folder, which worker processes open for themselves; not needed for one worker."""
    out: Path
    """Folder of runs: what lies there of the same content is not walked again."""
    llm: LanguageModel | None = None
    workers: int = 1
    on_progress: OnProgress | None = None
    config: RunConfig | None = None
    """How all sets are walked, which the ``run.json`` of each notes; walks that are not kept need
    none.
    """

    def __call__(self, name: str, episodes: Sequence[Episode]) -> dict[str, Trace]:
        """Walk episodes as the run ``NAVIGATOR-NAME``, and return the traces by id."""
        run = run_of_set(self.navigator.name, name)
        self._note(run, episodes)
        run_batch(
            self.navigator,
            episodes,
            self.graph_of,
            self.settings,
            run=run,
            out=self.out,
            llm=self.llm,
            workers=self.workers,
            graphs=self.graphs,
            on_progress=self.on_progress,
            # the texts of an experiment change with its rules: walks of older texts are made again
            again="changed",
        )
        return {
            episode.id: read_trace(trace_path(self.out, run, episode.id)) for episode in episodes
        }

    def _note(self, run: str, episodes: Sequence[Episode]) -> None:
        """Write ``run.json``, without which the run would be opened on the bundled maps; raises
        `SettingsError` where its walks were made with other settings.
        """
        if self.config is None:
            return
        changed = changed_episodes(TraceStore.at(self.out), run, episodes)
        config = self.config.model_copy(update={"run": run})
        write_config(self.out / run, config, renewed=bool(changed))


def run_of_set(navigator: str, name: str) -> str:
    """Name the run that the walks of a set become."""
    return f"{navigator}-{name}"

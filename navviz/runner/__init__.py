"""Navigator x episodes -> traces: one at a time, in resumable batches, or live.

`run_episode` writes each event to disk as it happens; `run_batch` runs many episodes and goes on
where it was killed; `LiveRuns` keeps runs going while pages come and go; `fork` prepares another
try from the middle of an old trace.
"""

from navviz.runner.batch import run_batch
from navviz.runner.budget import Budget
from navviz.runner.config import RunConfig, code_version, read_config, write_config
from navviz.runner.episode import WalkRequest, run_episode, trace_path
from navviz.runner.fork import Forked, fork, keep_run
from navviz.runner.live import LiveRun, LiveRuns, Progress
from navviz.runner.walk import Outcome

__all__ = [
    "Budget",
    "Forked",
    "LiveRun",
    "LiveRuns",
    "Outcome",
    "Progress",
    "RunConfig",
    "WalkRequest",
    "code_version",
    "fork",
    "keep_run",
    "read_config",
    "run_batch",
    "run_episode",
    "trace_path",
    "write_config",
]

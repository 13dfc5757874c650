"""The means of a run as GROKE's own scripts compute them, where they differ from ours.

The scripts (https://github.com/fuzsh/groke, ``groke/evaluation/metrics.py``) call an episode
completely wrong whose log holds no waypoint but the start. They leave it out of the mean NE, count
it as a failure in SR, OSR and SDTW, and as 1.0, a perfect path, in the mean nDTW. So the grid of
the paper's appendix A.1 has NE 175.4 and nDTW 0.169; with those episodes scored where they stand it
has 176.7 and 0.149.
"""

from __future__ import annotations

from navviz.metrics.score import AuthorsMeans, HasTraces, RunScore
from navviz.records.lazy_traces import outlines

_NAMES = ("NE", "SR", "OSR", "nDTW_groke", "SDTW_groke")


def as_authors(run: HasTraces, score: RunScore) -> AuthorsMeans | None:
    """Return the means of GROKE's scripts; ``None`` where all episodes moved, so they are ours."""
    traces = outlines(run.traces)
    still = tuple(key for key in score.rows if traces[key].never_moved)
    if not still:
        return None
    moved = [row for key, row in score.rows.items() if key not in still]
    means: dict[str, float | None] = {}
    counts: dict[str, int] = {}
    for name in _NAMES:
        values = [value for row in moved if (value := row.get(name)) is not None]
        given = {"NE": [], "nDTW_groke": [1.0] * len(still)}.get(name, [0.0] * len(still))
        values += given
        means[name] = sum(values) / len(values) if values else None
        counts[name] = len(values)
    rule = f"{len(still)} episodes that never moved are left out of NE and have nDTW 1"
    return AuthorsMeans(means, still, counts, rule)

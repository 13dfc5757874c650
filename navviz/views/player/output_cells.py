"""Which output cell of a notebook carries what all of its players share."""

from __future__ import annotations

import sys


class NotebookScripts:
    """Which output carries plotly's script: the first of a house, and its cell's next run."""

    def __init__(self) -> None:
        self.cell: str | None = None
        self.count: int | None = None

    def carries_plotly(self) -> bool:
        """Whether the output that is being made has to carry it."""
        cell, count = _running_cell()
        # a cell that runs again loses its old output, and with it the script
        if self.count is not None and (cell is None or cell != self.cell or count == self.count):
            return False
        self.cell, self.count = cell, count
        return True


SCRIPTS = NotebookScripts()


def _running_cell() -> tuple[str | None, int]:
    """Return the id of the running cell (``None`` where it is unknown) and how many have run.

    IPython is not among our packages: a notebook has imported it already.
    """
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    if shell is None:
        return None, 0
    # a shell in a terminal has none
    request = shell.get_parent() if hasattr(shell, "get_parent") else None
    cell = None
    if isinstance(request, dict):
        cell = request.get("metadata", {}).get("cellId")
    return (cell if isinstance(cell, str) else None), int(shell.execution_count)

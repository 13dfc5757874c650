"""What a system knows of the runs that its authors published."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from navviz.records import Trace

if TYPE_CHECKING:
    from navviz.metrics.score import AuthorsMeans, Figures, HasTraces, RunScore


class Published(Protocol):
    """A module about the runs that a system's authors published, as `System.published` names it."""

    def as_authors(self, run: HasTraces, score: RunScore) -> AuthorsMeans | None:
        """Return the means of the authors' own scripts; ``None`` where they are ours."""
        ...

    def read_individual_results(self, path: Path) -> Mapping[str, Figures]:
        """Read published figures by method, episode and metric."""
        ...

    def settings_of_log(self, trace: Trace, results: Path | None) -> dict[str, Any] | str:
        """Return the settings of a published walk, or the reason why they are not known here."""
        ...

    def model_options(self, trace: Trace, results: Path | None) -> dict[str, Any]:
        """Return the options of the model, as far as the published log tells them."""
        ...

    def without_order(self, text: str) -> str:
        """Return a prompt with what it lists in no certain order sorted."""
        ...

    def moves(self, waypoints: Sequence[str | None]) -> list[str]:
        """Return the places that a walk is compared by."""
        ...

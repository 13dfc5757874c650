"""A bar on the terminal while a command reads large files."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

from navviz.support.guarded import SLOW_BYTES, ReadProgress, watched

if TYPE_CHECKING:
    from navviz.cli.console import ReadingBar

_PIECE_BYTES = 4_000_000
"""Read between two looks at the bar."""


@contextmanager
def reading_shown() -> Iterator[None]:
    """Show how far large files are read, for as long as they are."""
    with ExitStack() as stack:
        bar: ReadingBar | None = None
        shown = 0

        def tell(reading: ReadProgress) -> None:
            nonlocal bar, shown
            # the bar counts bytes, and those have come to their end
            if reading.total_walks:
                return
            ended = reading.done_bytes >= reading.total_bytes
            if reading.total_bytes < SLOW_BYTES or (
                reading.done_bytes - shown < _PIECE_BYTES and not ended
            ):
                return
            if bar is None:
                # rich takes a while to import, and most need no bar
                from navviz.cli.console import ReadingBar

                bar = stack.enter_context(ReadingBar())
            shown = reading.done_bytes
            bar.show(reading.done_bytes, reading.total_bytes)

        stack.enter_context(watched(ReadProgress(report=tell)))
        yield

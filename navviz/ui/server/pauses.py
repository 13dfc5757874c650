"""Short garbage collections in the server's process: what has been loaded for good is looked
through seldom.

With Manhattan loaded a full collection stops all threads for 170 ms, and came with every twentieth
word that was typed.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable

_LONG_S = 0.05
"""A pause that one may feel; with the modules alone a full collection takes less."""
_THOROUGH_S = 600.0
"""Worlds that were forgotten leave within this time, where they hold cycles."""


class Pauses:
    """Watches the collections: what a long one has left is frozen, and looked through again after
    ten minutes.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._began_s = self._thorough_s = clock()

    def watch(self) -> None:
        """Begin, and collect once."""
        gc.callbacks.append(self.on_collection)
        gc.collect()

    def on_collection(self, phase: str, facts: dict[str, int]) -> None:
        """Take what Python tells before and after a collection."""
        # only a full collection looks through everything
        if facts["generation"] < 2:
            return
        now_s = self._clock()
        if phase == "start":
            self._began_s = now_s
            if now_s - self._thorough_s > _THOROUGH_S:
                self._thorough_s = now_s
                gc.unfreeze()
        elif now_s - self._began_s > _LONG_S:
            gc.freeze()

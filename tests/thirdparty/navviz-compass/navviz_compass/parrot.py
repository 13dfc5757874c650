"""A model that always says the same."""

from __future__ import annotations

from collections.abc import Iterator
from threading import Event

from navviz.llm.base import ModelDelta, Request
from navviz.llm.streaming import ModelOptions
from navviz.records import Call, Price


class Parrot:
    """Says its own name."""

    def __init__(self, words: str) -> None:
        self.name = f"parrot:{words}"
        self._words = words

    def stream(self, request: Request, cancel: Event | None = None) -> Iterator[ModelDelta | Call]:
        """Say it."""
        yield ModelDelta("reply", self._words)
        yield Call(
            purpose=request.purpose, messages=request.messages, reply=self._words, model=self.name
        )


def make_parrot(model: str, options: ModelOptions, price: Price | None) -> Parrot:
    """Make the model of ``parrot:WORDS``."""
    return Parrot(model)

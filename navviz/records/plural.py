"""Numbers of things, as they are told to people."""

from __future__ import annotations

__all__ = ["plural"]


def plural(count: int, noun: str) -> str:
    """Return a number and what is counted: ``1 episode``, ``3 shared episodes``; for nouns that take an s."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"

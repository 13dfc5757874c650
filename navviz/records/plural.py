"""Numbers of things, as they are told to people."""

from __future__ import annotations


def plural(count: int, noun: str) -> str:
    """Return a number and its noun: ``1 episode``, ``1,021 shared episodes``; for plurals in s."""
    return f"{count} {noun}" if count == 1 else f"{count:,} {noun}s"

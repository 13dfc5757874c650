"""Links to pages of the app, for tables and texts that cannot switch pages themselves."""

from __future__ import annotations

from urllib.parse import quote, urlencode

__all__ = ["replay_url"]


def replay_url(run: str, episode: str, step: int | None = None) -> str:
    """Address of an episode's replay; names may hold blanks, ``&``, ``+``, ``#`` and whatever else people type."""
    query = {"run": run, "episode": episode} | ({} if step is None else {"step": str(step)})
    return f"/replay?{urlencode(query, safe='/', quote_via=quote)}"

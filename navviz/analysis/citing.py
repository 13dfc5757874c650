"""Causes as claims that can be looked up: run, episode, step, quote, and a link to the place."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from navviz.analysis.causes.engine import EpisodeCauses, causes_document
from navviz.records.cause import Cause


def step_link(run: str, episode: str, step: int | None, site: str = "") -> str:
    """Return the link to a step.

    Parameters
    ----------
    run, episode
        As the app, or the site, calls them.
    step
        Counted from 1; the episode as a whole where ``None``.
    site
        Address of a published site; without it the link is the app's, below its address.
    """
    place = {"run": run, "episode": episode}
    if step is not None:
        place["step"] = str(step)
    return f"{site.rstrip('#')}#{urlencode(place)}" if site else f"/replay?{urlencode(place)}"


def cited_cause(cause: Cause, run: str, episode: str, site: str = "") -> dict[str, Any]:
    """Return a cause as JSON holds it, with links for it and for each of its quotes."""
    document = cause.model_dump(mode="json", exclude_none=True)
    document["link"] = step_link(run, episode, cause.step, site)
    for quote, given in zip(document["quotes"], cause.quotes, strict=True):
        quote["verbatim"] = given.is_verbatim
        # a quote of the instruction has no step of its own
        quote["link"] = step_link(run, episode, quote.get("step", cause.step), site)
    return document


def cited_causes(explained: EpisodeCauses, run: str, site: str = "") -> dict[str, Any]:
    """Return the causes of an episode as `causes_document` does, with its run and with links."""
    causes = [cited_cause(cause, run, explained.episode, site) for cause in explained.causes]
    return {"run": run} | causes_document(explained) | {"causes": causes}

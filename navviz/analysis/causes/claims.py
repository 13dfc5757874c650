"""Causes for annotators to judge: a sample of what the detectors found, with placebos in between.

A placebo shows who says yes to everything. Its sentence comes from another episode; none of that
sentence's quotes stands in the episode that it is shown for, and its detector found nothing there.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from navviz.analysis.causes.engine import EpisodeCauses
from navviz.annotation.claims import CauseClaim, Placebo
from navviz.errors import SettingsError
from navviz.records import Cause, Trace

PLACEBO_SHARE: Final = 0.2
"""Share of placebos: one in five shows yes-saying and costs annotators little."""
_TRIES: Final = 200
"""Donors that are tried for one placebo, so that a run of one kind of cause ends soon."""

Found = tuple[str, Cause]
"""An episode and a cause of it."""


def claims_of_run(
    explained: Mapping[str, EpisodeCauses],
    trace_of: Callable[[str], Trace],
    run: str,
    *,
    detectors: Iterable[str] | None = None,
    episodes: Iterable[str] | None = None,
    most_each: int = 30,
    placebo_share: float = PLACEBO_SHARE,
    seed: int = 0,
) -> list[CauseClaim]:
    """Draw causes of a run's failures for annotators.

    Parameters
    ----------
    explained
        Causes by episode (`navviz.analysis.causes.kept.explained_run`).
    trace_of
        Reads an episode's trace with its texts.
    run
        Name of the run, as annotators' queues name it.
    detectors, episodes
        Only these; all where not given.
    most_each
        Causes of each detector, drawn by the seed.
    placebo_share
        Share of placebos among all, from 0 to 0.5. Fewer are made where no sentence fits.
    seed
        Of all draws.

    Raises
    ------
    SettingsError
        The share is not between 0 and 0.5.
    """
    if not 0 <= placebo_share <= 0.5:
        raise SettingsError(f"The share of placebos is {placebo_share:g}; choose 0 to 0.5.")
    candidates = _found(explained, detectors, episodes)
    dice = random.Random(seed)  # noqa: S311 - no secret is made of it
    chosen: list[Found] = []
    # sorted, since the order of a set would change what is drawn
    for name in sorted({cause.id for _, cause in candidates}):
        own = [pair for pair in candidates if pair[1].id == name]
        chosen += dice.sample(own, min(most_each, len(own)))
    claims = []
    for episode, cause in chosen:
        claims.append(_claim(trace_of(episode), run, cause))
    # the share is of all claims, the placebos among them
    wanted = round(placebo_share * len(claims) / (1 - placebo_share))
    # sentences of any detector may be lent, also of those that were not chosen
    claims += _placebos(chosen, _found(explained), explained, trace_of, run, wanted, dice)
    # else all placebos would stand at the end
    dice.shuffle(claims)
    return claims


def _found(
    explained: Mapping[str, EpisodeCauses],
    detectors: Iterable[str] | None = None,
    episodes: Iterable[str] | None = None,
) -> list[Found]:
    """Return the causes of failures, with their episodes."""
    ids = None if detectors is None else set(detectors)
    keys = None if episodes is None else set(episodes)
    pairs = []
    for key, one in explained.items():
        if one.success or one.departure is None or (keys is not None and key not in keys):
            continue
        for cause in one.causes:
            if ids is None or cause.id in ids:
                pairs.append((key, cause))
    return pairs


def _claim(trace: Trace, run: str, cause: Cause, placebo: Placebo = "") -> CauseClaim:
    episode = trace.episode
    return CauseClaim(
        dataset=episode.dataset, episode=episode.id, run=run, cause=cause, placebo=placebo
    )


def _placebos(
    chosen: Sequence[Found],
    donors: Sequence[Found],
    explained: Mapping[str, EpisodeCauses],
    trace_of: Callable[[str], Trace],
    run: str,
    wanted: int,
    dice: random.Random,
) -> list[CauseClaim]:
    """Make placebos of both kinds in turn, over the episodes of the claims in a random order."""
    if not chosen or not donors:
        return []
    # a copy, since the shuffle must not move the claims
    hosts = list(chosen)
    dice.shuffle(hosts)
    placebos: list[CauseClaim] = []
    for number in range(wanted):
        episode, own = hosts[number % len(hosts)]
        trace = trace_of(episode)
        donor = _donor(trace, explained[episode], donors, dice)
        if donor is None:
            continue
        kind: Placebo = "kind" if number % 2 else "episode"
        placebo = _claim(trace, run, _transplanted(donor, own, trace, kind), kind)
        if placebo not in placebos:
            placebos.append(placebo)
    return placebos


def _donor(
    trace: Trace, host: EpisodeCauses, donors: Sequence[Found], dice: random.Random
) -> Cause | None:
    """Return a cause that does not hold in the host; ``None`` where none was found."""
    texts = _texts(trace)
    for _ in range(min(_TRIES, 4 * len(donors))):
        episode, cause = dice.choice(donors)
        # a cause that its detector finds in the host, too, may hold there
        if episode == host.episode or cause.id in host.ids:
            continue
        quotes = [" ".join(quote.text.split()).lower() for quote in cause.quotes]
        if not any(quote in texts for quote in quotes):
            return cause
    return None


def _texts(trace: Trace) -> str:
    """Return all texts of an episode that a quote may be of, in lower case, blanks as one."""
    parts = [trace.episode.instruction]
    parts += [goal.description for goal in trace.sub_goals]
    for call in trace.calls:
        parts += [message.text for message in call.messages]
        parts += [call.thoughts or "", call.reply or ""]
    return " ".join(" ".join(parts).split()).lower()


def _transplanted(donor: Cause, own: Cause, trace: Trace, kind: Placebo) -> Cause:
    """Return the donor's cause as if it were found in the host."""
    if kind == "kind":
        changes: dict[str, object] = {"quotes": own.quotes, "sub_goal": own.sub_goal}
        step = own.step
    else:
        changes = {"sub_goal": None}
        # the host may have fewer steps than the donor
        step = min(donor.step, trace.steps[-1].index if trace.steps else 1)
    # a sentence that names another step than the one that is shown would give the placebo away
    sentence = re.sub(
        rf"\b([Ss]tep) {re.escape(str(donor.step))}\b", rf"\g<1> {step}", donor.sentence
    )
    changes |= {"step": step, "sentence": sentence, "repair": None}
    return donor.model_copy(update=changes)

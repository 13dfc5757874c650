"""How often people hold a detector's causes right, how far they agree, and who says yes to
placebos.

One cause counts once, whatever number of people judged it: by the settled rating, else by the
answer of more than half of those who could tell. The rows of a language model stand beside those
of people and never count among them.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any, Final

from navviz.analysis.causes.counting import share_text
from navviz.analysis.causes.engine import EpisodeCauses
from navviz.analysis.causes.grades import Readings
from navviz.annotation.annotators import is_model
from navviz.annotation.claims import CauseClaim, Placebo
from navviz.annotation.records import CauseVerdict, Rating
from navviz.errors import SettingsError
from navviz.metrics.agreement import cohen_kappa, krippendorff_alpha
from navviz.metrics.intervals import (
    Interval,
    StatisticInterval,
    interval_columns,
    interval_record,
    mean_interval,
)
from navviz.records import Explanation, Trace

if TYPE_CHECKING:
    import pandas as pd


PEOPLE: Final = "people"

"""Stands for all human raters together."""

_ORDER: Final = {"no": 0, "partly": 1, "yes": 2}

_ALL: Final = "all detectors"

_PLACEBOS: Final = "placebos"

_RESAMPLES: Final = 1000

Answers = Mapping[str, str]

"""The answer to each claim, by its name in items; without those that nobody could decide."""


@dataclass(frozen=True, slots=True)
class DetectorAgreement:
    """What people, or one model, say of one detector's causes."""

    detector: str
    """Its id; ``all detectors`` and ``placebos`` for these."""
    name: str
    by: str
    """`PEOPLE`, or the model's name among annotators."""
    yes: Interval
    """Share of the decided causes that hold: the detector's precision, with n and interval."""
    partly: Interval
    """Share that hold at least partly."""
    undecided: int
    """Causes without a majority, or of which nobody could tell."""
    alpha: StatisticInterval | None
    """Krippendorff's alpha, ordinal (no, partly, yes), among people; ``None`` for a model."""
    kappa: float | None
    """Cohen's kappa of a model with people, quadratic weights; ``None`` for people."""
    shared: int
    """Causes that both the model and people decided."""


@dataclass(frozen=True, slots=True)
class RaterPlacebos:
    """How often one rater took a placebo for a cause."""

    rater: str
    placebos: Interval | None
    """Share of placebos with yes or partly; ``None`` where none was judged."""
    causes: Interval | None
    """The same of detectors' causes: who says yes to both alike does not tell them apart."""


def detector_agreement(
    claims: Mapping[str, CauseClaim], ratings: Iterable[Rating], settled: Iterable[Rating] = ()
) -> list[DetectorAgreement]:
    """Compare each detector with people, and with each model that judged."""
    given = _by_rater(claims, ratings)
    people = {rater: answers for rater, answers in given.items() if not is_model(rater)}
    models = {rater: answers for rater, answers in given.items() if is_model(rater)}
    decided = _decided(people, settled)
    table: list[tuple[int, list[DetectorAgreement]]] = []
    for detector, keys in _detectors(claims).items():
        name = claims[keys[0]].cause.name
        rows = _rows(detector, name, keys, people, models, decided)
        table.append((max((row.yes.episodes for row in rows), default=0), rows))
    table.sort(key=lambda pair: -pair[0])
    ordered = list(chain.from_iterable(rows for _, rows in table))
    genuine = [key for key, claim in claims.items() if not claim.placebo]
    placebos = [key for key, claim in claims.items() if claim.placebo]
    # of one detector the row of all would say the same again
    if len(table) > 1:
        ordered += _rows(_ALL, _ALL.capitalize(), genuine, people, models, decided)
    return ordered + _rows(_PLACEBOS, _PLACEBOS.capitalize(), placebos, people, models, decided)


def readings_of(
    claims: Mapping[str, CauseClaim],
    ratings: Iterable[Rating],
    settled: Iterable[Rating] = (),
    *,
    unseen: bool = False,
) -> list[Readings]:
    """Return what people hold of each kind in each run, as rows of `grades.json`.

    ``yes`` is true, ``partly`` imprecise, ``no`` false; `unseen` says that nobody had looked at
    these runs while the detectors were written.
    """
    given = _by_rater(claims, ratings)
    people = {rater: answers for rater, answers in given.items() if not is_model(rater)}
    decided = _decided(people, settled)
    counts: dict[tuple[str, str], Counter[str]] = {}
    for key, answer in decided.items():
        if key in claims and not claims[key].placebo:
            place = claims[key].cause.id, claims[key].run
            counts.setdefault(place, Counter())[answer] += 1
    rows = []
    for (kind, run), of in sorted(counts.items()):
        answers = {"true": of["yes"], "imprecise": of["partly"], "false": of["no"]}
        rows.append(Readings(kind=kind, logs=run, unseen=unseen, **answers))
    return rows


def _by_rater(
    claims: Mapping[str, CauseClaim], ratings: Iterable[Rating]
) -> dict[str, dict[str, CauseVerdict]]:
    given: dict[str, dict[str, CauseVerdict]] = {}
    for rating in ratings:
        if isinstance(rating.value, CauseVerdict) and rating.item.claim in claims:
            given.setdefault(rating.annotator, {})[rating.item.claim] = rating.value
    return given


def _detectors(claims: Mapping[str, CauseClaim]) -> dict[str, list[str]]:
    """Return the claims of each detector, placebos left out."""
    keys: dict[str, list[str]] = {}
    for key, claim in claims.items():
        if not claim.placebo:
            keys.setdefault(claim.cause.id, []).append(key)
    return keys


def _decided(
    people: Mapping[str, Mapping[str, CauseVerdict]], settled: Iterable[Rating]
) -> dict[str, str]:
    """Return what people hold of each claim: the settled answer, else that of more than half."""
    votes: dict[str, Counter[str]] = {}
    for answers in people.values():
        for key, verdict in answers.items():
            if verdict.answer in _ORDER:
                votes.setdefault(key, Counter())[verdict.answer] += 1
    decided = {}
    for key, counts in votes.items():
        answer, most = counts.most_common(1)[0]
        if 2 * most > counts.total():
            decided[key] = answer
    # last, so that what was settled goes before the majority
    for rating in settled:
        if isinstance(rating.value, CauseVerdict) and rating.value.answer in _ORDER:
            decided[rating.item.claim] = rating.value.answer
    return decided


def _rows(
    detector: str,
    name: str,
    keys: Sequence[str],
    people: Mapping[str, Mapping[str, CauseVerdict]],
    models: Mapping[str, Mapping[str, CauseVerdict]],
    decided: Answers,
) -> list[DetectorAgreement]:
    rows = []
    # a claim may be settled without single ratings at hand
    seen_by_people = set(decided).union(*people.values())
    judged = [key for key in keys if key in seen_by_people]
    if judged:
        alpha = _alpha(judged, people)
        own = {key: decided[key] for key in judged if key in decided}
        rows.append(_row(detector, name, PEOPLE, judged, own, alpha=alpha))
    for model, verdicts in models.items():
        seen = [key for key in keys if key in verdicts]
        if not seen:
            continue
        own = {key: verdicts[key].answer for key in seen if verdicts[key].answer in _ORDER}
        rows.append(_row(detector, name, model, seen, own, people=decided))
    return [row for row in rows if row is not None]


def _row(
    detector: str,
    name: str,
    by: str,
    judged: Sequence[str],
    own: Answers,
    *,
    alpha: StatisticInterval | None = None,
    people: Answers | None = None,
) -> DetectorAgreement | None:
    """Return one row; ``None`` where nothing was decided."""
    if not own:
        return None
    answers = list(own.values())
    shared = [key for key in own if people is not None and key in people]
    kappa = None
    if people is not None and shared:
        ours = [_ORDER[own[key]] for key in shared]
        theirs = [_ORDER[people[key]] for key in shared]
        kappa = cohen_kappa(ours, theirs, weights="quadratic")
    return DetectorAgreement(
        detector=detector,
        name=name,
        by=by,
        yes=_share(answers, lambda answer: answer == "yes"),
        partly=_share(answers, lambda answer: answer != "no"),
        undecided=len(judged) - len(own),
        alpha=alpha,
        kappa=kappa,
        shared=len(shared),
    )


def _share(answers: Sequence[str], holds: Callable[[str], bool]) -> Interval:
    return mean_interval([holds(answer) for answer in answers], yes_no=True)


def _alpha(
    keys: Sequence[str], people: Mapping[str, Mapping[str, CauseVerdict]]
) -> StatisticInterval | None:
    """Return alpha over some claims; ``None`` with fewer than two raters."""
    rows = []
    for answers in people.values():
        row = []
        for key in keys:
            verdict = answers.get(key)
            # who could not tell gave no rating
            row.append(None if verdict is None else _ORDER.get(verdict.answer))
        rows.append(row)
    return krippendorff_alpha(rows, "ordinal", resamples=_RESAMPLES) if len(rows) > 1 else None


def placebos_by_rater(
    claims: Mapping[str, CauseClaim], ratings: Iterable[Rating]
) -> list[RaterPlacebos]:
    """Count how often each rater, models too, says yes or partly to placebos and to causes."""
    rows = []
    for rater, verdicts in sorted(_by_rater(claims, ratings).items()):
        answers: dict[bool, list[str]] = {True: [], False: []}
        for key, verdict in verdicts.items():
            if verdict.answer in _ORDER:
                answers[bool(claims[key].placebo)].append(verdict.answer)
        rows.append(
            RaterPlacebos(
                rater, _share_not_rejected(answers[True]), _share_not_rejected(answers[False])
            )
        )
    return rows


def _share_not_rejected(answers: Sequence[str]) -> Interval | None:
    return _share(answers, lambda answer: answer != "no") if answers else None


def agreement_frame(rows: Iterable[DetectorAgreement]) -> pd.DataFrame:
    """Return one row a detector and judge, with n and 95 % interval in each cell."""
    import pandas as pd  # 0.4 s, which a command without a table need not wait for

    lines = []
    for row in rows:
        kappa = "" if row.by == PEOPLE else _statistic(row.kappa, row.shared)
        alpha = "" if row.alpha is None else _with_ends(row.alpha)
        shares = (share_text(row.yes), share_text(row.partly))
        lines.append((row.name, row.detector, row.by, *shares, row.undecided, alpha, kappa))
    columns = ["cause", "id", "by", "yes", "yes or partly", "undecided", "alpha", "kappa"]
    return pd.DataFrame(lines, columns=columns).set_index("cause")


AGREEMENT_COLUMNS: Final = (
    *("id", "cause", "by", *interval_columns("yes"), *interval_columns("yes_or_partly")),
    *("undecided", *interval_columns("alpha"), "kappa", "kappa_n"),
)

"""The fields of `agreement_records`: shares as fractions, with n and 95 % interval."""


def agreement_records(rows: Iterable[DetectorAgreement]) -> Iterator[dict[str, Any]]:
    """Yield one record a detector and judge with the figures of `agreement_frame` as numbers."""
    for row in rows:
        record: dict[str, Any] = {"id": row.detector, "cause": row.name, "by": row.by}
        record |= interval_record("yes", row.yes) | interval_record("yes_or_partly", row.partly)
        record |= {"undecided": row.undecided} | interval_record("alpha", row.alpha)
        of_model = row.by != PEOPLE
        record["kappa"] = row.kappa if of_model and row.shared > 1 else None
        record["kappa_n"] = row.shared if of_model else None
        # one shared cause gives a value that says nothing
        if row.alpha is not None and row.alpha.items <= 1:
            record["alpha"] = None
        yield record


def _statistic(value: float | None, items: int) -> str:
    # of one shared cause two different answers give 0, and two equal ones nothing
    return f"– (n {items})" if value is None or items <= 1 else f"{value:.2f} (n {items})"


def _with_ends(statistic: StatisticInterval) -> str:
    # one shared cause gives a value that says nothing
    if statistic.value is None or statistic.items <= 1:
        return f"– (n {statistic.items})"
    ends = ""
    if statistic.low is not None and statistic.high is not None:
        ends = f" [{statistic.low:.2f}, {statistic.high:.2f}]"
    return f"{statistic.value:.2f}{ends} (n {statistic.items})"


def placebo_frame(rows: Iterable[RaterPlacebos]) -> pd.DataFrame:
    """Return one row a rater: yes or partly to placebos, and to causes."""
    import pandas as pd  # 0.4 s, as above

    lines = [(row.rater, share_text(row.placebos), share_text(row.causes)) for row in rows]
    return pd.DataFrame(lines, columns=["rater", "placebos", "causes"]).set_index("rater")


PLACEBO_SHARE: Final = 0.2

"""Share of placebos: one in five shows yes-saying and costs annotators little."""

_TRIES: Final = 200

"""Donors that are tried for one placebo, so that a run of one kind of cause ends soon."""


Found = tuple[str, Explanation]

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

    Raises `SettingsError` where the share is not between 0 and 0.5.
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


def _claim(trace: Trace, run: str, cause: Explanation, placebo: Placebo = "") -> CauseClaim:
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
        placebo = _claim(trace, run, donor.model_copy(update=changes), kind)
        if placebo not in placebos:
            placebos.append(placebo)
    return placebos


def _donor(
    trace: Trace, host: EpisodeCauses, donors: Sequence[Found], dice: random.Random
) -> Explanation | None:
    """Return a cause that does not hold in the host; ``None`` where none was found."""
    parts = [trace.episode.instruction]
    parts += [goal.description for goal in trace.sub_goals]
    for call in trace.calls:
        parts += [message.text for message in call.messages]
        parts += [call.thoughts or "", call.reply or ""]
    texts = " ".join(" ".join(parts).split()).lower()
    for _ in range(min(_TRIES, 4 * len(donors))):
        episode, cause = dice.choice(donors)
        # a cause that its detector finds in the host, too, may hold there
        if episode == host.episode or cause.id in host.ids:
            continue
        quotes = [" ".join(quote.text.split()).lower() for quote in cause.quotes]
        if not any(quote in texts for quote in quotes):
            return cause
    return None

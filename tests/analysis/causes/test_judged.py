"""Causes that people judge: drawn with placebos, and how often each detector is right."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime
from itertools import permutations, product

import pytest
from scipy.stats import binomtest

from navviz.analysis.causes.engine import EpisodeCauses
from navviz.analysis.causes.judged import (
    PEOPLE,
    agreement_frame,
    claims_of_run,
    detector_agreement,
    placebo_frame,
    placebos_by_rater,
)
from navviz.annotation.claims import CauseClaim
from navviz.annotation.records import ADJUDICATED, CauseVerdict, Rating
from navviz.errors import SettingsError
from navviz.records import Explanation, Quote
from tests.replays import full_trace

AT = datetime(2026, 1, 2, tzinfo=UTC)


def _cause(name: str, words: str, step: int = 2) -> Explanation:
    quote = Quote(source="map", text=words, step=step)
    sentence = f"In step {step}, {words}."
    return Explanation(id=name, name=name.title(), sentence=sentence, step=step, quotes=(quote,))


def _failed(key: str, cause: Explanation) -> EpisodeCauses:
    return EpisodeCauses(episode=key, success=False, departure=3, causes=(cause,))


def _explained(episodes: int = 8) -> dict[str, EpisodeCauses]:
    """Return failures with one cause each, of two kinds in turn, and a success."""
    explained = {}
    for number in range(episodes):
        kind = "early" if number % 2 else "late"
        cause = _cause(kind, f"{kind} thing {number}", 1 + number % 3)
        key = str(number)
        explained[key] = _failed(key, cause)
    lucky = _cause("early", "luck")
    return explained | {
        "won": EpisodeCauses(episode="won", success=True, departure=None, causes=(lucky,))
    }


def _trace(key: str):
    trace = full_trace()
    return trace.model_copy(
        update={
            "header": trace.header.model_copy(
                update={"episode": trace.episode.model_copy(update={"id": key})}
            )
        }
    )


def _drawn(**settings: object) -> list[CauseClaim]:
    return claims_of_run(_explained(), _trace, "a/b", **settings)


def test_placebos_stand_among_causes_and_do_not_hold() -> None:
    explained = _explained()
    claims = _drawn(placebo_share=0.5)
    found = [claim for claim in claims if not claim.placebo]
    placebos = [claim for claim in claims if claim.placebo]
    assert sorted(claim.episode for claim in found) == list(map(str, range(8)))
    assert [claim.cause for claim in found] == [
        explained[claim.episode].causes[0] for claim in found
    ]
    assert {claim.placebo for claim in placebos} == {"episode", "kind"}
    assert len(placebos) > 4
    for claim in placebos:
        host = explained[claim.episode].causes[0]
        assert claim.cause.id != host.id, "its detector found nothing there"
        assert f"step {claim.cause.step}," in claim.cause.sentence
        own = claim.cause.quotes == host.quotes
        assert own == (claim.placebo == "kind")
    assert len({claim.item for claim in claims}) == len(claims)


def test_draws_follow_the_seed_the_kinds_and_the_episodes() -> None:
    assert _drawn(seed=1) == _drawn(seed=1)
    assert _drawn(seed=1) != _drawn(seed=2)
    early = _drawn(detectors=["early"], placebo_share=0.0)
    assert {claim.cause.id for claim in early} == {"early"}
    assert len(early) == 4
    assert len(_drawn(most_each=1, placebo_share=0.0)) == 2
    assert {claim.episode for claim in _drawn(episodes=["0", "1"], placebo_share=0.0)} == {"0", "1"}
    with pytest.raises(SettingsError, match=r"choose 0 to 0\.5"):
        _drawn(placebo_share=0.6)


def test_a_sentence_whose_quote_stands_in_the_episode_is_no_placebo() -> None:
    instruction = full_trace().episode.instruction
    explained = {
        "0": _failed("0", _cause("late", "x y z")),
        "1": _failed("1", _cause("early", instruction[:20])),
    }
    claims = claims_of_run(explained, _trace, "a", placebo_share=0.5)
    assert [claim.episode for claim in claims if claim.placebo] == ["1"]


def _rating(claim: CauseClaim, rater: str, answer: str) -> Rating:
    return Rating(
        item=claim.item,
        task="cause",
        annotator=rater,
        value=CauseVerdict.model_validate({"answer": answer}),
        revision=1,
        created=AT,
        changed=AT,
    )


def _judged() -> tuple[list[CauseClaim], list[Rating]]:
    """Return four causes of one detector and two placebos, with the ratings of two and a model."""
    claims = []
    for number in range(6):
        cause = _cause("late", f"thing {number}")
        placebo = "kind" if number > 3 else ""
        claims.append(
            CauseClaim(dataset="s", episode=str(number), run="r", cause=cause, placebo=placebo)
        )
    answers = {
        "fox": ["yes", "yes", "partly", "no", "no", "yes"],
        "owl": ["yes", "yes", "partly", "yes", "no", "no"],
        "model m": ["yes", "no", "partly", "no", "no", "no"],
    }
    ratings = []
    for rater, given in answers.items():
        for claim, answer in zip(claims, given, strict=True):
            ratings.append(_rating(claim, rater, answer))
    return claims, ratings


def test_a_detector_is_right_where_more_than_half_say_so() -> None:
    claims, ratings = _judged()
    named = {claim.item.claim: claim for claim in claims}
    people, model, placebos, fooled = detector_agreement(named, ratings)
    assert (people.detector, people.by, people.undecided) == ("late", PEOPLE, 1)
    assert (people.yes.mean, people.yes.episodes) == (pytest.approx(2 / 3), 3)
    assert people.yes.low == pytest.approx(0.0943, abs=1e-4)  # Clopper and Pearson, 2 of 3
    assert people.partly.mean == 1
    assert people.alpha is not None
    assert people.alpha.items == 4
    assert people.kappa is None
    assert (model.by, model.yes.mean, model.shared) == ("model m", 0.25, 3)
    assert model.alpha is None
    # ours 2 0 1, theirs 2 2 1, quadratic: 1 - 4 / (1/3 * (0+0+1 + 4+4+1 + 1+1+0))
    assert model.kappa == pytest.approx(1 - 4 / 4)
    assert (placebos.detector, placebos.yes.mean, placebos.undecided) == ("placebos", 0, 1)
    assert fooled.by == "model m"


FOX = "yyyyyyyypppnnnnyypn?"
OWL = "yyyyyypyppnnnpnyy?yn"
MODEL = "yyynyypypyynnnpypyyn"
"""What two people and a model say of twenty causes: yes, partly, no, or cannot tell."""
ANSWERS = {"y": "yes", "p": "partly", "n": "no", "?": "cannot tell"}
POINTS = {"n": 0, "p": 1, "y": 2}


def _ordinal_alpha(pairs):
    """Krippendorff's alpha of items with two ratings each, by its definition."""
    flat = [rank for pair in pairs for rank in pair]
    counts = Counter(flat)

    def distance(a, b):
        between = sum(counts[rank] for rank in range(min(a, b), max(a, b) + 1))
        return (between - (counts[a] + counts[b]) / 2) ** 2

    observed = sum(distance(a, b) for a, b in pairs) / len(pairs)
    drawn = list(permutations(flat, 2))
    return 1 - observed / (sum(distance(a, b) for a, b in drawn) / len(drawn))


def _quadratic_kappa(pairs):
    """Cohen's kappa with quadratic weights, by its definition."""
    first, second = zip(*pairs, strict=True)
    observed = sum((a - b) ** 2 for a, b in pairs) / len(pairs)
    chance = sum((a - b) ** 2 for a, b in product(first, second)) / len(pairs) ** 2
    return 1 - observed / chance


def test_every_figure_of_twenty_causes_is_that_of_its_definition() -> None:
    claims, ratings = {}, []
    for number, signs in enumerate(zip(FOX, OWL, MODEL, strict=True)):
        cause = _cause("late", f"thing {number}")
        claim = CauseClaim(dataset="s", episode=str(number), run="r", cause=cause, placebo="")
        claims[claim.item.claim] = claim
        for rater, sign in zip(("fox", "owl", "model m"), signs, strict=True):
            ratings.append(_rating(claim, rater, ANSWERS[sign]))
    # decided: two agree, or one alone could tell; they differ in the causes 7, 11, 14 and 19
    decided = {}
    for number, pair in enumerate(zip(FOX, OWL, strict=True)):
        signs = {sign for sign in pair if sign != "?"}
        if len(signs) == 1:
            decided[number] = signs.pop()
    yes = sum(sign == "y" for sign in decided.values())
    assert (len(decided), yes) == (16, 9)
    people, model = detector_agreement(claims, ratings)
    exact = binomtest(yes, len(decided)).proportion_ci(method="exact")
    figures = (people.yes.mean, people.yes.low, people.yes.high)
    assert figures == pytest.approx((yes / len(decided), exact.low, exact.high))
    assert (people.yes.episodes, people.undecided) == (len(decided), 20 - len(decided))
    pairs = [(POINTS[a], POINTS[b]) for a, b in zip(FOX, OWL, strict=True) if "?" not in {a, b}]
    assert people.alpha.value == pytest.approx(_ordinal_alpha(pairs))
    assert people.alpha.items == len(pairs) == 18
    both = [(POINTS[MODEL[number]], POINTS[sign]) for number, sign in decided.items()]
    assert model.kappa == pytest.approx(_quadratic_kappa(both))
    assert (model.shared, model.yes.episodes) == (len(both), 20)
    assert model.yes.mean == pytest.approx(MODEL.count("y") / 20)
    row = agreement_frame([people, model]).reset_index().iloc[1]
    assert row["kappa"] == f"{_quadratic_kappa(both):.2f} (n {len(both)})"
    # the seventeenth alone: people say yes, the model no
    shared = [rating for rating in ratings if rating.item.episode == "16"]
    single = agreement_frame(detector_agreement(claims, shared))
    assert list(single["kappa"]) == ["", "– (n 1)"]


def test_a_settled_rating_decides_and_who_cannot_tell_does_not_count() -> None:
    claims, ratings = _judged()
    named = {claim.item.claim: claim for claim in claims}
    settled = [_rating(claims[3], ADJUDICATED, "no")]
    people = detector_agreement(named, ratings, settled)[0]
    assert (people.yes.episodes, people.undecided) == (4, 0)
    ratings = [rating for rating in ratings if rating.annotator == "fox"][1:]
    people = detector_agreement(named, [*ratings, _rating(claims[0], "fox", "cannot tell")])[0]
    assert (people.yes.episodes, people.undecided, people.alpha) == (3, 1, None)
    assert detector_agreement(named, []) == []


def test_who_says_yes_to_placebos_stands_apart() -> None:
    claims, ratings = _judged()
    named = {claim.item.claim: claim for claim in claims}
    fox, model, owl = placebos_by_rater(named, ratings)
    assert (fox.rater, model.rater, owl.rater) == ("fox", "model m", "owl")
    assert fox.placebos is not None
    assert (fox.placebos.mean, fox.placebos.episodes) == (0.5, 2)
    assert owl.placebos is not None
    assert owl.placebos.mean == 0
    frame = placebo_frame([fox, owl])
    assert frame.loc["fox", "placebos"].startswith("1 of 2 (50 % [")
    table = agreement_frame(detector_agreement(named, ratings))
    assert list(table["by"]) == ["people", "model m", "people", "model m"]
    assert table["yes"].iloc[0].startswith("2 of 3 (67 % [")
    assert table["kappa"].iloc[1] == "0.00 (n 3)"

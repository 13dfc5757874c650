"""Causes that people judge: drawn with placebos, and how often each detector is right."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from navviz.analysis.causes.claims import claims_of_run
from navviz.analysis.causes.engine import EpisodeCauses
from navviz.analysis.causes.judged import (
    PEOPLE,
    agreement_frame,
    detector_agreement,
    placebo_frame,
    placebos_by_rater,
)
from navviz.annotation.claims import CauseClaim
from navviz.annotation.records import ADJUDICATED, CauseVerdict, Rating
from navviz.errors import SettingsError
from navviz.records import Cause, Quote
from tests.replays import full_trace

AT = datetime(2026, 1, 2, tzinfo=UTC)


def _cause(name: str, words: str, step: int = 2) -> Cause:
    quote = Quote(source="map", text=words, step=step)
    sentence = f"In step {step}, {words}."
    return Cause(id=name, name=name.title(), sentence=sentence, step=step, quotes=(quote,))


def _failed(key: str, cause: Cause) -> EpisodeCauses:
    return EpisodeCauses(episode=key, success=False, departure=3, causes=(cause,), likely=cause)


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
        "won": EpisodeCauses(
            episode="won", success=True, departure=None, causes=(lucky,), likely=None
        )
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

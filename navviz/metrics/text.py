"""How like a text is to others: BLEU, ROUGE, CIDEr, METEOR.

What they say of an instruction is compared with whether one arrives by it (Shami et al. 2026,
Figure 1): `navviz.analysis.text_scores`. BLEU and ROUGE need the extra ``text``; CIDEr and METEOR
the extra ``text-coco``, METEOR Java besides.

References
----------
Papineni et al. 2002, doi:10.3115/1073083.1073135 (BLEU); Post 2018, arXiv:1804.08771 (sacrebleu);
Lin 2004 (ROUGE); Vedantam et al. 2015, arXiv:1411.5726 (CIDEr); Banerjee and Lavie 2005 (METEOR).
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Mapping, Sequence
from typing import Final

from navviz.errors import MissingExtraError
from navviz.support.installation.extras import extra_hint, needs_extra

PAIRED: Final = ("BLEU", "ROUGE-1", "ROUGE-2", "ROUGE-L")
"""Scores of one text by itself."""
POOLED: Final = ("CIDEr", "METEOR")
"""Scores that need the whole set: CIDEr weighs words by how rare they are in it."""
_WORD: Final = re.compile(r"\w+")


def text_scores(text: str, references: Sequence[str]) -> dict[str, float]:
    """Return BLEU and ROUGE of a text against its references.

    BLEU is sacrebleu's of a sentence (13a tokens, exponential smoothing), 0 to 100; ROUGE is the
    largest F1 over the references with Porter's stemmer, 0 to 1. Raises `MissingExtraError` without
    the extra ``text``.
    """
    with needs_extra("text"):
        import sacrebleu
        from rouge_score.rouge_scorer import RougeScorer
    names = {"ROUGE-1": "rouge1", "ROUGE-2": "rouge2", "ROUGE-L": "rougeL"}
    rouge = RougeScorer(list(names.values()), use_stemmer=True)
    likeness = rouge.score_multi(list(references), text)
    scores = {"BLEU": float(sacrebleu.sentence_bleu(text, list(references)).score)}
    return scores | {name: float(likeness[key].fmeasure) for name, key in names.items()}


def pooled_scores(
    texts: Mapping[str, str], references: Mapping[str, Sequence[str]]
) -> tuple[dict[str, dict[str, float]], list[str]]:
    """Return CIDEr and METEOR of each text of a set, by name, and what is missing in sentences.

    CIDEr is that of pycocoevalcap on lower-case words, 0 to 10.
    """
    scores: dict[str, dict[str, float]] = {name: {} for name in texts}
    hint = extra_hint("text-coco")
    if hint is not None:
        return scores, [f"CIDEr and METEOR are missing. {hint}"]
    from pycocoevalcap.cider.cider import Cider

    given = {name: [_words(text)] for name, text in texts.items()}
    wanted = {name: [_words(text) for text in references[name]] for name in texts}
    scorers = {"CIDEr": Cider}
    missing = []
    if shutil.which("java") is None:
        missing.append("METEOR is missing: it needs Java on the machine.")
    else:
        from pycocoevalcap.meteor.meteor import Meteor

        scorers["METEOR"] = Meteor
    for name, scorer in scorers.items():
        _, each = scorer().compute_score(wanted, given)
        for key, value in zip(wanted, each, strict=True):
            scores[key][name] = float(value)
    return scores, missing


def scores_line(text: str, references: Sequence[str]) -> str:
    """Return BLEU and ROUGE in words, or what is missing."""
    try:
        scores = text_scores(text, references)
    except MissingExtraError as error:
        return str(error)
    figures = [f"{name} {value:.{1 if name == 'BLEU' else 2}f}" for name, value in scores.items()]
    return ", ".join(figures)


def _words(text: str) -> str:
    return " ".join(_WORD.findall(text.lower()))

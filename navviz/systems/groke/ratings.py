"""GROKE's ``correctness_hardness.json``: difficulty on three axes and navigability of each
instruction.

``{episode id: {complexity: {cognitive, spatial, execution}, human_annotation: "0" or "1"}}``
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from navviz.annotation.taxonomy import Taxonomy
from navviz.errors import InputError
from navviz.formats.texts import as_list, as_mapping, id_text
from navviz.support.guarded import parse_json

ANNOTATOR = "GROKE annotators"
"""The file gives one rating an episode and names nobody."""

_AXES = {"linguistic": "cognitive", "topological": "spatial", "operational": "execution"}


def read_groke_ratings(
    text: str, file: str, _taxonomy: object = None
) -> list[tuple[str, dict[str, Any]]]:
    """Return ratings as ``(where, raw rating)``, a difficulty and a navigability for each episode.

    Raises `InputError` where the file is none of these; values out of range are left for the caller
    to refuse.
    """
    try:
        raw = parse_json(text, file)
    except InputError as error:
        raise InputError(
            error.problem.what, "choose correctness_hardness.json", file=file
        ) from error
    if not isinstance(raw, dict) or not all(isinstance(entry, dict) for entry in raw.values()):
        raise InputError(
            "holds no ratings by episode", "choose correctness_hardness.json", file=file
        )
    rows: list[tuple[str, dict[str, Any]]] = []
    for episode, entry in raw.items():
        rows += [(file, row) for row in _rows(id_text(episode), entry)]
    if not rows:
        raise InputError(
            "holds no ratings by episode", "choose correctness_hardness.json", file=file
        )
    return rows


def _rows(episode: str, entry: dict[str, Any]) -> list[dict[str, Any]]:
    # what is missing or of another kind is kept as it is, so that the importer refuses it by name
    levels = entry.get("complexity")
    axes = {"linguistic": levels}
    if isinstance(levels, dict):
        axes = {axis: levels.get(name) for axis, name in _AXES.items()}
    rows = [{"task": "difficulty", **axes}]
    label = entry.get("human_annotation")
    # an empty text is an instruction that nobody has rated yet
    if label != "":
        navigable = {"1": True, "0": False}.get(id_text(label), label)
        rows.append({"task": "navigability", "navigable": navigable})
    return [{"episode": episode, "annotator": ANNOTATOR, "value": value} for value in rows]


CROSSWALK = "groke"
"""Name of their labels in a taxonomy's ``foreign``."""

AXES = ("linguistic", "topological", "agent", "execution")


def read_groke_failures(
    text: str, file: str, taxonomy: Taxonomy
) -> list[tuple[str, dict[str, Any]]]:
    """Return labels as ``(where, raw rating)``, one for each episode and annotator.

    Raises `InputError` when the file is none of these, names a label that is unknown, or the
    taxonomy has no crosswalk.
    """
    walk = taxonomy.foreign.get(CROSSWALK)
    if walk is None:
        what = f"the taxonomy {taxonomy.name} does not say what GROKE's labels are in it"
        raise InputError(
            what, f"add them to its file under foreign, {CROSSWALK}", file=file, field="foreign"
        )
    try:
        records = parse_json(text, file)
    except InputError as error:
        raise InputError(
            error.problem.what, "choose explorer_annotations.json", file=file
        ) from error
    if not _is_export(records):
        raise InputError(
            "holds no list of labelled records", "choose explorer_annotations.json", file=file
        )
    rows: list[tuple[str, dict[str, Any]]] = []
    for record in records:
        rows += [(file, row) for row in _failure_rows(record, walk, taxonomy, file)]
    return rows


def _is_export(records: object) -> bool:
    if not isinstance(records, list):
        return False
    return all(isinstance(record, dict) and "responses" in record for record in records)


def _failure_rows(
    record: Mapping[str, Any], walk: Mapping[str, tuple[str, ...]], taxonomy: Taxonomy, file: str
) -> Iterator[dict[str, Any]]:
    episode = str(record.get("id", ""))
    # the export is ordered by axis; an import wants one rating an annotator
    by_user: dict[str, list[str]] = {}
    for axis in AXES:
        answers = as_mapping(record["responses"]).get(axis)
        for answer in as_list(answers):
            if isinstance(answer, dict) and isinstance(answer.get("value"), list):
                names = [f"{axis}: {name}" for name in answer["value"]]
                by_user.setdefault(str(answer.get("user_id", "")), []).extend(names)
    for user, labels in by_user.items():
        # sorted, since a set of texts has another order in every run, and the error names one of
        # them
        unknown = sorted(set(labels) - walk.keys())
        if unknown:
            what = f"the label {unknown[0]!r} is not in the crosswalk"
            raise InputError(
                what, "add it to the taxonomy's foreign labels", file=file, episode=episode
            )
        # two of their labels may be one code of ours, which then keeps both as its note
        codes: dict[str, list[str]] = {}
        for label in labels:
            for code in walk[label]:
                codes.setdefault(code, []).append(label)
        value = {
            "task": "failure",
            "taxonomy": taxonomy.name,
            "taxonomy_version": taxonomy.version,
            "labels": [{"code": code, "note": "; ".join(names)} for code, names in codes.items()],
        }
        yield {"episode": episode, "annotator": f"GROKE {user[:8]}".strip(), "value": value}

"""Findings that people keep: a name, and the filters of the list of episodes that it stands for.

They lie in ``findings.json`` beside the run, so that the next run of the same folder is looked at
by them too. Words can be searched for in what models read and wrote: a mark says where and which.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final
from urllib.parse import quote, unquote

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from navviz.errors import InputError
from navviz.records import Trace
from navviz.runs.opened import OpenRun
from navviz.runs.sources import workspace_dir
from navviz.support.guarded import is_regular, opened_bytes, write_whole

FILE: Final = "findings.json"

IN_TEXTS: Final = ("in thoughts: ", "in prompts: ", "in replies: ")
"""Begin the marks of episodes whose transcript has some words; these follow, percent-encoded."""


class OwnFinding(BaseModel):
    """One that somebody keeps."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str = Field(min_length=1, max_length=200)
    query: dict[str, str] = Field(min_length=1)
    """The filters, as a link says them."""


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid")

    findings: list[OwnFinding] = []


def own_file(run: OpenRun) -> Path | None:
    """Return where the findings of a run are kept: beside it, else in the workspace; ``None`` for
    what a visitor uploads, which goes with the visit.
    """
    source = run.source
    if source.results is None or source.origin == "upload":
        return None
    folder = source.results.parent
    is_ours = source.origin == "opened" and os.access(folder, os.W_OK)
    return (folder if is_ours else workspace_dir()) / FILE


def read_own(run: OpenRun) -> list[OwnFinding]:
    """Return the findings that are kept for a run; raises `InputError` for a damaged file."""
    path = own_file(run)
    if path is None or not is_regular(path):
        return []
    try:
        with opened_bytes(path) as file:
            return _File.model_validate_json(file.read()).findings
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise InputError(f"{FILE}, field {where}: {first['msg']}", "mend or delete it") from error


def keep_own(run: OpenRun, findings: Sequence[OwnFinding]) -> None:
    """Keep findings in place of those that were kept; raises `InputError` where nothing can be."""
    path = own_file(run)
    if path is None:
        raise InputError("the findings of an upload cannot be kept", "open the run from its folder")
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, _File(findings=list(findings)).model_dump_json(indent=1) + "\n")


def text_mark(kind: str, words: str) -> str:
    """Return the mark of words in ``thoughts``, ``prompts`` or ``replies``."""
    return f"in {kind}: {quote(' '.join(words.split()), safe='')}"


def text_mark_words(mark: str) -> str:
    """Say such a mark in words."""
    kind, _, words = mark.removeprefix("in ").partition(": ")
    return f"“{unquote(words)}” in the {kind}"


def saying(run: OpenRun, mark: str) -> frozenset[str]:
    """Return the episodes whose transcripts have the words of such a mark."""
    kind, _, words = mark.removeprefix("in ").partition(": ")
    wanted = unquote(words).casefold()
    keys = []
    for key, trace in run.traces.items():
        if any(wanted in searched(text) for text in _texts(trace, kind)):
            keys.append(key)
    return frozenset(keys)


def searched(text: str) -> str:
    """Return a text as words are looked for in it: in any case and spacing."""
    return " ".join(text.split()).casefold()


def _texts(trace: Trace, kind: str) -> Iterator[str]:
    for call in trace.calls:
        if kind == "prompts":
            yield from (message.text for message in call.messages)
        else:
            yield (call.thoughts if kind == "thoughts" else call.reply) or ""

"""Versions of a prompt that a workspace keeps: who wrote which text when, and why."""

from __future__ import annotations

import re
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from navviz.errors import InputError, SettingsError
from navviz.runner.config import check_version, now
from navviz.runs.owners import Viewer
from navviz.runs.sources import workspace_dir
from navviz.support.guarded import read_json, write_whole
from navviz.systems.prompts import prompt_hash

_LONGEST_NOTE = 200
_HASH = 12
"""Digits of the hash in a file's name; the file holds it whole."""


class PromptVersion(BaseModel):
    """One version of a navigator's prompt."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    schema_version: int = 1
    navigator: str
    text: str
    sha256: str
    created: str
    by: str = ""
    """Visitor of a server; empty for its operator, and for the user of a machine of their own."""
    note: str = ""


def prompts_folder(navigator: str, workspace: Path | None = None) -> Path:
    """Where the versions of a navigator's prompt lie, a file each."""
    name = re.sub(r"[^\w.-]+", "-", navigator)
    return (workspace or workspace_dir()) / "prompts" / name


def keep_prompt(
    navigator: str, text: str, *, note: str = "", by: str = "", workspace: Path | None = None
) -> PromptVersion:
    """Keep a version; the same text by the same author is kept once, with its latest note.

    Raises
    ------
    SettingsError
        For a note that is too long.
    StoreError
        When it cannot be written.
    """
    note = note.strip()
    if len(note) > _LONGEST_NOTE:
        raise SettingsError(f"A note has up to {_LONGEST_NOTE} characters; shorten it.")
    sha256 = prompt_hash(text)
    version = PromptVersion(
        navigator=navigator, text=text, sha256=sha256, created=now(), by=by, note=note
    )
    # a file for each author, so that nobody's note replaces another's
    author = f"-{prompt_hash(by)[:_HASH]}" if by else ""
    folder = prompts_folder(navigator, workspace)
    write_whole(folder / f"{sha256[:_HASH]}{author}.json", version.model_dump_json(indent=1))
    return version


def prompt_versions(
    navigator: str, viewer: Viewer, workspace: Path | None = None
) -> list[PromptVersion]:
    """Return the versions that somebody may see, the newest first: one's own, and for the operator
    all.

    Files that cannot be read are left out.
    """
    versions = []
    for path in sorted(prompts_folder(navigator, workspace).glob("*.json")):
        try:
            content = read_json(path)
            check_version(content, path)
            version = PromptVersion.model_validate(content)
        except (InputError, ValidationError):
            continue
        if viewer.operator or version.by == viewer.name:
            versions.append(version)
    return sorted(versions, key=lambda version: version.created, reverse=True)

"""Versions of a prompt that a workspace keeps: who wrote which text when, and why."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from navviz.errors import InputError, SettingsError
from navviz.runner.config import check_version, now
from navviz.runs.owners import Viewer
from navviz.runs.sources import workspace_dir
from navviz.support.guarded import read_json, write_whole
from navviz.support.systems import own_systems
from navviz.systems.prompt_sources import read_prompts
from navviz.systems.prompts import prompt_hash

_LONGEST_NOTE = 200
_OPERATOR = Viewer(operator=True)
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
    name: str = ""
    """Of a published prompt: ``navgpt-gpt-3.5``."""
    commit: str = ""
    """Of the checkout that it was read from."""


def prompts_folder(navigator: str, workspace: Path | None = None) -> Path:
    """Where the versions of a navigator's prompt lie, a file each."""
    name = re.sub(r"[^\w.-]+", "-", navigator)
    return (workspace or workspace_dir()) / "prompts" / name


def keep_prompt(
    navigator: str,
    text: str,
    *,
    note: str = "",
    by: str = "",
    name: str = "",
    commit: str = "",
    workspace: Path | None = None,
) -> PromptVersion:
    """Keep a version; the same text by the same author is kept once, with its latest note.

    Raises `SettingsError` for a note that is too long; `StoreError` when it cannot be written.
    """
    note = note.strip()
    if len(note) > _LONGEST_NOTE:
        raise SettingsError(f"A note has up to {_LONGEST_NOTE} characters; shorten it.")
    sha256 = prompt_hash(text)
    version = PromptVersion(
        navigator=navigator,
        text=text,
        sha256=sha256,
        created=now(),
        by=by,
        note=note,
        name=name,
        commit=commit,
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


def keep_published(system: str, path: Path) -> tuple[list[PromptVersion], list[str]]:
    """Keep the prompts of a checkout as versions; see `navviz.systems.prompt_sources.read_prompts`.

    Returns the versions, and a sentence for each prompt that cannot be had.
    """
    published, missing = read_prompts(system, path)
    kept = []
    for each in published:
        source = each.source
        origin = f"{source.repository} {each.commit[:_HASH]}".strip()
        note = f"{source.name}, {origin}"
        version = keep_prompt(
            source.navigator, each.text, note=note, name=source.name, commit=each.commit
        )
        kept.append(version)
    return kept, missing


def prompt_of(navigator: str, name: str) -> PromptVersion:
    """Return the newest version of a name, or the one whose hash begins so.

    Raises `SettingsError` where there is none.
    """
    versions = prompt_versions(navigator, _OPERATOR)
    for version in versions:
        if version.name == name or (len(name) > 5 and version.sha256.startswith(name)):
            return version
    names = dict.fromkeys(version.name or version.sha256[:7] for version in versions)
    listed = f"there are {', '.join(names)}" if names else "none is kept"
    raise SettingsError(
        f"No prompt {name!r} of {navigator} is kept in this workspace ({listed}): read a checkout"
        " with navviz data prompts, or keep one in Live."
    )


def published_prompt(navigator: str, settings: Mapping[str, Any]) -> PromptVersion | None:
    """Return the kept prompt of a navigator's authors that settings as published belong to."""
    fitting = set()
    for system in own_systems():
        for source in system.prompt_sources:
            values = source.settings.items()
            if source.file and all(str(settings.get(key)) in allowed for key, allowed in values):
                fitting.add(source.name)
    versions = prompt_versions(navigator, _OPERATOR)
    return next((version for version in versions if version.name in fitting), None)

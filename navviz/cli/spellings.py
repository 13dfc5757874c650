"""Spellings of 0.1 that work until 0.2: each command line is written anew, with one hint.

Everything that is old stands here, so that 0.2 deletes this file and the hidden options.
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass

_COMMANDS: dict[str, tuple[str, ...]] = {
    "slices": ("diagnose", "slices"),
    "scan": ("diagnose", "scan"),
    "influence": ("diagnose", "influence"),
    "stability": ("diagnose", "stability"),
    "verify": ("diagnose", "verify"),
    "show-context": ("diagnose", "context"),
    "schema": ("data", "schema"),
    "map": ("data", "world"),
    "provenance": ("data", "check", "--provenance"),
    "go-on": ("run", "--go-on"),
    "score-objects": ("score",),
    "shares": ("server", "shares"),
    "audit": ("server", "audit"),
}

_ARGUMENT = ""
_OPTIONS: dict[tuple[str, ...], dict[str, str]] = {
    ("score",): {"--results": _ARGUMENT, "--predicted": _ARGUMENT, "--true": "--objects"},
    ("run",): {"--run": _ARGUMENT},
    ("fetch",): {"--to": "--out"},
    ("data", "world"): {"--to": "--out"},
    ("data", "floor"): {"--scan": "--world"},
    ("diagnose", "context"): {"--format": "--context-format", "--results": "--landmarks-of"},
    ("diagnose", "similar"): {"--count": "--most"},
    ("diagnose", "clusters"): {"--count": "--most"},
}
"""Old options of a command by the new one; `_ARGUMENT` where the value has become its argument."""

_FORMS = {"latex": "tex", "markdown": "md"}
_TODAY = frozenset({"table", "json", "csv", "md", "tex"})
"""What ``--format`` means in every command of today."""


@dataclass(frozen=True, slots=True)
class Spelling:
    """A command line in today's words."""

    words: list[str]
    hint: str = ""
    """What to write instead; empty where nothing was old."""


def modern(given: list[str]) -> Spelling:
    """Return a command line in today's words."""
    start = 0
    while start < len(given) and given[start].startswith("-"):
        start += 1  # options of navviz itself take no value
    head, words = given[:start], given[start:]
    moved = bool(words) and words[0] in _COMMANDS
    if moved:
        words = [*_COMMANDS[words[0]], *words[1:]]
    # by the new name of the command, under which its options are listed
    path = _path(words)
    arguments = words[len(path) :]
    # the navigator was an argument once
    if path == ("diagnose", "controls") and arguments and not arguments[0].startswith("-"):
        arguments = ["--navigator", *arguments]
    names = dict(_OPTIONS.get(path, {}))
    # `diagnose context --format json` asks for JSON; `show-context` meant the json of GROKE
    if not moved and _TODAY & {*arguments, *(word.partition("=")[2] for word in arguments)}:
        names.pop("--format", None)
    words = [*path, *_renamed(names, arguments)]
    if [*head, *words] == given:
        return Spelling(given)
    # quoted, so that the hint can be copied into a shell
    line = shlex.join(["navviz", *words])
    return Spelling([*head, *words], f"hint: write `{line}`; the old spelling works until 0.2.")


def _path(words: list[str]) -> tuple[str, ...]:
    """Return the names of the command, with that of its group."""
    if tuple(words[:2]) in _OPTIONS or words[:2] == ["diagnose", "controls"]:
        return tuple(words[:2])
    return tuple(words[:1])


def _renamed(names: Mapping[str, str], arguments: list[str]) -> list[str]:
    """Return the arguments with new names of options and forms."""
    first: list[str] = []
    rest: list[str] = []
    waiting = list(arguments)
    while waiting:
        word = waiting.pop(0)
        if word == "--":  # what follows are no options
            rest += [word, *waiting]
            break
        option, equals, value = word.partition("=")
        if option == "--format" and option not in names:
            value = value if equals else "".join(waiting[:1])
            if value in _FORMS:
                rest += ["--format", _FORMS[value]]
                del waiting[: 0 if equals else 1]
                continue
        if option not in names:
            rest.append(word)
            continue
        if not equals:
            value = waiting.pop(0) if waiting else ""
        if names[option] == _ARGUMENT:
            first.append(value)
        else:
            rest += [names[option], value]
    return [*first, *rest]

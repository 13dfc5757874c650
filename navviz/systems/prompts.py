"""A navigator's prompt as a text that users may edit: its fields and its check.

A prompt is one text. What stands before a line ``=== user ===`` is the system message, what stands
behind it the user's; a text without that line is the user's message alone. ``{name}`` is a field
that each step fills in, ``{{name}}`` writes the braces themselves, and all other braces stay as
they are. What is filled in is never searched for fields again: an instruction cannot add one.
"""

from __future__ import annotations

import difflib
import hashlib
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from navviz.errors import SettingsError
from navviz.records import Message

__all__ = [
    "LONGEST_PROMPT",
    "SETTING",
    "PromptField",
    "PromptKind",
    "PromptText",
    "check_prompt",
    "prompt_hash",
]

SETTING = "prompt"
"""Name of the setting that holds an edited prompt."""
LONGEST_PROMPT = 50_000
"""Characters; the longest that we ship has 4,000."""
_USER_LINE = "=== user ==="
_USER = re.compile(r"^=== user ===[ \t]*\n?", re.MULTILINE)
_PLACE = re.compile(r"\{\{([a-z][a-z0-9_]*)\}\}|\{([a-z][a-z0-9_]*)\}")


@dataclass(frozen=True, slots=True)
class PromptField:
    """What a step fills into a prompt."""

    name: str
    about: str
    """For the form, without a full stop."""
    is_needed: bool = False
    """Whether no walk is possible without it."""
    for_published: bool = False
    """Whether only the prompts of a system's authors have it."""


@dataclass(frozen=True, slots=True)
class PromptKind:
    """The prompt by which a navigator asks for its moves."""

    fields: tuple[PromptField, ...]
    shipped: Callable[[Any], str]
    """Gives the text that is used where none is set, for the navigator's settings."""


@dataclass(frozen=True, slots=True)
class PromptText:
    """A prompt in its two parts."""

    system: str
    user: str

    @classmethod
    def parse(cls, text: str) -> PromptText:
        """Split a text into its two parts."""
        head, *rest = _USER.split(text, maxsplit=1)
        system, user = (head, rest[0]) if rest else ("", text)
        return cls(system.strip(), user.strip())

    def __str__(self) -> str:
        """Return the whole as one text, which `parse` reads again."""
        return f"{self.system}\n\n{_USER_LINE}\n{self.user}" if self.system else self.user

    def fill(self, values: Mapping[str, str], fault: str = "") -> tuple[Message, ...]:
        """Return the messages of one step; `fault` goes to the end of the user's message."""
        user = _filled(self.user, values) + fault
        message = Message(role="user", text=user)
        if not self.system:
            return (message,)
        return Message(role="system", text=_filled(self.system, values)), message


def _filled(text: str, values: Mapping[str, str]) -> str:
    def value(match: re.Match[str]) -> str:
        if match[1] is not None:
            return f"{{{match[1]}}}"
        return values.get(match[2], match[0])

    return _PLACE.sub(value, text)


def prompt_hash(text: str) -> str:
    """Return the SHA-256 of a prompt in hexadecimal digits."""
    return hashlib.sha256(text.encode()).hexdigest()


def check_prompt(text: str, kind: PromptKind) -> None:
    """Raise `SettingsError` for a prompt that lacks or invents a field, or is too long."""
    if len(text) > LONGEST_PROMPT:
        raise SettingsError(
            f"The prompt has {len(text):,} characters, more than {LONGEST_PROMPT:,}; shorten it."
        )
    named = {match[2] for match in _PLACE.finditer(text) if match[2] is not None}
    fields = [each.name for each in kind.fields]
    for name in sorted(named.difference(fields)):
        close = difflib.get_close_matches(name, fields, n=1)
        hint = f"did you mean {{{close[0]}}}?" if close else f"the fields are {_listed(fields)}"
        raise SettingsError(
            f"The prompt has an unknown field {{{name}}}: {hint}"
            f" (write {{{{{name}}}}} for the text itself)."
        )
    missing = [each for each in kind.fields if each.is_needed and each.name not in named]
    if missing:
        field = missing[0]
        raise SettingsError(
            f"The prompt lacks the field {{{field.name}}} ({field.about}); write it where it"
            " belongs."
        )


def _listed(names: list[str]) -> str:
    return ", ".join(f"{{{name}}}" for name in names)

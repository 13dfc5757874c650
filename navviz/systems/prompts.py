"""A navigator's prompt as a text that users may edit: its fields, its check, its place in settings.

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
from typing import Any, ClassVar, Self

from pydantic import Field, SerializerFunctionWrapHandler, model_serializer, model_validator

from navviz.errors import SettingsError
from navviz.records import Episode, Message
from navviz.systems.base import Navigator, Settings

__all__ = [
    "LONGEST_PROMPT",
    "SETTING",
    "PromptField",
    "PromptKind",
    "PromptText",
    "PromptedSettings",
    "check_prompt",
    "prompt_hash",
    "prompt_kind",
    "shipped_prompt",
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
    """Raise `SettingsError` for a prompt that lacks a field, names an unknown one or is too
    long.
    """
    if len(text) > LONGEST_PROMPT:
        raise SettingsError(
            f"The prompt has {len(text):,} characters, more than {LONGEST_PROMPT:,}; shorten it."
        )
    named = {match[2] for match in _PLACE.finditer(text) if match[2] is not None}
    known = [each.name for each in kind.fields]
    for name in sorted(named.difference(known)):
        close = difflib.get_close_matches(name, known, n=1)
        hint = f"did you mean {{{close[0]}}}?" if close else f"the fields are {_listed(known)}"
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


class PromptedSettings(Settings):
    """Base of the settings of a navigator whose prompt may be edited.

    The text itself is the setting, never a file: a visitor of a server may set it, and the header
    of a trace holds it whole, so that the walk can be repeated.
    """

    prompt_kind: ClassVar[PromptKind]

    prompt: str = Field(
        "",
        description=(
            "Another text of the prompt that asks for a move, with its fields in braces; empty for"
            " the shipped one. On the command line prompt=@FILE reads it from a file."
        ),
    )

    @model_validator(mode="after")
    def _check_prompt(self) -> Self:
        """Refuse a prompt that cannot be filled in."""
        if self.prompt:
            check_prompt(self.prompt, self.prompt_kind)
        return self

    @model_serializer(mode="wrap")
    def _without_empty_prompt(self, write: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Leave the shipped prompt out: traces that were made before there was a choice are
        alike.
        """
        written: dict[str, Any] = write(self)
        if not self.prompt:
            written.pop(SETTING, None)
        return written

    @property
    def prompt_text(self) -> PromptText:
        """The prompt that is used: the edited one, else the shipped one."""
        return PromptText.parse(self.prompt or self.prompt_kind.shipped(self))

    def resolved(self, episode: Episode) -> dict[str, Any]:
        """Name the version of an edited prompt."""
        del episode
        return {"prompt_sha256": prompt_hash(self.prompt)} if self.prompt else {}


def prompt_kind(navigator: Navigator) -> PromptKind | None:
    """Return the prompt of a navigator that may be edited; ``None`` where there is none."""
    kind = navigator.settings_type
    return kind.prompt_kind if issubclass(kind, PromptedSettings) else None


def shipped_prompt(settings: Settings) -> str:
    """Return the prompt that these settings use where none is set; empty where they have none."""
    if not isinstance(settings, PromptedSettings):
        return ""
    return settings.prompt_kind.shipped(settings)

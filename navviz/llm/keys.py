"""API keys: where they come from, and how they are kept out of every text that leaves NavViz."""

from __future__ import annotations

import os
import re
from itertools import chain
from typing import Literal

from pydantic import SecretStr

Provider = Literal["gemini", "openai"]

KEY_VARIABLES: dict[Provider, tuple[str, ...]] = {
    "gemini": ("GEMINI_API_KEY", "GOOGLE_API_KEY"),
    "openai": ("OPENAI_API_KEY",),
}
"""Environment variables in which a provider's key is looked for, first one first."""

_HIDDEN = "[key]"
# keys of Google (AIza, AQ.) and OpenAI (sk-); the star, since servers quote a refused key with its
# middle starred out
_KEY_SHAPES = re.compile(
    r"AIza[\w-]{20,}|AQ\.[\w-]{20,}|\bsk-[\w*-]{8,}|(?<=Bearer )[^\s\"']+|(?<=[?&]key=)[^&\s\"']+"
)
_SHORTEST_KEY = 6
"""A shorter value of the environment ("test") would also blot out plain words."""


def find_key(provider: Provider, given: SecretStr | str | None = None) -> SecretStr | None:
    """Return the key that was given, or the one in the environment, or ``None``."""
    value = given.get_secret_value() if isinstance(given, SecretStr) else given
    if value is not None and value.strip():
        return SecretStr(value.strip())
    for name in KEY_VARIABLES[provider]:
        text = os.environ.get(name, "").strip()
        if text:
            return SecretStr(text)
    return None


def key_label(provider: Provider, given: SecretStr | str | None = None) -> str:
    """Name a key without telling it: the variable it came from, or "the key that was typed in"."""
    if given is not None and str(given).strip():
        return "the key that was typed in"
    names = KEY_VARIABLES[provider]
    return "the key in " + next(
        (name for name in names if os.environ.get(name, "").strip()), names[0]
    )


def scrub(text: str, *keys: SecretStr | None) -> str:
    """Remove keys from a text: given ones, those of the environment, and what looks like one."""
    values = [key.get_secret_value() for key in keys if key is not None]
    variables = chain.from_iterable(KEY_VARIABLES.values())
    values += [os.environ.get(name, "").strip() for name in variables]
    for value in values:
        if len(value) >= _SHORTEST_KEY:
            text = text.replace(value, _HIDDEN)
    return _KEY_SHAPES.sub(_HIDDEN, text)

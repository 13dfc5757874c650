"""Models by name: ``gemini:MODEL``, ``openai:MODEL@URL``, ``scripted:FILE``, or plug-ins."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

from pydantic import SecretStr

from navviz.errors import NavVizError, PluginError, SettingsError
from navviz.llm.addresses import (
    ADDRESSES_VARIABLE,
    KEY_VARIABLES,
    Provider,
    check_address,
    find_key,
    looks_like_key,
    may_have_key,
    scrub,
)
from navviz.llm.prices import LIST_PRICES, price_of
from navviz.llm.scripted import Scripted
from navviz.llm.streaming import ModelOptions
from navviz.support.installation.extras import needs_extra
from navviz.support.installation.plugins import load_plugin, note, plugin_names

if TYPE_CHECKING:
    from navviz.llm.base import LanguageModel
    from navviz.records import Price

__all__ = [
    "NAMED_BY_KEY",
    "check_model_name",
    "close_model",
    "is_model_name",
    "make_model",
    "model_forms",
    "model_price",
    "plugin_kinds",
]

NAMED_BY_KEY: Final = (
    "The model's name holds what looks like a key, which would stand in the page's address and in"
    " every trace; write the name alone, and give the key by the key field or the environment."
)
_OWN_KINDS = ("gemini", "openai", "scripted")


def make_model(
    name: str,
    options: ModelOptions | None = None,
    key: SecretStr | str | None = None,
    prices: Mapping[str, Price] | None = None,
    jobs: Path | None = None,
) -> LanguageModel:
    """Make a model.

    Parameters
    ----------
    name
        ``gemini:MODEL``, ``openai:MODEL`` (OpenAI itself), ``openai:MODEL@URL`` (any compatible
        server; a local one needs no key), ``scripted:FILE``, or ``KIND:MODEL`` with a kind of
        another package.
    options
        Thinking level, temperature, time limit, retries.
    key
        API key; otherwise ``GEMINI_API_KEY`` or ``GOOGLE_API_KEY``, or ``OPENAI_API_KEY``, which
        are sent to their providers' own addresses and to those that `may_have_key` knows, and to no
        other.
    prices
        US dollars for a million tokens by model; the bundled list prices if not given.
    jobs
        Folder that notes the jobs of Gemini's batch mode, by which it is then asked.

    Raises
    ------
    SettingsError
        When the name has none of these forms, or no key was found; `MissingExtraError` when the
        client library of the provider is not installed.
    InputError
        When a script cannot be read.
    """
    kind, rest = _parse(name)
    options = options or ModelOptions()
    if jobs is not None and kind != "gemini":
        raise SettingsError(f"{name} has no batch mode that NavViz knows; choose gemini:MODEL.")
    price = model_price(name, LIST_PRICES if prices is None else prices)
    if kind not in _OWN_KINDS:
        make = load_plugin(
            "navviz.llm", kind, lambda offered: None if callable(offered) else "is no function"
        )
        try:
            made: LanguageModel = make(rest, options, price)
        # such a sentence was written for users by the plug-in itself
        except NavVizError:
            raise
        except Exception as error:
            wrong = f"cannot make the model {rest} ({type(error).__name__}: {scrub(str(error))})"
            raise PluginError(str(note("navviz.llm", kind, wrong))) from error
        if not callable(getattr(made, "stream", None)) or not isinstance(
            getattr(made, "name", None), str
        ):
            raise PluginError(
                str(note("navviz.llm", kind, "makes no model: it lacks name or stream"))
            )
        return made
    if kind == "scripted":
        return Scripted.from_file(Path(rest))
    typed_in = (
        key is not None
        and (key.get_secret_value() if isinstance(key, SecretStr) else key).strip() != ""
    )
    if kind == "gemini":
        url = None if options.base_url is None else check_address(options.base_url)
        secret = find_key("gemini", key) if typed_in or may_have_key("gemini", url) else None
        # imported here, since each client library is an extra that may not be installed
        with needs_extra("gemini"):
            from navviz.llm.gemini import Gemini

        known = _required(secret, "gemini", "Gemini")
        if jobs is not None:
            from navviz.llm.gemini_batches import BatchedGemini

            return BatchedGemini(rest, known, options, price, jobs, typed_in=typed_in)
        return Gemini(rest, known, options, price, typed_in=typed_in)
    with needs_extra("openai"):
        from navviz.llm.openai_compatible import OpenAICompatible

    model, url = _model_and_url(rest)
    secret = find_key("openai", key) if typed_in or may_have_key("openai", url) else None
    if url is None:
        _required(secret, "openai", "OpenAI")
    return OpenAICompatible(model, url, secret, options, price, typed_in=typed_in)


def plugin_kinds() -> tuple[str, ...]:
    """Return what may stand before the colon of a model's name thanks to other packages."""
    return tuple(kind for kind in plugin_names("navviz.llm") if kind not in _OWN_KINDS)


def model_forms() -> str:
    """Return how users write a model, for help and error texts."""
    own = ("gemini:MODEL", "openai:MODEL", "openai:MODEL@URL", "scripted:FILE")
    forms = (*own, *(f"{kind}:MODEL" for kind in plugin_kinds()))
    return f"{', '.join(forms[:-1])} or {forms[-1]}"


def check_model_name(name: str) -> None:
    """Raise `SettingsError` for a name that names no model, or holds a key."""
    _parse(name)


def is_model_name(name: str) -> bool:
    """Whether a name has one of the forms that `model_forms` lists."""
    try:
        _parse(name)
    except SettingsError:
        return False
    return True


def model_price(name: str, prices: Mapping[str, Price]) -> Price | None:
    """Price of a model by the name that users write; ``None`` where it is not known."""
    kind, rest = _parse(name)
    return price_of(_model_and_url(rest)[0] if kind == "openai" else rest, prices)


def close_model(llm: LanguageModel | None) -> None:
    """Close a model's connections where it has any."""
    close = getattr(llm, "close", None)
    if close is not None:
        close()


def _parse(name: str) -> tuple[str, str]:
    kind, colon, rest = name.strip().partition(":")
    # the part after an @ is an address, which has a check of its own
    if kind != "scripted" and looks_like_key(re.split(r"@https?://", rest if colon else kind)[0]):
        raise SettingsError(NAMED_BY_KEY)
    if not colon or kind not in (*_OWN_KINDS, *plugin_kinds()) or not rest.strip():
        raise SettingsError(f"{name!r} is no model; write {model_forms()}.")
    if kind == "openai":
        _model_and_url(rest)
    return kind, rest.strip()


def _model_and_url(rest: str) -> tuple[str, str | None]:
    # models have colons and slashes in their names, so only an @ before http parts name and address
    match = re.fullmatch(r"(?P<model>.*?)@(?P<url>https?://.*)", rest.strip(), re.DOTALL)
    if match is None:
        if "@" in rest or "://" in rest:
            raise SettingsError(
                f"'openai:{_shown(rest)}' has no full address after the @; write"
                " openai:MODEL@http://HOST:PORT/v1."
            )
        return rest.strip(), None
    if not match["model"]:
        raise SettingsError(
            f"'openai:{_shown(rest)}' lacks the model; write openai:MODEL@http://HOST:PORT/v1."
        )
    return match["model"], check_address(match["url"])


def _shown(rest: str) -> str:
    """Return what a user wrote, up to where a key may hide."""
    return re.split(r"[?#]", re.sub(r"//[^/@]*@", "//", rest))[0]


def _required(key: SecretStr | None, provider: Provider, vendor: str) -> SecretStr:
    if key is None:
        names = " or ".join(KEY_VARIABLES[provider])
        sentence = f"There is no key for {vendor}: set {names}, or type one into the Live page."
        if find_key(provider) is not None:
            sentence = (
                f"The key of the environment is not sent to another address than {vendor}'s own:"
                f" type a key into the Live page, or list the address in {ADDRESSES_VARIABLE}."
            )
        raise SettingsError(sentence)
    return key

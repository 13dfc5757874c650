"""Forms made of what a navigator's settings and a model's options say of themselves.

The page's address holds every choice, so that a reload keeps it; never a key.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import streamlit as st
from pydantic import BaseModel, SecretStr, ValidationError

from navviz.errors import SettingsError
from navviz.llm.addresses import check_address, find_key, is_listed, key_label, looks_like_key
from navviz.llm.base import LanguageModel
from navviz.llm.prices import LIST_PRICES, LIST_PRICES_SOURCE, load_prices
from navviz.llm.registry import NAMED_BY_KEY, check_model_name, make_model, plugin_kinds
from navviz.llm.streaming import ModelOptions
from navviz.records.walker import BLIND
from navviz.runner import Budget
from navviz.runner.budget import MeteredModel
from navviz.runs.opened import workspace_dir
from navviz.support.installation.serving import require
from navviz.systems.base import PromptedSettings, is_hidden, place_kind
from navviz.systems.prompts import SETTING as PROMPT
from navviz.ui.components.plain import plain
from navviz.ui.components.widgets import BOUND, pick
from navviz.ui.server import audit
from navviz.ui.server.identity import known_browser
from navviz.ui.server.limits import share
from navviz.ui.state.session import current, has_widget, set_widget, widget

_GEMINI = "Gemini"
_FIRST_GEMINI = "gemini-3.1-pro-preview"
_OPENAI = "OpenAI"
_SERVER = "OpenAI-compatible server"
_MOST_ADDRESSES = 1_000
_CHOSEN = ("live_gemini_model", "live_openai_model")
"""Fields of names that offer known ones."""
_OPTIONS = ("thinking", "temperature", "max_output_tokens", "timeout_s")


def settings_form(
    settings_type: type[BaseModel],
    prefix: str,
    only: Sequence[str] = (),
    *,
    may_be_blind: bool = False,
) -> dict[str, Any]:
    """Widgets for every field that is a choice, a number, a switch or a text; returns what differs
    from the defaults.
    """
    schema = settings_type.model_json_schema()
    values: dict[str, Any] = {}
    for name, described in schema.get("properties", {}).items():
        if name == PROMPT and issubclass(settings_type, PromptedSettings):
            continue  # its texts have an editor of their own
        if name == BLIND and not may_be_blind:
            continue
        if (only and name not in only) or is_hidden(name, settings_type.model_fields[name]):
            continue
        # flat: references and `anyOf [..., null]` are taken apart
        description = dict(described)
        for part in description.pop("anyOf", []):
            if part.get("type") == "null":
                description["optional"] = True
            else:
                # what stands outside of anyOf is about this field and wins
                description = {**part, **description}
        reference = description.pop("$ref", None)
        if reference is not None:
            description = {**schema["$defs"][reference.rpartition("/")[2]], **description}
        default = settings_type.model_fields[name].get_default(call_default_factory=True)
        if place_kind(name, settings_type.model_fields[name]) == "address":
            about = description.get("description")
            url = address_field(_label(name), f"{prefix}_{name}", str(default or ""), about)
            if url != str(default or ""):
                values[name] = url
            continue
        shown, value = _widget(name, description, default, f"{prefix}_{name}")
        if shown and value != default:
            values[name] = value
    return values


def fill_settings(settings_type: type[BaseModel], prefix: str, values: Mapping[str, Any]) -> None:
    """Give the widgets of `settings_form` their values, the defaults where `values` has none; call
    it before they are drawn.
    """
    for name, field in settings_type.model_fields.items():
        if name == PROMPT or is_hidden(name, field):
            continue
        value = values.get(name, field.get_default(call_default_factory=True))
        if isinstance(value, str | int | float | bool | None):
            # a text field is empty where nothing is set
            is_text = value is None and field.annotation is str
            set_widget(f"{prefix}_{name}", "" if is_text else value)


def _widget(
    name: str, description: Mapping[str, Any], default: object, key: str
) -> tuple[bool, object]:
    """Whether the field has a widget, and its value."""
    label = _label(name)
    about = description.get("description")
    kind = description.get("type")
    if "enum" in description:
        options = ([None] if description.get("optional") else []) + list(description["enum"])
        return True, pick(
            label, options, key, index=options.index(default), help=about, format_func=_shown
        )
    if kind == "boolean":
        return True, st.toggle(label, value=bool(default), key=key, help=about, **BOUND)
    if kind in {"integer", "number"}:
        return True, _number(
            label, description, default if isinstance(default, int | float) else None, key
        )
    if kind == "string":
        text = _name_field(label, key, str(default or ""), about=about)
        return True, (text or None) if description.get("optional") else text
    return False, default


def _label(name: str) -> str:
    """Write a field's name in words, its unit in brackets."""
    words, _, unit = name.rpartition("_")
    description = f"{words} ({unit})" if words and unit in {"m", "s", "deg"} else name
    return description.replace("_", " ").capitalize().replace("Poi ", "POI ")


def _shown(value: object) -> str:
    return "default" if value is None else str(value)


def _number(
    label: str, description: Mapping[str, Any], default: float | None, key: str
) -> float | int | None:
    about = description.get("description")
    # number_input knows inclusive limits alone; the settings themselves refuse an excluded one
    low = description.get("minimum", description.get("exclusiveMinimum"))
    high = description.get("maximum", description.get("exclusiveMaximum"))
    # Streamlit wants value, limits and step of one type
    is_whole = description["type"] == "integer"
    number: Any = int if is_whole else float
    chosen: float | None = st.number_input(
        label,
        min_value=None if low is None else number(low),
        max_value=None if high is None else number(high),
        value=None if default is None else number(default),
        step=1 if is_whole else None,
        key=key,
        help=about,
        placeholder="default",
        **BOUND,
    )
    return chosen


@dataclass(frozen=True, slots=True)
class ModelChoice:
    """What was chosen in the model form; the key never shows in its text."""

    name: str
    options: ModelOptions
    key: SecretStr | None

    def make(self, purpose: str = "") -> LanguageModel:
        """Make the model, paid for by the visitor's share; raises `SettingsError` where name, key
        or right is missing.

        Every page that asks a model makes it here; `purpose` is the run that the audit names when
        the model is closed.
        """
        require("models")
        if not self.name:
            raise SettingsError("Name the model to ask.")
        model = make_model(
            self.name, self.options, self.key, load_prices(workspace_dir() / "prices.json")
        )
        payer = share()
        return model if payer is None else MeteredModel(model, payer, audit.counting(purpose))


def address_field(label: str, key: str, default: str, about: str | None = None) -> str:
    """Ask for an address; what may hold a key, or cannot be read in one way, is refused at once.

    Only an address that the operator lists stands in the page's address, which people copy: to any
    other a link would lead keys that its reader types in. A link that names one is taken once, and
    a reload finds it by the browser's cookie.
    """
    written = st.query_params.get(key) or _typed_addresses().get((known_browser(), key))
    if written is not None and not has_widget(key):
        set_widget(key, written)
    if has_widget(key):
        _check_typed(key)
    elif default:
        try:
            check_address(default)
        except SettingsError:
            default = ""  # a server's visitors are not offered what it refuses
    url = st.text_input(
        label,
        value=default,
        key=key,
        help=about,
        persist_state="session",
        on_change=_check_typed,
        args=(key,),
    )
    show_refusal(key)
    return url


def _name_field(
    label: str,
    key: str,
    default: str = "",
    *,
    kind: str = "",
    names: Sequence[str] = (),
    about: str | None = None,
    placeholder: str | None = None,
) -> str:
    """Ask for a name, of the known `names` or another one; `kind` is that of a model.

    It stands in the page's address, and in runs; so what looks like a key is not taken, nor a
    model that this server does not ask.
    """
    written = st.query_params.get(key)
    if written is not None and not has_widget(key):
        set_widget(key, written)
    if has_widget(key):
        _check_name(key, default, kind)
    if names:
        chosen = st.selectbox(
            label,
            names,
            index=names.index(default),
            key=key,
            accept_new_options=True,
            help=about,
            persist_state="session",
            on_change=_check_name,
            args=(key, default, kind),
        )
    else:
        chosen = st.text_input(
            label,
            value=default,
            key=key,
            help=about,
            placeholder=placeholder,
            persist_state="session",
            on_change=_check_name,
            args=(key, default, kind),
        )
    show_refusal(key)
    return (chosen or "").strip()


def _check_name(key: str, default: str, kind: str) -> None:
    """Forget a typed name that is refused; any other goes into the page's address."""
    typed = str(widget(key) or "").strip()
    refused = current().refused_texts
    if typed:
        refused.pop(key, None)
    try:
        if kind and typed:
            check_model_name(f"{kind}:{typed}")
        elif looks_like_key(typed):
            raise SettingsError(NAMED_BY_KEY)  # noqa: TRY301 - refused as the other is
    except SettingsError as error:
        refused[key] = str(error)
        set_widget(key, None if key in _CHOSEN else "")
    if key in refused or typed == default:
        st.query_params.pop(key, None)
    elif st.query_params.get(key) != typed:
        st.query_params[key] = typed


def show_refusal(key: str) -> None:
    """Say why what was typed into a field was not taken."""
    refused = current().refused_texts.get(key)
    if refused:
        st.error(plain(refused), icon=":material/block:")


@st.cache_resource(show_spinner=False)
def _typed_addresses() -> dict[tuple[str, str], str]:
    """Return what browsers typed last into fields of addresses, the latest last."""
    return {}


def _check_typed(key: str) -> None:
    """Forget a typed address that is refused, and keep one that nobody lists out of links."""
    typed = str(widget(key, "")).strip()
    refused = current().refused_texts
    if typed:
        refused.pop(key, None)
        try:
            check_address(typed)
        except SettingsError as error:
            refused[key] = str(error)
            set_widget(key, "")
        else:
            addresses, place = _typed_addresses(), (known_browser(), key)
            if place[0]:
                addresses[place] = typed
                if len(addresses) > _MOST_ADDRESSES:
                    addresses.pop(next(iter(addresses)), None)
    if key in refused or not is_listed(typed):
        st.query_params.pop(key, None)
    elif st.query_params.get(key) != typed:
        st.query_params[key] = typed


def model_label() -> str:
    """Name the model that stands in the form before the form is drawn, for what opens it."""
    vendor = _chosen("live_vendor") or _GEMINI
    fields = {_GEMINI: "live_gemini_model", _OPENAI: "live_openai_model"}
    name = _chosen(fields.get(vendor, "live_server_model"))
    if not name and vendor == _GEMINI:
        name = _FIRST_GEMINI
    return f"Model: {plain(name)}" if name else "Choose a model"


def _chosen(key: str) -> str:
    # before the form was drawn once, only the address holds what was chosen
    chosen = str(widget(key) or st.query_params.get(key) or "")
    return "" if looks_like_key(chosen) else chosen


def can_choose(model: str) -> bool:
    """Whether the form can name a model as it was recorded."""
    return model.partition(":")[0] in {"gemini", "openai", *plugin_kinds()}


def fill_model(model: str | None, options: Mapping[str, Any]) -> None:
    """Choose a model as users write it, and its options; call it before the form is drawn."""
    if model is not None and can_choose(model):
        kind, _, rest = model.partition(":")
        name, _, url = rest.partition("@")
        if url:
            vendor, fields = _SERVER, {"live_server_model": name, "live_url": url}
        else:
            vendor = {"gemini": _GEMINI, "openai": _OPENAI}.get(kind, kind)
            fields = {f"live_{kind}_model": name}
        set_widget("live_vendor", vendor)
        for key, value in fields.items():
            set_widget(key, value)
    chosen = ModelOptions.model_validate(dict(options)).model_dump(mode="json")
    for name in _OPTIONS:
        set_widget(f"live_model_{name}", chosen[name])


def model_form() -> ModelChoice:
    """Ask for provider, model, address, key and options; raises `SettingsError` where visitors may
    ask no models.
    """
    require("models")
    vendors = [_GEMINI, _OPENAI, _SERVER, *plugin_kinds()]
    vendor = pick("Model from", vendors, "live_vendor")
    if vendor in plugin_kinds():
        return _plugin_choice(vendor)
    if vendor == _SERVER:
        url = address_field(
            "Address",
            "live_url",
            "http://127.0.0.1:11434/v1",
            "Base URL with its version: vLLM, Ollama, LM Studio, a hosted server.",
        )
        model = _name_field("Model", "live_server_model", kind="openai", placeholder="qwen3:8b")
        name = f"openai:{model}@{url.strip()}" if model and url.strip() else ""
    else:
        start = "gemini" if vendor == _GEMINI else "gpt"
        kind = "gemini" if vendor == _GEMINI else "openai"
        names = [name for name in LIST_PRICES if name.startswith(start)]
        chosen = _name_field(
            "Model",
            f"live_{kind}_model",
            kind=kind,
            default=_FIRST_GEMINI if vendor == _GEMINI else names[0],
            names=names,
            about=f"Choose one, or type another name. Costs by {LIST_PRICES_SOURCE}.",
        )
        name = f"{kind}:{chosen}" if chosen else ""
    provider: Literal["gemini", "openai"] = "gemini" if vendor == _GEMINI else "openai"
    has_key = find_key(provider) is not None
    hint = "Not needed by a local server" if vendor == _SERVER else "Needed"
    if has_key:
        hint = f"Using {key_label(provider)}"
    # not bound to the address as the other fields are: a key must not stand in a link, and one that
    # somebody wrote into a link is not left there
    st.query_params.pop(f"live_key_{provider}", None)
    typed = st.text_input(
        "API key",
        type="password",
        key=f"live_key_{provider}",
        placeholder=hint,
        autocomplete="off",
        help="Stays in this browser session; it is never written to a trace, a log or an export.",
        persist_state="session",
    )
    with st.expander("Model options", key="live_model_options"):
        options = _options(settings_form(ModelOptions, "live_model", _OPTIONS))
    return ModelChoice(name, options, SecretStr(typed) if typed.strip() else None)


def _plugin_choice(kind: str) -> ModelChoice:
    """Choose a model of another package, which finds its key by itself."""
    model = _name_field("Model", f"live_{kind}_model", kind=kind)
    with st.expander("Model options", key="live_model_options"):
        options = _options(settings_form(ModelOptions, "live_model", _OPTIONS))
    return ModelChoice(f"{kind}:{model}" if model else "", options, None)


def _options(values: Mapping[str, Any]) -> ModelOptions:
    try:
        return ModelOptions.model_validate(dict(values))
    except ValidationError as error:
        fault = error.errors()[0]
        raise SettingsError(
            f"Model option {'.'.join(map(str, fault['loc']))}: {fault['msg']}."
        ) from error


def budget_form() -> Budget | None:
    """Limits of money and tokens; ``None`` where neither was given.

    A server's visitor has a share instead.
    """
    payer = share()
    if payer is not None:
        st.caption(f"{payer.left():,} tokens are left for you on this server.")
        return None
    usd = st.number_input(
        "Budget in US$",
        min_value=0.0,
        value=None,
        step=0.1,
        key="live_budget_usd",
        placeholder="no limit",
        help=(
            "The run stops before the next call when its calls have cost so much. Needs a price for"
            " the model."
        ),
        **BOUND,
    )
    tokens = st.number_input(
        "Budget in tokens",
        min_value=0,
        value=None,
        step=1000,
        key="live_budget_tokens",
        placeholder="no limit",
        help="Prompt, thoughts and reply together.",
        **BOUND,
    )
    if usd is None and tokens is None:
        return None
    return Budget(usd, int(tokens) if tokens is not None else None)

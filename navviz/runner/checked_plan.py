"""A batch's plan as objects, or one sentence that says why it cannot be walked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pydantic import ValidationError

from navviz.errors import SettingsError
from navviz.llm.prices import load_prices
from navviz.llm.registry import check_model_name, model_forms
from navviz.llm.streaming import ModelOptions
from navviz.runner.batches import Batch
from navviz.runner.engine import check_engine
from navviz.runner.store import TraceStore
from navviz.runner.worker import ModelSpec
from navviz.runs.opened import workspace_dir
from navviz.systems.base import Navigator, Settings, asks_model
from navviz.systems.registry import get_navigator, settings_from


@dataclass(frozen=True, slots=True)
class CheckedPlan:
    """A plan with its words turned into things."""

    navigator: Navigator
    settings: Settings
    options: ModelOptions
    model: ModelSpec | None
    cluster: str | None
    store: TraceStore


def check_plan(batch: Batch) -> CheckedPlan:
    """Turn a plan into objects; raises `SettingsError` where it cannot be walked."""
    plan = batch.plan
    navigator = get_navigator(plan.navigator)
    settings = settings_from(navigator, plan.settings)
    options = model_options_of(plan.model_options)
    asks = asks_model(navigator, settings)
    if asks and plan.model is None:
        raise SettingsError(f"{navigator.name} needs a language model: add --llm {model_forms()}.")
    if plan.model is not None:
        check_model_name(plan.model)
    if plan.samples > 1 and not asks and "seed" not in type(settings).model_fields:
        raise SettingsError(
            f"{navigator.name} walks an episode the same way each time, so {plan.samples} samples"
            " would be alike; take one."
        )
    store = TraceStore.at(plan.out)
    # before the first call is paid for
    store.check()
    prices = load_prices(workspace_dir() / "prices.json") if asks else None
    model = ModelSpec(plan.model, options, prices) if asks and plan.model is not None else None
    return CheckedPlan(navigator, settings, options, model, check_engine(plan.engine), store)


def model_options_of(values: Mapping[str, object]) -> ModelOptions:
    """Return the options of a model (``--set model.NAME=VALUE``); raises `SettingsError` for
    others.
    """
    try:
        return ModelOptions.model_validate(dict(values))
    except ValidationError as error:
        faults = "; ".join(
            f"model.{'.'.join(map(str, fault['loc']))}: {fault['msg']}" for fault in error.errors()
        )
        fields = ", ".join(f"model.{name}" for name in ModelOptions.model_fields)
        raise SettingsError(f"Settings of the model: {faults} (there are: {fields}).") from error

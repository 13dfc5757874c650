"""*Try this edit on many*: from what was edited for one episode to a batch with the same edit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import get_args

import streamlit as st

from navviz.errors import NavVizError, SettingsError
from navviz.language.edits import EditedEpisodes, EditKind, TextEdit, edit_episodes, likely_edit
from navviz.llm.prices import about_usd
from navviz.llm.registry import close_model
from navviz.records import Episode
from navviz.records.base import plural
from navviz.runner.config import parted_settings
from navviz.runner.plan import BatchPlan
from navviz.runner.variants import trial_batches
from navviz.runner.walking import check_plan
from navviz.runs.owners import claim
from navviz.support.installation.serving import is_allowed, require
from navviz.systems.base import asks_model
from navviz.systems.registry import get_navigator, settings_from
from navviz.ui.components.plain import plain
from navviz.ui.live import trial_result
from navviz.ui.live.batches import form as batch_form
from navviz.ui.live.chosen import Setting
from navviz.ui.server import audit
from navviz.ui.server.identity import account, ownership
from navviz.ui.server.limits import most_workers, share, turns
from navviz.ui.state.session import RunForm, current, widget

_NONE = "none"
_KINDS: tuple[EditKind, ...] = get_args(EditKind)
_HELP = {
    _NONE: "The text stays; prompt or settings differ.",
    "replace": "Whole words, in any case.",
    "prepend": "Before every instruction.",
    "append": "Behind every instruction.",
    "template": "A new text around {instruction}.",
}


def show(of: Setting) -> None:
    """Show the button, the form once it is open, and the result of the trial in the address."""
    if of.run is None or of.old is None or not is_allowed("batches"):
        return
    with st.container(key="live_trial"):
        st.toggle(
            "Try this edit on many episodes",
            key="live_trial_open",
            help="The same edit on the failures, a filter or all; you see how many flip.",
        )
        # above the form: who has pressed its button sees the result without scrolling
        trial_result.show()
        form = current().live.form
        if widget("live_trial_open") and form is not None:
            with st.container(border=True):
                _form(of, form)
        elif widget("live_trial_open") and of.fork is not None:
            st.caption(
                "A fork and its edited plan belong to this episode. Choose walks and models under"
                " “Samples and models”, then press Run."
            )


@dataclass(frozen=True, slots=True)
class EditTrial:
    """What is to be started."""

    form: RunForm
    edits: tuple[TextEdit, ...]
    edited: EditedEpisodes
    plain: tuple[Episode, ...]
    """The same episodes as they were."""
    words: str
    is_walked: bool
    """Whether the opened run has walked them with the same navigator and model."""


def _form(of: Setting, form: RunForm) -> None:
    if of.run is None:
        return
    which, rule = st.columns((5, 9), gap="medium")
    with which:
        chosen = batch_form.episodes(of.run, "live_trial", first="failures")
    with rule:
        edits = _rules(of, form)
    if edits is None or not chosen.episodes:
        return
    edited = edit_episodes(chosen.episodes, edits)
    # prompt or settings differ alone: all texts are walked as they are
    if not edits:
        edited = EditedEpisodes(tuple(chosen.episodes), ())
    by_id = {episode.id: episode for episode in chosen.episodes}
    plain_ones = tuple(by_id[episode.id] for episode in edited.changed)
    trial = EditTrial(form, edits, edited, plain_ones, chosen.words, _is_walked(of, form))
    changed, rest = len(trial.edited.changed), len(trial.edited.unchanged)
    parts = [f"Walks {changed} of {trial.words}."]
    if rest:
        parts = [f"{changed} of {trial.words} hold these words; the other {rest} are not walked."]
    if trial.is_walked:
        parts.append(f"Compared with {of.old_name}, walked by the same navigator.")
    else:
        parts.append(
            f"{trial.form.navigator} walks the unedited texts too, so that only the edit differs."
        )
    cost = _cost(trial)
    st.caption(plain(" ".join([*parts, cost])))
    count = len(trial.edited.changed)
    nothing = not trial.edits and not trial.form.values
    if nothing:
        st.caption("Nothing is edited yet: change a word, the prompt or a setting first.")
    st.button(
        f"Try on {plural(count, 'episode')}",
        type="primary",
        icon=":material/science:",
        key="live_trial_start",
        disabled=not count or nothing,
        on_click=_pressed,
        args=(trial, of),
    )
    message, current().live.trial_message = current().live.trial_message, ""
    if message:
        st.error(plain(message), icon=":material/error:")


def _rules(of: Setting, form: RunForm) -> tuple[TextEdit, ...] | None:
    """Ask for the rule, as the edit of this episode suggests it; ``None`` while it is not whole."""
    before, after = of.episode.instruction, form.text
    likely = likely_edit(before, after)
    first: str = likely.kind if likely is not None else _NONE
    if likely is None and after.strip() != before.strip():
        first = "replace"
        st.caption("The text was edited in several places: choose the rule for all texts.")
    # another edit begins the form anew, so that its fields suggest that edit
    stamp = f"{of.episode.id}_{hash((before, after)) & 0xFFFFFF:x}"
    kind = st.segmented_control(
        "Edit",
        [_NONE, *_KINDS],
        default=first,
        required=True,
        key=f"live_trial_kind_{stamp}",
        help=" ".join(f"{name}: {text}" for name, text in _HELP.items()),
    )
    if kind == _NONE:
        return ()
    old = likely.old if likely is not None else ""
    new = likely.text if likely is not None and likely.kind == kind else ""
    try:
        if kind == "replace":
            left, right = st.columns(2)
            words = left.text_input("Words", value=old, key=f"live_trial_old_{stamp}")
            text = right.text_input("By", value=new, key=f"live_trial_new_{stamp}")
            return (TextEdit("replace", text, words),)
        if kind == "template" and not new:
            new = "{instruction}"
        text = st.text_input("Text", value=new, key=f"live_trial_{kind}_{stamp}")
        return (TextEdit(_named(str(kind)), text),)
    except SettingsError as error:
        st.caption(plain(error))
        return None


def _named(kind: str) -> EditKind:
    return next(each for each in _KINDS if each == kind)


def _is_walked(of: Setting, form: RunForm) -> bool:
    """Whether the opened run was walked by the same navigator and model: the edit is all that
    differs.
    """
    if of.old is None:
        return False
    header = of.old.header
    model = form.model.name if form.model is not None else None
    options = (
        form.model.options.model_dump(mode="json", exclude_defaults=True)
        if form.model is not None
        else {}
    )
    own, earlier = parted_settings(header.settings)
    if (header.navigator, header.model, earlier) != (form.navigator, model, options):
        return False
    # of a log of another project nobody knows the settings
    if header.source is not None:
        return False
    settings = settings_from(get_navigator(form.navigator), form.values).model_dump(mode="json")
    return all(settings.get(name) == value for name, value in own.items())


def _cost(trial: EditTrial) -> str:
    if trial.form.model is None:
        return "Costs nothing."
    count = len(trial.edited.changed) * (1 if trial.is_walked else 2)
    usd = trial.form.usd_a_walk
    if usd is None:
        return f"{plural(count, 'walk')}; the first three show what the rest will cost."
    cost = about_usd(usd * count)
    return f"{plural(count, 'walk')}, {cost}; the first three show the real cost."


def _pressed(trial: EditTrial, of: Setting) -> None:
    try:
        trial_result.choose(start(trial, of.old_name, of.graphs))
    except NavVizError as error:
        current().live.trial_message = str(error)


def start(trial: EditTrial, run: str, graphs: tuple[str, ...]) -> str:
    """Start the batches of a trial; returns the name of the first.

    Raises `SettingsError` without the right `batches`, or for a plan that cannot be walked.
    """
    require("batches")
    plan = _plan(trial, run, graphs)
    # the unedited walks ask with the shipped prompt
    own = {name: value for name, value in trial.form.values.items() if name != "prompt"}
    plain_settings = settings_from(get_navigator(trial.form.navigator), own)
    batches = trial_batches(
        plan,
        trial.edited.changed,
        None if trial.is_walked else trial.plain,
        plain_settings.model_dump(mode="json"),
    )
    # all before the first one is started: half a trial compares nothing
    for batch in batches:
        check_plan(batch)
    turns().check_line(account() or "")
    key = trial.form.model.key if trial.form.model is not None else None
    pilot = batch_form.PILOT if trial.form.model is not None else 0
    for batch in batches:
        claim(batch.folder, ownership())
        turns().start(
            batch,
            most_workers(),
            pilot=pilot if len(batch.episodes) > pilot else 0,
            environment=batch_form.key_environment(plan.model, key),
        )
        audit.note("ran batch", batch.name, episodes=len(batch.episodes), samples=1)
    return batches[0].name


def _plan(trial: EditTrial, run: str, graphs: tuple[str, ...]) -> BatchPlan:
    form = trial.form
    navigator = get_navigator(form.navigator)
    settings = settings_from(navigator, form.values)
    if form.model is None and asks_model(navigator, settings):
        raise SettingsError(f"{form.navigator} asks a model; choose one first.")
    if form.model is not None:
        close_model(form.model.make())  # a wrong name or a missing key is told here
    # together the batches borrow half of what a visitor has left
    payer, batches = share(), 1 if trial.is_walked else 2
    borrowed = None if payer is None else (payer.left() or 0) // (2 * batches)
    return BatchPlan(
        run="",
        navigator=form.navigator,
        settings=settings.model_dump(mode="json"),
        model=form.model.name if form.model is not None else None,
        model_options=(
            form.model.options.model_dump(mode="json", exclude_defaults=True)
            if form.model is not None
            else {}
        ),
        graphs=graphs,
        edits=tuple(str(edit) for edit in trial.edits),
        budget_usd=form.budget.usd if form.budget is not None else None,
        budget_tokens=form.budget.tokens if form.budget is not None else None,
        borrow_tokens=borrowed,
        workers=batch_form.first_workers(),
        chosen=trial.words,
        compare_with=run,
    )

"""Whatever Streamlit reads as Markdown is written in our code, counts something, or passes `plain`."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache

import pytest

from tests.paths import ROOT

MARKDOWN = {
    "badge", "button", "caption", "checkbox", "dialog", "download_button", "error", "expander", "feedback",
    "file_uploader", "form_submit_button", "header", "info", "link_button", "markdown", "metric", "multiselect",
    "number_input", "page_link", "pills", "popover", "progress", "radio", "segmented_control", "select_slider",
    "selectbox", "slider", "spinner", "status", "subheader", "success", "tabs", "text_area", "text_input", "title",
    "toast", "toggle", "warning", "write",
}  # fmt: skip
"""Elements whose label, body and help are Markdown; of a metric, the label alone."""
CHOICES = {"pills", "radio", "segmented_control", "tabs"}
"""Elements whose options are Markdown, too; those of a box are not."""
ESCAPED = {"plain", "len", "round", "sum", "int"}
COUNTED = {"plural", "number_or_more"}
"""They write a number and a noun of ours."""
HELPERS = {"pick", "segmented", "box", "show_progress"}
"""Functions of ours that hand on a label or a help, which is checked where they are called."""
AS_IT_IS = {
    "a number": (
        "task.end", "task.start", "confusion.steps", "live/fork.py: number",
        "systems/lhvln.py: k", "quality.labelled", "_percent(confusion.agree)", "wish.step",
        "point.step", "batch.plan.samples", "_rate(tally)", "tally.done", "tally.total", "made.pilot",
        "batch.plan.episode_count", "_time(left_s)", "counts[each]", "faults.count",
        "_with_cost(run.trace(episode), navigator, walks)", "_cost_words(_estimate(run, of.episode, new, of.graph))",
        "prompt_hash(text)[:_DIGITS]",
    ),
    "a name in our code or in a system's": (
        "finding.what", "work.doing", "work.stopped", "compare/flips.py: label", "live/trial.py: name", "live/batches/form.py: each",
        "part.button", "choice.label", "choice.help", "choice.title", "partial(_option_label, choice)",
        "list(ROBOTS)", "list(get_args(Lengths))", "tile.label", "tile.title", "tile.name", "tile.source",
        "tile.formula", "titles.__getitem__", "parts[each].title", "question.name",
        "_NAMES.__getitem__", "TASK_NAMES.__getitem__", "_CHOICES.__getitem__", "_SOURCES.__getitem__", "*CHARTS",
        "one.label", "one.title", "axis.capitalize()", "name.capitalize()", "each.name", "*_KINDS", "list(offered)",
        "list(names)", "_ICONS.get(mark.id, ':material/info:')", "batches.badge(status)", "extra_hint('figures')",
        "_label(name)", "description.get('description')",
        "{'single': 'One column', 'double': 'Two columns'}.__getitem__",
        "{'leave out': 'Leave out', 'mask': 'Mask'}.__getitem__", "label[0].lower()",
        "[metric.name for metric in all_metrics() if metric.name in run.scores.figures]",
        "*(['What annotators say'] if labels else [])",
    ),
    "escaped where it is made": (
        "run_form.model_label()", "study/page.py: listed",
    ),
    "a parameter, which callers fill with texts of ours": (
        "components/empty.py: button", "components/neighbours.py: label", "components/pickers.py: label",
        "components/run_form.py: label", "components/widgets.py: label", "components/widgets.py: text",
        "explore/mapping.py: label", "live/batches/form.py: label", "live/trial_result.py: label",
        "server/audit.py: label", "state/state.py: format_func", "state/state.py: label",
        "components/neighbours.py: which", "components/run_form.py: about", "state/state.py: help",
    ),
    "no element of Streamlit, but a method of that name": (
        "live/batches/page.py: batch", "live/trial_result.py: batch", "live/trial_result.py: status", "work.queue",
        "next((queue for queue in desk.queues() if queue.name == sent.get('queue')), None)",
        "st.text_input('Text', value=new, key=f'live_trial_{kind}_{stamp}')",
        "right.text_input('By', value=new, key=f'live_trial_new_{stamp}')",
    ),
}  # fmt: skip
REASONS = {text: reason for reason, texts in AS_IT_IS.items() for text in texts}


@cache
def _trees() -> dict[str, ast.Module]:
    paths = [
        *(ROOT / "navviz" / "ui").rglob("*.py"),
        *(ROOT / "pages").glob("*.py"),
        ROOT / "app.py",
    ]
    return {str(path.relative_to(ROOT)): ast.parse(path.read_text("utf-8")) for path in paths}


class _Texts:
    """Which expressions of one function are safe, names that it binds included."""

    def __init__(self, function: ast.AST) -> None:
        self.bound: dict[str, list[ast.expr]] = {}
        self.asked: set[str] = set()  # of one label
        for node in ast.walk(function):
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                self.bound.setdefault(node.targets[0].id, []).append(node.value)
            elif (
                isinstance(node, ast.AugAssign | ast.AnnAssign)
                and isinstance(node.target, ast.Name)
                and node.value
            ):
                self.bound.setdefault(node.target.id, []).append(node.value)

    def unsafe(self, node: ast.expr) -> Iterator[str]:
        """Yield what may be a text of the data, as it is written."""
        if isinstance(node, ast.Constant):
            return
        if isinstance(node, ast.JoinedStr | ast.List | ast.Tuple | ast.BoolOp):
            for part in getattr(node, "elts", None) or node.values:
                yield from self.unsafe(part)
        elif isinstance(node, ast.FormattedValue):
            # of a number: no text takes such a form
            spec = ast.unparse(node.format_spec) if node.format_spec else ""
            if not spec.rstrip("'\"").endswith(("f", "d", ",", "g")):
                yield from self.unsafe(node.value)
        elif isinstance(node, ast.IfExp):
            yield from self.unsafe(node.body)
            yield from self.unsafe(node.orelse)
        elif isinstance(node, ast.BinOp):
            yield from self.unsafe(node.left)
            yield from self.unsafe(node.right)
        elif isinstance(node, ast.Name) and node.id in self.bound and node.id not in self.asked:
            self.asked.add(node.id)
            for value in self.bound[node.id]:
                yield from self.unsafe(value)
        elif (
            (isinstance(node, ast.Name | ast.Attribute | ast.Subscript) and _is_constant(node))
            or (isinstance(node, ast.Name) and node.id in self.asked)
            or (isinstance(node, ast.Call) and ast.unparse(node.func) in ESCAPED)
        ):
            return
        elif isinstance(node, ast.Call) and ast.unparse(node.func) in COUNTED:
            yield from self.unsafe(node.args[1])
        elif (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr == "join"
        ):
            [joined] = node.args
            yield from self.unsafe(
                joined.elt if isinstance(joined, ast.GeneratorExp | ast.ListComp) else joined
            )
        elif isinstance(node, ast.Lambda):
            yield from self.unsafe(node.body)
        else:
            yield ast.unparse(node)


def _is_constant(node: ast.expr) -> bool:
    if isinstance(node, ast.Subscript):
        return _is_constant(node.value)
    name = node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")
    return str(name).isupper()


def unsafe_labels(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield the line and the text of each label that may hold a text of the data."""
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)] or [tree]
    for function in functions:
        texts = _Texts(function)
        for node in ast.walk(function):
            if not isinstance(node, ast.Call):
                continue
            kind = getattr(node.func, "attr", None) or getattr(node.func, "id", "")
            if kind not in (
                MARKDOWN | HELPERS if isinstance(node.func, ast.Attribute) else HELPERS
            ):
                continue
            given = {word.arg: word.value for word in node.keywords}
            shown = [
                *node.args[:1],
                *(given[name] for name in ("label", "body", "help", "text") if name in given),
            ]
            if kind == "progress":
                shown = [given["text"]] if "text" in given else node.args[1:2]
            if kind in CHOICES:
                options = node.args[1:2] or ([given["options"]] if "options" in given else [])
                shown += [given["format_func"]] if "format_func" in given else options
            for text in shown:
                texts.asked.clear()
                for wrong in texts.unsafe(text):
                    yield node.lineno, wrong


def test_every_label_that_holds_data_passes_plain() -> None:
    found: dict[str, str] = {}
    used = set()
    for path, tree in _trees().items():
        for line, text in unsafe_labels(tree):
            # a name that any function may have counts in one file alone
            known = f"{path[len('navviz/ui/') :]}: {text}" if text.isidentifier() else text
            used.add(known)
            if known not in REASONS:
                found[f"{path}:{line}"] = text
    assert found == {}
    assert set(REASONS) == used, "take out what is no longer shown"


@pytest.mark.parametrize(
    ("call", "wrong"),
    [
        ("st.caption(name)", ["name"]),
        ("st.caption(f'**{plain(name)}** {count:,} {len(name)}')", []),
        ("st.caption(f'{name}')", ["name"]),
        ("st.button('a', help=run.name)", ["run.name"]),
        ("left.metric(plain(name), name)", []),
        ("st.tabs([name, 'a'])", ["name"]),
        ("st.radio('a', names, format_func=lambda each: each.title)", ["each.title"]),
        ("text = 'a' if count else name\n    st.warning(text)", ["name"]),
        ("text = plain(name)\n    text += name\n    st.info(text)", ["name"]),
        ("st.progress(0.1, text=name)", ["name"]),
        ("show_progress(name, 1, 2)", ["name"]),
        ("st.error(' '.join(plain(each) for each in names))", []),
        ("st.error(' '.join(names))", ["names"]),
    ],
)
def test_a_label_of_data_is_noticed(call: str, wrong: list[str]) -> None:
    tree = ast.parse(f"def f(name, names, count, run):\n    {call}")
    assert [text for _, text in unsafe_labels(tree)] == wrong

"""The prompts in a user's own checkout of a paper's code, as texts with our fields.

Python files are read by `ast`: constants, and the literal parts of f-strings with their holes named
by what stands in them. Nothing is imported or run. What stands where in a repository, and which
field fills which hole, is a system's table (`System.prompt_sources`).
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from navviz.errors import InputError, NavVizError, SettingsError
from navviz.support.guarded import is_folder, is_regular, read_text
from navviz.support.systems import PromptSource, own_systems
from navviz.systems.prompts import PromptText, check_prompt, prompt_hash
from navviz.systems.registry import get_navigator

_HOLE: Final = re.compile(r"\{\{|\}\}|\{([^{}\n]{1,80})\}")
_FIELD: Final = re.compile(r"\{([a-z][a-z0-9_]*)\}")
_CONSTANT: Final = re.compile(r"@(\w+)")
_COMMIT: Final = re.compile(r"[0-9a-f]{40}")


@dataclass(frozen=True, slots=True)
class PublishedPrompt:
    """A published prompt as a text that a navigator can fill."""

    source: PromptSource
    text: str
    commit: str
    """Of the checkout; empty where it is none."""

    @property
    def sha256(self) -> str:
        """Hash of the text, as traces record it."""
        return prompt_hash(self.text)


def sources_of(system: str) -> tuple[PromptSource, ...]:
    """Return what is known of a system's repository; raises `SettingsError` for an unknown one."""
    with_sources = {each.name: each.prompt_sources for each in own_systems() if each.prompt_sources}
    if system not in with_sources:
        raise SettingsError(
            f"NavViz knows no published prompts of {system!r}: choose among"
            f" {', '.join(sorted(with_sources))}."
        )
    return with_sources[system]


def read_prompts(system: str, path: Path) -> tuple[list[PublishedPrompt], list[str]]:
    """Read the prompts of a system from a checkout of its authors' code.

    Returns the prompts, and a sentence for each that cannot be had. Raises `InputError` where the
    folder holds none of them; `SettingsError` for a system without published prompts.
    """
    read, missing = [], []
    sources = sources_of(system)
    if not is_folder(path):
        what = f"Clone https://github.com/{sources[0].repository} and name its folder"
        raise InputError("is no folder", what[0].lower() + what[1:], file=str(path))
    commit = _commit(path)
    for source in sources:
        if not source.file:
            missing.append(f"{source.name}: {source.note}.")
            continue
        try:
            text = _text(source, path)
            kind = get_navigator(source.navigator).settings_type
            check_prompt(text, kind.prompt_kind)  # type: ignore[attr-defined]
        except NavVizError as error:
            missing.append(f"{source.name}: {error}")
            continue
        read.append(PublishedPrompt(source, text, commit))
    if not any(source.file for source in sources):
        raise SettingsError(
            f"{sources[0].repository} holds no prompt that NavViz sends: {sources[0].note}."
        )
    if not read:
        raise InputError(
            f"holds no prompt of {sources[0].repository} ({missing[0]})",
            "name the folder of a whole checkout",
            file=str(path),
        )
    return read, missing


def _text(source: PromptSource, path: Path) -> str:
    file = path / source.file
    if not is_regular(file):
        raise InputError("there is no such file", "check out the whole repository", file=str(file))
    constants = literals(read_text(file), source.file)
    parts = []
    for name in (source.system, source.constant):
        if name and name not in constants:
            raise InputError(f"holds no constant {name}", "try another commit", file=source.file)
        parts.append(_with_fields(name, source.holes, constants) if name else "")
    return str(PromptText(parts[0], parts[1] or source.user))


def _with_fields(name: str, holes: Mapping[str, str], constants: Mapping[str, str]) -> str:
    """Return a text with our fields in its holes; other braces stay as they were written."""
    text, scope = constants[name], name.rpartition(".")[0]
    out, last = [], 0
    for match in _HOLE.finditer(text):
        out.append(_escaped(text[last : match.start()]))
        hole, last = match[1], match.end()
        local = f"{scope}.{hole}" if scope else str(hole)
        if hole is None:
            out.append(match[0][0])
        elif hole in holes:
            value = _CONSTANT.sub(
                lambda name: _escaped(constants.get(name[1], name[0])), holes[hole]
            )
            out.append(value)
        elif local in constants and local != name:
            out.append(_with_fields(local, holes, constants))
        else:
            raise InputError(f"has the hole {{{hole}}}, which no field of ours fills", "report it")
    return "".join([*out, _escaped(text[last:])])


def _escaped(text: str) -> str:
    return _FIELD.sub(r"{{\1}}", text)


def literals(text: str, file: str = "") -> dict[str, str]:
    """Return the texts of a Python file by name, within functions and classes as ``SCOPE.NAME``.

    An f-string keeps its holes as ``{expression}``; names of other texts of the same scope stay
    holes, too. What is added with ``+`` or ``+=`` is joined. Later texts of a name win. Raises
    `InputError` where it is no Python.
    """
    try:
        # a stray backslash in a stranger's code is no fault of ours
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError) as error:
        raise InputError(f"is no Python ({error})", "check it out again", file=file) from error
    texts: dict[str, str] = {}
    for scope, statement in _statements(tree, ""):
        value = statement.value
        literal = None if value is None else _literal(value)
        target = statement.targets[0] if isinstance(statement, ast.Assign) else statement.target
        if literal is None or not isinstance(target, ast.Name):
            continue
        name = f"{scope}{target.id}"
        is_added = isinstance(statement, ast.AugAssign)
        texts[name] = (texts.get(name, "") if is_added else "") + literal
    return texts


def _statements(
    node: ast.AST, scope: str
) -> Iterator[tuple[str, ast.Assign | ast.AugAssign | ast.AnnAssign]]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield from _statements(child, f"{scope}{child.name}.")
        elif isinstance(child, ast.Assign | ast.AugAssign | ast.AnnAssign):
            yield scope, child
        else:
            yield from _statements(child, scope)


def _literal(node: ast.AST) -> str | None:
    """Return a literal text; of an f-string braces are doubled, so that its holes stand out."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        parts: Sequence[ast.AST] = node.values
        return "".join(_part(part) for part in parts)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        left, right = _literal(node.left), _literal(node.right)
        return None if left is None or right is None else left + right
    return None


def _part(node: ast.AST) -> str:
    if isinstance(node, ast.FormattedValue):
        return f"{{{ast.unparse(node.value)}}}"
    text = str(node.value) if isinstance(node, ast.Constant) else ""
    return text.replace("{", "{{").replace("}", "}}")


def _commit(path: Path) -> str:
    """Return the commit of a checkout, from its own files; empty where there is none."""
    for folder in (path, *path.resolve().parents):
        git = folder / ".git"
        head = git / "HEAD"
        if not is_regular(head):
            continue
        text = read_text(head).strip()
        name = text.removeprefix("ref: ")
        if name != text and ".." not in name:
            loose, packed = git / name, git / "packed-refs"
            text = read_text(loose).strip() if is_regular(loose) else ""
            if not text and is_regular(packed):
                lines = [line.split(" ", 1) for line in read_text(packed).splitlines()]
                text = next((pair[0] for pair in lines if pair[-1] == name), "")
        return text if _COMMIT.fullmatch(text) else ""
    return ""

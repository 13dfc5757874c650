"""Who may import whom, and what lies at the top: import-linter's contracts stand in
pyproject.toml.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections import defaultdict
from functools import cache

import pytest

from tests.paths import ROOT

PACKAGE = ROOT / "navviz"
HEAVY = (
    "streamlit",
    "folium",
    "plotly",
    "matplotlib",
    "google.genai",
    "openai",
    "osmnx",
    "sqlalchemy",
    "pandas",
)


BAD_NAMES = {"found", "told", "held", "asked", "beside", "said"}
"""`found` stood in 154 functions for some 40 types: a variable says what it holds, by a noun."""
_CLASS = re.compile(r"^ *class (\w+)[(:]", re.MULTILINE)
_BAD_NAME = re.compile(rf"\b({'|'.join(sorted(BAD_NAMES))})\b")


@cache
def sources() -> dict[str, str]:
    """The text of each module, by its path."""
    paths = PACKAGE.rglob("*.py")
    return {str(path.relative_to(ROOT)): path.read_text(encoding="utf-8") for path in paths}


def names_in(text: str) -> set[str]:
    """Variables, arguments and fields of a module."""
    names = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            names.add(node.attr)
        elif isinstance(node, ast.arg):
            names.add(node.arg)
    return names


def test_the_contracts_of_imports_are_kept():
    done = subprocess.run(
        [sys.executable, "-c", "from importlinter.cli import lint_imports_command; lint_imports_command()", "--no-cache"],
        capture_output=True, text=True, cwd=ROOT, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr


def test_importing_navviz_and_its_commands_loads_no_heavy_library():
    code = f"import sys, navviz, navviz.cli; print([name for name in {HEAVY!r} if name in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True
    )
    assert done.stdout.strip() == "[]"


def test_the_public_names_leave_to_their_calls_what_only_calls_need():
    names = "import sys, navviz\nfor name in navviz.__all__: getattr(navviz, name)"
    # pandas 0.35 s, the runner with every way to ask a model 0.3 s
    later = ("pandas", "plotly", "streamlit", "sqlalchemy", "navviz.runner")
    code = f"{names}\nprint([name for name in {later!r} if name in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True
    )
    assert done.stdout.strip() == "[]"


def test_pages_are_thin():
    long = {path.name: len(path.read_text().splitlines()) for path in (ROOT / "pages").glob("*.py")}
    assert not {name: lines for name, lines in long.items() if lines > 90}


LONGEST_LINES = 600
ONE_FILE = {"recorder.py", "vocabulary.py"}
"""A recorder is copied into other projects as one file; a vocabulary is one table of words."""


def test_no_module_is_longer_than_the_style_allows():
    lengths = {
        path: len(text.splitlines())
        for path, text in sources().items()
        if path.rpartition("/")[2] not in ONE_FILE
    }
    assert {name: count for name, count in lengths.items() if count > LONGEST_LINES} == {}


def test_no_type_name_stands_twice():
    homes: dict[str, list[str]] = defaultdict(list)
    for path, text in sources().items():
        for name in _CLASS.findall(text):
            homes[name].append(path)
    assert len(homes) > 500
    assert not {name: paths for name, paths in homes.items() if len(paths) > 1}


def test_names_are_nouns():
    wrong = {}
    for path, text in sources().items():
        # most say one of these words nowhere, or only to their readers: only those that do are parsed
        names = names_in(text) & BAD_NAMES if _BAD_NAME.search(text) else set()
        if names:
            wrong[path] = names
    assert wrong == {}


def test_top_level_is_what_the_user_fixed():
    tracked = subprocess.run(
        ["git", "ls-files"], capture_output=True, text=True, cwd=ROOT, check=False
    )
    if tracked.returncode != 0:
        pytest.skip("not a git checkout: nothing says which files belong to the project")
    top = {name.split("/")[0] for name in tracked.stdout.split()}
    fixed = {
        "app.py",
        "pages",
        "navviz",
        "assets",
        "tests",
        "requirements.txt",
        "README.md",
        "pyproject.toml",
    }
    fixed |= {"docs", "tools"}
    fixed |= {
        "LICENSE",
        "CHANGELOG.md",
        "CONTRIBUTING.md",
        "CITATION.cff",
        "package.json",
        "package-lock.json",
        "biome.json",
        "tsconfig.json",
    }
    assert {name for name in top if not name.startswith(".")} <= fixed


def test_the_packages_root_holds_rooms_and_three_modules():
    modules = {path.stem for path in PACKAGE.glob("*.py")}
    assert modules == {"__init__", "__main__", "errors"}


GROWING = {
    "navviz/records/trace_files.py": "a trace grows by an event at a time, so that a kill loses none",
    "navviz/records/recorder.py": "one file, copied into other projects: it has no other module",
    "navviz/runner/plan.py": "the list of outcomes grows by a line at a time",
    "navviz/runner/batches.py": "the log of a batch grows while its process runs",
    "navviz/datasets/fetching.py": "a download grows, and goes on where it was cut off",
    "navviz/runs/remote.py": "a copy of a trace grows as the trace does",
    "navviz/runs/audit.py": "the audit grows by a line at a time",
    "navviz/support/locks.py": "a lock is a file without content",
    "navviz/support/guarded/archives.py": "a folder is removed whole where its archive is refused",
    "navviz/support/guarded/writing.py": "the writer of all others",
}
"""Modules that write files beside `navviz.support.guarded.writing`, each with its reason."""
_WRITERS = {"replacing", "writing", "writing_folder"}
_OPENERS = {"open", "fdopen", "GzipFile", "BZ2File", "ZipFile"}
_WRITING_METHODS = {
    "write_text", "write_bytes", "savefig", "dump", "save", "savez", "savetxt", "tofile", "copyfile", "copy2",
    "copytree", "move", "to_csv", "to_excel", "to_json", "to_parquet", "to_pickle", "to_feather", "write_image",
    "write_html", "write_frames",
}  # fmt: skip
_NO_FILES = {"desk", "self._ratings", "world_cache", "copy"}
"""Receivers of a method `save` or the like that writes no file of this process's own."""


def _mode(call: ast.Call) -> str:
    """The mode of a call of `open`; empty where it reads."""
    texts = [str(node.value) for node in ast.walk(call) if isinstance(node, ast.Constant)]
    modes = [text for text in texts if re.fullmatch(r"[rwaxbt+]{1,3}", text)]
    return next((mode for mode in modes if set(mode) & set("wax+")), "")


def _is_write(call: ast.Call) -> bool:
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    if name in _OPENERS:
        if ast.unparse(call.func) == "os.open":
            return not re.search("RDONLY|READ", ast.unparse(call.args[1]))
        return bool(_mode(call))
    if name not in _WRITING_METHODS or (name == "save" and isinstance(call.func, ast.Name)):
        return False
    receiver = ast.unparse(call.func.value) if isinstance(call.func, ast.Attribute) else ""
    if receiver in _NO_FILES or (name == "dump" and receiver not in {"json", "pickle", "yaml"}):
        return False
    # without an argument it names no file: `batch.save()`, `frame.to_csv()`
    return bool(call.args) or name.startswith("write_")


def _drafts(tree: ast.AST) -> set[str]:
    """Names of what one may write to: drafts of the writer, files opened of them, memory."""
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.withitem) and isinstance(node.optional_vars, ast.Name):
            called = node.context_expr.func if isinstance(node.context_expr, ast.Call) else None
            if isinstance(called, ast.Name) and called.id in _WRITERS:
                names.add(node.optional_vars.id)
        elif isinstance(node, ast.Assign) and re.match(
            r"(io\.)?BytesIO\(|\w+\.enter_context\(writing\(", ast.unparse(node.value)
        ):
            names.add(ast.unparse(node.targets[0]))
    return names


def _unguarded(text: str) -> list[str]:
    tree, calls = ast.parse(text), []
    drafts = _drafts(tree)
    for node in ast.walk(tree) if "keep_" in text else ():
        # the cache hands an open draft to the function that fills it
        if isinstance(node, ast.Call) and "keep_" in ast.unparse(node.func):
            drafts |= {
                arg.arg
                for each in node.args
                if isinstance(each, ast.Lambda)
                for arg in each.args.args
            }
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and _is_write(node):
            names = {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}
            if not names & drafts:
                calls.append(f"line {node.lineno}: {ast.unparse(node)[:90]}")
    return calls


def test_every_file_is_written_by_one_writer():
    """Else a full disk or a kill leaves half a file where a whole one was."""
    wrong = {}
    for path, text in sources().items():
        calls = _unguarded(text)
        if calls and path not in GROWING:
            wrong[path] = calls
    assert wrong == {}
    assert all(_unguarded(sources()[path]) for path in GROWING), "a reason without a writer"


@pytest.mark.parametrize(
    "line",
    [
        'open(P, "w")', 'P.open("ab")', 'P.open(mode="x")', "P.write_text(t)", "P.write_bytes(t)",
        "frame.to_csv(P)", "figure.savefig(P)", "chart.save(str(P))", "json.dump(d, P)", "np.savez(P, **a)",
        "os.open(P, os.O_WRONLY)", "shutil.copyfile(a, P)", 'gzip.open(P, "wt")', 'ZipFile(P, "w")',
    ],
)  # fmt: skip
def test_the_rule_of_one_writer_sees_every_way_to_write(line):
    assert _unguarded(line)
    assert not _unguarded(f"with writing(path) as P:\n    {line}")


def _constants(tree: ast.Module) -> set[str]:
    """Names of a module that are bound once, to literals."""
    names = set()
    for node in tree.body:
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        if not isinstance(node, ast.Assign | ast.AnnAssign) or node.value is None:
            continue
        try:
            ast.literal_eval(node.value)
        except ValueError:
            continue
        names |= {target.id for target in targets if isinstance(target, ast.Name)}
    return names


@cache
def _constants_of(path: str) -> set[str]:
    return _constants(ast.parse(sources().get(path, "")))


def _imported(tree: ast.Module) -> set[str]:
    """Names that a module imports from another one of ours, where they are literals."""
    names = set()
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("navviz."):
            known = _constants_of((node.module or "").replace(".", "/") + ".py")
            names |= {alias.asname or alias.name for alias in node.names if alias.name in known}
    return names


def _is_literal(node: ast.expr, constants: set[str]) -> bool:
    """Whether a text can only be one that stands in our code."""
    if isinstance(node, ast.Subscript):
        return _is_literal(node.value, constants)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return node.func.attr == "choice" and _is_literal(node.args[0], constants)
    if isinstance(node, ast.Name):
        return node.id in constants
    return isinstance(node, ast.Constant)


FORMATTERS = {"format_map", "vformat", "get_field", "substitute", "safe_substitute"}
"""They read their text as a template, too."""
OUR_TEMPLATES = {"navviz/cli/new_system.py"}
"""It fills the files of a new package, which lie in ours."""


def templates_of_data(path: str, tree: ast.Module) -> list[str]:
    """Where a module formats a text that is not written in our code."""
    constants = _constants(tree) | _imported(tree)
    wrong = []
    for node in ast.walk(tree):
        where = f"{path}:{getattr(node, 'lineno', 0)}"
        if isinstance(node, ast.Call):
            # handed on, as to starmap, it is called with what nobody sees here
            handed = [each for each in node.args if isinstance(each, ast.Attribute)]
            formatting = [node.func] if isinstance(node.func, ast.Attribute) else []
            if isinstance(node.func, ast.Name) and node.func.id in {"map", "starmap", "partial"}:
                formatting += handed
            for each in formatting:
                if each.attr == "format" and not _is_literal(each.value, constants):
                    wrong.append(where)
                if each.attr in FORMATTERS and path not in OUR_TEMPLATES:
                    wrong.append(where)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod):
            left = node.left
            is_text = isinstance(left, ast.JoinedStr) or (
                isinstance(left, ast.Constant) and isinstance(left.value, str | bytes)
            )
            holds_texts = isinstance(node.right, ast.Tuple | ast.Dict | ast.JoinedStr)
            if is_text or holds_texts or (isinstance(left, ast.Name) and left.id in constants):
                wrong.append(where)
    return wrong


def test_no_text_of_the_data_is_a_template():
    """A view's source of ``{:>4000000000}`` took four gigabytes; one of names reads attributes."""
    wrong = []
    for path, text in sources().items():
        if ".format" in text or "%" in text or any(name in text for name in FORMATTERS):
            wrong += templates_of_data(path, ast.parse(text))
    assert wrong == []


@pytest.mark.parametrize(
    "line",
    [
        "name.format(1)",
        "view.source.format(1)",
        "f'{name}'.format(1)",
        "(NAME + name).format(1)",
        "name.format_map({})",
        "list(map(name.format, 'ab'))",
        "'%s' % name",
        "NAME % name",
        "name % (1, 2)",
        "Template(name).safe_substitute()",
    ],
)
def test_a_template_of_data_is_noticed(line):
    tree = ast.parse(f"NAME = 'a {{}}'\ndef f(name):\n    {line}")
    assert templates_of_data("navviz/x.py", tree) == ["navviz/x.py:3"]
    assert templates_of_data("navviz/x.py", ast.parse("A = {1: '{}'}\nA[k].format(n); n % 2")) == []

"""No regular expression that meets data takes longer than its text: a few blanks must not stop a
server.
"""

from __future__ import annotations

import ast
import importlib
import multiprocessing
import re
import signal
import warnings
import zlib
from collections.abc import Callable, Iterable, Iterator
from functools import cache

import pytest

from navviz.analysis.causes.texts import name_pattern
from navviz.analysis.landmarks import _SAME_KIND
from navviz.analysis.site.redaction import _pattern
from navviz.language.grammar.categories import CATEGORIES
from navviz.records import Episode
from navviz.records.episode import LONGEST_INSTRUCTION
from navviz.systems.msnav.place_map.prompt import _LABELS
from tests.paths import ROOT

CHARACTERS = 40_000
LIMIT_S = 0.5
"""Processor time of one pattern on one text: a linear one takes milliseconds, a quadratic one
seconds.
"""
SHARE = 8
"""By day the patterns of one file in eight are tried, always the same: to import all files and try
all patterns takes half a minute.
"""
_APPLIED = {
    f"re.{name}"
    for name in (
        "compile",
        "search",
        "match",
        "fullmatch",
        "sub",
        "subn",
        "split",
        "findall",
        "finditer",
    )
}
FLAGS = ("IGNORECASE", "MULTILINE", "DOTALL", "ASCII", "VERBOSE")
UNITS = (" ", "\n", "a", "0", "(", ".", "a ", "A a ", "1,")
MORE_UNITS = (
    "\t", "A", '"', ",", "-", "_", "'", "[", ")", "\\", "/", "\r\n", "{", "*", "#", "`", ":", "=", "<", "é", "the ", "to ", "ab, ", "A-", "a'", "1.", "a. ", "x1 ", "“", ";",
    "~", "@", "+", "!", "turn left ", "“a ",
)  # fmt: skip

BOUNDED = {
    "navviz.formats.mapping.guess_positions._COORDINATE": "by_letter applies it by fullmatch alone",
    "navviz.formats.mapping.guess_walks._TURNED": "by_letter applies it by fullmatch alone",
    "navviz.systems.navgpt.prompts.text._ACTION": "reads a reply that is cut to LONGEST_REPLY",
    "navviz.language.grammar.tokens._MASTER": "reads instructions, cut when they are read",
}
"""Patterns that are slow on such texts and never meet one, each with its reason."""

RUN_TIME: dict[str, Callable[[], Iterable[str]]] = {
    r"f'(?<![^\\W_]){joined}(?:e?s)?(?![^\\W_]){street}'": lambda: [
        made.pattern for text in ("a", "a a a", "the light") if (made := name_pattern(text))
    ],
    "words": lambda: [words for words, _ in _SAME_KIND],
    "_GAP.join(map(re.escape, text.split()))": lambda: [
        str(_pattern(text).pattern) for text in ("a", "a a a", "A a a a", "the light")
    ],
    r"f'{pattern}(?P<packed>\\.gz)?'": list,  # matches names of files, which are short
    "_PRUNING.pattern": list,  # a constant of the module, among `patterns`
    "f'^{pattern}: ?'": lambda: [f"(?m)^{pattern}: ?" for _, pattern in _LABELS],
    "category.name_words": lambda: [kind.name_words for kind in CATEGORIES if kind.name_words],
    r"f'\\b(?:{category.words})\\b'": lambda: [rf"\b(?:{kind.words})\b" for kind in CATEGORIES],
    r"f'{mask}|(?<![\\w-])(?:{others})'": list,  # `_MASTER`, among `BOUNDED`
}
"""Patterns that functions make of something else than constants and escaped texts, as written, and
what they may be.
"""

Known = tuple[str | bytes, int, str, bool]
"""A pattern, its flags, where it stands, and whether it is only applied to a text's begin."""


def _held(value: object, depth: int = 0) -> Iterator[re.Pattern[str] | re.Pattern[bytes]]:
    if isinstance(value, re.Pattern):
        yield value
    elif depth < 3 and isinstance(value, tuple | list | set | frozenset | dict):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _held(each, depth + 1)


def _in_calls(tree: ast.Module) -> Iterator[tuple[str | bytes, int, int, bool]]:
    """Patterns that are written where they are applied."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or not ast.unparse(node.func).startswith("re."):
            continue
        if not node.args or not isinstance(node.args[0], ast.Constant):
            continue
        flags = 0
        for name in FLAGS:
            if f"re.{name}" in ast.unparse(node):
                flags |= int(getattr(re, name))
        begins = ast.unparse(node.func) in {"re.fullmatch", "re.match"}
        yield node.args[0].value, flags, node.lineno, begins


def _methods(text: str) -> dict[str, set[str]]:
    """Return by which methods each constant of a text is applied."""
    methods: dict[str, set[str]] = {}
    for name, method in re.findall(r"\b(_?[A-Z][A-Z_0-9]+)\.([a-z]+)\(", text):
        methods.setdefault(name, set()).add(method)
    return methods


@cache
def patterns(share: int = 1) -> tuple[Known, ...]:
    """Patterns of the package: those of its modules' globals, and those within functions; of one
    file in `share`, chosen by its name.
    """
    known: dict[tuple[str | bytes, int], tuple[str, bool]] = {}
    texts = {path: path.read_text("utf-8") for path in (ROOT / "navviz").rglob("*.py")}
    everywhere = _methods("\n".join(texts.values()))
    for path, text in texts.items():
        name = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        if zlib.crc32(name.encode()) % share:
            continue
        # names repeat in other modules; one that only others use is looked up in all of them
        methods = everywhere | _methods(text)
        if "re.compile(" in text:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                loaded = importlib.import_module(name)
            for constant, value in vars(loaded).items():
                begins = bool(methods.get(constant)) and methods[constant] <= {"match", "fullmatch"}
                for pattern in _held(value):
                    key = (pattern.pattern, pattern.flags)
                    known.setdefault(key, (f"{name}.{constant}", begins))
        if re.search(r"\bre\.", text):
            for written, flags, line, begins in _in_calls(ast.parse(text)):
                key = (written, int(re.compile(written, flags).flags))
                known.setdefault(key, (f"{name}:{line}", begins))
    return tuple((*key, *where) for key, where in known.items())


def _texts(pattern: str, characters: int, *, all_of_them: bool) -> Iterator[str]:
    for unit in (*UNITS, *MORE_UNITS) if all_of_them else UNITS:
        yield unit * (characters // len(unit))
    # words of the pattern itself, so that its later parts are reached
    words = list(dict.fromkeys(re.findall(r"[A-Za-z]{2,}", pattern)))[: 25 if all_of_them else 3]
    for word in words:
        yield word + " " * characters
        yield f"{word} " * (characters // (len(word) + 1))
        if all_of_them:
            yield f"{word}\n" * (characters // (len(word) + 1))
            yield word + "a " * (characters // 2)
            yield word + "1" * characters
            yield " " * characters + word


class _TooLongError(Exception):
    """The limit of processor time is met."""


def _stop(*_: object) -> None:
    raise _TooLongError


def slow_on(known: Known, characters: int = CHARACTERS, *, all_of_them: bool = False) -> str | None:
    """Where a pattern stands and the begin of a text that holds it up; ``None`` of a good one."""
    written, flags, where, begins = known
    pattern = re.compile(written, flags)
    shown = written.decode("latin1") if isinstance(written, bytes) else written
    signal.signal(signal.SIGVTALRM, _stop)
    for text in _texts(shown, characters, all_of_them=all_of_them):
        given = text.encode("latin1", "replace") if isinstance(written, bytes) else text
        signal.setitimer(signal.ITIMER_VIRTUAL, LIMIT_S)
        try:
            if begins:
                pattern.match(given)
                pattern.fullmatch(given)
            else:
                for _match in pattern.finditer(given):
                    pass
        except _TooLongError:
            return f"{where} {shown[:70]!r} on {text[:12]!r} ... {text[-6:]!r}"
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    return None


def _slow_on_all(known: Known) -> str | None:
    return slow_on(known, all_of_them=True)


def test_no_pattern_is_held_up_by_a_repeated_character():
    assert len(patterns(SHARE)) > 30
    tried = [known for known in patterns(SHARE) if known[2] not in BOUNDED]
    assert [where for known in tried if (where := slow_on(known))] == []


@pytest.mark.nightly
def test_no_pattern_is_held_up_by_any_repetition():
    assert len(patterns()) > 300
    tried = [known for known in patterns() if known[2] not in BOUNDED]
    # processes, so that a limit ends a pattern that hears no signal
    with multiprocessing.get_context("forkserver").Pool(2) as pool:
        slow = pool.map_async(_slow_on_all, tried, chunksize=8).get(timeout=1_500)
    assert [where for where in slow if where] == []


def _is_safe(node: ast.expr) -> bool:
    """Whether a pattern is made of constants and of escaped texts alone."""
    if isinstance(node, ast.JoinedStr):
        return all(_is_safe(part) for part in node.values)
    if isinstance(node, ast.FormattedValue):
        return _is_safe(node.value)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return _is_safe(node.left) and _is_safe(node.right)
    if isinstance(node, ast.Call):
        called = ast.unparse(node.func)
        is_filled = called.endswith(".format") and all(map(_is_safe, node.args))
        return called == "re.escape" or (is_filled and _is_safe(node.func.value))  # type: ignore[attr-defined]
    return isinstance(node, ast.Constant) or (isinstance(node, ast.Name) and node.id.isupper())


def _made_at_run_time() -> Iterator[tuple[str, str]]:
    """Yield where functions make patterns of what may be data, and how these are written."""
    for path in (ROOT / "navviz").rglob("*.py"):
        text = path.read_text("utf-8")
        # most files have none, and parsing all of them takes seconds
        if not re.search(r"\bre\.[a-z]+\((?!\s*r?b?[\"'])", text):
            continue
        for function in ast.walk(ast.parse(text)):
            if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
                continue
            for node in ast.walk(function):
                if not isinstance(node, ast.Call) or ast.unparse(node.func) not in _APPLIED:
                    continue
                if node.args and not _is_safe(node.args[0]):
                    yield f"{path.relative_to(ROOT)}:{node.lineno}", ast.unparse(node.args[0])


def test_patterns_that_functions_make_hold_texts_only_escaped():
    made = list(_made_at_run_time())
    assert [(where, written) for where, written in made if written not in RUN_TIME] == []
    assert set(RUN_TIME) == {written for _, written in made}, "take out what is no longer made"


@pytest.mark.parametrize("written", RUN_TIME)
def test_no_pattern_that_a_function_makes_is_held_up(written):
    flags = re.IGNORECASE | re.MULTILINE
    made = [(pattern, int(flags), written, False) for pattern in RUN_TIME[written]()]
    assert [where for known in made if (where := slow_on(known))] == []


@pytest.mark.parametrize(
    "written", [r"to\s+(?:the)?\s*light", r"\s+x", r"(.+)-sample", r"[^.]*left"]
)
def test_a_pattern_that_is_held_up_is_noticed(written):
    # so long a text takes five seconds on a fast machine: the limit is met on any
    assert slow_on((written, 0, "here", False), 2 * CHARACTERS) is not None


@pytest.mark.parametrize("blanks", [" ", "\t", "\u00a0", "\u2003"])
def test_runs_of_blanks_in_an_instruction_become_one(blanks):
    text = f"Go{blanks * 400_000}to{blanks * 9}the light."
    episode = Episode(id="1", dataset="d", start="a", instruction=text)
    assert episode.instruction == f"Go to{blanks * 9}the light."
    lines = Episode(id="1", dataset="d", start="a", instruction="Go." + "\n" * 99 + "Stop.")
    assert lines.instruction == "Go.\nStop."


def test_a_long_instruction_is_cut_and_says_so():
    episode = Episode(id="1", dataset="d", start="a", instruction="left " * 100_000)
    assert len(episode.instruction) == LONGEST_INSTRUCTION
    assert episode.instruction.endswith("… [cut: of 500,000 characters the first 20,000 are read]")
    again = Episode.model_validate_json(episode.model_dump_json())
    assert again == episode, "a trace that is written and read again stays as it is"

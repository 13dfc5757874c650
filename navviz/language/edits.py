"""Edits of instructions as rules, so that what was tried on one can be tried on many.

A rule is one line of text: ``replace:left=>right``, ``prepend:Please.``, ``append:Then stop.``,
``template:Follow this: {instruction}``. Several rules are applied one after the other.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from navviz.errors import SettingsError
from navviz.records import Episode
from navviz.records.base import capital

EditKind = Literal["replace", "prepend", "append", "template"]
_ARROW = "=>"
_FIELD = "{instruction}"
_LONGEST = 2000
"""Characters of a rule; instructions of data sets stay below 2,000."""
_FORMS = "replace:OLD=>NEW, prepend:TEXT, append:TEXT or template:TEXT with {instruction}"
_TOKENS = re.compile(r"\w+|[^\w\s]")


@dataclass(frozen=True, slots=True)
class TextEdit:
    """One rule."""

    kind: EditKind
    text: str
    """What is written: the new words, or the template."""
    old: str = ""
    """Words that `replace` looks for, whole ones in any case."""

    def __post_init__(self) -> None:
        """Refuse a rule that would change nothing, or lose the instruction."""
        if len(self.text) + len(self.old) > _LONGEST:
            raise SettingsError(f"A rule has up to {_LONGEST:,} characters; shorten it.")
        if self.kind == "replace" and not self.old.strip():
            raise SettingsError("The rule replace lacks the words to look for: replace:OLD=>NEW.")
        if self.kind == "template" and _FIELD not in self.text:
            raise SettingsError(f"The template lacks {_FIELD}; write it where the text belongs.")
        if self.kind in {"prepend", "append"} and not self.text.strip():
            raise SettingsError(f"The rule {self.kind} has no text.")

    @classmethod
    def parse(cls, rule: str) -> TextEdit:
        """Read a rule; raises `SettingsError` with the forms there are."""
        # the first colon alone, since a text may hold others
        kind, colon, rest = rule.partition(":")
        if not colon or kind not in get_args(EditKind):
            raise SettingsError(f"The edit {rule!r} is no rule; write {_FORMS}.")
        if kind != "replace":
            return cls(_kind(kind), rest)
        old, arrow, new = rest.partition(_ARROW)
        if not arrow:
            raise SettingsError(f"The edit {rule!r} lacks =>; write replace:OLD=>NEW.")
        return cls("replace", new.strip(), old.strip())

    def __str__(self) -> str:
        """Write the rule as `parse` reads it."""
        if self.kind == "replace":
            return f"replace:{self.old}{_ARROW}{self.text}"
        return f"{self.kind}:{self.text}"

    def apply(self, instruction: str) -> str:
        """Return the edited text; the same text where the rule does not apply."""
        if self.kind == "replace":
            return self._replaced(instruction)
        if self.kind == "prepend":
            return f"{self.text.strip()} {instruction}"
        if self.kind == "append":
            return f"{instruction.rstrip()} {self.text.strip()}"
        return self.text.replace(_FIELD, instruction)

    def _replaced(self, instruction: str) -> str:
        # \b would not hold beside words that begin or end with a sign
        pattern = re.compile(rf"(?<!\w){re.escape(self.old.strip())}(?!\w)", re.IGNORECASE)

        def new(match: re.Match[str]) -> str:
            # new words take over the capital that begins a sentence, unless the rule writes one
            # itself
            begins_large = match[0][:1].isupper() and self.old[:1].islower()
            return capital(self.text) if begins_large else self.text

        changed, count = pattern.subn(new, instruction)
        if not count or self.text:
            return changed
        # a word that was taken out leaves its blank behind
        return re.sub(r" {2,}", " ", re.sub(r"(?<! ) ++([.,;:!?])", r"\1", changed)).strip()


def _kind(text: str) -> EditKind:
    for kind in get_args(EditKind):
        if kind == text:
            named: EditKind = kind
            return named
    raise SettingsError(f"There is no rule {text!r}; write {_FORMS}.")


def parse_edits(rules: Iterable[str]) -> tuple[TextEdit, ...]:
    """Read several rules."""
    return tuple(TextEdit.parse(rule) for rule in rules)


@dataclass(frozen=True, slots=True)
class EditedEpisodes:
    """Episodes after an edit; those that it leaves as they are stand apart."""

    changed: tuple[Episode, ...]
    unchanged: tuple[str, ...]
    """Ids of episodes in which no rule applies."""


def edit_episodes(episodes: Iterable[Episode], edits: Sequence[TextEdit]) -> EditedEpisodes:
    """Edit the instructions of episodes; ids, routes and goals stay."""
    changed: list[Episode] = []
    unchanged: list[str] = []
    for episode in episodes:
        text = episode.instruction
        for edit in edits:
            text = edit.apply(text)
        if text == episode.instruction:
            unchanged.append(episode.id)
        else:
            changed.append(episode.model_copy(update={"instruction": text}))
    return EditedEpisodes(tuple(changed), tuple(unchanged))


def likely_edit(old: str, new: str) -> TextEdit | None:
    """Return the rule that makes one text of another, for an edit at one place; else ``None``."""
    before, after = old.strip(), new.strip()
    if not before or before == after:
        return None
    if after.endswith(f" {before}"):
        return TextEdit("prepend", after.removesuffix(before).strip())
    if after.startswith(f"{before} "):
        return TextEdit("append", after.removeprefix(before).strip())
    spans = _changed_spans(before, after)
    # words that were only added leave nothing to look for
    if len(spans) != 1 or not spans[0][0]:
        return None
    edit = TextEdit("replace", spans[0][1], spans[0][0])
    # words that stand elsewhere, too, would be replaced there as well
    return edit if edit.apply(before) == after else None


def _changed_spans(old: str, new: str) -> list[tuple[str, str]]:
    """Return the words that differ, place by place, as they stand in both texts."""
    a, b = list(_TOKENS.finditer(old)), list(_TOKENS.finditer(new))
    # unless autojunk is off, difflib skips words that are frequent in a long text
    matcher = difflib.SequenceMatcher(
        None, [each[0] for each in a], [each[0] for each in b], autojunk=False
    )
    # a set: the same change at several places is one rule
    spans = set()
    for tag, i1, i2, j1, j2 in matcher.get_opcodes():
        if tag != "equal":
            spans.add((_span(old, a[i1:i2]), _span(new, b[j1:j2])))
    return sorted(spans)


def _span(text: str, tokens: Sequence[re.Match[str]]) -> str:
    return text[tokens[0].start() : tokens[-1].end()] if tokens else ""

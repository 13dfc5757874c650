"""How often each kind of explanation was right when people read it, and what follows from it.

The readings are data (`grades.json`), so that anybody can measure them again: ``navviz annotate
agreement`` writes such rows for any run. A kind is *likely* where at least 85 % of at least ten
hits were true that nobody had seen while its detector was written; every other is a *hint*.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Final

from pydantic import Field, TypeAdapter

from navviz.records import Record
from navviz.records.finding import Grade
from navviz.support.guarded import read_text
from navviz.support.installation.files import asset

LEAST_READ: Final = 10

LEAST_TRUE: Final = 0.85

PLACE: Final = asset("grades.json")


class Readings(Record):
    """What people found when they read the hits of one kind in some logs."""

    kind: str
    logs: str
    """Which run, in words."""
    true: int = Field(ge=0)
    imprecise: int = Field(default=0, ge=0)
    """The thing is right, a number or a word of the sentence is not; not right for the grade."""
    false: int = Field(default=0, ge=0)
    unseen: bool = False
    """Whether nobody had looked at these logs while the detector was written."""
    navfault: bool = False
    """Hits on planted faults: they stand in a column of their own and make nothing likely."""

    @property
    def read(self) -> int:
        """How many hits were read."""
        return self.true + self.imprecise + self.false


@cache
def readings() -> tuple[Readings, ...]:
    """Return all readings of `grades.json`."""
    return TypeAdapter(tuple[Readings, ...]).validate_json(read_text(PLACE))


def grade_of(kind: str, given: Iterable[Readings] | None = None) -> Grade:
    """Return what a kind may call its finds."""
    rows = [row for row in (readings() if given is None else given) if row.kind == kind]
    rows = [row for row in rows if row.unseen and not row.navfault]
    read, true = sum(row.read for row in rows), sum(row.true for row in rows)
    return "likely" if read >= LEAST_READ and true >= LEAST_TRUE * read else "hint"


def grades_table(kinds: Iterable[str], given: Iterable[Readings] | None = None) -> Iterator[str]:
    """Yield the table of docs/causes.md, in Markdown."""
    from scipy.stats import binomtest  # 1 s, for a table alone

    rows = list(readings() if given is None else given)
    yield "| kind | logs | read | true | imprecise | false | interval | unseen | grade | NavFault |"
    yield "|---|---|---|---|---|---|---|---|---|---|"
    for kind in kinds:
        planted = [row for row in rows if row.kind == kind and row.navfault]
        hits, right = sum(row.read for row in planted), sum(row.true for row in planted)
        faults = f"{right} of {hits}" if hits else "–"
        natural = [row for row in rows if row.kind == kind and not row.navfault]
        if not natural:
            yield f"| `{kind}` | – | 0 | – | – | – | – | – | {grade_of(kind, rows)} | {faults} |"
        for row in natural:
            interval = "–"
            if row.read:
                # exact (Clopper and Pearson), since most kinds have few hits
                ends = binomtest(row.true, row.read).proportion_ci()
                interval = f"{100 * ends.low:.0f} to {100 * ends.high:.0f} %"
            counts = f"{row.read} | {row.true} | {row.imprecise} | {row.false} | {interval}"
            unseen = "yes" if row.unseen else "no"
            grade = grade_of(kind, rows)
            yield f"| `{kind}` | {row.logs} | {counts} | {unseen} | {grade} | {faults} |"

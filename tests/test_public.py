"""What ``import navviz`` offers."""

from __future__ import annotations

import navviz


def test_every_public_name_is_there() -> None:
    for name in navviz.__all__:
        assert getattr(navviz, name) is not None


def test_unknown_names_are_refused() -> None:
    assert not hasattr(navviz, "nothing_of_the_kind")

"""Alphabets of generated texts."""

from __future__ import annotations

from hypothesis import strategies as st

UNICODE = st.characters(exclude_categories=["Cs"])
"""Every character that UTF-8 can hold, as `hypothesis` takes by itself: without an alphabet it
encodes each of the 1.1 million to find out, 1.3 s of processor time in each worker of a fresh
checkout.
"""

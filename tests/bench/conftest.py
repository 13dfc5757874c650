"""Benchmarks share the browser of the browser tests."""

from tests.browser.conftest import chromium

__all__ = ["chromium"]

"""Walks with one known fault, and how often an explainer finds it: see docs/navfault.md."""

"""Navigators: one file a system, all of them generators of the same events."""

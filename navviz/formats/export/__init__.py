"""Traces in the formats of other tools; our own stays the richer."""

"""Traces on disk (append-only JSON lines) and annotations (SQL)."""

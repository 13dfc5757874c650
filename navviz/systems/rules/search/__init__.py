"""Align a reading with the streets and choose the best route."""

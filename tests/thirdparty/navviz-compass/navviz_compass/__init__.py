"""Extends NavViz by a navigator, a format and a model."""

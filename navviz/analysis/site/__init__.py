"""Gather what a published site shows of runs, and write it."""

"""Processes that are killed at random moments: at most the item in flight is lost, nothing is
doubled.
"""

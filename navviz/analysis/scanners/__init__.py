"""Scanners: what is odd in transcripts.

NavViz's own are rules; other packages and a language model may add more.
"""

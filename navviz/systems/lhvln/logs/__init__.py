"""LH-VLN (Song et al. 2025): scene lists, task folders, step tasks, archives, training logs, and
EASI's runs.
"""

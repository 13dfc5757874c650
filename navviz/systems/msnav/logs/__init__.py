"""Logs of MapGPT (Chen et al. 2024) and MSNav (Liu et al. 2025).

No sample log of either is public. What their code prints was read from the code; the reader has
seen logs of our own `msnav` only, which the tests write in the same text.
"""

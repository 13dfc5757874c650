"""Baselines of the papers: random walker, action sampling, regex heuristic, the oracle."""

"""NavGPT (Zhou et al. 2023)."""

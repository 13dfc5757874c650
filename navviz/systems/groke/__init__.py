"""GROKE (Shami et al. 2026)."""

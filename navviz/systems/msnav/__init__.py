"""MSNav (Liu et al. 2025) and, without its three modules, MapGPT (Chen et al. 2024)."""

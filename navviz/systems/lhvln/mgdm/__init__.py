"""MGDM (Song et al. 2025): multi-granularity dynamic memory with feedback by chain of thought, as a
text variant.
"""

"""NavGen (Song et al. 2025, section 3): long-horizon tasks are written, checked, walked by an
expert and cut apart.
"""

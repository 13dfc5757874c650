"""LH-VLN: long-horizon tasks of several parts, NavGen, MGDM and their files."""

"""The map of Places in words, as MapGPT and MSNav show it to a model: kept, pruned, written, read
and drawn.
"""

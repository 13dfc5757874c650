"""Any log by a declarative mapping: which field is what, as data in TOML, read by one engine.

`model` is the mapping, `paths` its language of paths, `engine` reads by it, `reader` makes readers
of mappings; `structure` and `guess` find the mapping of a log that nobody knows.
"""

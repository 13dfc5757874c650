"""Runs of NavViz's own traces: what the list of episodes shows of each trace, as columns.

Three traces and 50,000 are opened in one way. `heads` takes from each trace what stands at its two
ends, `measure` reads and scores it, `run_rows` are the rows of one run, and `indexed` is the opened
run, which reads a trace on demand. A small run is measured while it is opened, and its columns stay
in memory. Those of a large one lie in the user's cache folder (`store`), and processes of their own
measure it (`build`).
"""

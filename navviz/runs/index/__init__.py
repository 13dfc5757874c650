"""Rows of runs: what the list of episodes shows of each walk, as columns.

Every open run has rows, and three walks and 50,000 are opened in one way. `measuring` says where
the rows of a run come from, `measure` reads and scores a walk, `run_rows` are one state of the rows
of one run. Of NavViz's own traces (`indexed`), `heads` takes what stands at their two ends first. A
small run is measured while it is opened, and its rows stay in memory; those of a large one lie in
the user's cache folder (`kept`), and processes of their own measure it (`build`).
"""

"""Large runs: what the list of episodes shows of each trace, kept as columns in the user's cache folder.

A folder of `LARGE` traces and more is not read as a whole when it is opened. `heads` takes from each trace what stands
at its two ends, `measure` reads and scores it as any other run is (`build` does so in processes of their own), `store`
keeps both in one Parquet file, and `indexed` is the opened run, which reads a trace when it is asked for.
"""

"""The pictures of a run: where they lie, which a step saw, and their bytes when they are shown.

Nothing is read when a run is opened: an episode's pictures are looked up when its replay is made,
and decoded when they are shown. `files` finds them in the opened folders, `layouts` knows the
published layouts, `films` takes frames out of films, `kept` makes and keeps small copies.
"""

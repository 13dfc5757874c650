"""Many traces to answers: what a run does, how two runs differ."""

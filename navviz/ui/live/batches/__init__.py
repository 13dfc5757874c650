"""Many episodes: the form of a batch, and the batches."""

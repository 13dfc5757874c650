"""The Batches page."""

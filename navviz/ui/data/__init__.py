"""What pages read: caches, what is open, marks, the annotation store."""

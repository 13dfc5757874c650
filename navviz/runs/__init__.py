"""Where runs lie, an opened run, its table."""

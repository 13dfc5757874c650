"""Language models: one narrow protocol, one file a backend."""

"""What every room stands on: guarded reading and writing, and where the installation lies."""

"""OpenStreetMap extracts and GraphML as outdoor worlds."""

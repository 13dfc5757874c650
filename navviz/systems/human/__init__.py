"""A person who walks an episode in the app."""

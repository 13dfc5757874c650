"""Place a reading on the streets and on a given route."""

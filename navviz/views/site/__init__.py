"""A published site: a folder of static files that shows runs without a server."""

"""The replay document and its homes: page, notebook, one HTML file."""

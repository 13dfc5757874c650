"""What NavGPT's model is shown, and how its replies are read."""

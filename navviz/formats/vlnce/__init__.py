"""VLN-CE: episodes, ground truth and results of agents in continuous environments."""

"""Why episodes fail: detectors, the engine that runs them, and tables of what they find."""

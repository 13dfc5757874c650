"""What GROKE's model is shown: the visible area in five formats, landmarks and prompts."""

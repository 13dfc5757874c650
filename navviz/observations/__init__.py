"""What a place can show an agent: 36 views, panorama texts, captions, objects."""

"""Text models with a vision tower."""

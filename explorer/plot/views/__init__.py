"""Painters of the views and of the slide, by name."""

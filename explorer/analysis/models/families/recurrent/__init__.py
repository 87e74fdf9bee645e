"""Families with layers that carry a state."""

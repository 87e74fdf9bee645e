"""Choosing, editing and keeping hardware."""

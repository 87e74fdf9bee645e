"""Painters of the charts of things side by side."""

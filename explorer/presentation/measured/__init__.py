"""Measured figures in words and tables."""

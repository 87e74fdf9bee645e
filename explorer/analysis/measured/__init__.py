"""Measured points beside predictions."""

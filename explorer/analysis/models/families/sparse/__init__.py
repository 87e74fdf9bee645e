"""Decoders with experts."""

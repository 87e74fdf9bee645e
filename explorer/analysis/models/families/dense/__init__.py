"""Decoders of today, one feed-forward block a layer."""

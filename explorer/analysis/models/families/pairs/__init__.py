"""Encoders with a decoder behind, from their configs."""

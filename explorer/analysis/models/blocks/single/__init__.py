"""Blocks of single families."""

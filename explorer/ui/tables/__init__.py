"""Editable tables of the study."""

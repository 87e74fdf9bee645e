"""Devices as rows, forms and tips."""

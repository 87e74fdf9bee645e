"""The exported slide."""

"""The physics: pure values and functions, no Qt and no files."""

"""Which model families are read, and how."""

"""Timing with the user's own torch: jobs, the interpreters that may do them, and the process that does."""

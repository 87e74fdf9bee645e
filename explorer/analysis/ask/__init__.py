"""Questions to an evaluation, each a function of it."""

"""Everything side by side, as tables, slides and files say it."""

"""The tabs in the middle of the window."""

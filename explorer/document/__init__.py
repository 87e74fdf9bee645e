"""The open study: one value, one undo stack, autosave."""

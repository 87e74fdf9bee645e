"""Sentences by code, marked for translation; a stranger's text made fit to be shown."""

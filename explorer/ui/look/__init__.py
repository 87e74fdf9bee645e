"""Theme, style, language and words of the window."""

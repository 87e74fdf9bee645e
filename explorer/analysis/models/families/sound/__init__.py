"""Models of sound: one pass over ten seconds of it, or what the config names."""

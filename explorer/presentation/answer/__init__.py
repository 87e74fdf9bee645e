"""The answer in words, and as the public JSON."""

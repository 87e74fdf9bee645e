"""Text and bytes on disk: limits, encodings, YAML, atomic writing."""

"""GGUF files: their header, and the config that it stands for."""

"""Models that see or hear around a text model of their own."""

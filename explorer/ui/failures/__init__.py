"""When the program fails, or is asked to end."""

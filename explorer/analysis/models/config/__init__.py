"""Reading a config's fields."""

"""How any figure on screen comes about."""

"""The blocks that layers are made of."""

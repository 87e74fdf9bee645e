"""Model families by kind; a module declares its own as `FAMILIES`, `registry.py` says which module to load."""

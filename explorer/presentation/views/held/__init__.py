"""What is held, in tables: by device and by kind of layer."""

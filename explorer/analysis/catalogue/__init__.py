"""What the program knows without a study: formats, kinds, devices."""

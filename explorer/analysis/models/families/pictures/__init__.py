"""Models of pictures: one pass over a picture of the size that the config names."""

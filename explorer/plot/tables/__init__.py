"""Tables of text in a picture."""

"""Small widgets that know nothing of roofs."""

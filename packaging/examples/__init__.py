"""What writes the example studies (resources/studies)."""

"""Numbers and quantities as text, and back."""
